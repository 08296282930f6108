"""CPU time of a full lobby while tables open and close."""

from bench.load.lobby_load import HOSTS, LobbyMeasurement, lobby_row, measure_lobby
from bench.load.native_client import NativeClient
from bench.load.native_tables import create_many
from bench.load.notices import FullRoom, LobbyUpdate, Notice
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server


class LobbyReader(NativeClient):
    """Receives the list and counts its changes."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.lists = 0
        self.changes = 0

    async def subscribe(self) -> None:
        """Connect and subscribe to the list."""
        await self.connect()
        await self.ask(b'{"type":"lobby","on":true}', LobbyUpdate)

    def receive(self, notice: Notice) -> None:
        """Count the changes."""
        if isinstance(notice, LobbyUpdate):
            self.lists += 1
            self.changes += len(notice.rooms) + len(notice.gone)


class TableHost(NativeClient):
    """Opens a public table, leaves it, and opens the next."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.room = ""
        self.opened = 0
        self.changed = 0

    def change(self) -> None:
        """Change one table of the list."""
        self.changed += 1
        if self.room:
            self.send(b'{"type":"leave","room":"%b"}' % self.room.encode())
            self.room = ""
        else:
            self.opened += 1
            self.send(b'{"type":"open","game":"tictactoe","nonce":"t%d"}' % self.opened)

    def receive(self, notice: Notice) -> None:
        """Store the id of its table."""
        if isinstance(notice, FullRoom):
            self.room = notice.room.id


async def lobby(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU of a server whose lobby is full."""
    runs = []
    for _ in range(scale.repeats):
        with qipai_server() as server:
            runs.append(await _measure(server, scale))
            report.add_run("lobby", runs[-1])
    return [lobby_row("lobby", runs)]


async def _measure(server: Server, scale: Scale) -> LobbyMeasurement:
    async def reader(_: int) -> LobbyReader:
        client = LobbyReader(server.port)
        await client.subscribe()
        return client

    async def host(_: int) -> TableHost:
        client = TableHost(server.port)
        await client.connect()
        return client

    readers, hosts = await create_many(scale.spectators, reader), await create_many(HOSTS, host)
    return await measure_lobby(server, readers, readers, hosts, scale.warm, scale.seconds)
