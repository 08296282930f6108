"""A full lobby while tables come and go."""

from bench.load.churn import HOSTS, Busy, busy, row
from bench.load.client import Client
from bench.load.floor import crowd
from bench.load.notices import LobbyNews, Notice, Shown
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours


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


async def lobby(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU of a server whose lobby is full."""
    runs = []
    for _ in range(scale.repeats):
        with ours() as server:
            runs.append(await _busy(server, scale))
            report.keep("lobby", runs[-1])
    return [row("lobby", runs)]


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
    return await busy(server, guests, guests, hosts, scale.warm, scale.seconds)
