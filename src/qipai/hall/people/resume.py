"""Reconnecting to a room: sends what was missed, after another worker's records are read."""

from typing import Final, Protocol

from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.fan_out import ViewerEvents, events_since, notice_for
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Millis
from qipai.kernel.seats import seat_of
from qipai.protocol import intents
from qipai.protocol.notices import RatingsChanged, SpectatorCount, Unchanged

READS: Final = 3
"""How often missed events are read again because the room changed meanwhile; then the full room is sent."""


class RoomAccess(Protocol):
    """Finds, reads and enters rooms; each refuses by itself."""

    async def find(self, connection: Connection, key: str) -> LiveRoom | None:
        """Return a room by id or code, or refuse and return None."""

    async def ready(self, live: LiveRoom, connection: Connection, version: int = 0) -> bool:
        """Tell whether the room takes commands and has this version; refuse if not."""

    async def arrive(self, live: LiveRoom, connection: Connection, *, quietly: bool = False) -> None:
        """Make the connection a member of the room."""


class Resume:
    """Resumes rooms after the version that a client names.

    What the connection sends meanwhile waits: a move that follows at once is meant for the resumed room.
    """

    def __init__(self, executor: CommandExecutor, inbox: Inbox, access: RoomAccess) -> None:
        self._executor = executor
        self._access = access
        self.handlers: Handlers = {
            intents.Resume: inbox.handler(self._resume),
            intents.Watch: inbox.handler(self._watch),
        }

    async def _watch(self, connection: Connection, intent: intents.Watch, now: Millis) -> None:
        # A page that was loaded again has seen nothing, and may send a move that it has kept.
        await self._resume(connection, intents.Resume(intent.room, 0), now)

    async def _resume(self, connection: Connection, intent: intents.Resume, now: Millis) -> None:
        live = await self._access.find(connection, intent.room)
        if live is None:
            return
        version, missed = intent.version, None
        for _ in range(READS):
            if not await self._access.ready(live, connection, version):
                return
            missed = await self._missed(live, intent.version)
            if connection.outbox.closed:
                return
            if self._executor.live_rooms.get(live.durable.id) is not live:
                # It was closed or forgotten meanwhile: answer what it is now.
                await self._resume(connection, intent, now)
                return
            if self._executor.replication.is_ready(live):
                break
            version, missed = 0, None
        await self._enter(connection, live, missed)

    async def _missed(self, live: LiveRoom, version: int) -> list[ViewerEvents] | None:
        """Return the events after this version, or None if the full room is the better answer.

        They are rebuilt from the journal: keeping them in memory would cost every move. Version 0 is that
        of a client that has seen nothing.
        """
        if version == live.durable.version:
            return []
        if not 0 < version < live.durable.version:
            return None
        saved = await self._executor.replication.load(live)
        return events_since(self._executor.games, saved, version, live.durable)

    async def _enter(self, connection: Connection, live: LiveRoom, missed: list[ViewerEvents] | None) -> None:
        assert connection.person is not None
        seat = seat_of(live.durable.seats, connection.person)
        delayed = seat is None and live.delay_buffer is not None
        if missed is None or delayed or (seat is None and not live.durable.table.spectators):
            await self._access.arrive(live, connection)
            return
        for events in missed:
            connection.send_notice(notice_for(events, SPECTATOR if seat is None else seat))
        if not missed:
            connection.send_notice(Unchanged(live.durable.id, live.durable.version))
        await self._access.arrive(live, connection, quietly=True)
        if live.spectators:
            connection.send_notice(SpectatorCount(live.durable.id, live.spectators))
        if ratings := live.ratings_for(SPECTATOR if seat is None else seat):
            connection.send_notice(RatingsChanged(live.durable.id, ratings))
