"""Connections whose transport broke: kept for a while, until it is replaced or the connection is given up."""

from functools import partial
from typing import Final

from msgspec import Raw

from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.lobby.waiting_rooms import WaitingRooms, key_of
from qipai.hall.people.presence import Presence
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.ids import Millis
from qipai.kernel.room import Phase
from qipai.kernel.view_values import clock_plan_view
from qipai.protocol import dialect_interface, intents

from .connection import Connection

ABSENCE: Final = 120_000
"""Milliseconds for which a connection without transport that is in no room is kept."""


class TransportReplacement:
    """Keeps detached connections, and tells their rooms where the dialect wants that."""

    def __init__(
        self,
        executor: CommandExecutor,
        presence: Presence,
        room_list: RoomListFeed,
        waiting_rooms: WaitingRooms,
    ) -> None:
        self._executor = executor
        self._presence = presence
        self._room_list = room_list
        self._waiting_rooms = waiting_rooms

    def lost(self, connection: Connection, *, stopping: bool) -> None:
        """The transport broke and may be replaced within the dialect's grace period."""
        connection.detached = True
        if not stopping:
            self._keep(connection, self._executor.now(), connection.dialect.reconnect_grace)
            if not connection.dialect.hides_disconnects:
                self._presence.disconnected(connection)
        self._update_rooms(connection)

    def replaced(self, connection: Connection, *, stopping: bool) -> None:
        """The connection has a transport again."""
        connection.detached = False
        connection.received = True
        self.forget(connection)
        self._update_rooms(connection)
        if stopping:
            return
        if connection.dialect.hides_disconnects:
            self._match_again(connection)
        else:
            self._presence.reconnected(connection)

    def forget(self, connection: Connection) -> None:
        """Keep the connection no longer."""
        self._executor.alarms.clear(("cut", connection))

    def _update_rooms(self, connection: Connection) -> None:
        """List a waiting room only while one of its players is reachable."""
        for room, viewer in connection.rooms.items():
            if (live := self._executor.live_rooms.get(room)) is not None:
                self._room_list.update_visibility(live)
                self._executor.replication.member_changed(live, connection, viewer)

    def _match_again(self, connection: Connection) -> None:
        """Match a player who waits alone with one who began to wait while the connection was detached."""
        for room in list(connection.rooms):
            live = self._executor.live_rooms.get(room)
            if live is None or live.latest.phase is not Phase.WAITING or connection.person is None:
                continue
            if self._waiting_rooms.match_taken(live.game):
                continue
            wanted = key_of(live.latest)
            if self._waiting_rooms.find(wanted, connection.person) is not None:
                again = intents.QuickMatch(
                    live.game.name,
                    rejoin=True,
                    options=Raw(wanted.options),
                    clock=clock_plan_view(wanted.clock),
                    rated=wanted.rated,
                )
                connection.run_intents((dialect_interface.CloseRoom(room), again), self._executor.now())

    def _keep(self, connection: Connection, since: Millis, milliseconds: int) -> None:
        due = Millis(since + milliseconds)
        self._executor.alarms.set(("cut", connection), due, partial(self._give_up, connection, since))

    def _give_up(self, connection: Connection, since: Millis) -> None:
        """Close the connection; one that is in no room is kept longer."""
        if not connection.rooms and self._executor.now() < since + ABSENCE:
            self._keep(connection, since, ABSENCE)
        else:
            connection.outbox.abort()
            connection.closed()
