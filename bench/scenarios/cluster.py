"""Workers on one Redis: CPU per move beside the embedded mode, and the gain of a second worker."""

from typing import Final

from bench import process_usage
from bench.load.measurement import Measurement, noise
from bench.load.native_tables import NativeTables
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, redis_server
from bench.statistics import median

from .cpu_per_move import cpu_microseconds

MICRO: Final = 1e6
TWO_WORKERS_GAIN: Final = 1.6
"""Target for two workers, each with a core of its own."""


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move: one worker on Redis, without Redis itself, beside the embedded mode."""
    embedded, shared, redis_cpu = [], [], []
    for _ in range(scale.rounds):
        with qipai_server() as server:
            embedded.append((await _play(server, scale))[0])
        with redis_server() as store, qipai_server(_address(store)) as server:
            measurement, cpu = await _play(server, scale, store)
            shared.append(measurement)
            redis_cpu.append(cpu)
        report.add_run("redis-move", embedded[-1])
        report.add_run("redis-move", shared[-1])
    shared_cpu, embedded_cpu = cpu_microseconds(shared), cpu_microseconds(embedded)
    note = f"Redis itself {median(redis_cpu) * MICRO:.0f} µs, generator {_generator(shared):.0f} µs"
    return [_row("redis-move", "µs", "", shared_cpu, embedded_cpu, met=None, note=note + noise(shared))]


async def two_workers(scale: Scale, report: Report) -> list[Row]:
    """Compare moves per second of two workers on one Redis with one, as fast as they can."""
    single: list[Measurement] = []
    double: list[Measurement] = []
    for _ in range(scale.rounds):
        for count, measurements in ((1, single), (2, double)):
            with redis_server() as store, qipai_server(_address(store), count) as server:
                measurements.append((await _play(server, scale))[0])
            report.add_run("two-workers", measurements[-1])
    rates = [median([measurement.rate for measurement in measurements]) for measurements in (double, single)]
    ideal = 2 * cpu_microseconds(single) / cpu_microseconds(double)
    note = (
        f"CPU {cpu_microseconds(double):.0f} and {cpu_microseconds(single):.0f} µs per move, "
        f"so {ideal:.1f} x if each had a core; generator {_generator(double):.0f} µs of the same cores"
        + noise([*single, *double])
    )
    met = rates[0] >= TWO_WORKERS_GAIN * rates[1]
    return [
        _row("two-workers", "moves/s", f">= {TWO_WORKERS_GAIN} x", rates[0], rates[1], met=met, note=note)
    ]


async def _play(server: Server, scale: Scale, beside: Server | None = None) -> tuple[Measurement, float]:
    """Return the measurement, and the CPU seconds per move of another server in the same time."""
    async with NativeTables(server) as tables:
        await tables.fill(scale.tables)
        await tables.play(scale.warm, 0.1)
        before = 0.0 if beside is None else process_usage.cpu(beside.pid)
        measurement = await tables.play(0, scale.seconds)
        other_cpu = 0.0 if beside is None else process_usage.cpu(beside.pid) - before
        return measurement, other_cpu / max(1, measurement.moves)


def _row(
    name: str, unit: str, target: str, qipai: float, reference: float, *, met: bool | None, note: str
) -> Row:
    return Row(name, unit, target, qipai, reference, qipai / reference, met, note)


def _generator(measurements: list[Measurement]) -> float:
    return median([measurement.generator_per_move * MICRO for measurement in measurements])


def _address(store: Server) -> str:
    return f"redis://127.0.0.1:{store.port}"
