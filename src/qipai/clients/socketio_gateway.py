"""Connects Socket.IO sockets to the hall; a connection survives the loss of its transport."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from qipai.clients.connection_recovery.missed_frames import Recovery, RecoverySearch, encode_known_room
from qipai.clients.connection_recovery.offset_format import RecoveryOffset
from qipai.clients.connection_recovery.offset_tracking import OffsetTracker, TrackedDialect, sender
from qipai.clients.connection_recovery.stored_sockets import StoredSocket, StoredSockets
from qipai.clients.login.login_routes import login_of
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.rate_limit import RateLimit
from qipai.hall.people.identity import Guest
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Person, RoomId
from qipai.kernel.seats import seat_of
from qipai.protocol.dialect_interface import Dialect
from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.recovery_interface import RecoveredSocket
from qipai.socketio.socket import Socket
from qipai.socketio.socketio_packets import Event

from .client_detection import NamespaceDialects
from .legacy_support import LegacySupport

BURST_FRAMES: Final = 100
_SAME_ORIGIN: Final = AllowedOrigins()


class SocketTransport:
    """A socket as the transport of a connection."""

    __slots__ = ("_socket", "send")

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.send: Callable[[bytes], None] = socket.emit_payload

    def close(self, code: int, reason: str) -> None:
        """Drop the transport without a disconnect packet, so that the client reconnects."""
        self._socket.drop(reason)

    def ping(self) -> None:
        """Do nothing: the endpoint pings by itself, and drops sockets that do not answer."""
        _connection(self._socket).received = True

    def abort(self) -> None:
        """Drop the transport."""
        self._socket.drop()


class SocketIOGateway:
    """The namespace of the older clients. With `stored`, sockets can be recovered on other workers."""

    def __init__(
        self,
        support: LegacySupport,
        dialects: NamespaceDialects,
        stored: StoredSockets | None = None,
        is_known: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._is_known = is_known
        self._hall = support.services
        self._lobby = support.lobby
        self._dialects = dialects
        self._stored = stored
        self._saved: dict[Socket, StoredSocket] = {}

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Accept every socket; the hall refuses intents of those that are not admitted."""

    def on_connect(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Register a connection, with the login of the cookie if the server's own page sent it."""
        connection = self._connect(socket, self._dialects(socket.sid))
        request = socket.handshake
        if request.cookie and _SAME_ORIGIN.is_same_origin(request.origin, request.host):
            login = login_of(self._hall.identity, request.cookie)
            if login is not None:
                self._hall.admission.admit(connection, Guest(login.person, login.name))
        if self._stored is not None:
            self._save(socket)

    def _connect(self, socket: Socket, dialect: Dialect) -> Connection:
        transport = SocketTransport(socket)
        if self._stored is not None:
            track = OffsetTracker()
            dialect = TrackedDialect(dialect, track, partial(self._changed, socket))
            transport.send = sender(socket, track)
        connection = Connection(transport, dialect, self._hall.hall, RateLimit(BURST_FRAMES, quiet=True))
        connection.handle = socket.sid
        if socket.pid:
            connection.root = self._hall.identity.derived_guest(socket.pid)[0]
        socket.data = connection
        self._hall.hall.connected(connection)
        return connection

    def on_event(self, socket: Socket, said: Event, raw: bytes, number: int | None) -> None:
        """Pass an event to the hall."""
        self._hall.hall.arrived(_connection(socket), raw)

    def on_connection_lost(self, socket: Socket) -> None:
        """The transport broke and may be replaced."""
        self._hall.hall.transport_lost(_connection(socket))

    def on_recover(self, socket: Socket) -> None:
        """The transport was replaced, and nothing was missed."""
        self._hall.hall.transport_replaced(_connection(socket))

    def on_disconnect(self, socket: Socket, reason: str) -> None:
        """Close the connection; while this server stops, the client may recover on another worker."""
        if self._saved.pop(socket, None) is not None and not self._hall.hall.draining:
            assert self._stored is not None
            self._stored.forget(socket)
        _connection(socket).outbox.stop()
        self._hall.hall.arrived(_connection(socket), None)

    # Recovery after a restart

    def recover(
        self,
        pid: str,
        path: str,
        offset: str,
        then: Callable[[RecoveredSocket | None], None],
        sorry: Callable[[], None],
    ) -> None:
        """Find the seat of a client that connected before a restart, by its private id."""
        hall = self._hall
        person, sid = hall.identity.derived_guest(pid)
        room = next(iter(hall.executor.seat_index.get(person, ())), None)
        live = None if room is None or self._is_known(pid) else hall.executor.live_rooms.get(room)
        then(None if live is None else RecoveredSocket(sid, (), partial(self._reseat, live, person)))

    def extend(self, socket: Socket) -> None:
        """Do nothing: without other workers no lease is stored."""

    def _reseat(self, live: LiveRoom, person: Person, socket: Socket) -> None:
        """Connect a client that has a seat, and send the whole room, since missed events are not known."""
        hall, game = self._hall, live.game.name
        seat = seat_of(live.durable.seats, person)
        taken = None if seat is None else live.durable.seats[seat]
        name = "" if taken is None else taken.name
        connection = self._connect(socket, self._dialects.restore(socket.sid, game, hall.hall.now()))
        hall.admission.admit(connection, Guest(person, name))
        self._lobby.restore(connection, game, name, name)
        hall.room_access.start_arrival(live, connection)

    # Recovery on another worker

    def _changed(self, socket: Socket) -> None:
        asyncio.get_running_loop().call_soon(self._save, socket)

    def _save(self, socket: Socket) -> None:
        """Store the socket if it differs from what is stored."""
        if socket.removed or not socket.pid or self._hall.hall.draining:
            return
        assert self._stored is not None
        connection = _connection(socket)
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
            self._stored.store(socket, saved)

    def find_missed(
        self,
        saved: StoredSocket,
        offset: RecoveryOffset | None,
        then: Callable[[Callable[[Socket], None] | None], None],
    ) -> None:
        """Find what a client missed; pass on what restores its socket, or None."""
        room, person = saved.room or self._seat_of(saved), Person(saved.person)
        if not room:
            then(partial(self._restore, saved, Recovery((), None)))
            return

        def searched(found: Recovery | None) -> None:
            then(None if found is None else partial(self._restore, saved, found))

        assert self._stored is not None
        new_dialect = partial(self._dialects.restore, saved.sid, saved.game, apart=True)
        search = RecoverySearch(self._hall, self._stored.bus, RoomId(room), person, offset, new_dialect)
        self._hall.tasks.run(search.run(searched))

    def _seat_of(self, saved: StoredSocket) -> str:
        """Return a room in which the person has a seat that the socket does not know of."""
        executor = self._hall.executor
        rooms = executor.seat_index.get(Person(saved.person), ())
        return next((room for room in rooms if executor.live_rooms[room].game.name == saved.game), "")

    def _restore(self, saved: StoredSocket, found: Recovery, socket: Socket) -> None:
        """Connect the client as its person, send what it missed, and let it arrive in its room."""
        hall = self._hall
        dialect = self._dialects.restore(saved.sid, saved.game, hall.hall.now())
        connection = self._connect(socket, dialect)
        tracked = connection.dialect
        assert isinstance(tracked, TrackedDialect)
        if saved.person:
            hall.admission.admit(connection, Guest(Person(saved.person), saved.name))
        if saved.wanted:
            self._lobby.restore(connection, saved.game, saved.wanted, saved.name)
        for frame, offset in found.missed:
            tracked.track.set(offset)
            socket.emit_payload_at(frame, tracked.track.offset)
        if found.live is not None:
            tracked.track.set(encode_known_room(hall, found.live, Person(saved.person), dialect))
            hall.room_access.start_arrival(found.live, connection, quietly=True)
        else:
            self._lobby.send_list(connection)
        if dialect.pending_intents:
            connection.schedule_pending_intents()
        self._save(socket)

    def moved(self, socket: Socket) -> None:
        """The client recovered on another worker, which holds its seat from now on."""
        self._saved.pop(socket, None)
        connection = _connection(socket)
        connection.outbox.stop()
        for room in list(connection.rooms):
            if (live := self._hall.executor.live_rooms.get(room)) is not None:
                self._hall.presence.leave(live, connection)
        self._hall.hall.disconnected(connection)


def _connection(socket: Socket) -> Connection:
    """Return the connection of a socket."""
    connection: Connection = socket.data
    return connection
