"""Whether a move costs the same however many tables there are.

A single move costs more than one of many, because all moves that wait share one turn of the event loop and
one commit. So each series has one rate: `few` tables at the rate of a single table, `many` tables at a rate
that a hundred tables play with ease; a hundred tables are measured at both. The CPU time of the idle server,
such as heartbeats, is measured first and subtracted.
"""

import asyncio
import time
from collections import defaultdict
from typing import Final

from bench import process_usage
from bench.load.native_tables import NativeTables
from bench.load.pacing import GAP, FixedRate
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server
from bench.statistics import median, spread

LIMIT: Final = 0.15
BOTH_SERIES: Final = 100
SINGLE_TABLE: Final = 1.9 / GAP
"""Moves per second at one table: two players, a little below the frame limit of each."""
WARM_UP_TABLES: Final = 50
"""Tables that play and close before the first measurement, so that no cold server is measured."""

Sizes = dict[int, list[float]]
Costs = defaultdict[str, Sizes]
"""CPU per move in microseconds, by series and by number of tables."""


async def table_count(scale: Scale, report: Report) -> list[Row]:
    """Measure CPU per move from one table to many; the reference shows the effect of the CPU caches."""
    reference_runs, qipai_runs = Costs(dict), Costs(dict)
    for _ in range(scale.repeats):
        with reference_server("ws") as server:
            await _measure_sizes(server, scale, report, reference_runs)
        with qipai_server() as server:
            await _measure_sizes(server, scale, report, qipai_runs)
    return [_row(series, qipai_runs[series], reference_runs[series]) for series in ("few", "many")]


async def _measure_sizes(server: Server, scale: Scale, report: Report, costs: Costs) -> None:
    await _warm(server, scale)
    async with NativeTables(server) as tables:
        for size in scale.table_counts:
            await tables.fill(size)
            idle = await _idle_cpu(server, scale.window)
            for series, rate in _rates(size):
                tables.set_pacing(FixedRate(rate))
                measurement = await tables.play(scale.window / 4, scale.window)
                report.add_run("table-count", measurement)
                spent = measurement.cpu - idle * measurement.seconds
                costs[series].setdefault(size, []).append(spent / measurement.moves * 1e6)


async def _warm(server: Server, scale: Scale) -> None:
    async with NativeTables(server) as tables:
        await tables.fill(WARM_UP_TABLES)
        await tables.play(scale.warm, scale.window)
        await tables.leave()


async def _idle_cpu(server: Server, seconds: float) -> float:
    await asyncio.sleep(seconds / 4)
    started, cpu = time.perf_counter(), process_usage.cpu(server.pid)
    await asyncio.sleep(seconds)
    return (process_usage.cpu(server.pid) - cpu) / (time.perf_counter() - started)


def _rates(size: int) -> list[tuple[str, float]]:
    few, many = ("few", SINGLE_TABLE), ("many", SINGLE_TABLE * BOTH_SERIES * 0.6)
    return [few, many] if size == BOTH_SERIES else [few] if size < BOTH_SERIES else [many]


def _row(series: str, qipai_runs: Sizes, reference_runs: Sizes) -> Row:
    qipai, reference = (
        {size: median(values) for size, values in sizes.items()} for sizes in (qipai_runs, reference_runs)
    )
    qipai_spread, reference_spread = spread(list(qipai.values())), spread(list(reference.values()))
    each = ", ".join(f"{size}: {cost:.0f} and {reference[size]:.0f}" for size, cost in qipai.items())
    return Row(
        f"table-count ({series})",
        "%",
        f"<= {LIMIT:.0%}",
        qipai_spread * 100,
        reference_spread * 100,
        met=qipai_spread <= LIMIT,
        note=f"µs at tables {each}",
    )
