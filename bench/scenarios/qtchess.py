"""A chess move of the qtchess dialect that is checked, clocked, stored and broadcast, beside a relay."""

from bench.load.measurement import Measurement
from bench.load.qtchess_players import play_qtchess
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server

from .cpu_per_move import comparison_row


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move."""
    reference_runs, qipai_runs = [], []
    for _ in range(scale.rounds):
        with reference_server("qtchess") as server:
            reference_runs.append(await _cost(server, scale, report))
        with qipai_server() as server:
            qipai_runs.append(await _cost(server, scale, report))
    return [comparison_row("qtchess-move", qipai_runs, reference_runs)]


async def _cost(server: Server, scale: Scale, report: Report) -> Measurement:
    measurement = await play_qtchess(server, scale.tables, scale.warm, scale.seconds)
    report.add_run("qtchess-move", measurement)
    return measurement
