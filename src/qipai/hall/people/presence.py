"""Which players are connected: grace periods, disconnects and takeovers become commands."""

from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import Close, Disconnected, LeaveSeat, Reconnected
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, RoomId, Seat
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import is_human
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import Left

GRACE: Final = 5_000
"""Milliseconds to reconnect before the others are told."""
BOOT_GRACE: Final = 20_000
"""The same after a restart, when all players have to reconnect."""
IDLE: Final = {
    Phase.WAITING: 120_000,
    Phase.OVER: 120_000,
    Phase.PLAYING: 24 * 60 * 60 * 1000,
    Phase.CLOSED: 0,
}
"""Milliseconds that a room without members stays open."""
MAX_DESERTED: Final = 500
"""How many rooms without members may stay open that one address opened; the oldest of more is closed.

Rooms of an unknown address do not count: that of a room opened elsewhere or before a restart is not known.
Strangers would close each other's. They are closed when they have been idle long enough.
"""


class Presence:
    """Members of each room by connection. A new connection takes over the seat of its person at once.

    `ReplicaListener` to the cluster.
    """

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor = executor
        self._replication = executor.replication
        self._deserted: dict[str, dict[RoomId, None]] = {}
        """Rooms without members, the oldest first, by the address that opened them."""
        executor.room_listeners.append(self._changed)
        executor.replication.listeners.members.append(self._watch_idle)
        executor.replication.listeners.released.append(self._released)
        executor.replication.listeners.replicas.append(self)

    def enter(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Make a connection a member; the connection that held the seat before is told."""
        room = live.durable
        before = live.holders.get(viewer)
        if before is not connection and viewer != SPECTATOR:
            self._executor.fan_out.send_notice(live.members, SeatHeld(room.id, viewer, connection.handle))
        if before is not None and before is not connection:
            self._detach(live, before)
            moved = before.person != connection.person
            before.send_notice(Left(room.id, reason="transferred") if moved else Left(room.id, replaced=True))
        if live.members.get(connection, viewer) != viewer:
            self._detach(live, connection)
        new = connection not in live.members
        live.members[connection] = viewer
        connection.rooms[room.id] = viewer
        self._replication.member_changed(live, connection, viewer)
        self._own_member_changed(connection)
        self._inhabited(live)
        self._executor.alarms.clear(("idle", room.id))
        if viewer == SPECTATOR:
            if new:
                self._executor.observers.spectators_changed(live, joined=connection.name, skip=connection)
            return
        live.holders[viewer] = connection
        self._executor.alarms.clear(("lost", room.id, viewer))
        # The latest value counts: the disconnect may be staged and not durable yet.
        taken = live.latest.seats[viewer]
        if (taken is not None and taken.disconnected_at is not None) or live.latest.clock is not None:
            self._executor.submit(live, SYSTEM, Reconnected(viewer), self._executor.now())

    def leave(self, live: LiveRoom, connection: Connection) -> None:
        """Remove a member; its person keeps the seat for a grace period."""
        viewer = live.members.get(connection)
        if viewer is None:
            return
        self._detach(live, connection)
        if viewer != SPECTATOR and not live.held(viewer):
            self._expect(live, viewer, GRACE)
        self._watch_idle(live)

    def disconnected(self, connection: Connection) -> None:
        """Tell the rooms of a connection at once that it is disconnected, perhaps only for a moment."""
        self._notify(connection, Disconnected)

    def reconnected(self, connection: Connection) -> None:
        """Tell the rooms of a connection that it is back."""
        self._notify(connection, Reconnected)

    def _notify(self, connection: Connection, command: type[Disconnected] | type[Reconnected]) -> None:
        for room, viewer in connection.rooms.items():
            if viewer != SPECTATOR and (live := self._executor.live_rooms.get(room)) is not None:
                self._executor.submit(live, SYSTEM, command(viewer), self._executor.now())

    # ReplicaListener

    def inherited(self, live: LiveRoom) -> None:
        """Start the grace period of every seat without a connection on any worker."""
        for number, taken in enumerate(live.latest.seats):
            if is_human(taken) and not live.held(Seat(number)):
                self.seat_lost(live, Seat(number))

    def seat_lost(self, live: LiveRoom, seat: Seat) -> None:
        """Start the grace period of a seat whose worker is gone."""
        taken = live.latest.seats[seat]
        if taken is None or taken.bot:
            return
        if taken.sees_hidden:
            # Clients that see hidden information cannot resume their seat.
            self._executor.submit(live, seat, LeaveSeat(), self._executor.now())
        elif taken.disconnected_at is None:
            self._expect(live, seat, GRACE)

    def read_again(self, live: LiveRoom) -> None:
        """Correct what could not be written: start missing grace periods, end those of connected seats."""
        self._watch_idle(live)
        for number, taken in enumerate(live.latest.seats):
            seat = Seat(number)
            if taken is None or not is_human(taken):
                continue
            holder = live.holders.get(seat)
            reached = holder is not None and not holder.detached and not holder.away
            if taken.disconnected_at is not None and reached:
                self._executor.submit(live, SYSTEM, Reconnected(seat), self._executor.now())
            expected = (
                taken.disconnected_at is not None or ("lost", live.durable.id, seat) in self._executor.alarms
            )
            if not expected and not live.held(seat):
                self._expect(live, seat, GRACE)

    def seat_taken_over(self, live: LiveRoom, seat: Seat, person: str) -> None:
        """Remove the connection that holds a seat here; the record of a transfer may come later."""
        room = live.durable.id
        self._executor.alarms.clear(("lost", room, seat))
        if (holder := live.holders.get(seat)) is not None:
            self._detach(live, holder)
            moved = person not in {"", holder.person}
            holder.send_notice(Left(room, reason="transferred") if moved else Left(room, replaced=True))

    def _released(self, live: LiveRoom) -> None:
        """Clear the alarms of a room that other workers look after."""
        room = live.durable
        for key in ("deadline", "idle"):
            self._executor.alarms.clear((key, room.id))
        live.alarm = live.deadline = None
        for number in range(len(room.seats)):
            self._executor.alarms.clear(("lost", room.id, Seat(number)))
        self._inhabited(live)

    def _detach(self, live: LiveRoom, connection: Connection) -> None:
        if connection in live.members:
            self._replication.member_left(live, connection)
        viewer = live.members.pop(connection, None)
        if connection.rooms.pop(live.durable.id, None) is not None:
            self._own_member_changed(connection)
        if viewer is not None and live.holders.get(viewer) is connection:
            del live.holders[viewer]
        if viewer == SPECTATOR:
            self._executor.observers.spectators_changed(live, left=connection.name)

    def _own_member_changed(self, connection: Connection) -> None:
        for listener in self._replication.listeners.own_members:
            listener(connection)

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        room = live.durable
        if not live.replica.subscribed:
            return
        if room is before:
            # Loaded after a restart: no player is connected yet.
            for number, taken in enumerate(room.seats):
                if taken is None or taken.bot:
                    continue
                if taken.sees_hidden:
                    # Clients that see hidden information cannot resume their seat.
                    self._executor.submit(live, Seat(number), LeaveSeat(), self._executor.now())
                elif taken.disconnected_at is None:
                    self._expect(live, Seat(number), BOOT_GRACE)
        if room.phase is Phase.CLOSED:
            for number in range(len(room.seats)):
                self._executor.alarms.clear(("lost", room.id, Seat(number)))
        deserted = room.phase is not Phase.CLOSED and not any(map(is_human, room.seats))
        if not deserted or room.table.empty_timeout:
            self._watch_idle(live)
        elif room.version > 1:
            self._desert(live)

    def _expect(self, live: LiveRoom, seat: Seat, grace: int) -> None:
        due = Millis(self._executor.now() + grace)
        self._executor.alarms.set(("lost", live.durable.id, seat), due, partial(self._lost, live, seat))

    def _lost(self, live: LiveRoom, seat: Seat) -> None:
        self._surely(live, partial(self._miss, live, seat))

    def _surely(self, live: LiveRoom, work: Callable[[], None]) -> None:
        """Do something that rests on nobody being connected, once the members of all workers are read."""
        # If they cannot be read, the next `read_again` finds what is to be done.
        self._replication.reread(live, work, _nothing)

    def _miss(self, live: LiveRoom, seat: Seat) -> None:
        if not live.held(seat):
            self._executor.submit(live, SYSTEM, Disconnected(seat), self._executor.now())

    def _watch_idle(self, live: LiveRoom) -> None:
        room = live.durable
        key = ("idle", room.id)
        if live.members or live.remote_members or room.phase is Phase.CLOSED:
            self._inhabited(live)
            self._executor.alarms.clear(key)
            return
        # A game without players stays open no longer than one that is over.
        running = room.phase is Phase.PLAYING and any(map(is_human, room.seats))
        kept = 0 if running else room.table.empty_timeout * 1000
        due = Millis(self._executor.now() + (kept or IDLE[room.phase]))
        self._executor.alarms.set(key, due, partial(self._idle, live))
        if live.opened_from and room.version > 1:
            self._bound(live)

    def _bound(self, live: LiveRoom) -> None:
        """Note a deserted room; close the one that has been so longest if its address has too many."""
        deserted = self._deserted.setdefault(live.opened_from, {})
        deserted.setdefault(live.durable.id)
        if len(deserted) > MAX_DESERTED:
            oldest = next(iter(deserted))
            del deserted[oldest]
            if (old := self._executor.live_rooms.get(oldest)) is not None:
                self._idle(old)

    def _inhabited(self, live: LiveRoom) -> None:
        """Note that a room has members, or is closed."""
        if (deserted := self._deserted.get(live.opened_from)) is not None:
            deserted.pop(live.durable.id, None)
            if not deserted:
                del self._deserted[live.opened_from]

    def _desert(self, live: LiveRoom) -> None:
        """Close a room without players; after a pause if its last record was lost."""
        if self._executor.now() < live.retry_after:
            self._executor.alarms.set(
                ("idle", live.durable.id), live.retry_after, partial(self._desert, live)
            )
        else:
            self._executor.submit(live, SYSTEM, Close(), self._executor.now())

    def _idle(self, live: LiveRoom) -> None:
        self._surely(live, partial(self._close, live))

    def _close(self, live: LiveRoom) -> None:
        if not live.members and not live.remote_members:
            self._executor.submit(live, SYSTEM, Close(), self._executor.now())


def _nothing() -> None:
    """Do nothing more."""
