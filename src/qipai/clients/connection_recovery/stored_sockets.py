"""Stores each Socket.IO socket on the bus, so that its client can recover on another worker."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

import msgspec
from msgspec import MsgspecError, Struct

from qipai.hall.cluster.bus_interface import ClusterBus, LeaseClaim
from qipai.hall.journal.store_interface import StoreError
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.recovery_interface import RecoveredSocket
from qipai.socketio.socket import Socket
from qipai.socketio.socketio_packets import EncodedEvent, offset_of

from . import offset_format
from .offset_format import RecoveryOffset

LEASE_SECONDS: Final = 180
"""Time to recover, and time for which a lost transport may go unnoticed before."""
HAND_OVER_TIMEOUT: Final = 1.0
"""Seconds for another worker to hand a socket over."""


class StoredSocket(Struct, frozen=True, array_like=True):
    """The person of a socket, its nickname, the one it asked for, and its room; empty for none."""

    sid: str
    path: str
    game: str = ""
    person: str = ""
    name: str = ""
    wanted: str = ""
    room: str = ""


class MissedEvents(Struct, frozen=True, array_like=True):
    """Events after the client's offset that a worker hands over; None if it does not have them."""

    missed: Sequence[tuple[bytes, tuple[bytes, ...]]] | None = None


class SocketRestorer(Protocol):
    """Restores the sockets of one namespace."""

    def find_missed(
        self,
        stored: StoredSocket,
        offset: RecoveryOffset | None,
        then: Callable[[Callable[[Socket], None] | None], None],
    ) -> None:
        """Find what a client missed; pass on what restores its socket, or None."""

    def moved(self, socket: Socket) -> None:
        """The client recovered on another worker."""


_REQUEST: Final = b"?"
"""First byte of a request; a reply is a msgpack array and begins differently."""
_encode: Final = msgspec.msgpack.Encoder().encode
_decode_socket: Final = msgspec.msgpack.Decoder(StoredSocket)
_decode_events: Final = msgspec.msgpack.Decoder(MissedEvents)


class StoredSockets:
    """The recovery store of an endpoint, on the bus."""

    def __init__(self, bus: ClusterBus, endpoint: SocketIO) -> None:
        self.bus = bus
        self._endpoint = endpoint
        self._waiting: dict[str, Callable[[MissedEvents], None]] = {}
        self.restorers: dict[str, SocketRestorer] = {}
        endpoint.recovery_store = self

    def store(self, socket: Socket, stored: StoredSocket) -> None:
        """Store a socket for recovery on any worker."""
        self.bus.store_lease(socket.pid, _encode(stored), LEASE_SECONDS)

    def forget(self, socket: Socket) -> None:
        """The client will not recover: delete the socket."""
        self.bus.store_lease(socket.pid, b"", 0)

    def extend(self, socket: Socket) -> None:
        """Extend the lease of a connected socket."""
        self.bus.extend_lease(socket.pid, LEASE_SECONDS)

    def recover(
        self,
        pid: str,
        path: str,
        offset: str,
        then: Callable[[RecoveredSocket | None], None],
        sorry: Callable[[], None],
    ) -> None:
        """Take a socket over from the worker that has it."""

        def claimed(claim: LeaseClaim | StoreError | None) -> None:
            if isinstance(claim, StoreError):
                sorry()
                return
            stored = None if claim is None else _read(claim.body)
            if claim is None or stored is None or stored.path != path:
                then(None)
            elif claim.holder_notified:
                self._wait(pid, partial(self._recover, stored, offset, then))
            else:
                # The socket may be on this worker, without the events after the offset.
                self._recover(stored, offset, then, self._release(pid, offset))

        # Keys of the server have no spaces.
        if pid.isascii() and pid.isprintable() and " " not in pid:
            self.bus.claim_lease(pid, _REQUEST + offset.encode(errors="replace"), claimed)
        else:
            then(None)

    def _wait(self, pid: str, then: Callable[[MissedEvents], None]) -> None:
        """Wait for the worker that has the socket, up to the timeout."""
        timer = asyncio.get_running_loop().call_later(HAND_OVER_TIMEOUT, lambda: received(MissedEvents()))

        def received(events: MissedEvents) -> None:
            timer.cancel()
            if self._waiting.pop(pid, None) is not None:
                then(events)

        self._waiting[pid] = received

    def _recover(
        self,
        stored: StoredSocket,
        offset: str,
        then: Callable[[RecoveredSocket | None], None],
        events: MissedEvents,
    ) -> None:
        missed = [EncodedEvent(0, text, blobs) for text, blobs in events.missed or ()]
        known = offset_format.read(offset_of(missed[-1]) if missed else offset)

        def found(restore: Callable[[Socket], None] | None) -> None:
            then(None if restore is None else RecoveredSocket(stored.sid, missed, restore))

        self.restorers[stored.path].find_missed(stored, known, found)

    def receive(self, worker: str, pid: str, body: bytes) -> None:
        """Take the events that another worker hands over, or hand over a socket that it requests."""
        if not body.startswith(_REQUEST):
            if (received := self._waiting.get(pid)) is not None:
                received(_decode_events.decode(body))
            return
        events = self._release(pid, body.removeprefix(_REQUEST).decode(errors="replace"))
        self.bus.send_to_worker(worker, pid, _encode(events))

    def _release(self, pid: str, offset: str) -> MissedEvents:
        """Release a socket of this worker, and return the events that its client missed."""
        handed = self._endpoint.release_socket(pid, offset)
        if handed is None:
            return MissedEvents()
        socket, missed = handed
        self.restorers[socket.path].moved(socket)
        return MissedEvents(None if missed is None else [(event.text, event.attachments) for event in missed])


def _read(raw: bytes) -> StoredSocket | None:
    """Return a stored socket; None if another release wrote it in another format."""
    try:
        return _decode_socket.decode(raw)
    except MsgspecError:
        return None
