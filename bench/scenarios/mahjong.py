"""What counting a mahjong hand costs, and listing all that may be claimed; no server is needed."""

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from bench.figures import middle, percentile
from bench.report import Report, Row
from bench.scale import Scale
from qipai.games.mahjong.bots.levels import BOTS
from qipai.games.mahjong.hand_end import claimed
from qipai.games.mahjong.hands.hand_notation import read_win
from qipai.games.mahjong.hands.waits import completes
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.scoring.tai_count import score as count
from qipai.games.mahjong.scoring.win_readings import Win
from qipai.games.mahjong.state import State
from qipai.games.mahjong.tiles import counts_of
from qipai.games.mahjong.wire_types import AnyMove, Hu, Settings, Size, Stage
from qipai.kernel.randomness import Random

HANDS: Final = Path(__file__).parents[2] / "tests" / "games" / "mahjong" / "mahjong_hands.json"
SCORE: Final = 200.0
CLAIMS: Final = 100.0
WON: Final = CLAIMS + SCORE
CLAIM: Final = 30.0
"""Microseconds."""
WINDOWS: Final = 200
"""Discards of played hands, for each size of a hand."""
TIMES: Final = 50
HU: Final = Hu()


async def score(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU time of each known hand, all readings tried, and of what follows a discard."""
    wins = [read_win(row["of"]) for row in json.loads(HANDS.read_text())["wins"]]
    windows = [window for size in Size for window in played(size, WINDOWS)]
    won = [window for window in windows if any(HU in legal for legal in claims(window))]
    return [
        _row("mahjong score", SCORE, [partial(count, win) for win in wins], scale.repeats),
        _row("mahjong claims", CLAIMS, [partial(claims, window) for window in windows], scale.repeats),
        _row("mahjong claims with a win", WON, [partial(claims, window) for window in won], scale.repeats),
        _row("mahjong claim", CLAIM, [_claim(win) for win in wins if win.win is not None], scale.repeats),
    ]


def played(size: Size, wanted: int) -> list[State]:
    """Return so many moments after a discard, from hands that our own players play."""
    (player,) = (bot for bot in BOTS if bot.name == "normal")
    dice, luck, found = Random(b"w" * 32), Random(b"l" * 32), list[State]()
    state = RULES.deal(Settings(tiles=size, hints=False), dice)
    while len(found) < wanted:
        for seat in RULES.to_act(state):
            if state.stage is Stage.CLAIMING and not any(state.votes):
                found.append(state)
            moves = RULES.legal(state, seat)
            move = player.choose(RULES.view(state, seat), seat, moves, luck)
            chosen = moves[0] if move is None else move
            turn = RULES.play(state, seat, chosen, dice)
            state = turn.state
            if turn.ends_decision:
                break
    return found[:wanted]


def claims(state: State) -> list[Sequence[AnyMove]]:
    """Return what everybody may answer to a discard; a win is counted as well."""
    found = [RULES.legal(state, seat) for seat in RULES.to_act(state)]
    for seat, legal in zip(RULES.to_act(state), found, strict=True):
        if legal[-1] == HU:
            claimed(state, (seat,))
    return found


def _claim(win: Win) -> Callable[[], object]:
    assert win.win is not None
    before = bytearray(counts_of(win.hand))
    before[win.win] -= 1
    return partial(completes, bytes(before), win.win, win.melds)


def _row(name: str, target: float, calls: list[Callable[[], object]], repeats: int) -> Row:
    costs = [middle([_cost(call) for _ in range(repeats)]) for call in calls]
    found = middle(costs)
    note = f"{len(calls)} hands, p99 {percentile(costs, 0.99):.1f} µs"
    return Row(name, "µs", f"<= {target:.0f} µs", found, met=found <= target, note=note)


def _cost(call: Callable[[], object]) -> float:
    began = time.process_time_ns()
    for _ in range(TIMES):
        call()
    return (time.process_time_ns() - began) / TIMES / 1000
