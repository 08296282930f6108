"""Delay of a broadcast at half the load that the server can take."""

from contextlib import AsyncExitStack
from typing import Final

from bench.load.measurement import Measurement, noise
from bench.load.native_tables import NativeTables
from bench.load.pacing import FixedRate, Unlimited
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import qipai_server, reference_server
from bench.statistics import median

TRIES: Final = 2
NOISE: Final = 0.03


async def latency(scale: Scale, report: Report) -> list[Row]:
    """Compare p99 from frame sent to broadcast received, at half the rate of the slower server for both."""
    measurements: dict[str, list[Measurement]] = {}
    async with AsyncExitStack() as stack:
        servers = [stack.enter_context(reference_server("ws")), stack.enter_context(qipai_server())]
        all_tables = [await stack.enter_async_context(NativeTables(server)) for server in servers]
        for tables in all_tables:
            await tables.fill(scale.tables)
        for _ in range(scale.rounds):
            rate = min([await _saturation(tables, scale) for tables in all_tables]) / 2
            for tables in all_tables:
                tables.set_pacing(FixedRate(rate))
                measurement = await _measure_quietly(tables, scale)
                report.add_run("native-latency", measurement)
                measurements.setdefault(tables.server.name, []).append(measurement)
    reference_runs, qipai_runs = measurements.values()
    reference, qipai = (
        median([measurement.p99 * 1000 for measurement in runs]) for runs in (reference_runs, qipai_runs)
    )
    note = f"at {median([measurement.rate for measurement in qipai_runs]):.0f} moves per second" + noise(
        qipai_runs
    )
    return [
        Row("native-latency", "ms", "<= 1.0 x", qipai, reference, qipai / reference, qipai <= reference, note)
    ]


async def _measure_quietly(tables: NativeTables, scale: Scale) -> Measurement:
    """Measure again if other processes ran too much; return the quietest measurement."""
    measurements: list[Measurement] = []
    for _ in range(TRIES):
        measurements.append(await tables.play(scale.warm / 2, scale.seconds, timing=True))
        if measurements[-1].waited < NOISE * measurements[-1].seconds:
            break
    return min(measurements, key=lambda measurement: measurement.waited)


async def _saturation(tables: NativeTables, scale: Scale) -> float:
    """Return the moves per second that would use one core; the reached rate depends on other processes."""
    tables.set_pacing(Unlimited())
    return 1 / (await tables.play(scale.warm / 2, scale.seconds / 3)).cpu_per_move
