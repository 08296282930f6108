"""What a connection costs that only said hello."""

import asyncio
from typing import Final

from msgspec import Struct

from bench import probe
from bench.figures import middle
from bench.load.client import Client
from bench.load.floor import crowd
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

LIMIT: Final = 16.0
FIRST: Final = 100
"""Guests who come and go before the first look, so that what is loaded once is not counted."""


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
    for _ in range(scale.rounds):
        with reference("ws") as server:
            relayed.append(await _hold(server, scale))
        with ours() as server:
            played.append(await _hold(server, scale))
        report.keep("idle-memory", relayed[-1])
        report.keep("idle-memory", played[-1])
    theirs, mine = (middle([seen.rss_each / 1024 for seen in runs]) for runs in (relayed, played))
    return [Row("idle-memory", "kB", f"<= {LIMIT:.0f} kB", mine, theirs, mine / theirs, mine <= LIMIT)]


async def _hold(server: Server, scale: Scale) -> Idle:
    count = scale.idle

    async def guest(_: int) -> Client:
        client = Client(server.port)
        await client.connect()
        return client

    for client in await crowd(FIRST, guest):
        client.close()
    await asyncio.sleep(scale.settle)
    before = probe.memory(server.pid)
    guests = await crowd(count, guest)
    await asyncio.sleep(scale.settle)
    after = probe.memory(server.pid)
    for client in guests:
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
