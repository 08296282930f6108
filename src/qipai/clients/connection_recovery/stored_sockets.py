"""What is left in the store of every Socket.IO socket, so that its client may come back to any worker."""

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

SECONDS: Final = 180
"""How long a memory stays: as long as a client may be away, and as a cut may go unnoticed before."""
PATIENCE: Final = 1.0
"""Seconds that another worker has to hand a socket over."""


class StoredSocket(Struct, frozen=True, array_like=True):
    """Who a socket is: its person, the name it has and the one it wanted, and its room; empty for none."""

    sid: str
    path: str
    game: str = ""
    person: str = ""
    name: str = ""
    wanted: str = ""
    room: str = ""


class MissedEvents(Struct, frozen=True, array_like=True):
    """What a worker hands over: the events that came after a client's offset, None if it does not know."""

    missed: Sequence[tuple[bytes, tuple[bytes, ...]]] | None = None


class SocketRestorer(Protocol):
    """Goes on with the sockets of one namespace."""

    def recall(
        self,
        memory: StoredSocket,
        mark: RecoveryOffset | None,
        then: Callable[[Callable[[Socket], None] | None], None],
    ) -> None:
        """Find out what a client has missed, and pass on how it goes on."""

    def moved(self, socket: Socket) -> None:
        """The client has come back to another worker."""


_ASKED: Final = b"?"
"""Begins a question; an answer is an array in msgpack and does not."""
_encode: Final = msgspec.msgpack.Encoder().encode
_memories: Final = msgspec.msgpack.Decoder(StoredSocket)
_kept: Final = msgspec.msgpack.Decoder(MissedEvents)


class StoredSockets:
    """The vault of an endpoint, on the bus."""

    def __init__(self, bus: ClusterBus, endpoint: SocketIO) -> None:
        self.bus = bus
        self._endpoint = endpoint
        self._waiting: dict[str, Callable[[MissedEvents], None]] = {}
        self.revivers: dict[str, SocketRestorer] = {}
        endpoint.recovery_store = self
        bus.mail = self._mail

    def keep(self, socket: Socket, memory: StoredSocket) -> None:
        """Leave a socket for whichever worker its client comes back to."""
        self.bus.store_lease(socket.pid, _encode(memory), SECONDS)

    def forget(self, socket: Socket) -> None:
        """The client will not come back."""
        self.bus.store_lease(socket.pid, b"", 0)

    def extend(self, socket: Socket) -> None:
        """The socket is alive."""
        self.bus.extend_lease(socket.pid, SECONDS)

    def recover(
        self,
        pid: str,
        path: str,
        offset: str,
        then: Callable[[RecoveredSocket | None], None],
        sorry: Callable[[], None],
    ) -> None:
        """Take a socket over from wherever it was."""

        def claimed(told: LeaseClaim | StoreError | None) -> None:
            if isinstance(told, StoreError):
                sorry()
                return
            memory = None if told is None else _read(told.body)
            if told is None or memory is None or memory.path != path:
                then(None)
            elif told.told:
                self._wait(pid, partial(self._go_on, memory, offset, then))
            else:
                # It may even be here, without knowing what came after the offset.
                self._go_on(memory, offset, then, self._release(pid, offset))

        # A key of ours has no spaces in it; whatever has is nobody's.
        if pid.isascii() and pid.isprintable() and " " not in pid:
            self.bus.claim_lease(pid, _ASKED + offset.encode(errors="replace"), claimed)
        else:
            then(None)

    def _wait(self, pid: str, then: Callable[[MissedEvents], None]) -> None:
        """Wait for the worker that still has the socket, but not for long."""
        late = asyncio.get_running_loop().call_later(PATIENCE, lambda: got(MissedEvents()))

        def got(kept: MissedEvents) -> None:
            late.cancel()
            if self._waiting.pop(pid, None) is not None:
                then(kept)

        self._waiting[pid] = got

    def _go_on(
        self,
        memory: StoredSocket,
        offset: str,
        then: Callable[[RecoveredSocket | None], None],
        kept: MissedEvents,
    ) -> None:
        missed = [EncodedEvent(0, text, blobs) for text, blobs in kept.missed or ()]
        mark = offset_format.read(offset_of(missed[-1]) if missed else offset)

        def recalled(revive: Callable[[Socket], None] | None) -> None:
            then(None if revive is None else RecoveredSocket(memory.sid, missed, revive))

        self.revivers[memory.path].recall(memory, mark, recalled)

    def _mail(self, worker: str, pid: str, body: bytes) -> None:
        """Take what another worker hands over, or hand over what it asks for."""
        if not body.startswith(_ASKED):
            if (got := self._waiting.get(pid)) is not None:
                got(_kept.decode(body))
            return
        kept = self._release(pid, body.removeprefix(_ASKED).decode(errors="replace"))
        self.bus.send_to_worker(worker, pid, _encode(kept))

    def _release(self, pid: str, offset: str) -> MissedEvents:
        """Let a socket go, if it is here."""
        handed = self._endpoint.release_socket(pid, offset)
        if handed is None:
            return MissedEvents()
        socket, missed = handed
        self.revivers[socket.path].moved(socket)
        return MissedEvents(None if missed is None else [(event.text, event.attachments) for event in missed])


def _read(raw: bytes) -> StoredSocket | None:
    """Return a memory as it was written; None if another release wrote it."""
    try:
        return _memories.decode(raw)
    except MsgspecError:
        return None
