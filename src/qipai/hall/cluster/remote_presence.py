"""Who is at a table by another worker, and telling the others who is here."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import MsgspecError

from qipai.clients.legacy_messages import NoteRelayed
from qipai.clients.spectator_names import gather
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
_notes = msgspec.json.Decoder(NoteRelayed)
_HANDED: Final = b"hand "
ANNOUNCED: Final = 1_000
"""How many are remembered who have not sat down yet."""


class RemotePresence:
    """Keeps `Mailbox.afar` of the rooms that are followed here."""

    def __init__(
        self, host: CommandExecutor, presence: Presence, bus: Bus, following: Mapping[RoomId, LiveRoom]
    ) -> None:
        self._host = host
        self._presence = presence
        self._bus = bus
        self._following = following
        self._crew: frozenset[str] = frozenset()
        self._announced: dict[tuple[RoomId, Person], str] = {}

    # Here

    def came(self, box: LiveRoom, peer: Connection, viewer: Seat) -> None:
        """Tell the others that somebody is here, or is another than before."""
        place = RemoteMember(viewer, peer.handle, peer.name, peer.detached, peer.person or "")
        self._bus.announce_member(box.durable.id, id(peer), _encode(place))

    def left(self, box: LiveRoom, peer: Connection) -> None:
        """Tell the others that somebody is not here any more."""
        self._bus.announce_member(box.durable.id, id(peer), b"")

    def enroll(self, box: LiveRoom) -> None:
        """Tell the others about everybody who is here."""
        for peer, viewer in box.members.items():
            self.came(box, peer, viewer)

    def forget(self, box: LiveRoom) -> None:
        """Nobody is here any more."""
        for peer in box.members:
            self.left(box, peer)

    def announce(self, box: LiveRoom, peer: Connection) -> None:
        """Tell the others what somebody is known by who is about to sit down."""
        self._bus.send_room_message(box.durable.id, _encode((peer.person, peer.handle)))

    def hand(self, note: NoteRelayed) -> None:
        """Give a note to the other players of a table who are connected elsewhere."""
        self._bus.send_room_message(note.room, _HANDED + _encode(note))

    def in_charge(self, box: LiveRoom) -> bool:
        """Tell whether this worker is the one that lets bots think: the first of those with people there."""
        workers = {key.partition("/")[0] for key in box.remote_members}
        if box.members:
            workers.add(self._bus.worker)
        return self._bus.worker == min(workers, default=self._bus.worker)

    # There

    def set(self, box: LiveRoom, places: Mapping[str, bytes]) -> None:
        """Know who is elsewhere: the whole list was read."""
        here = {f"{self._bus.worker}/{id(peer)}" for peer in box.members}
        for key in [key for key in box.remote_members if key not in places]:
            self._went(box, key)
        for key, place in places.items():
            worker, _, number = key.partition("/")
            if worker != self._bus.worker:
                self._came(box, key, place)
            elif key not in here:
                # He left while the store was out of reach.
                self._bus.announce_member(box.durable.id, int(number), b"")

    def placed(self, room: RoomId, key: str, place: bytes) -> None:
        """Somebody came, changed or went."""
        box = self._following.get(room)
        if box is None:
            return
        if place:
            self._came(box, key, place)
        elif key in box.remote_members:
            self._went(box, key)
        if box.bots:
            self._host.consult(box)

    def noted(self, room: RoomId, note: bytes) -> None:
        """Another worker has a note for those who sit here, or says what somebody is known by who will."""
        with suppress(MsgspecError):
            if note.startswith(_HANDED):
                self._pass(room, _notes.decode(note.removeprefix(_HANDED)))
                return
            person, handle = _handles.decode(note)
            self._announced[room, person] = handle
            while len(self._announced) > ANNOUNCED:
                self._announced.pop(next(iter(self._announced)))

    def _pass(self, room: RoomId, note: NoteRelayed) -> None:
        box = self._following.get(room)
        for seat, holder in box.holders.items() if box is not None else ():
            if seat != note.seat:
                holder.tell(note)

    def introduce(self, box: LiveRoom, after: AnyRoom) -> None:
        """Say what those are known by who sit down elsewhere with the next step."""
        if after.seats is box.latest.seats or not self._announced:
            return
        for number, chair in enumerate(after.seats):
            if chair is None or seat_of(box.latest.seats, chair.person) is not None:
                continue
            handle = self._announced.pop((after.id, chair.person), "")
            for peer in box.members if handle else ():
                peer.tell(SeatHeld(after.id, Seat(number), handle, new=True))

    def crew(self, workers: frozenset[str]) -> None:
        """Only these workers are alive: whoever was with others is out of reach."""
        gone, self._crew = self._crew - workers, workers
        if not gone:
            return
        for box in list(self._following.values()):
            lost = [key for key in box.remote_members if key.partition("/")[0] in gone]
            for key in lost:
                place = box.remote_members[key]
                self._went(box, key)
                if place.viewer != SPECTATOR and not box.held(place.viewer):
                    self._presence.bereft(box, place.viewer)
            if lost and box.bots:
                self._host.consult(box)

    def _came(self, box: LiveRoom, key: str, raw: bytes) -> None:
        try:
            place = _places.decode(raw)
        except MsgspecError:
            return
        before = box.remote_members.get(key)
        if before == place:
            return
        box.remote_members[key] = place
        room, viewer = box.durable.id, place.viewer
        if viewer == SPECTATOR:
            gather(box, came="" if before else place.name)
        elif before is None or before.viewer != viewer:
            self._host.alarms.clear(("lost", room, viewer))
            if (holder := box.holders.get(viewer)) is not None:
                # His new socket is at another worker, or somebody's to whom he has handed the seat; the
                # record that says so may come later.
                self._presence.dismiss(box, holder)
                moved = place.person not in {"", holder.person}
                holder.tell(Left(room, reason="transferred") if moved else Left(room, replaced=True))
            for member in box.members:
                member.tell(SeatHeld(room, viewer, place.handle))
        self._presence.settle(box)
        self._presence.touched(box)

    def _went(self, box: LiveRoom, key: str) -> None:
        place = box.remote_members.pop(key)
        if place.viewer == SPECTATOR:
            gather(box, gone=place.name)
        self._presence.settle(box)
        self._presence.touched(box)
