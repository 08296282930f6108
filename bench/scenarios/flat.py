"""Whether a move costs the same however many tables there are.

A move that comes alone is dearer than one of many, because a turn of the loop and a commit are shared
by all moves that wait. So sizes are compared at one rate each: few tables at what a single one may
play, many at what a hundred play with ease; a hundred is measured at both. What the server does while nobody
moves (a beat a second, signs of life) is measured first and taken off.
"""

import asyncio
import time
from collections import defaultdict
from typing import Final

from bench import probe
from bench.figures import middle, spread
from bench.load.floor import Floor
from bench.load.pace import GAP, Steady
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

LIMIT: Final = 0.15
MEETING: Final = 100
SINGLE: Final = 1.9 / GAP
"""Moves a second at one table: two players, a little below what each may send."""
FIRST: Final = 50
"""Tables that play and are left before the first look: a cold server is not what is compared."""

Sizes = dict[int, list[float]]
Costs = defaultdict[str, Sizes]
"""CPU per move in microseconds, by series and by number of tables."""


async def flat(scale: Scale, report: Report) -> list[Row]:
    """Measure CPU per move from one table to many; the relay shows what the machine's caches take."""
    relayed, played = Costs(dict), Costs(dict)
    for _ in range(scale.repeats):
        with reference("ws") as server:
            await _grow(server, scale, report, relayed)
        with ours() as server:
            await _grow(server, scale, report, played)
    return [_row(series, played[series], relayed[series]) for series in ("few", "many")]


async def _grow(server: Server, scale: Scale, report: Report, costs: Costs) -> None:
    await _warm(server, scale)
    async with Floor(server) as floor:
        for size in scale.sizes:
            await floor.fill(size)
            resting = await _resting(server, scale.window)
            for series, rate in _rates(size):
                floor.set_pace(Steady(rate))
                window = await floor.play(scale.window / 4, scale.window)
                report.keep("flat", window)
                spent = window.cpu - resting * window.seconds
                costs[series].setdefault(size, []).append(spent / window.moves * 1e6)


async def _warm(server: Server, scale: Scale) -> None:
    async with Floor(server) as floor:
        await floor.fill(FIRST)
        await floor.play(scale.warm, scale.window)
        await floor.leave()


async def _resting(server: Server, seconds: float) -> float:
    await asyncio.sleep(seconds / 4)
    began, cpu = time.perf_counter(), probe.cpu(server.pid)
    await asyncio.sleep(seconds)
    return (probe.cpu(server.pid) - cpu) / (time.perf_counter() - began)


def _rates(size: int) -> list[tuple[str, float]]:
    few, many = ("few", SINGLE), ("many", SINGLE * MEETING * 0.6)
    return [few, many] if size == MEETING else [few] if size < MEETING else [many]


def _row(series: str, played: Sizes, relayed: Sizes) -> Row:
    found, beside = ({size: middle(values) for size, values in sizes.items()} for sizes in (played, relayed))
    wide, theirs = spread(list(found.values())), spread(list(beside.values()))
    each = ", ".join(f"{size}: {cost:.0f} and {beside[size]:.0f}" for size, cost in found.items())
    return Row(
        f"flat ({series})",
        "%",
        f"<= {LIMIT:.0%}",
        wide * 100,
        theirs * 100,
        met=wide <= LIMIT,
        note=f"µs at tables {each}",
    )
