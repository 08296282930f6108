"""A table that a thousand people look at."""

from typing import Final

from msgspec import Struct
from picows import WSFrame, WSTransport

from bench.failure import Failure
from bench.figures import middle
from bench.load.client import Client
from bench.load.floor import Floor
from bench.load.floor import crowd as many
from bench.load.notices import Shown
from bench.load.pace import Steady
from bench.load.window import Window
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

LIMIT: Final = 4.0
RATE: Final = 25.0


class Watcher(Client):
    """Looks on; once it is in, it only counts frames."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.seen = 0
        self._inside = False

    async def watch(self, room: bytes) -> None:
        """Come to the table."""
        await self.connect()
        await self.ask(b'{"type":"watch","room":"%b"}' % room, Shown)
        self._inside = True

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Count, or read while coming in."""
        if self._inside:
            self.seen += 1
        else:
            super().on_ws_frame(transport, frame)


class Crowd(Struct):
    """What telling one move to one receiver costs, in seconds of CPU."""

    watchers: int
    each: float
    kernel: float
    window: Window


async def crowd(scale: Scale, report: Report) -> list[Row]:
    """Measure CPU per receiver and move."""
    relayed, played = [], []
    for _ in range(scale.repeats):
        with reference("ws") as server:
            relayed.append(await _shown(server, scale))
        with ours() as server:
            played.append(await _shown(server, scale))
        report.keep("crowd", relayed[-1])
        report.keep("crowd", played[-1])
    theirs, mine = (middle([run.each * 1e6 for run in runs]) for runs in (relayed, played))
    inside = [middle([run.kernel * 1e6 for run in runs]) for runs in (played, relayed)]
    note = f"kernel {inside[0]:.1f} and {inside[1]:.1f} µs"
    return [Row("crowd", "µs", f"<= {LIMIT:.0f} µs", mine, theirs, mine / theirs, mine <= LIMIT, note)]


async def _shown(server: Server, scale: Scale) -> Crowd:
    async with Floor(server) as floor:
        await floor.fill(1)
        room = floor.pairs[0][0].room

        async def watcher(_: int) -> Watcher:
            client = Watcher(server.port)
            await client.watch(room)
            return client

        watchers = await many(scale.watchers, watcher)
        floor.set_pace(Steady(RATE))
        before = sum(client.seen for client in watchers)
        version = floor.pairs[0][0].version
        window = await floor.play(scale.warm / 2, scale.seconds)
        expected = (floor.pairs[0][0].version - version) * len(watchers)
        seen = sum(client.seen for client in watchers) - before
        for client in watchers:
            client.close()
        if seen < expected:
            raise Failure(f"{server.name} told the crowd {seen} of {expected} times")
        receivers = len(watchers) + 2
        return Crowd(
            len(watchers), window.cpu_per_move / receivers, window.kernel_per_move / receivers, window
        )
