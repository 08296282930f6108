"""Who is in reach: sockets come and go, only the consequences become commands."""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

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
"""A blip that nobody needs to hear of."""
BOOT_GRACE: Final = 20_000
"""After a restart everybody has to come back first."""
IDLE: Final = {
    Phase.WAITING: 120_000,
    Phase.OVER: 120_000,
    Phase.PLAYING: 24 * 60 * 60 * 1000,
    Phase.CLOSED: 0,
}
"""How long a room without anybody in it is kept."""
MAX_DESERTED: Final = 500
"""How many tables may linger that everybody has left; the oldest of more is closed."""


class RemoteMembers(Protocol):
    """Tells the other workers who is here."""

    def came(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Somebody is here, or is another than before."""

    def left(self, live: LiveRoom, connection: Connection) -> None:
        """Somebody is not here any more."""


class Presence:
    """Seats and watchers by socket. A new socket takes its person's seat over at once."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor = executor
        self.afar: RemoteMembers | None = None
        self.touched: Callable[[LiveRoom], None]
        """Called when those who look on from another worker are others."""
        self._deserted: dict[RoomId, None] = {}
        executor.room_listeners.append(self._changed)

    def enter(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Put a peer at the table; whoever held the seat on another socket is told."""
        room = live.durable
        before = live.holders.get(viewer)
        if before is not connection and viewer != SPECTATOR:
            for member in live.members:
                member.send_notice(SeatHeld(room.id, viewer, connection.handle))
        if before is not None and before is not connection:
            self._detach(live, before)
            moved = before.person != connection.person
            before.send_notice(Left(room.id, reason="transferred") if moved else Left(room.id, replaced=True))
        if live.members.get(connection, viewer) != viewer:
            self._detach(live, connection)
        new = connection not in live.members
        live.members[connection] = viewer
        connection.rooms[room.id] = viewer
        if self.afar is not None:
            self.afar.came(live, connection, viewer)
        self._deserted.pop(room.id, None)
        self._executor.alarms.clear(("idle", room.id))
        if viewer == SPECTATOR:
            if new:
                self._executor.observers.spectators_changed(live, joined=connection.name, skip=connection)
            return
        live.holders[viewer] = connection
        self._executor.alarms.clear(("lost", room.id, viewer))
        # The newest value counts: that he was lost may be staged and not yet spoken of.
        taken = live.latest.seats[viewer]
        if (taken is not None and taken.disconnected_at is not None) or live.latest.clock is not None:
            self._executor.submit(live, SYSTEM, Reconnected(viewer), self._executor.now())

    def leave(self, live: LiveRoom, connection: Connection) -> None:
        """Take a peer away from the table; its seat stays its person's for a while."""
        viewer = live.members.get(connection)
        if viewer is None:
            return
        self._detach(live, connection)
        if viewer != SPECTATOR and not live.held(viewer):
            self._expect(live, viewer, GRACE)
        self._watch_idle(live)

    def cut(self, connection: Connection) -> None:
        """Say at once that a peer is out of reach, before it is known whether for good."""
        self._notify(connection, Disconnected)

    def back(self, connection: Connection) -> None:
        """Say that it is in reach again."""
        self._notify(connection, Reconnected)

    def _notify(self, connection: Connection, command: type[Disconnected] | type[Reconnected]) -> None:
        for room, viewer in connection.rooms.items():
            if viewer != SPECTATOR and (live := self._executor.live_rooms.get(room)) is not None:
                self._executor.submit(live, SYSTEM, command(viewer), self._executor.now())

    # Where there are other workers

    def inherit(self, live: LiveRoom) -> None:
        """Nobody looked after this table: whoever sits there and is not connected anywhere is expected."""
        for number, taken in enumerate(live.latest.seats):
            if is_human(taken) and not live.held(Seat(number)):
                self.bereft(live, Seat(number))

    def bereft(self, live: LiveRoom, seat: Seat) -> None:
        """The worker is gone to which this seat's person was connected."""
        taken = live.latest.seats[seat]
        if taken is None or taken.bot:
            return
        if taken.sees_hidden:
            # Clients that are told everything cannot take their seat up again.
            self._executor.submit(live, seat, LeaveSeat(), self._executor.now())
        elif taken.disconnected_at is None:
            self._expect(live, seat, GRACE)

    def settle(self, live: LiveRoom) -> None:
        """Look whether anybody is at the table at all."""
        self._watch_idle(live)

    def review(self, live: LiveRoom) -> None:
        """Make good what could not be written: whoever is not connected is expected, whoever is, is back."""
        for number, taken in enumerate(live.latest.seats):
            seat = Seat(number)
            if taken is None or not is_human(taken):
                continue
            holder = live.holders.get(seat)
            if taken.disconnected_at is not None and holder is not None and not holder.detached:
                self._executor.submit(live, SYSTEM, Reconnected(seat), self._executor.now())
            known = (
                taken.disconnected_at is not None or ("lost", live.durable.id, seat) in self._executor.alarms
            )
            if not known and not live.held(seat):
                self._expect(live, seat, GRACE)

    def dismiss(self, live: LiveRoom, connection: Connection) -> None:
        """Take a peer away whose seat is held by another one now."""
        self._detach(live, connection)

    def let_go(self, live: LiveRoom) -> None:
        """Leave a table to the workers that have people there."""
        room = live.durable
        for key in ("deadline", "idle"):
            self._executor.alarms.clear((key, room.id))
        live.alarm = live.deadline = None
        for number in range(len(room.seats)):
            for key in ("lost", "bot"):
                self._executor.alarms.clear((key, room.id, Seat(number)))
        self._deserted.pop(room.id, None)

    def _detach(self, live: LiveRoom, connection: Connection) -> None:
        if self.afar is not None and connection in live.members:
            self.afar.left(live, connection)
        viewer = live.members.pop(connection, None)
        connection.rooms.pop(live.durable.id, None)
        if viewer is not None and live.holders.get(viewer) is connection:
            del live.holders[viewer]
        if viewer == SPECTATOR:
            self._executor.observers.spectators_changed(live, left=connection.name)

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        room = live.durable
        if not live.followed:
            return
        if room is before:
            # Loaded after a restart: nobody is connected, everybody is expected.
            for number, taken in enumerate(room.seats):
                if taken is None or taken.bot:
                    continue
                if taken.sees_hidden:
                    # Clients that are told everything cannot take their seat up again.
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
        """Do something that rests on nobody being there, after asking the other workers' list once more."""
        sharing = self._executor.replication
        if sharing is None:
            work()
        else:
            # What cannot be asked now is found by the next review.
            sharing.wait(live, work, lambda: None)

    def _miss(self, live: LiveRoom, seat: Seat) -> None:
        if not live.held(seat):
            self._executor.submit(live, SYSTEM, Disconnected(seat), self._executor.now())

    def _watch_idle(self, live: LiveRoom) -> None:
        room = live.durable
        key = ("idle", room.id)
        if live.members or live.remote_members or room.phase is Phase.CLOSED:
            self._deserted.pop(room.id, None)
            self._executor.alarms.clear(key)
            return
        # A game that nobody has come to yet is kept no longer than one that is over.
        running = room.phase is Phase.PLAYING and any(map(is_human, room.seats))
        kept = 0 if running else room.table.empty_timeout * 1000
        due = Millis(self._executor.now() + (kept or IDLE[room.phase]))
        self._executor.alarms.set(key, due, partial(self._idle, live))
        if kept and room.version > 1:
            self._deserted.setdefault(room.id)
            self._bound()

    def _bound(self) -> None:
        """Close the table that has lingered longest if there are too many."""
        if len(self._deserted) > MAX_DESERTED:
            oldest = next(iter(self._deserted))
            del self._deserted[oldest]
            if (live := self._executor.live_rooms.get(oldest)) is not None:
                self._idle(live)

    def _desert(self, live: LiveRoom) -> None:
        """Close a table that nobody sits at any more; not at once if its last record was lost."""
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
