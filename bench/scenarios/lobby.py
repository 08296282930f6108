"""A full lobby while tables come and go."""

import asyncio
import time
from typing import Final

from msgspec import Struct

from bench import probe
from bench.failure import Failure
from bench.figures import middle
from bench.load.client import Client
from bench.load.floor import crowd
from bench.load.notices import LobbyNews, Notice, Shown
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours

LIMIT: Final = 10.0
CHANGES: Final = 100.0
HOSTS: Final = 50


class Guest(Client):
    """Follows the list and counts what it hears of it."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.news = 0
        self.changes = 0

    async def follow(self) -> None:
        """Come in and look at the list."""
        await self.connect()
        await self.ask(b'{"type":"lobby","on":true}', LobbyNews)

    def hear(self, notice: Notice) -> None:
        """Count."""
        if isinstance(notice, LobbyNews):
            self.news += 1
            self.changes += len(notice.rooms) + len(notice.gone)


class Host(Client):
    """Opens a public table, leaves it, and opens the next."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.room = ""
        self.opened = 0
        self.changed = 0

    def change(self) -> None:
        """Make the list differ by one table."""
        self.changed += 1
        if self.room:
            self.send(b'{"type":"leave","room":"%b"}' % self.room.encode())
            self.room = ""
        else:
            self.opened += 1
            self.send(b'{"type":"open","game":"tictactoe","nonce":"t%d"}' % self.opened)

    def hear(self, notice: Notice) -> None:
        """Learn which table it got."""
        if isinstance(notice, Shown):
            self.room = notice.room.id


class Busy(Struct):
    """How busy the server was, and what a watcher heard each second."""

    watchers: int
    seconds: float
    share: float
    generator: float
    made: float
    heard: float
    news: float


async def lobby(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU of a server whose lobby is full."""
    runs = []
    for _ in range(scale.repeats):
        with ours() as server:
            runs.append(await _busy(server, scale))
            report.keep("lobby", runs[-1])
    share = middle([run.share for run in runs])
    note = (
        f"{runs[-1].made:.0f} changes made, {runs[-1].heard:.0f} heard in {runs[-1].news:.0f} lists a second"
    )
    return [Row("lobby", "% CPU", f"< {LIMIT:.0f} %", share * 100, met=share * 100 < LIMIT, note=note)]


async def _busy(server: Server, scale: Scale) -> Busy:
    async def guest(_: int) -> Guest:
        client = Guest(server.port)
        await client.follow()
        return client

    async def host(_: int) -> Host:
        client = Host(server.port)
        await client.connect()
        return client

    guests, hosts = await crowd(scale.watchers, guest), await crowd(HOSTS, host)
    try:
        await _churn(hosts, scale.warm)
        cpu, own, began = probe.cpu(server.pid), time.process_time(), time.perf_counter()
        before = [(client.news, client.changes) for client in guests]
        changed = sum(client.changed for client in hosts)
        await _churn(hosts, scale.seconds)
        took = time.perf_counter() - began
        spent, spent_here = probe.cpu(server.pid) - cpu, time.process_time() - own
        news = middle([client.news - then[0] for client, then in zip(guests, before, strict=True)]) / took
        heard = middle([client.changes - then[1] for client, then in zip(guests, before, strict=True)]) / took
        if not heard:
            raise Failure("nobody in the lobby heard of anything")
        made = (sum(client.changed for client in hosts) - changed) / took
        return Busy(len(guests), took, spent / took, spent_here / took, made, heard, news)
    finally:
        for client in [*guests, *hosts]:
            client.close()


async def _churn(hosts: list[Host], seconds: float) -> None:
    began = time.perf_counter()
    for number in range(int(seconds * CHANGES)):
        await asyncio.sleep(max(0.0, began + number / CHANGES - time.perf_counter()))
        hosts[number % len(hosts)].change()
    await asyncio.sleep(max(0.0, began + seconds - time.perf_counter()))
