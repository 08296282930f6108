"""What counting a mahjong hand costs, and the question whether a tile wins; no server is needed."""

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from bench.figures import middle, percentile
from bench.report import Report, Row
from bench.scale import Scale
from qipai.games.mahjong.notation import read_win
from qipai.games.mahjong.tai import score as count
from qipai.games.mahjong.tiles import counts_of
from qipai.games.mahjong.waits import completes
from qipai.games.mahjong.win import Win

HANDS: Final = Path(__file__).parents[2] / "tests" / "games" / "mahjong_hands.json"
SCORE: Final = 200.0
CLAIM: Final = 30.0
"""Microseconds."""
TIMES: Final = 50


async def score(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU time of each known hand, all readings tried."""
    wins = [read_win(row["of"]) for row in json.loads(HANDS.read_text())["wins"]]
    return [
        _row("mahjong score", SCORE, [partial(count, win) for win in wins], scale.repeats),
        _row("mahjong claim", CLAIM, [_claim(win) for win in wins if win.win is not None], scale.repeats),
    ]


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
