"""Who is in reach: sockets come and go, only the consequences become commands."""

from functools import partial
from typing import Final

from qipai.kernel.commands import Close, SeatBack, SeatLost
from qipai.kernel.names import SPECTATOR, SYSTEM, Millis, Seat
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.talk import Left, Present

from .host import Host
from .mailbox import Mailbox
from .sessions import Connection

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


class Presence:
    """Seats and watchers by socket. A new socket takes its person's seat over at once."""

    def __init__(self, host: Host) -> None:
        self._host = host
        host.changed.append(self._changed)

    def enter(self, box: Mailbox, peer: Connection, viewer: Seat) -> None:
        """Put a peer at the table; whoever held the seat on another socket is told."""
        room = box.shown
        before = box.holders.get(viewer)
        if before is not peer and viewer != SPECTATOR:
            for member in box.members:
                member.tell(Present(room.id, viewer, peer.handle))
        if before is not None and before is not peer:
            self._detach(box, before)
            before.tell(Left(room.id, replaced=True))
        if box.members.get(peer, viewer) != viewer:
            self._detach(box, peer)
        box.members[peer] = viewer
        peer.places[room.id] = viewer
        self._host.alarms.clear(("idle", room.id))
        if viewer == SPECTATOR:
            return
        box.holders[viewer] = peer
        self._host.alarms.clear(("lost", room.id, viewer))
        # The newest value counts: that he was lost may be staged and not yet spoken of.
        chair = box.room.chairs[viewer]
        if (chair is not None and chair.lost is not None) or box.room.clock is not None:
            self._host.submit(box, SYSTEM, SeatBack(viewer), self._host.now())

    def leave(self, box: Mailbox, peer: Connection) -> None:
        """Take a peer away from the table; its seat stays its person's for a while."""
        viewer = box.members.get(peer)
        if viewer is None:
            return
        self._detach(box, peer)
        if viewer != SPECTATOR and box.holders.get(viewer) is None:
            self._expect(box, viewer, GRACE)
        self._watch_idle(box)

    def _detach(self, box: Mailbox, peer: Connection) -> None:
        viewer = box.members.pop(peer, None)
        peer.places.pop(box.shown.id, None)
        if viewer is not None and box.holders.get(viewer) is peer:
            del box.holders[viewer]

    def _changed(self, box: Mailbox, before: AnyRoom) -> None:
        room = box.shown
        if room is before:
            # Loaded after a restart: nobody is connected, everybody is expected.
            for number, chair in enumerate(room.chairs):
                if chair is not None and not chair.bot and chair.lost is None:
                    self._expect(box, Seat(number), BOOT_GRACE)
        if room.phase is Phase.CLOSED:
            for number in range(len(room.chairs)):
                self._host.alarms.clear(("lost", room.id, Seat(number)))
        if room.phase is not Phase.CLOSED and all(chair is None or chair.bot for chair in room.chairs):
            if room.version > 1:
                self._desert(box)
            return
        self._watch_idle(box)

    def _expect(self, box: Mailbox, seat: Seat, grace: int) -> None:
        due = Millis(self._host.now() + grace)
        self._host.alarms.set(("lost", box.shown.id, seat), due, partial(self._lost, box, seat))

    def _lost(self, box: Mailbox, seat: Seat) -> None:
        if box.holders.get(seat) is None:
            self._host.submit(box, SYSTEM, SeatLost(seat), self._host.now())

    def _watch_idle(self, box: Mailbox) -> None:
        room = box.shown
        key = ("idle", room.id)
        if box.members or room.phase is Phase.CLOSED:
            self._host.alarms.clear(key)
        else:
            due = Millis(self._host.now() + IDLE[room.phase])
            self._host.alarms.set(key, due, partial(self._idle, box))

    def _desert(self, box: Mailbox) -> None:
        """Close a table that nobody sits at any more; not at once if its last record was lost."""
        if self._host.now() < box.rest:
            self._host.alarms.set(("idle", box.shown.id), box.rest, partial(self._desert, box))
        else:
            self._host.submit(box, SYSTEM, Close(), self._host.now())

    def _idle(self, box: Mailbox) -> None:
        if not box.members:
            self._host.submit(box, SYSTEM, Close(), self._host.now())
