"""The list of public rooms; subscribers receive its changes at most ten times a second."""

import asyncio
from collections.abc import Callable
from typing import Final

from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.spectators.spectator_count import SpectatorCounter
from qipai.kernel.ids import RoomId
from qipai.kernel.room import AnyRoom, Phase
from qipai.protocol.notices import LobbyUpdate

from .room_rows import row, update_interval

FIRST_PAGE: Final = 300


class RoomListFeed:
    """Sends subscribers the list once and then its changes, encoded once per encoding key."""

    def __init__(self, executor: CommandExecutor, online: Callable[[], int]) -> None:
        self._executor = executor
        self._online = online
        self._subscribers: set[Connection] = set()
        self._listed: dict[RoomId, None] = {}
        self._dirty: dict[RoomId, None] = {}
        self._sent_online = -1
        self._handle: asyncio.TimerHandle | None = None
        self.row_listeners: list[Callable[[LiveRoom], None]] = []
        """Called when the row of a room may differ: spectators, or what spectators may see."""
        self._spectator_counter = SpectatorCounter(executor, update_interval)
        executor.room_listeners.append(self._changed)
        executor.replication.listeners.members.append(self.row_changed)
        executor.replication.listeners.persons.append(self.schedule_update)
        executor.spectator_delay.listeners.append(self._spectators_saw_more)

    def subscribe(self, connection: Connection) -> None:
        """Send the list now and its changes from now on."""
        self._subscribers.add(connection)
        live_rooms = [self._executor.live_rooms[room] for room in list(self._listed)[:FIRST_PAGE]]
        connection.send_notice(
            LobbyUpdate(self._online(), tuple(row(live) for live in live_rooms), full=True)
        )

    def unsubscribe(self, connection: Connection) -> None:
        """End the subscription."""
        self._subscribers.discard(connection)

    def row_changed(self, live: LiveRoom) -> None:
        """Send the row of the room with the next update."""
        self._spectator_counter.schedule(live)
        for listener in self.row_listeners:
            listener(live)
        if live.durable.id in self._listed and self._subscribers:
            self._dirty[live.durable.id] = None
            self.schedule_update()

    def schedule_update(self) -> None:
        """Send an update after the interval, if anything changed by then."""
        if self._handle is None and self._subscribers:
            self._handle = asyncio.get_running_loop().call_later(
                update_interval(len(self._subscribers)), self._send_update
            )

    def update_visibility(self, live: LiveRoom) -> None:
        """List a waiting room only while one of its players is reachable."""
        if live.listed.phase is Phase.WAITING and live.durable.table.public:
            if _all_disconnected(live):
                self._listed.pop(live.durable.id, None)
            else:
                self._listed[live.durable.id] = None
            if self._subscribers:
                self._dirty[live.durable.id] = None
                self.schedule_update()

    def close(self) -> None:
        """Send nothing more."""
        if self._handle is not None:
            self._handle.cancel()
        self._subscribers.clear()
        self._spectator_counter.close()

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        if live.durable.table.public:
            self._list(live)

    def _list(self, live: LiveRoom) -> None:
        """Add a public room to the list or remove it, and send that with the next update."""
        room = live.listed
        if room.phase is Phase.PLAYING or (room.phase is Phase.WAITING and not _all_disconnected(live)):
            self._listed[room.id] = None
        elif room.id not in self._listed:
            return
        else:
            del self._listed[room.id]
        if self._subscribers:
            self._dirty[room.id] = None
            self.schedule_update()

    def _spectators_saw_more(self, live: LiveRoom) -> None:
        """Update the row of a delayed room after spectators received further steps."""
        if live.durable.table.public:
            self._list(live)
        for listener in self.row_listeners:
            listener(live)

    def _send_update(self) -> None:
        self._handle = None
        changed = tuple(row(self._executor.live_rooms[room]) for room in self._dirty if room in self._listed)
        gone = tuple(room for room in self._dirty if room not in self._listed)
        self._dirty.clear()
        online = self._online()
        if not changed and not gone and online == self._sent_online:
            return
        self._sent_online = online
        self._executor.fan_out.send_notice(self._subscribers, LobbyUpdate(online, changed, gone))


def _all_disconnected(live: LiveRoom) -> bool:
    """Tell whether all players are disconnected; in a room that was just opened one will connect soon."""
    return (bool(live.holders) or bool(live.remote_members)) and bool(live.reach) and not any(live.reach)
