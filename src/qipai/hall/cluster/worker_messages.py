"""Spectator counts between workers; messages that the hall does not know go to the client support.

Nothing of it is stored. A worker that starts, or was cut off, asks, and all others send their counts again.
"""

import asyncio
from typing import Final, Protocol

import msgspec
from msgspec import MsgspecError, Struct

from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId
from qipai.kernel.room import CLOSED, AnyRoom

from .bus_interface import Bus


class SpectatorCountsRequest(Struct, frozen=True, tag="counts", array_like=True):
    """Asks every worker for its spectator counts."""


class SpectatorCountMessage(Struct, frozen=True, tag="crowd", array_like=True):
    """How many spectators of a room are connected to a worker."""

    worker: str
    room: RoomId
    count: int


COUNT_INTERVAL: Final = 0.1
"""Seconds in which all changes of the spectator count of a room become one message."""
_encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(SpectatorCountsRequest | SpectatorCountMessage)


class WorkerListener(Protocol):
    """The client support, as far as it talks to other workers."""

    def worker_message(self, body: bytes) -> None:
        """Another worker sent a message to all."""

    def workers_changed(self, workers: frozenset[str]) -> None:
        """Only these workers are alive; none means that this worker was cut off and is back."""


class WorkerMessages:
    """Sends the spectator counts of this worker, and keeps those of the others."""

    def __init__(
        self,
        bus: Bus,
        executor: CommandExecutor,
        room_list: RoomListFeed,
        listener: WorkerListener,
    ) -> None:
        self._bus = bus
        self._executor = executor
        self._room_list = room_list
        self._listener = listener
        self._counts: dict[RoomId, int] = {}
        """The last counts sent, except 0."""
        self._changed: dict[RoomId, LiveRoom] = {}
        """Rooms whose count may differ from the last one sent."""
        self._workers: frozenset[str] = frozenset()
        room_list.row_listeners.append(self._count_spectators)
        executor.room_listeners.append(self._room_changed)
        executor.replication.listeners.broadcasts.append(self._receive)
        executor.replication.listeners.workers.append(self._workers_changed)

    def _count_spectators(self, live: LiveRoom) -> None:
        """Send the spectator count of this worker after the interval, if it then differs from the last."""
        room = live.durable.id
        if live.durable.table.public and _spectators_here(live) != self._counts.get(room, 0):
            if not self._changed:
                asyncio.get_running_loop().call_later(COUNT_INTERVAL, self._send_counts)
            self._changed[room] = live

    def _send_counts(self) -> None:
        changed, self._changed = self._changed, {}
        for room, live in changed.items():
            count = _spectators_here(live)
            if live.durable.phase is not CLOSED and count != self._counts.get(room, 0):
                self._bus.broadcast(_encode(SpectatorCountMessage(self._bus.worker, room, count)))
                if count:
                    self._counts[room] = count
                else:
                    del self._counts[room]

    def _room_changed(self, live: LiveRoom, _before: AnyRoom) -> None:
        if live.durable.phase is CLOSED:
            self._counts.pop(live.durable.id, None)

    def _workers_changed(self, workers: frozenset[str]) -> None:
        """Forget the counts of workers that are gone; ask for those of new ones."""
        if workers != self._workers:
            new, self._workers = workers - self._workers, workers
            for live in list(self._executor.live_rooms.values()):
                for worker in live.remote_spectators.keys() - workers:
                    self._set_count(live, worker, 0)
            if new - {self._bus.worker}:
                self._bus.broadcast(_encode(SpectatorCountsRequest()))
        self._listener.workers_changed(workers)

    def _set_count(self, live: LiveRoom, worker: str, count: int) -> None:
        if count:
            live.remote_spectators[worker] = count
        else:
            live.remote_spectators.pop(worker, None)
        self._room_list.row_changed(live)

    def _receive(self, body: bytes) -> None:
        try:
            message = _decoder.decode(body)
        except MsgspecError:
            # A message of the client support, or of another release.
            self._listener.worker_message(body)
            return
        match message:
            case SpectatorCountsRequest():
                for room, count in self._counts.items():
                    self._bus.broadcast(_encode(SpectatorCountMessage(self._bus.worker, room, count)))
            case SpectatorCountMessage():
                if (live := self._executor.live_rooms.get(message.room)) is not None:
                    self._set_count(live, message.worker, message.count)


def _spectators_here(live: LiveRoom) -> int:
    return len(live.members) - len(live.holders)
