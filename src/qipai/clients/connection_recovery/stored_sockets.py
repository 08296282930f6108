"""Stores each Socket.IO socket on the bus, so that its client can recover on another worker."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec
from msgspec import MsgspecError, Struct

from qipai.hall.background_tasks import answer
from qipai.hall.cluster.bus_interface import ClusterBus

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


class ClaimedSocket(NamedTuple):
    """A socket that this worker has taken over, and the events that the worker before handed over."""

    stored: StoredSocket
    events: MissedEvents


Release = Callable[[str, str], MissedEvents]
"""Releases a socket of this worker, by its pid and the offset of its client."""

_REQUEST: Final = b"?"
"""First byte of a request; a reply is a msgpack array and begins differently."""
_encode: Final = msgspec.msgpack.Encoder().encode
_decode_socket: Final = msgspec.msgpack.Decoder(StoredSocket)
_decode_events: Final = msgspec.msgpack.Decoder(MissedEvents)


class StoredSockets:
    """The sockets of one namespace on all workers."""

    def __init__(self, bus: ClusterBus, path: str, release: Release) -> None:
        self._bus = bus
        self._path = path
        self._release = release
        self._waiting: dict[str, asyncio.Future[MissedEvents]] = {}

    def store(self, pid: str, stored: StoredSocket) -> None:
        """Store a socket for recovery on any worker."""
        self._bus.store_lease(pid, _encode(stored), LEASE_SECONDS)

    def forget(self, pid: str) -> None:
        """The client will not recover: delete the socket."""
        self._bus.store_lease(pid, b"", 0)

    def extend(self, pid: str) -> None:
        """Extend the lease of a connected socket."""
        self._bus.extend_lease(pid, LEASE_SECONDS)

    async def claim(self, pid: str, offset: str) -> ClaimedSocket | None:
        """Take a socket over from the worker that has it, or raise `StoreError`."""
        # Keys of the server have no spaces.
        if not pid.isascii() or not pid.isprintable() or " " in pid:
            return None
        request = _REQUEST + offset.encode(errors="replace")
        claim = await answer(partial(self._bus.claim_lease, pid, request))
        stored = None if claim is None else _read(claim.body)
        if claim is None or stored is None or stored.path != self._path:
            return None
        if claim.holder_notified:
            return ClaimedSocket(stored, await self._handed_over(pid))
        # The socket may be on this worker, without the events after the offset.
        return ClaimedSocket(stored, self._release(pid, offset))

    async def _handed_over(self, pid: str) -> MissedEvents:
        """Return what the worker that has the socket hands over; nothing after the timeout."""
        loop = asyncio.get_running_loop()
        received: asyncio.Future[MissedEvents] = loop.create_future()
        self._waiting[pid] = received
        timer = loop.call_later(HAND_OVER_TIMEOUT, _resolve, received, MissedEvents())
        try:
            return await received
        finally:
            timer.cancel()
            if self._waiting.get(pid) is received:
                del self._waiting[pid]

    def receive(self, worker: str, pid: str, body: bytes) -> None:
        """Take the events that another worker hands over, or hand over a socket that it requests."""
        if not body.startswith(_REQUEST):
            if (received := self._waiting.get(pid)) is not None:
                _resolve(received, _decode_events.decode(body))
            return
        events = self._release(pid, body.removeprefix(_REQUEST).decode(errors="replace"))
        self._bus.send_to_worker(worker, pid, _encode(events))


def _resolve(received: asyncio.Future[MissedEvents], events: MissedEvents) -> None:
    if not received.done():
        received.set_result(events)


def _read(raw: bytes) -> StoredSocket | None:
    """Return a stored socket; None if another release wrote it in another format."""
    try:
        return _decode_socket.decode(raw)
    except MsgspecError:
        return None
