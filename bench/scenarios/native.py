"""A move of the native protocol: validated, journalled, told to both; beside a bare relay."""

from typing import Final

from bench.load.floor import Floor
from bench.load.window import Window
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

from .cost import compared

CLOCK: Final = '{"main":[300000],"increment":2000}'


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move on tables without a clock."""
    return [await _compare("native-move", "", scale, report)]


async def clocked_move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move on tables with a clock."""
    return [await _compare("native-clock", CLOCK, scale, report)]


async def _compare(name: str, clock: str, scale: Scale, report: Report) -> Row:
    relayed, played = [], []
    for _ in range(scale.rounds):
        with reference("ws") as server:
            relayed.append(await _cost(server, clock, scale))
        with ours() as server:
            played.append(await _cost(server, clock, scale))
        report.keep(name, relayed[-1])
        report.keep(name, played[-1])
    return compared(name, played, relayed)


async def _cost(server: Server, clock: str, scale: Scale) -> Window:
    async with Floor(server, clock) as floor:
        await floor.fill(scale.tables)
        return await floor.play(scale.warm, scale.seconds)
