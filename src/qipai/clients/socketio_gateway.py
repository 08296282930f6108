"""Connects Socket.IO sockets to the hall; a connection survives the loss of its transport."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from qipai.clients.login.login_routes import login_of
from qipai.guard.client_address import counted_address
from qipai.hall.connections.connection import BANNED, Connection
from qipai.hall.connections.rate_limit import RateLimit
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import Guest
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Person
from qipai.kernel.seats import seat_of
from qipai.protocol.dialect_interface import Dialect
from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.socket import RecoveredSocket, RecoveryUnavailable, Socket
from qipai.socketio.socketio_packets import Event

from .client_detection import NamespaceDialects
from .connection_recovery.browser_tag import person_of
from .legacy_support import LegacySupport

BURST_FRAMES: Final = 100
_SAME_ORIGIN: Final = AllowedOrigins()


class SocketTransport:
    """A socket as the transport of a connection."""

    __slots__ = ("_socket", "send")

    def __init__(self, socket: Socket, send: Callable[[bytes], None]) -> None:
        self._socket = socket
        self.send = send

    def close(self, code: int, reason: str) -> None:
        """Drop the transport without a disconnect packet, so that the client reconnects; or end it."""
        if code == BANNED:
            self._socket.disconnect(close=True)
        else:
            self._socket.drop(reason)

    def ping(self, payload: bytes) -> None:
        """Do nothing: the endpoint pings by itself, and drops sockets that do not answer."""
        connection: Connection | None = self._socket.data
        if connection is not None:
            connection.received = True

    def abort(self) -> None:
        """Drop the transport."""
        self._socket.drop()

    def pause_reading(self) -> None:
        """Do nothing: events above the rate limit of a socket are dropped."""

    def resume_reading(self) -> None:
        """Do nothing."""


class SocketIOGateway:
    """The namespace of the older clients on a single worker.

    A client that connected before a restart recovers its seat: its person follows from its private id.
    """

    def __init__(self, support: LegacySupport, dialects: NamespaceDialects, endpoint: SocketIO) -> None:
        self._endpoint = endpoint
        self._hall = support.services
        self._lobby = support.lobby
        self._dialects = dialects

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Accept every socket; the hall refuses intents of those that are not admitted."""

    def on_connect(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Register a connection, with the login of the cookie if the server's own page sent it."""
        connection = self._connect(socket, self._dialects(socket.sid))
        if connection.outbox.closed:
            return
        request = socket.handshake
        if request.cookie and _SAME_ORIGIN.is_same_origin(request.origin, request.host):
            login = login_of(self._hall.identity, request.cookie)
            if login is not None:
                admission = self._hall.admission
                admission.admit(connection, admission.with_allowed_name(Guest(login.person, login.name)))

    def _connect(self, socket: Socket, dialect: Dialect) -> Connection:
        return self._register(socket, SocketTransport(socket, socket.emit_payload), dialect)

    def _register(self, socket: Socket, transport: SocketTransport, dialect: Dialect) -> Connection:
        limit = RateLimit(BURST_FRAMES, quiet=True)
        address = counted_address(socket.handshake.address)
        connection = Connection(transport, dialect, self._hall.hall, limit, address)
        connection.handle = socket.sid
        if socket.pid:
            connection.root = person_of(self._hall.identity, socket.pid)
        socket.data = connection
        self._hall.hall.connected(connection)
        return connection

    def on_event(self, socket: Socket, said: Event, raw: bytes, number: int | None) -> None:
        """Pass an event to the hall."""
        self._hall.hall.arrived(connection_of(socket), raw)

    def on_connection_lost(self, socket: Socket) -> None:
        """The transport broke and may be replaced."""
        self._hall.hall.transport_lost(connection_of(socket))

    def on_recover(self, socket: Socket) -> None:
        """The transport was replaced, and nothing was missed."""
        self._hall.hall.transport_replaced(connection_of(socket))

    def on_disconnect(self, socket: Socket, reason: str) -> None:
        """Close the connection."""
        connection = connection_of(socket)
        connection.outbox.stop()
        self._hall.hall.arrived(connection, None)
        # The connection refers to the socket: without a cycle both are freed as soon as the hall has left it.
        socket.data = None

    # Recovery after a restart

    async def recover(self, pid: str, offset: str) -> RecoveredSocket | None:
        """Find the seat of a client that connected before a restart, by its private id."""
        hall = self._hall
        person, (_, sid) = person_of(hall.identity, pid), hall.identity.derived_guest(pid)
        room = next(iter(hall.executor.seat_index.get(person, ())), None)
        known = room is None or self._endpoint.has_socket(pid)
        try:
            live = None if room is None or known else hall.executor.replication.live_room(room)
        except StoreError as error:
            raise RecoveryUnavailable from error
        return None if live is None else RecoveredSocket(sid, (), partial(self._reseat, live, person))

    def extend(self, socket: Socket) -> None:
        """Do nothing: without other workers no lease is stored."""

    def _reseat(self, live: LiveRoom, person: Person, socket: Socket) -> None:
        """Connect a client that has a seat, and send the whole room, since missed events are not known."""
        hall, game = self._hall, live.game.name
        seat = seat_of(live.durable.seats, person)
        taken = None if seat is None else live.durable.seats[seat]
        name = "" if taken is None else taken.name
        connection = self._connect(socket, self._dialects.restore(socket.sid, game, hall.hall.now()))
        if connection.outbox.closed or not hall.admission.admit(connection, Guest(person, name)):
            return
        self._lobby.restore(connection, game, name, name)
        hall.room_access.start_arrival(live, connection)


def connection_of(socket: Socket) -> Connection:
    """Return the connection of a socket."""
    connection: Connection = socket.data
    return connection
