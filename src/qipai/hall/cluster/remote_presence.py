"""Which players and spectators are connected to other workers, and announcing those here."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import perf_counter
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
SLICE: Final = 0.001
"""Seconds in which spectators of other workers are updated in one turn of the event loop."""


class RemotePresence:
    """Maintains `LiveRoom.remote_members` and `remote_players` of the subscribed rooms.

    Announcements of players count at once. Those of spectators are handled in slices, so that a crowd which
    joins or leaves on another worker delays no move; of each spectator only the last one counts.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        bus: Bus,
        subscribed: Mapping[RoomId, LiveRoom],
        listeners: ClusterListeners,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._executor = executor
        self._bus = bus
        self._subscribed = subscribed
        self._listeners = listeners
        self._workers: frozenset[str] = frozenset()
        self._handles: dict[tuple[RoomId, Person], str] = {}
        self._clock = clock
        self._waiting: OrderedDict[tuple[RoomId, str], RemoteMember | None] = OrderedDict()
        """The last announcement of each spectator that is not handled yet; None if the spectator left."""
        self._scheduled = False

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
        for waiting in [each for each in self._waiting if each[0] == live.durable.id]:
            del self._waiting[waiting]  # The list is newer.
        here = {f"{self._bus.worker}/{id(connection)}" for connection in live.members}
        gone = [key for key in live.remote_members if key not in members]
        changed = [self._update(live, key, None) for key in gone]
        for key, raw in members.items():
            worker, _, number = key.partition("/")
            if worker != self._bus.worker:
                with suppress(MsgspecError):
                    changed.append(self._update(live, key, _members.decode(raw)))
            elif key not in here:
                # This connection left while the store was unreachable.
                self._bus.announce_member(live.durable.id, int(number), b"")
        if any(changed):
            self._changed(live)

    def member_announced(self, room: RoomId, key: str, member: bytes) -> None:
        """A member of another worker came, changed or (if empty) left."""
        live = self._subscribed.get(room)
        if live is None:
            return
        try:
            announced = _members.decode(member) if member else None
        except MsgspecError:
            return
        if key in live.remote_players or (announced is not None and announced.viewer != SPECTATOR):
            self._waiting.pop((room, key), None)
            if self._update(live, key, announced):
                self._changed(live)
            self._ask_bots(live)
        else:
            self._waiting[room, key] = announced
            self._schedule()

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
        for waiting in [each for each in self._waiting if each[1].partition("/")[0] in gone]:
            del self._waiting[waiting]
        for live in list(self._subscribed.values()):
            lost = [key for key in live.remote_members if key.partition("/")[0] in gone]
            for key in lost:
                member = live.remote_members[key]
                self._update(live, key, None)
                if member.viewer != SPECTATOR and not live.held(member.viewer):
                    for listener in self._listeners.replicas:
                        listener.seat_lost(live, member.viewer)
            if lost:
                self._changed(live)
                self._ask_bots(live)

    def _schedule(self) -> None:
        if self._waiting and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._update_slice)

    def _update_slice(self) -> None:
        """Handle announcements of spectators until the slice is over; the rest in the next turn."""
        self._scheduled = False
        waiting, clock, changed = self._waiting, self._clock, dict[RoomId, LiveRoom]()
        end = clock() + SLICE
        try:
            while waiting:
                (room, key), member = waiting.popitem(last=False)
                live = self._subscribed.get(room)
                if live is not None and self._update(live, key, member):
                    changed[room] = live
                if clock() >= end:
                    break
            # Once for all announcements of a room.
            for live in changed.values():
                self._changed(live)
                self._ask_bots(live)
        finally:
            self._schedule()

    def _update(self, live: LiveRoom, key: str, member: RemoteMember | None) -> bool:
        """Set or (with None) remove a member of another worker; tell whether that is a change."""
        before = live.remote_members.get(key)
        if before == member:
            return False
        if member is None:
            assert before is not None
            del live.remote_members[key]
            live.remote_players.pop(key, None)
            if before.viewer == SPECTATOR:
                self._executor.observers.spectators_changed(live, left=before.name)
            return True
        live.remote_members[key] = member
        if member.viewer == SPECTATOR:
            live.remote_players.pop(key, None)
            self._executor.observers.spectators_changed(live, joined="" if before else member.name)
            return True
        live.remote_players[key] = member
        if before is None or before.viewer != member.viewer:
            for listener in self._listeners.replicas:
                listener.seat_taken_over(live, member.viewer, member.person)
            held = SeatHeld(live.durable.id, member.viewer, member.handle)
            self._executor.fan_out.send_notice(live.members, held)
        return True

    def _changed(self, live: LiveRoom) -> None:
        for listener in self._listeners.members:
            listener(live)

    def _ask_bots(self, live: LiveRoom) -> None:
        if live.bots:
            self._executor.ask_bots(live)
