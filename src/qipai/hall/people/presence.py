"""Who is in reach: sockets come and go, only the consequences become commands."""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from qipai.clients.spectator_names import gather
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

    def came(self, box: LiveRoom, peer: Connection, viewer: Seat) -> None:
        """Somebody is here, or is another than before."""

    def left(self, box: LiveRoom, peer: Connection) -> None:
        """Somebody is not here any more."""


class Presence:
    """Seats and watchers by socket. A new socket takes its person's seat over at once."""

    def __init__(self, host: CommandExecutor) -> None:
        self._host = host
        self.afar: RemoteMembers | None = None
        self.touched: Callable[[LiveRoom], None]
        """Called when those who look on from another worker are others."""
        self._deserted: dict[RoomId, None] = {}
        host.changed.append(self._changed)

    def enter(self, box: LiveRoom, peer: Connection, viewer: Seat) -> None:
        """Put a peer at the table; whoever held the seat on another socket is told."""
        room = box.durable
        before = box.holders.get(viewer)
        if before is not peer and viewer != SPECTATOR:
            for member in box.members:
                member.tell(SeatHeld(room.id, viewer, peer.handle))
        if before is not None and before is not peer:
            self._detach(box, before)
            moved = before.person != peer.person
            before.tell(Left(room.id, reason="transferred") if moved else Left(room.id, replaced=True))
        if box.members.get(peer, viewer) != viewer:
            self._detach(box, peer)
        new = peer not in box.members
        box.members[peer] = viewer
        peer.rooms[room.id] = viewer
        if self.afar is not None:
            self.afar.came(box, peer, viewer)
        self._deserted.pop(room.id, None)
        self._host.alarms.clear(("idle", room.id))
        if viewer == SPECTATOR:
            if new:
                gather(box, came=peer.name, skip=peer)
            return
        box.holders[viewer] = peer
        self._host.alarms.clear(("lost", room.id, viewer))
        # The newest value counts: that he was lost may be staged and not yet spoken of.
        chair = box.latest.seats[viewer]
        if (chair is not None and chair.disconnected_at is not None) or box.latest.clock is not None:
            self._host.submit(box, SYSTEM, Reconnected(viewer), self._host.now())

    def leave(self, box: LiveRoom, peer: Connection) -> None:
        """Take a peer away from the table; its seat stays its person's for a while."""
        viewer = box.members.get(peer)
        if viewer is None:
            return
        self._detach(box, peer)
        if viewer != SPECTATOR and not box.held(viewer):
            self._expect(box, viewer, GRACE)
        self._watch_idle(box)

    def cut(self, peer: Connection) -> None:
        """Say at once that a peer is out of reach, before it is known whether for good."""
        self._notify(peer, Disconnected)

    def back(self, peer: Connection) -> None:
        """Say that it is in reach again."""
        self._notify(peer, Reconnected)

    def _notify(self, peer: Connection, command: type[Disconnected] | type[Reconnected]) -> None:
        for room, viewer in peer.rooms.items():
            if viewer != SPECTATOR and (box := self._host.live_rooms.get(room)) is not None:
                self._host.submit(box, SYSTEM, command(viewer), self._host.now())

    # Where there are other workers

    def inherit(self, box: LiveRoom) -> None:
        """Nobody looked after this table: whoever sits there and is not connected anywhere is expected."""
        for number, chair in enumerate(box.latest.seats):
            if is_human(chair) and not box.held(Seat(number)):
                self.bereft(box, Seat(number))

    def bereft(self, box: LiveRoom, seat: Seat) -> None:
        """The worker is gone to which this seat's person was connected."""
        chair = box.latest.seats[seat]
        if chair is None or chair.bot:
            return
        if chair.sees_hidden:
            # Clients that are told everything cannot take their seat up again.
            self._host.submit(box, seat, LeaveSeat(), self._host.now())
        elif chair.disconnected_at is None:
            self._expect(box, seat, GRACE)

    def settle(self, box: LiveRoom) -> None:
        """Look whether anybody is at the table at all."""
        self._watch_idle(box)

    def review(self, box: LiveRoom) -> None:
        """Make good what could not be written: whoever is not connected is expected, whoever is, is back."""
        for number, chair in enumerate(box.latest.seats):
            seat = Seat(number)
            if chair is None or not is_human(chair):
                continue
            holder = box.holders.get(seat)
            if chair.disconnected_at is not None and holder is not None and not holder.detached:
                self._host.submit(box, SYSTEM, Reconnected(seat), self._host.now())
            known = chair.disconnected_at is not None or ("lost", box.durable.id, seat) in self._host.alarms
            if not known and not box.held(seat):
                self._expect(box, seat, GRACE)

    def dismiss(self, box: LiveRoom, peer: Connection) -> None:
        """Take a peer away whose seat is held by another one now."""
        self._detach(box, peer)

    def let_go(self, box: LiveRoom) -> None:
        """Leave a table to the workers that have people there."""
        room = box.durable
        for key in ("deadline", "idle"):
            self._host.alarms.clear((key, room.id))
        box.alarm = box.deadline = None
        for number in range(len(room.seats)):
            for key in ("lost", "bot"):
                self._host.alarms.clear((key, room.id, Seat(number)))
        self._deserted.pop(room.id, None)

    def _detach(self, box: LiveRoom, peer: Connection) -> None:
        if self.afar is not None and peer in box.members:
            self.afar.left(box, peer)
        viewer = box.members.pop(peer, None)
        peer.rooms.pop(box.durable.id, None)
        if viewer is not None and box.holders.get(viewer) is peer:
            del box.holders[viewer]
        if viewer == SPECTATOR:
            gather(box, gone=peer.name)

    def _changed(self, box: LiveRoom, before: AnyRoom) -> None:
        room = box.durable
        if not box.followed:
            return
        if room is before:
            # Loaded after a restart: nobody is connected, everybody is expected.
            for number, chair in enumerate(room.seats):
                if chair is None or chair.bot:
                    continue
                if chair.sees_hidden:
                    # Clients that are told everything cannot take their seat up again.
                    self._host.submit(box, Seat(number), LeaveSeat(), self._host.now())
                elif chair.disconnected_at is None:
                    self._expect(box, Seat(number), BOOT_GRACE)
        if room.phase is Phase.CLOSED:
            for number in range(len(room.seats)):
                self._host.alarms.clear(("lost", room.id, Seat(number)))
        deserted = room.phase is not Phase.CLOSED and not any(map(is_human, room.seats))
        if not deserted or room.table.empty_timeout:
            self._watch_idle(box)
        elif room.version > 1:
            self._desert(box)

    def _expect(self, box: LiveRoom, seat: Seat, grace: int) -> None:
        due = Millis(self._host.now() + grace)
        self._host.alarms.set(("lost", box.durable.id, seat), due, partial(self._lost, box, seat))

    def _lost(self, box: LiveRoom, seat: Seat) -> None:
        self._surely(box, partial(self._miss, box, seat))

    def _surely(self, box: LiveRoom, work: Callable[[], None]) -> None:
        """Do something that rests on nobody being there, after asking the other workers' list once more."""
        sharing = self._host.sharing
        if sharing is None:
            work()
        else:
            # What cannot be asked now is found by the next review.
            sharing.wait(box, work, lambda: None)

    def _miss(self, box: LiveRoom, seat: Seat) -> None:
        if not box.held(seat):
            self._host.submit(box, SYSTEM, Disconnected(seat), self._host.now())

    def _watch_idle(self, box: LiveRoom) -> None:
        room = box.durable
        key = ("idle", room.id)
        if box.members or box.remote_members or room.phase is Phase.CLOSED:
            self._deserted.pop(room.id, None)
            self._host.alarms.clear(key)
            return
        # A game that nobody has come to yet is kept no longer than one that is over.
        running = room.phase is Phase.PLAYING and any(map(is_human, room.seats))
        kept = 0 if running else room.table.empty_timeout * 1000
        due = Millis(self._host.now() + (kept or IDLE[room.phase]))
        self._host.alarms.set(key, due, partial(self._idle, box))
        if kept and room.version > 1:
            self._deserted.setdefault(room.id)
            self._bound()

    def _bound(self) -> None:
        """Close the table that has lingered longest if there are too many."""
        if len(self._deserted) > MAX_DESERTED:
            oldest = next(iter(self._deserted))
            del self._deserted[oldest]
            if (box := self._host.live_rooms.get(oldest)) is not None:
                self._idle(box)

    def _desert(self, box: LiveRoom) -> None:
        """Close a table that nobody sits at any more; not at once if its last record was lost."""
        if self._host.now() < box.retry_after:
            self._host.alarms.set(("idle", box.durable.id), box.retry_after, partial(self._desert, box))
        else:
            self._host.submit(box, SYSTEM, Close(), self._host.now())

    def _idle(self, box: LiveRoom) -> None:
        self._surely(box, partial(self._close, box))

    def _close(self, box: LiveRoom) -> None:
        if not box.members and not box.remote_members:
            self._host.submit(box, SYSTEM, Close(), self._host.now())
