"""A tic-tac-toe mark over Socket.IO that is checked, stored and broadcast, beside a relay."""

from bench.load.measurement import Measurement
from bench.load.tictactoe_players import play_tictactoe
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server

from .cpu_per_move import comparison_row, cpu_microseconds


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted mark; the note has the reference with connection recovery, which Qipai has."""
    reference_runs, recovery_runs, qipai_runs = [], [], []
    for number in range(scale.rounds):
        with reference_server("tictactoe") as server:
            reference_runs.append(await _cost(server, scale, report))
        with qipai_server() as server:
            qipai_runs.append(await _cost(server, scale, report, login=True))
        if number < scale.repeats:
            with reference_server("tictactoe", "recovery") as server:
                recovery_runs.append(await _cost(server, scale, report))
    return [
        comparison_row(
            "tictactoe-move",
            qipai_runs,
            reference_runs,
            f", reference with recovery {cpu_microseconds(recovery_runs):.1f} µs",
        )
    ]


async def _cost(server: Server, scale: Scale, report: Report, *, login: bool = False) -> Measurement:
    measurement = await play_tictactoe(server, scale.tables, scale.warm, scale.seconds, login=login)
    report.add_run("tictactoe-move", measurement)
    return measurement
