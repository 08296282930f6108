"""A chess move of the qtchess dialect: checked, clocked, journalled, told to both; beside a bare relay."""

from bench.load.chess import play_chess
from bench.load.window import Window
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

from .cost import compared


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move."""
    relayed, played = [], []
    for _ in range(scale.rounds):
        with reference("qtchess") as server:
            relayed.append(await _cost(server, scale, report))
        with ours() as server:
            played.append(await _cost(server, scale, report))
    return [compared("qtchess-move", played, relayed)]


async def _cost(server: Server, scale: Scale, report: Report) -> Window:
    window = await play_chess(server, scale.tables, scale.warm, scale.seconds)
    report.keep("qtchess-move", window)
    return window
