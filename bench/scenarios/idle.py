"""What a connection costs that only said hello."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from bench import probe
from bench.figures import middle
from bench.load.client import Client
from bench.load.floor import crowd
from bench.load.login import log_in
from bench.load.socketio import Socket
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

LIMIT: Final = 16.0
FIRST: Final = 100
"""Guests who come and go before the first look, so that what is loaded once is not counted."""


class Guest(Protocol):
    """A connection that can be dropped."""

    def close(self) -> None: ...


class Idle(Struct):
    """Memory before and after, in bytes."""

    server: str
    connections: int
    before: probe.Memory
    after: probe.Memory
    rss_each: float
    pss_each: float


async def memory(scale: Scale, report: Report) -> list[Row]:
    """Measure resident memory per idle connection."""
    relayed, played = [], []
    for _ in range(scale.repeats):
        with reference("ws") as server:
            relayed.append(await _hold(server, scale, _guest))
        with ours() as server:
            played.append(await _hold(server, scale, _guest))
        report.keep("idle-memory", relayed[-1])
        report.keep("idle-memory", played[-1])
    mine, theirs = _each(played), _each(relayed)
    return [Row("idle-memory", "kB", f"<= {LIMIT:.0f} kB", mine, theirs, mine / theirs, mine <= LIMIT)]


async def sockets(scale: Scale, report: Report) -> list[Row]:
    """Measure resident memory per idle Socket.IO connection; ours know who they are."""
    relayed, played = [], []
    for _ in range(scale.repeats):
        with reference("tictactoe") as server:
            relayed.append(await _hold(server, scale, _socket))
        with ours() as server:
            played.append(await _hold(server, scale, _person))
        report.keep("socketio-idle", relayed[-1])
        report.keep("socketio-idle", played[-1])
    mine, theirs = _each(played), _each(relayed)
    return [Row("socketio-idle", "kB", "<= 1.0 x", mine, theirs, mine / theirs, mine <= theirs)]


async def _guest(port: int, _: int) -> Client:
    client = Client(port)
    await client.connect()
    return client


async def _socket(port: int, _: int) -> Socket:
    socket = Socket(port)
    await socket.connect()
    return socket


async def _person(port: int, number: int) -> Socket:
    socket = Socket(port)
    await socket.connect(await log_in(port, f"p{number}"))
    return socket


def _each(runs: Sequence[Idle]) -> float:
    return middle([run.rss_each / 1024 for run in runs])


async def _hold(server: Server, scale: Scale, come: Callable[[int, int], Awaitable[Guest]]) -> Idle:
    count = scale.idle

    async def arrive(number: int) -> Guest:
        return await come(server.port, number)

    for guest in await crowd(FIRST, arrive):
        guest.close()
    await asyncio.sleep(scale.settle)
    before = probe.memory(server.pid)
    guests = await crowd(count, arrive)
    await asyncio.sleep(scale.settle)
    after = probe.memory(server.pid)
    for guest in guests:
        guest.close()
    await asyncio.sleep(0.1)
    return Idle(
        server.name,
        count,
        before,
        after,
        (after.rss - before.rss) / count,
        (after.pss - before.pss) / count,
    )
