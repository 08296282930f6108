"""The delay of a move and the pauses of the event loop with more and more tables, at one rate."""

from typing import Final

from msgspec import Struct

from bench.load.http_client import histogram
from bench.load.measurement import Measurement, noise
from bench.load.pacing import FixedRate
from bench.load.shared_tables import SharedTables
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import qipai_server
from bench.statistics import median

RATE: Final = 3000.0
CLOCK: Final = '{"main":[3600000],"increment":2000}'
"""An hour, so that no table runs out of time while others are opened."""
PAUSE: Final = 0.01
LAG: Final = "qipai_event_loop_lag_seconds"
LIMITS: Final = {10_000: 10.0, 20_000: 5.0}
"""Most milliseconds at the 99th percentile, by the number of tables."""


class Growth(Struct):
    """`pauses`: how many of the server's measurements of its event loop, one every 50 ms, were over 10 ms.

    `longest` is the upper bound of the longest one in seconds, as the buckets of the metric tell it.
    """

    tables: int
    active: int
    pauses: float
    longest: float
    measurement: Measurement


async def growth(scale: Scale, report: Report) -> list[Row]:
    """Measure the 99th percentile of the delay at the same rate for each number of tables."""
    runs: dict[tuple[int, int], list[Growth]] = {size: [] for size in scale.growth}
    for _ in range(scale.repeats):
        for size, found in runs.items():
            found.append(await _measure(*size, scale))
            report.add_run("growth", found[-1])
    return [growth_row(found) for found in runs.values()]


def growth_row(runs: list[Growth]) -> Row:
    """Return the row of one number of tables."""
    tables, active = runs[0].tables, runs[0].active
    measurements = [run.measurement for run in runs]
    delays = [measurement.p99 * 1000 for measurement in measurements]
    p99, limit = median(delays), LIMITS.get(tables)
    pauses, longest = sum(run.pauses for run in runs), max(run.longest for run in runs)
    seconds = sum(measurement.seconds for measurement in measurements)
    note = (
        f"p99 {min(delays):.1f} to {max(delays):.1f} ms, {pauses:.0f} pauses over 10 ms in {seconds:.0f} s, "
        f"longest up to {longest * 1000:.0f} ms, "
        f"{median([measurement.cpu_per_move * 1e6 for measurement in measurements]):.0f} µs per move"
    )
    playing = "" if active == tables else f", {active} play"
    return Row(
        f"growth ({tables:,} tables{playing})",
        "ms",
        "" if limit is None else f"<= {limit:.0f} ms",
        p99,
        met=None if limit is None else p99 <= limit,
        note=note + noise(measurements),
    )


def pauses(before: dict[float, float], after: dict[float, float]) -> tuple[float, float]:
    """Return how many observations were over `PAUSE`, and the upper bound of the longest one."""
    counts = {bound: after[bound] - before.get(bound, 0) for bound in sorted(after)}
    total = max(counts.values(), default=0)
    longest = next((bound for bound, count in counts.items() if count == total), 0.0)
    return total - counts.get(PAUSE, total), longest


async def _measure(tables: int, active: int, scale: Scale) -> Growth:
    with qipai_server() as server:
        async with SharedTables(server, CLOCK) as load:
            await load.fill(tables)
            load.set_pacing(FixedRate(RATE), active)
            await load.play(scale.warm, 0.1)
            before = await histogram(server.port, LAG)
            measurement = await load.play(0.1, scale.growth_seconds, timing=True)
            count, longest = pauses(before, await histogram(server.port, LAG))
            return Growth(tables, active, count, longest, measurement)
