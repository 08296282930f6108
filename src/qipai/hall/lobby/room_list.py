"""The list of public rooms; subscribers receive its changes at most ten times a second."""

import asyncio
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Final

from qipai.hall.connections.connection import Connection
from qipai.hall.people.presence import GRACE
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.spectators.spectator_count import SpectatorCounter
from qipai.kernel.ids import SPECTATOR, Millis, RoomId
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import Seats
from qipai.protocol.notices import LobbyUpdate

from .room_rows import row, update_interval

FIRST_PAGE: Final = 300
DESERTED_AFTER: Final = 30_000
"""Milliseconds that a game stays listed after its last player has gone."""


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

    @property
    def listed(self) -> list[LiveRoom]:
        """Return the rooms that are listed now."""
        return [self._executor.live_rooms[room] for room in self._listed]

    def is_listed(self, room: RoomId) -> bool:
        """Tell whether a room is listed now."""
        return room in self._listed

    def subscribe(self, connection: Connection) -> None:
        """Send the list now and its changes from now on."""
        self._subscribers.add(connection)
        live_rooms = self.listed[:FIRST_PAGE]
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
        """List a room only while one of its players is reachable."""
        if live.durable.table.public:
            self._list(live)

    def close(self) -> None:
        """Send nothing more."""
        if self._handle is not None:
            self._handle.cancel()
        self._subscribers.clear()
        self._spectator_counter.close()

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        # Of rooms that a start loads later, subscribers receive as many as those who come after it.
        if live.durable.table.public:
            self._list(live, quietly=live.durable is before and len(self._listed) >= FIRST_PAGE)

    def _list(self, live: LiveRoom, *, quietly: bool = False) -> None:
        """Add a public room to the list or remove it, and send that with the next update."""
        room, key = live.durable.id, ("unlist", live.durable.id)
        until, now = _listed_until(live), self._executor.now()
        if now < until < inf:
            self._executor.alarms.set(key, Millis(int(until)), partial(self._list_again, room))
        else:
            self._executor.alarms.clear(key)
        if now < until:
            self._listed[room] = None
        elif room not in self._listed:
            return
        else:
            del self._listed[room]
        if self._subscribers and not quietly:
            self._dirty[room] = None
            self.schedule_update()

    def _list_again(self, room: RoomId) -> None:
        if (live := self._executor.live_rooms.get(room)) is not None:
            self._list(live)

    def _spectators_saw_more(self, live: LiveRoom) -> None:
        """Update the row of a delayed room after spectators received further steps."""
        self.update_visibility(live)
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


def _listed_until(live: LiveRoom) -> float:
    """Return until when a public room is listed: without end while one of its players is present.

    A room that waits is listed while a player waits in it. A game stays for a while after its last player has
    gone, counted from when spectators may know that.
    """
    room = live.listed
    if room.phase is Phase.WAITING:
        return inf if None in _disconnections(room.seats) and not _all_detached(live) else 0
    if room.phase is not Phase.PLAYING:
        return 0
    gone = _disconnections(room.seats if live.delay_buffer is None else live.seen(SPECTATOR).seats)
    times = [at for at in gone if at is not None]
    return max(times) + DESERTED_AFTER - GRACE if times and len(times) == len(gone) else inf


def _disconnections(seats: Seats) -> list[Millis | None]:
    """Return since when each person with a seat is disconnected; None for one who is present."""
    return [taken.disconnected_at for taken in seats if taken is not None and not taken.bot]


def _all_detached(live: LiveRoom) -> bool:
    """Tell whether no player has a transport; in a room that was just opened one will connect soon."""
    return (bool(live.holders) or bool(live.remote_members)) and bool(live.reach) and not any(live.reach)
