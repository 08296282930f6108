"""Connects Socket.IO sockets to the hall of one of several workers; clients recover on any of them."""

import asyncio
from functools import partial
from typing import Any

from qipai.clients.connection_recovery import offset_format
from qipai.clients.connection_recovery.missed_frames import Recovery, RecoverySearch, encode_known_room
from qipai.clients.connection_recovery.offset_format import RecoveryOffset
from qipai.clients.connection_recovery.offset_tracking import OffsetTracker, TrackedDialect, sender
from qipai.clients.connection_recovery.stored_sockets import MissedEvents, StoredSocket, StoredSockets
from qipai.hall.cluster.bus_interface import ClusterBus
from qipai.hall.connections.connection import Connection
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import Guest
from qipai.kernel.ids import Person, RoomId
from qipai.protocol.dialect_interface import Dialect
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.socket import RecoveredSocket, RecoveryUnavailable, Socket
from qipai.socketio.socketio_packets import EncodedEvent, offset_of

from .client_detection import NamespaceDialects
from .legacy_support import LegacySupport
from .socketio_gateway import SocketIOGateway, SocketTransport, connection_of


class ClusterGateway(SocketIOGateway):
    """The namespace of the older clients: each socket is stored, so that its client can recover anywhere."""

    def __init__(
        self,
        support: LegacySupport,
        dialects: NamespaceDialects,
        endpoint: SocketIO,
        path: str,
        bus: ClusterBus,
    ) -> None:
        super().__init__(support, dialects, endpoint)
        self._bus = bus
        self._stored = StoredSockets(bus, path, self._release)
        self._saved: dict[Socket, StoredSocket] = {}
        self.receive = self._stored.receive
        """Takes messages of other workers about sockets."""

    def on_connect(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Register a connection, and store the socket."""
        super().on_connect(socket, auth)
        self._save(socket)

    def _connect(self, socket: Socket, dialect: Dialect) -> Connection:
        track = OffsetTracker()
        tracked = TrackedDialect(dialect, track, partial(self._changed, socket))
        return self._register(socket, SocketTransport(socket, sender(socket, track)), tracked)

    def on_disconnect(self, socket: Socket, reason: str) -> None:
        """Close the connection; while this worker stops, the client may recover on another."""
        if self._saved.pop(socket, None) is not None and not self._hall.hall.draining:
            self._stored.forget(socket.pid)
        super().on_disconnect(socket, reason)

    def extend(self, socket: Socket) -> None:
        """Extend the lease of a connected socket."""
        self._stored.extend(socket.pid)

    # Stored sockets

    def _changed(self, socket: Socket) -> None:
        asyncio.get_running_loop().call_soon(self._save, socket)

    def _save(self, socket: Socket) -> None:
        """Store the socket if it differs from what is stored."""
        if socket.removed or not socket.pid or self._hall.hall.draining:
            return
        connection = connection_of(socket)
        game = (
            self._dialects.game(connection.dialect.inner)
            if isinstance(connection.dialect, TrackedDialect)
            else ""
        )
        wanted, room = self._lobby.requested_name(connection), next(iter(connection.rooms), "")
        saved = StoredSocket(
            socket.sid, socket.path, game, connection.person or "", connection.name, wanted, room
        )
        if self._saved.get(socket) != saved:
            self._saved[socket] = saved
            self._stored.store(socket.pid, saved)

    def _release(self, pid: str, offset: str) -> MissedEvents:
        """Release a socket whose client recovers elsewhere; return the events that the client missed."""
        released = self._endpoint.release_socket(pid, offset)
        if released is None:
            return MissedEvents()
        socket, missed = released
        self._saved.pop(socket, None)
        connection = connection_of(socket)
        connection.outbox.stop()
        for room in list(connection.rooms):
            if (live := self._hall.executor.live_rooms.get(room)) is not None:
                self._hall.presence.leave(live, connection)
        self._hall.hall.disconnected(connection)
        return MissedEvents(None if missed is None else [(event.text, event.attachments) for event in missed])

    # Recovery

    async def recover(self, pid: str, offset: str) -> RecoveredSocket | None:
        """Take a socket over from the worker that has it."""
        try:
            claimed = await self._stored.claim(pid, offset)
        except StoreError as error:
            raise RecoveryUnavailable from error
        if claimed is None:
            return None
        stored, events = claimed
        missed = [EncodedEvent(0, text, blobs) for text, blobs in events.missed or ()]
        found = await self._find_missed(
            stored, offset_format.read(offset_of(missed[-1]) if missed else offset)
        )
        return (
            None
            if found is None
            else RecoveredSocket(stored.sid, missed, partial(self._restore, stored, found))
        )

    async def _find_missed(self, stored: StoredSocket, offset: RecoveryOffset | None) -> Recovery | None:
        """Return what a client missed in its room; None if that cannot be known."""
        room = stored.room or self._seat_of(stored)
        if not room:
            return Recovery((), None)
        new_dialect = partial(self._dialects.restore, stored.sid, stored.game, apart=True)
        person = Person(stored.person)
        return await RecoverySearch(self._hall, self._bus, RoomId(room), person, offset, new_dialect).run()

    def _seat_of(self, stored: StoredSocket) -> str:
        """Return a room in which the person has a seat that the socket does not know of."""
        executor = self._hall.executor
        rooms = executor.seat_index.get(Person(stored.person), ())
        return next((room for room in rooms if executor.live_rooms[room].game.name == stored.game), "")

    def _restore(self, stored: StoredSocket, found: Recovery, socket: Socket) -> None:
        """Connect the client as its person, send what it missed, and let it arrive in its room."""
        hall = self._hall
        dialect = self._dialects.restore(stored.sid, stored.game, hall.hall.now())
        connection = self._connect(socket, dialect)
        tracked = connection.dialect
        assert isinstance(tracked, TrackedDialect)
        guest = Guest(Person(stored.person), stored.name)
        if connection.outbox.closed or (stored.person and not hall.admission.admit(connection, guest)):
            return
        if stored.wanted:
            self._lobby.restore(connection, stored.game, stored.wanted, stored.name)
        for frame, offset in found.missed:
            tracked.track.set(offset)
            socket.emit_payload_at(frame, tracked.track.offset)
        if found.live is not None:
            tracked.track.set(encode_known_room(hall, found.live, Person(stored.person), dialect))
            hall.room_access.start_arrival(found.live, connection, quietly=True)
        else:
            self._lobby.send_list(connection)
        if dialect.pending_intents:
            connection.schedule_pending_intents()
        self._save(socket)
