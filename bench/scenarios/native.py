"""A move of the native protocol that is checked, stored and broadcast, beside a relay."""

from typing import Final

from bench.load.measurement import Measurement
from bench.load.native_tables import NativeTables
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server

from .cpu_per_move import comparison_row

CLOCK: Final = '{"main":[300000],"increment":2000}'


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move on tables without a clock."""
    return [await _compare("native-move", "", scale, report)]


async def clocked_move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move on tables with a clock."""
    return [await _compare("native-clock", CLOCK, scale, report)]


async def _compare(name: str, clock: str, scale: Scale, report: Report) -> Row:
    reference_runs, qipai_runs = [], []
    for _ in range(scale.rounds):
        with reference_server("ws") as server:
            reference_runs.append(await _cost(server, clock, scale))
        with qipai_server() as server:
            qipai_runs.append(await _cost(server, clock, scale))
        report.add_run(name, reference_runs[-1])
        report.add_run(name, qipai_runs[-1])
    return comparison_row(name, qipai_runs, reference_runs)


async def _cost(server: Server, clock: str, scale: Scale) -> Measurement:
    async with NativeTables(server, clock) as tables:
        await tables.fill(scale.tables)
        return await tables.play(scale.warm, scale.seconds)
