"""A tic-tac-toe mark over Socket.IO: validated, journalled, told to both; beside a bare relay."""

from bench.load.marks import play_marks
from bench.load.window import Window
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

from .cost import compared, cost


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted mark; the note says what recovery, which ours has, costs the relay."""
    relayed, recovering, played = [], [], []
    for number in range(scale.rounds):
        with reference("tictactoe") as server:
            relayed.append(await _cost(server, scale, report))
        with ours() as server:
            played.append(await _cost(server, scale, report, login=True))
        if number < scale.repeats:
            with reference("tictactoe", "recovery") as server:
                recovering.append(await _cost(server, scale, report))
    return [
        compared("tictactoe-move", played, relayed, f", reference with recovery {cost(recovering):.1f} µs")
    ]


async def _cost(server: Server, scale: Scale, report: Report, *, login: bool = False) -> Window:
    window = await play_marks(server, scale.tables, scale.warm, scale.seconds, login=login)
    report.keep("tictactoe-move", window)
    return window
