"""Who is at a table by another worker, and telling the others who is here."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import MsgspecError

from qipai.hall.connections.connection import Connection
from qipai.hall.people.presence import Presence
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom, RemoteMember
from qipai.kernel.ids import SPECTATOR, Person, RoomId, Seat
from qipai.kernel.room import AnyRoom
from qipai.kernel.seats import seat_of
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import Left

from .bus_interface import Bus

_encode = msgspec.json.Encoder().encode
_places = msgspec.json.Decoder(RemoteMember)
_handles = msgspec.json.Decoder(tuple[Person, str])
_OBSERVED: Final = b"hand "
"""Begins a message for the observers of a room."""
ANNOUNCED: Final = 1_000
"""How many are remembered who have not sat down yet."""


class RemotePresence:
    """Keeps `Mailbox.afar` of the rooms that are followed here."""

    def __init__(
        self, executor: CommandExecutor, presence: Presence, bus: Bus, following: Mapping[RoomId, LiveRoom]
    ) -> None:
        self._executor = executor
        self._presence = presence
        self._bus = bus
        self._following = following
        self._crew: frozenset[str] = frozenset()
        self._announced: dict[tuple[RoomId, Person], str] = {}

    # Here

    def came(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Tell the others that somebody is here, or is another than before."""
        place = RemoteMember(
            viewer, connection.handle, connection.name, connection.detached, connection.person or ""
        )
        self._bus.announce_member(live.durable.id, id(connection), _encode(place))

    def left(self, live: LiveRoom, connection: Connection) -> None:
        """Tell the others that somebody is not here any more."""
        self._bus.announce_member(live.durable.id, id(connection), b"")

    def enroll(self, live: LiveRoom) -> None:
        """Tell the others about everybody who is here."""
        for connection, viewer in live.members.items():
            self.came(live, connection, viewer)

    def forget(self, live: LiveRoom) -> None:
        """Nobody is here any more."""
        for connection in live.members:
            self.left(live, connection)

    def announce(self, live: LiveRoom, connection: Connection) -> None:
        """Tell the others what somebody is known by who is about to sit down."""
        self._bus.send_room_message(live.durable.id, _encode((connection.person, connection.handle)))

    def send_room_message(self, room: RoomId, body: bytes) -> None:
        """Send a message to the observers of the room on other workers."""
        self._bus.send_room_message(room, _OBSERVED + body)

    def in_charge(self, live: LiveRoom) -> bool:
        """Tell whether this worker is the one that lets bots think: the first of those with people there."""
        workers = {key.partition("/")[0] for key in live.remote_members}
        if live.members:
            workers.add(self._bus.worker)
        return self._bus.worker == min(workers, default=self._bus.worker)

    # There

    def set(self, live: LiveRoom, places: Mapping[str, bytes]) -> None:
        """Know who is elsewhere: the whole list was read."""
        here = {f"{self._bus.worker}/{id(connection)}" for connection in live.members}
        for key in [key for key in live.remote_members if key not in places]:
            self._went(live, key)
        for key, place in places.items():
            worker, _, number = key.partition("/")
            if worker != self._bus.worker:
                self._came(live, key, place)
            elif key not in here:
                # He left while the store was out of reach.
                self._bus.announce_member(live.durable.id, int(number), b"")

    def placed(self, room: RoomId, key: str, place: bytes) -> None:
        """Somebody came, changed or went."""
        live = self._following.get(room)
        if live is None:
            return
        if place:
            self._came(live, key, place)
        elif key in live.remote_members:
            self._went(live, key)
        if live.bots:
            self._executor.ask_bots(live)

    def noted(self, room: RoomId, note: bytes) -> None:
        """Another worker has a note for those who sit here, or says what somebody is known by who will."""
        with suppress(MsgspecError):
            if note.startswith(_OBSERVED):
                if (live := self._following.get(room)) is not None:
                    self._executor.observers.room_message(live, note.removeprefix(_OBSERVED))
                return
            person, handle = _handles.decode(note)
            self._announced[room, person] = handle
            while len(self._announced) > ANNOUNCED:
                self._announced.pop(next(iter(self._announced)))

    def introduce(self, live: LiveRoom, after: AnyRoom) -> None:
        """Say what those are known by who sit down elsewhere with the next step."""
        if after.seats is live.latest.seats or not self._announced:
            return
        for number, taken in enumerate(after.seats):
            if taken is None or seat_of(live.latest.seats, taken.person) is not None:
                continue
            handle = self._announced.pop((after.id, taken.person), "")
            for connection in live.members if handle else ():
                connection.send_notice(SeatHeld(after.id, Seat(number), handle, new=True))

    def crew(self, workers: frozenset[str]) -> None:
        """Only these workers are alive: whoever was with others is out of reach."""
        gone, self._crew = self._crew - workers, workers
        if not gone:
            return
        for live in list(self._following.values()):
            lost = [key for key in live.remote_members if key.partition("/")[0] in gone]
            for key in lost:
                place = live.remote_members[key]
                self._went(live, key)
                if place.viewer != SPECTATOR and not live.held(place.viewer):
                    self._presence.bereft(live, place.viewer)
            if lost and live.bots:
                self._executor.ask_bots(live)

    def _came(self, live: LiveRoom, key: str, raw: bytes) -> None:
        try:
            place = _places.decode(raw)
        except MsgspecError:
            return
        before = live.remote_members.get(key)
        if before == place:
            return
        live.remote_members[key] = place
        room, viewer = live.durable.id, place.viewer
        if viewer == SPECTATOR:
            self._executor.observers.spectators_changed(live, joined="" if before else place.name)
        elif before is None or before.viewer != viewer:
            self._executor.alarms.clear(("lost", room, viewer))
            if (holder := live.holders.get(viewer)) is not None:
                # His new socket is at another worker, or somebody's to whom he has handed the seat; the
                # record that says so may come later.
                self._presence.dismiss(live, holder)
                moved = place.person not in {"", holder.person}
                holder.send_notice(Left(room, reason="transferred") if moved else Left(room, replaced=True))
            for member in live.members:
                member.send_notice(SeatHeld(room, viewer, place.handle))
        self._presence.settle(live)
        self._presence.touched(live)

    def _went(self, live: LiveRoom, key: str) -> None:
        place = live.remote_members.pop(key)
        if place.viewer == SPECTATOR:
            self._executor.observers.spectators_changed(live, left=place.name)
        self._presence.settle(live)
        self._presence.touched(live)
