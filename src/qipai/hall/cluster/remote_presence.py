"""Which players and spectators are connected to other workers, and announcing those here."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import MsgspecError

from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom, RemoteMember
from qipai.kernel.ids import SPECTATOR, Person, RoomId, Seat
from qipai.kernel.room import AnyRoom
from qipai.kernel.seats import seat_of
from qipai.protocol.dialect_interface import SeatHeld

from .bus_interface import Bus
from .replication_interface import ClusterListeners

_encode = msgspec.json.Encoder().encode
_members = msgspec.json.Decoder(RemoteMember)
_handles = msgspec.json.Decoder(tuple[Person, str])
_OBSERVED: Final = b"hand "
"""Begins a message for the observers of a room."""
MAX_HANDLES: Final = 1_000
"""Handles that are kept of connections whose seat is not recorded yet."""


class RemotePresence:
    """Maintains `LiveRoom.remote_members` of the subscribed rooms."""

    def __init__(
        self,
        executor: CommandExecutor,
        bus: Bus,
        subscribed: Mapping[RoomId, LiveRoom],
        listeners: ClusterListeners,
    ) -> None:
        self._executor = executor
        self._bus = bus
        self._subscribed = subscribed
        self._listeners = listeners
        self._workers: frozenset[str] = frozenset()
        self._handles: dict[tuple[RoomId, Person], str] = {}

    # Members of this worker

    def announce(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Tell other workers that a connection is a member, or is another than before."""
        member = RemoteMember(
            viewer, connection.handle, connection.name, connection.detached, connection.person or ""
        )
        self._bus.announce_member(live.durable.id, id(connection), _encode(member))

    def withdraw(self, live: LiveRoom, connection: Connection) -> None:
        """Tell other workers that a connection is no longer a member."""
        self._bus.announce_member(live.durable.id, id(connection), b"")

    def announce_all(self, live: LiveRoom) -> None:
        """Announce every member of this worker."""
        for connection, viewer in live.members.items():
            self.announce(live, connection, viewer)

    def withdraw_all(self, live: LiveRoom) -> None:
        """Withdraw every member of this worker."""
        for connection in live.members:
            self.withdraw(live, connection)

    def announce_handle(self, live: LiveRoom, connection: Connection) -> None:
        """Tell other workers the handle of a connection that is about to take a seat."""
        self._bus.send_room_message(live.durable.id, _encode((connection.person, connection.handle)))

    def send_room_message(self, room: RoomId, body: bytes) -> None:
        """Send a message to the observers of the room on other workers."""
        self._bus.send_room_message(room, _OBSERVED + body)

    def is_first(self, live: LiveRoom) -> bool:
        """Tell whether this is the first worker by name of those with members in the room."""
        workers = {key.partition("/")[0] for key in live.remote_members}
        if live.members:
            workers.add(self._bus.worker)
        return self._bus.worker == min(workers, default=self._bus.worker)

    # Members of other workers

    def replace_all(self, live: LiveRoom, members: Mapping[str, bytes]) -> None:
        """Replace the remote members by the list that was read."""
        here = {f"{self._bus.worker}/{id(connection)}" for connection in live.members}
        for key in [key for key in live.remote_members if key not in members]:
            self._remove(live, key)
        for key, member in members.items():
            worker, _, number = key.partition("/")
            if worker != self._bus.worker:
                self._set(live, key, member)
            elif key not in here:
                # This connection left while the store was unreachable.
                self._bus.announce_member(live.durable.id, int(number), b"")

    def member_announced(self, room: RoomId, key: str, member: bytes) -> None:
        """A member of another worker came, changed or (if empty) left."""
        live = self._subscribed.get(room)
        if live is None:
            return
        if member:
            self._set(live, key, member)
        elif key in live.remote_members:
            self._remove(live, key)
        if live.bots:
            self._executor.ask_bots(live)

    def room_message(self, room: RoomId, message: bytes) -> None:
        """Pass a message to the observers, or remember a handle."""
        with suppress(MsgspecError):
            if message.startswith(_OBSERVED):
                if (live := self._subscribed.get(room)) is not None:
                    self._executor.observers.room_message(live, message.removeprefix(_OBSERVED))
                return
            person, handle = _handles.decode(message)
            self._handles[room, person] = handle
            while len(self._handles) > MAX_HANDLES:
                self._handles.pop(next(iter(self._handles)))

    def introduce(self, live: LiveRoom, after: AnyRoom) -> None:
        """Send the handles of connections on other workers that take a seat with the next step."""
        if after.seats is live.latest.seats or not self._handles:
            return
        for number, taken in enumerate(after.seats):
            if taken is None or seat_of(live.latest.seats, taken.person) is not None:
                continue
            handle = self._handles.pop((after.id, taken.person), "")
            if handle:
                held = SeatHeld(after.id, Seat(number), handle, new=True)
                self._executor.fan_out.send_notice(live.members, held)

    def keep_workers(self, workers: frozenset[str]) -> None:
        """Remove the members of workers that are no longer alive."""
        gone, self._workers = self._workers - workers, workers
        if not gone:
            return
        for live in list(self._subscribed.values()):
            lost = [key for key in live.remote_members if key.partition("/")[0] in gone]
            for key in lost:
                member = live.remote_members[key]
                self._remove(live, key)
                if member.viewer != SPECTATOR and not live.held(member.viewer):
                    for listener in self._listeners.replicas:
                        listener.seat_lost(live, member.viewer)
            if lost and live.bots:
                self._executor.ask_bots(live)

    def _set(self, live: LiveRoom, key: str, raw: bytes) -> None:
        try:
            member = _members.decode(raw)
        except MsgspecError:
            return
        before = live.remote_members.get(key)
        if before == member:
            return
        live.remote_members[key] = member
        room, viewer = live.durable.id, member.viewer
        if viewer == SPECTATOR:
            self._executor.observers.spectators_changed(live, joined="" if before else member.name)
        elif before is None or before.viewer != viewer:
            for listener in self._listeners.replicas:
                listener.seat_taken_over(live, viewer, member.person)
            self._executor.fan_out.send_notice(live.members, SeatHeld(room, viewer, member.handle))
        self._changed(live)

    def _remove(self, live: LiveRoom, key: str) -> None:
        member = live.remote_members.pop(key)
        if member.viewer == SPECTATOR:
            self._executor.observers.spectators_changed(live, left=member.name)
        self._changed(live)

    def _changed(self, live: LiveRoom) -> None:
        for listener in self._listeners.members:
            listener(live)
