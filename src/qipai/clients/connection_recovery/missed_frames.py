"""Coming back to another worker: what a client has missed is told from the journal, exactly as it was told.

Whatever a table tells is made of committed records and nothing else, so another worker can make it again,
frame by frame. A client says how far it has come; nothing has to be kept for that while all is well.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from qipai.clients.legacy_messages import SpectatorNames
from qipai.clients.spectator_names import spectator_names
from qipai.hall.client_interface import HallServices
from qipai.hall.cluster.bus_interface import Bus, CatchUp
from qipai.hall.journal.room_rebuilding import JournalError, retrace
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.hall.rooms.fan_out import news_of, share
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Person, RoomId, Seat
from qipai.kernel.room import AnyRoom
from qipai.kernel.room_view import view
from qipai.kernel.seats import seat_of
from qipai.protocol.dialect_interface import AnyNotice, Dialect, SeatHeld
from qipai.protocol.notices import FullRoom

from .offset_format import WHOLE, RecoveryOffset, tag

TRIES: Final = 20
"""How often a history is read again that others write on meanwhile."""


class MissedFrame(NamedTuple):
    """A frame that a client has missed, and how far it has come with it."""

    frame: bytes
    mark: RecoveryOffset


class Recovery(NamedTuple):
    """What a client has missed; `box` is the table it comes back to, if it still is one."""

    missed: Sequence[MissedFrame]
    box: LiveRoom | None


class RecoverySearch:
    """One return: finds the table, catches up with it, reads its history, tells it again.

    What came after the mark is told as a `fresh` dialect says it; without a mark, the whole table. `then` is
    called with None if it is not known what the client has missed.
    """

    def __init__(
        self,
        hall: HallServices,
        bus: Bus,
        room: RoomId,
        person: Person,
        mark: RecoveryOffset | None,
        fresh: Callable[[], Dialect],
        then: Callable[[Recovery | None], None],
    ) -> None:
        self._executor = hall.executor
        self._bus = bus
        self._room = room
        self._person = person
        self._mark = mark
        self._fresh = fresh
        self._then = then
        self._tries = TRIES

    def begin(self) -> None:
        """Find the table."""
        sharing, live = self._executor.replication, self._executor.live_rooms.get(self._room)
        assert sharing is not None
        if live is None:
            sharing.reach(self._room, self._found, self._give_up)
        else:
            self._found(live)

    def _found(self, live: LiveRoom | None) -> None:
        sharing = self._executor.replication
        assert sharing is not None
        if live is not None and live.broken:
            sharing.wait(live, self.begin, self._give_up)
        else:
            self._bus.subscribe(self._room, 0, self._read)

    def _read(self, told: CatchUp | StoreError) -> None:
        live = self._executor.live_rooms.get(self._room)
        if isinstance(told, StoreError) or not told.tail or not self._tries:
            self._give_up()
        elif live is not None and (live.broken or len(told.tail) < live.durable.version):
            self._tries -= 1
            self.begin()
        else:
            try:
                self._then(self._retell(told.tail, live))
            except JournalError:
                self._give_up()

    def _give_up(self) -> None:
        self._then(None)

    def _retell(self, entries: Sequence[Entry], live: LiveRoom | None) -> Recovery | None:
        steps = list(
            retrace(self._executor.games, entries if live is None else entries[: live.durable.version])
        )
        last, mark = steps[-1].room, self._mark
        seat = seat_of(last.seats, self._person)
        known = 0
        if mark is not None and mark.room == tag(self._room):
            known = mark.version - (mark.frames != WHOLE)
        late = seat is None and last.table.spectator_delay
        if not 0 < known <= last.version or late:
            return self._whole(live, seat)
        assert mark is not None
        before = steps[known - 1].room
        sat = seat_of(before.seats, self._person)
        if sat != seat and (sat is None or live is not None):
            # A seat got or lost while away: not what such a client reckons with.
            return self._whole(live, seat) if sat is None else None
        dialect, rules = self._dialect(live), self._executor.games[last.game].rules
        dialect.encode(self._shown(before, sat))
        missed: list[MissedFrame] = []
        for step in steps[known:]:
            version = step.room.version
            frames = dialect.encode(share(news_of(rules, step), _viewer(sat)))
            skip = mark.frames if version == mark.version else 0
            missed += [
                MissedFrame(frame, RecoveryOffset(mark.room, version, number))
                for number, frame in enumerate(frames[skip:], skip + 1)
            ]
        return Recovery(missed, live)

    def _whole(self, live: LiveRoom | None, seat: Seat | None) -> Recovery | None:
        """Show the table as to somebody who has just come."""
        if live is None or (seat is None and not live.durable.table.spectators):
            return None
        seen = live.seen(_viewer(seat))
        frames = self._dialect(live).encode(self._shown(seen, seat))
        nowhere = RecoveryOffset("", 0, 0)
        marks = [nowhere] * (len(frames) - 1) + [RecoveryOffset(tag(self._room), seen.version)]
        return Recovery(list(map(MissedFrame, frames, marks)), live)

    def _dialect(self, live: LiveRoom | None) -> Dialect:
        dialect = self._fresh()
        for notice in () if live is None else company(live):
            dialect.encode(notice)
        return dialect

    def _shown(self, room: AnyRoom, seat: Seat | None) -> FullRoom:
        now = self._executor.now()
        seen = view(self._executor.games[room.game].rules, room, _viewer(seat), now)
        return FullRoom(seen, room.version, now, seat)


def company(live: LiveRoom) -> list[AnyNotice]:
    """Return who else is at a table, as somebody is told who comes."""
    room = live.durable.id
    here = [SeatHeld(room, seat, holder.handle) for seat, holder in live.holders.items()]
    places = [place for place in live.remote_members.values() if place.viewer != SPECTATOR]
    there = [SeatHeld(room, place.viewer, place.handle) for place in places]
    return [*here, *there, SpectatorNames(room, spectator_names(live))]


def quietly(hall: HallServices, live: LiveRoom, person: Person, dialect: Dialect) -> RecoveryOffset:
    """Let a dialect know a table that its client knows already."""
    seat = seat_of(live.durable.seats, person)
    for notice in company(live):
        dialect.encode(notice)
    seen, now = live.seen(_viewer(seat)), hall.executor.now()
    dialect.encode(FullRoom(view(live.rules, seen, _viewer(seat), now), seen.version, now, seat))
    return RecoveryOffset(tag(live.durable.id), seen.version)


def _viewer(seat: Seat | None) -> Seat:
    return SPECTATOR if seat is None else seat
