"""Memory of a connection that only sent hello."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from bench import process_usage
from bench.load.login import log_in
from bench.load.native_client import NativeClient
from bench.load.native_tables import create_many
from bench.load.socketio_client import SocketIOClient
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server
from bench.statistics import median

LIMIT: Final = 16.0
WARM_UP: Final = 100
"""Connections before the first measurement, so that what is loaded once is not counted."""


class IdleClient(Protocol):
    """A connection that can be closed."""

    def close(self) -> None: ...


class Idle(Struct):
    """Memory before and after, in bytes."""

    server: str
    connections: int
    before: process_usage.Memory
    after: process_usage.Memory
    rss_per_connection: float
    pss_per_connection: float


async def memory(scale: Scale, report: Report) -> list[Row]:
    """Measure resident memory per idle connection."""
    reference_runs, qipai_runs = [], []
    for _ in range(scale.repeats):
        with reference_server("ws") as server:
            reference_runs.append(await _measure(server, scale, _native))
        with qipai_server() as server:
            qipai_runs.append(await _measure(server, scale, _native))
        report.add_run("idle-memory", reference_runs[-1])
        report.add_run("idle-memory", qipai_runs[-1])
    qipai, reference = _kilobytes(qipai_runs), _kilobytes(reference_runs)
    return [
        Row("idle-memory", "kB", f"<= {LIMIT:.0f} kB", qipai, reference, qipai / reference, qipai <= LIMIT)
    ]


async def sockets(scale: Scale, report: Report) -> list[Row]:
    """Measure resident memory per idle Socket.IO connection; those of Qipai are logged in."""
    reference_runs, qipai_runs = [], []
    for _ in range(scale.repeats):
        with reference_server("tictactoe") as server:
            reference_runs.append(await _measure(server, scale, _socket))
        with qipai_server() as server:
            qipai_runs.append(await _measure(server, scale, _logged_in))
        report.add_run("socketio-idle", reference_runs[-1])
        report.add_run("socketio-idle", qipai_runs[-1])
    qipai, reference = _kilobytes(qipai_runs), _kilobytes(reference_runs)
    return [Row("socketio-idle", "kB", "<= 1.0 x", qipai, reference, qipai / reference, qipai <= reference)]


async def _native(port: int, _: int) -> NativeClient:
    client = NativeClient(port)
    await client.connect()
    return client


async def _socket(port: int, _: int) -> SocketIOClient:
    socket = SocketIOClient(port)
    await socket.connect()
    return socket


async def _logged_in(port: int, number: int) -> SocketIOClient:
    socket = SocketIOClient(port)
    await socket.connect(await log_in(port, f"p{number}"))
    return socket


def _kilobytes(runs: Sequence[Idle]) -> float:
    return median([run.rss_per_connection / 1024 for run in runs])


async def _measure(
    server: Server, scale: Scale, connect: Callable[[int, int], Awaitable[IdleClient]]
) -> Idle:
    count = scale.idle

    async def open_one(number: int) -> IdleClient:
        return await connect(server.port, number)

    for client in await create_many(WARM_UP, open_one):
        client.close()
    await asyncio.sleep(scale.settle)
    before = process_usage.memory(server.pid)
    clients = await create_many(count, open_one)
    await asyncio.sleep(scale.settle)
    after = process_usage.memory(server.pid)
    for client in clients:
        client.close()
    await asyncio.sleep(0.1)
    return Idle(
        server.name,
        count,
        before,
        after,
        (after.rss - before.rss) / count,
        (after.pss - before.pss) / count,
    )
