"""Rebuilds the frames that a Socket.IO client missed from the journal, on another worker.

All frames of a room follow from committed records, so that every worker can encode them again, byte for
byte. The client sends the offset of its last frame; nothing is stored for that.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from qipai.clients.legacy_messages import SpectatorNames
from qipai.clients.spectator_names import spectator_names
from qipai.hall.background_tasks import answer
from qipai.hall.client_interface import HallServices
from qipai.hall.cluster.bus_interface import Bus
from qipai.hall.journal.room_rebuilding import JournalError, retrace
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.hall.rooms.fan_out import events_of, notice_for
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Person, RoomId, Seat
from qipai.kernel.room import AnyRoom
from qipai.kernel.room_view import view
from qipai.kernel.seats import seat_of
from qipai.protocol.dialect_interface import AnyNotice, Dialect, SeatHeld
from qipai.protocol.notices import FullRoom

from .offset_format import WHOLE, RecoveryOffset, tag

TRIES: Final = 20
"""How often the journal is read again while other workers write to it."""


class MissedFrame(NamedTuple):
    """A missed frame, and the offset of the client after it."""

    frame: bytes
    offset: RecoveryOffset


class Recovery(NamedTuple):
    """What a client missed; `live` is its room, None if it is closed."""

    missed: Sequence[MissedFrame]
    live: LiveRoom | None


class RecoverySearch:
    """One recovery: finds the room, reads its journal and encodes the frames after the offset.

    A new dialect encodes them, so that its state is that of the client; without an offset, the whole room.
    """

    def __init__(
        self,
        hall: HallServices,
        bus: Bus,
        room: RoomId,
        person: Person,
        offset: RecoveryOffset | None,
        new_dialect: Callable[[], Dialect],
    ) -> None:
        self._executor = hall.executor
        self._bus = bus
        self._room = room
        self._person = person
        self._offset = offset
        self._new_dialect = new_dialect

    async def run(self) -> Recovery | None:
        """Return what the client missed, in the same turn of the event loop in which the room was read."""
        try:
            return await self._search()
        except (StoreError, JournalError):
            return None

    async def _search(self) -> Recovery | None:
        executor = self._executor
        for _ in range(TRIES):
            live = executor.live_rooms.get(self._room) or await executor.replication.find(self._room)
            if live is not None:
                await executor.replication.ready(live)
            caught = await answer(partial(self._bus.subscribe, self._room, 0))
            live = executor.live_rooms.get(self._room)
            if not caught.tail:
                return None
            if live is None or (
                executor.replication.is_ready(live) and len(caught.tail) >= live.durable.version
            ):
                return self._missed(caught.tail, live)
        return None

    def _missed(self, entries: Sequence[Entry], live: LiveRoom | None) -> Recovery | None:
        steps = list(
            retrace(self._executor.games, entries if live is None else entries[: live.durable.version])
        )
        last, offset = steps[-1].room, self._offset
        seat = seat_of(last.seats, self._person)
        known = 0
        if offset is not None and offset.room == tag(self._room):
            known = offset.version - (offset.frames != WHOLE)
        delayed = seat is None and last.table.spectator_delay
        if not 0 < known <= last.version or delayed:
            return self._full_room(live, seat)
        assert offset is not None
        before = steps[known - 1].room
        sat = seat_of(before.seats, self._person)
        if sat != seat and (sat is None or live is not None):
            # The client does not expect a seat that it got or lost in the meantime.
            return self._full_room(live, seat) if sat is None else None
        dialect, rules = self._dialect(live), self._executor.games[last.game].rules
        dialect.encode(self._notice(before, sat))
        missed: list[MissedFrame] = []
        for step in steps[known:]:
            version = step.room.version
            frames = dialect.encode(notice_for(events_of(rules, step), _viewer(sat)))
            skip = offset.frames if version == offset.version else 0
            missed += [
                MissedFrame(frame, RecoveryOffset(offset.room, version, number))
                for number, frame in enumerate(frames[skip:], skip + 1)
            ]
        return Recovery(missed, live)

    def _full_room(self, live: LiveRoom | None, seat: Seat | None) -> Recovery | None:
        """Encode the room as for a connection that has just arrived."""
        if live is None or (seat is None and not live.durable.table.spectators):
            return None
        seen = live.seen(_viewer(seat))
        frames = self._dialect(live).encode(self._notice(seen, seat))
        no_room = RecoveryOffset("", 0, 0)
        marks = [no_room] * (len(frames) - 1) + [RecoveryOffset(tag(self._room), seen.version)]
        return Recovery(list(map(MissedFrame, frames, marks)), live)

    def _dialect(self, live: LiveRoom | None) -> Dialect:
        dialect = self._new_dialect()
        for notice in () if live is None else member_notices(live):
            dialect.encode(notice)
        return dialect

    def _notice(self, room: AnyRoom, seat: Seat | None) -> FullRoom:
        now = self._executor.now()
        seen = view(self._executor.games[room.game].rules, room, _viewer(seat), now)
        return FullRoom(seen, room.version, now, seat)


def member_notices(live: LiveRoom) -> list[AnyNotice]:
    """Return the notices about the members of a room that an arriving connection receives."""
    room = live.durable.id
    here = [SeatHeld(room, seat, holder.handle) for seat, holder in live.holders.items()]
    there = [SeatHeld(room, player.viewer, player.handle) for player in live.remote_players.values()]
    return [*here, *there, SpectatorNames(room, spectator_names(live))]


def encode_known_room(hall: HallServices, live: LiveRoom, person: Person, dialect: Dialect) -> RecoveryOffset:
    """Encode a room that the client has, so that the dialect has the same state; return the offset."""
    seat = seat_of(live.durable.seats, person)
    for notice in member_notices(live):
        dialect.encode(notice)
    seen, now = live.seen(_viewer(seat)), hall.executor.now()
    dialect.encode(FullRoom(view(live.rules, seen, _viewer(seat), now), seen.version, now, seat))
    return RecoveryOffset(tag(live.durable.id), seen.version)


def _viewer(seat: Seat | None) -> Seat:
    return SPECTATOR if seat is None else seat
