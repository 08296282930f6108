"""CPU time to score a mahjong hand, and to list all claims after a discard; without a server."""

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from bench.report import Report, Row
from bench.scale import Scale
from bench.statistics import median, percentile
from qipai.games.mahjong.bots.levels import BOTS
from qipai.games.mahjong.hand_end import win_by_claim
from qipai.games.mahjong.hands.hand_notation import read_win
from qipai.games.mahjong.hands.waits import completes
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.scoring.tai_count import score_win
from qipai.games.mahjong.scoring.win_readings import Win
from qipai.games.mahjong.state import State
from qipai.games.mahjong.tiles import counts_of
from qipai.games.mahjong.wire_types import AnyMove, Hu, Settings, Size, Stage
from qipai.kernel.randomness import Random

HANDS: Final = Path(__file__).parents[2] / "tests" / "games" / "mahjong" / "mahjong_hands.json"
SCORE_LIMIT: Final = 200.0
CLAIMS_LIMIT: Final = 100.0
CLAIMS_WITH_WIN_LIMIT: Final = CLAIMS_LIMIT + SCORE_LIMIT
CLAIM_LIMIT: Final = 30.0
"""Targets in microseconds."""
DISCARDS: Final = 200
"""Discards of played hands, for each size of a hand."""
CALLS: Final = 50
HU: Final = Hu()


async def score(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU time to score each known hand with all readings, and to list claims."""
    wins = [read_win(row["of"]) for row in json.loads(HANDS.read_text())["wins"]]
    discards = [discard for size in Size for discard in play_hands(size, DISCARDS)]
    won = [discard for discard in discards if any(HU in legal for legal in claims(discard))]
    return [
        _row("mahjong score", SCORE_LIMIT, [partial(score_win, win) for win in wins], scale.repeats),
        _row(
            "mahjong claims", CLAIMS_LIMIT, [partial(claims, discard) for discard in discards], scale.repeats
        ),
        _row(
            "mahjong claims with a win",
            CLAIMS_WITH_WIN_LIMIT,
            [partial(claims, discard) for discard in won],
            scale.repeats,
        ),
        _row(
            "mahjong claim", CLAIM_LIMIT, [_claim(win) for win in wins if win.win is not None], scale.repeats
        ),
    ]


def play_hands(size: Size, wanted: int) -> list[State]:
    """Return so many states after a discard, from hands that bots play."""
    (player,) = (bot for bot in BOTS if bot.name == "normal")
    random, bot_random, found = Random(b"w" * 32), Random(b"l" * 32), list[State]()
    state = RULES.deal(Settings(tiles=size, hints=False), random)
    while len(found) < wanted:
        for seat in RULES.to_act(state):
            if state.stage is Stage.CLAIMING and not any(state.answers):
                found.append(state)
            moves = RULES.legal(state, seat)
            move = player.choose(RULES.view(state, seat), seat, moves, bot_random)
            chosen = moves[0] if move is None else move
            result = RULES.play(state, seat, chosen, random)
            state = result.state
            if result.ends_decision:
                break
    return found[:wanted]


def claims(state: State) -> list[Sequence[AnyMove]]:
    """Return the legal claims of all seats after a discard; a win is scored as well."""
    found = [RULES.legal(state, seat) for seat in RULES.to_act(state)]
    for seat, legal in zip(RULES.to_act(state), found, strict=True):
        if legal[-1] == HU:
            win_by_claim(state, (seat,))
    return found


def _claim(win: Win) -> Callable[[], object]:
    assert win.win is not None
    before = bytearray(counts_of(win.hand))
    before[win.win] -= 1
    return partial(completes, bytes(before), win.win, win.melds)


def _row(name: str, target: float, calls: list[Callable[[], object]], repeats: int) -> Row:
    costs = [median([_cost(call) for _ in range(repeats)]) for call in calls]
    cpu = median(costs)
    note = f"{len(calls)} hands, p99 {percentile(costs, 0.99):.1f} µs"
    return Row(name, "µs", f"<= {target:.0f} µs", cpu, met=cpu <= target, note=note)


def _cost(call: Callable[[], object]) -> float:
    started = time.process_time_ns()
    for _ in range(CALLS):
        call()
    return (time.process_time_ns() - started) / CALLS / 1000
