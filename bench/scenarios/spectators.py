"""CPU time to send one move to one of many spectators."""

from typing import Final

from msgspec import Struct
from picows import WSFrame, WSTransport

from bench.failure import Failure
from bench.load.measurement import Measurement
from bench.load.native_client import NativeClient
from bench.load.native_tables import NativeTables, create_many
from bench.load.notices import FullRoom
from bench.load.pacing import FixedRate
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server
from bench.statistics import median

LIMIT: Final = 4.0
RATE: Final = 25.0


class Spectator(NativeClient):
    """Spectator that only counts frames after it has joined."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.frames = 0
        self._joined = False

    async def watch(self, room: bytes) -> None:
        """Connect and watch a room."""
        await self.connect()
        await self.ask(b'{"type":"watch","room":"%b"}' % room, FullRoom)
        self._joined = True

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Count the frame, or decode it before joining."""
        if self._joined:
            self.frames += 1
        else:
            super().on_ws_frame(transport, frame)


class SpectatorCost(Struct):
    """CPU seconds per receiver of one move."""

    spectators: int
    cpu: float
    kernel: float
    measurement: Measurement


async def spectators(scale: Scale, report: Report) -> list[Row]:
    """Measure CPU per receiver and move."""
    reference_runs, qipai_runs = [], []
    for _ in range(scale.repeats):
        with reference_server("ws") as server:
            reference_runs.append(await _measure(server, scale))
        with qipai_server() as server:
            qipai_runs.append(await _measure(server, scale))
        report.add_run("spectators", reference_runs[-1])
        report.add_run("spectators", qipai_runs[-1])
    reference, qipai = (median([run.cpu * 1e6 for run in runs]) for runs in (reference_runs, qipai_runs))
    kernel = [median([run.kernel * 1e6 for run in runs]) for runs in (qipai_runs, reference_runs)]
    note = f"kernel {kernel[0]:.1f} and {kernel[1]:.1f} µs"
    return [
        Row(
            "spectators",
            "µs",
            f"<= {LIMIT:.0f} µs",
            qipai,
            reference,
            qipai / reference,
            qipai <= LIMIT,
            note,
        )
    ]


async def _measure(server: Server, scale: Scale) -> SpectatorCost:
    async with NativeTables(server) as tables:
        await tables.fill(1)
        room = tables.pairs[0][0].room

        async def spectator(_: int) -> Spectator:
            client = Spectator(server.port)
            await client.watch(room)
            return client

        clients = await create_many(scale.spectators, spectator)
        tables.set_pacing(FixedRate(RATE))
        before = sum(client.frames for client in clients)
        version = tables.pairs[0][0].version
        measurement = await tables.play(scale.warm / 2, scale.seconds)
        expected = (tables.pairs[0][0].version - version) * len(clients)
        received = sum(client.frames for client in clients) - before
        for client in clients:
            client.close()
        if received < expected:
            raise Failure(f"{server.name} sent {received} of {expected} frames to spectators")
        receivers = len(clients) + 2
        return SpectatorCost(
            len(clients),
            measurement.cpu_per_move / receivers,
            measurement.kernel_per_move / receivers,
            measurement,
        )
