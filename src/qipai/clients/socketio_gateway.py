"""Socket.IO clients as peers of the hall; a peer outlives its connection as long as its socket does."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from qipai.clients.connection_recovery.missed_frames import Recovery, RecoverySearch, quietly
from qipai.clients.connection_recovery.offset_format import RecoveryOffset
from qipai.clients.connection_recovery.offset_tracking import OffsetTracker, TrackedDialect, marking
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

BURST: Final = 100
_OURS: Final = AllowedOrigins()


class SocketTransport:
    """A socket as the hall sees it."""

    __slots__ = ("_socket", "send")

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.send: Callable[[bytes], None] = socket.emit_payload

    def close(self, code: int, reason: str) -> None:
        """End the connection without a farewell, so that the client comes back by itself."""
        self._socket.drop(reason)

    def ping(self) -> None:
        """The endpoint pings by itself, and drops who does not answer."""
        self._socket.data.heard = True

    def abort(self) -> None:
        """Drop the connection."""
        self._socket.drop()


class SocketIOGateway:
    """The namespace of a dialect. With a shelf its sockets may be come back to at other workers."""

    def __init__(
        self,
        support: LegacySupport,
        dialects: NamespaceDialects,
        shelf: StoredSockets | None = None,
        known: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._known = known
        self._hall = support.services
        self._lobby = support.lobby
        self._dialects = dialects
        self._shelf = shelf
        self._saved: dict[Socket, StoredSocket] = {}

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Everybody may look in; who has not logged in is refused by the hall."""

    def on_connect(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Introduce the peer to the hall, by its login if our own page brought it."""
        connection = self._introduce(socket, self._dialects(socket.sid))
        request = socket.handshake
        if request.cookie and _OURS.is_same_origin(request.origin, request.host):
            login = login_of(self._hall.identity, request.cookie)
            if login is not None:
                self._hall.admission.admit(connection, Guest(login.person, login.name))
        if self._shelf is not None:
            self._save(socket)

    def _introduce(self, socket: Socket, dialect: Dialect) -> Connection:
        wire = SocketTransport(socket)
        if self._shelf is not None:
            track = OffsetTracker()
            dialect = TrackedDialect(dialect, track, partial(self._changed, socket))
            wire.send = marking(socket, track)
        connection = Connection(wire, dialect, self._hall.hall, RateLimit(BURST, quiet=True))
        connection.handle = socket.sid
        if socket.pid:
            connection.root = self._hall.identity.kin(socket.pid)[0]
        socket.data = connection
        self._hall.hall.connected(connection)
        return connection

    def on_event(self, socket: Socket, said: Event, raw: bytes, number: int | None) -> None:
        """Pass an event on."""
        self._hall.hall.arrived(socket.data, raw)

    def on_connection_lost(self, socket: Socket) -> None:
        """Let the hall decide how long the peer is waited for."""
        self._hall.hall.transport_lost(socket.data)

    def on_recover(self, socket: Socket) -> None:
        """The peer missed nothing."""
        self._hall.hall.transport_replaced(socket.data)

    def on_disconnect(self, socket: Socket, reason: str) -> None:
        """The peer will not be back; if it is we who go, it may be at another worker."""
        if self._saved.pop(socket, None) is not None and not self._hall.hall.draining:
            assert self._shelf is not None
            self._shelf.forget(socket)
        socket.data.outbox.shut()
        self._hall.hall.arrived(socket.data, None)

    # After a restart

    def recover(
        self,
        pid: str,
        path: str,
        offset: str,
        then: Callable[[RecoveredSocket | None], None],
        sorry: Callable[[], None],
    ) -> None:
        """Give a seat back to a client that comes from before a restart: it is found by the private id."""
        hall = self._hall
        person, sid = hall.identity.kin(pid)
        room = next(iter(hall.executor.seat_index.get(person, ())), None)
        live = None if room is None or self._known(pid) else hall.executor.live_rooms.get(room)
        then(None if live is None else RecoveredSocket(sid, (), partial(self._reseat, live, person)))

    def extend(self, socket: Socket) -> None:
        """Nothing is kept, and so nothing ends."""

    def _reseat(self, live: LiveRoom, person: Person, socket: Socket) -> None:
        """Introduce somebody who has a seat, and show the table anew: what was missed is not known."""
        hall, game = self._hall, live.game.name
        seat = seat_of(live.durable.seats, person)
        taken = None if seat is None else live.durable.seats[seat]
        name = "" if taken is None else taken.name
        connection = self._introduce(socket, self._dialects.again(socket.sid, game, hall.hall.now()))
        hall.admission.admit(connection, Guest(person, name))
        self._lobby.again(connection, game, name, name)
        hall.room_access.arrive(live, connection)

    # Where there are other workers

    def _changed(self, socket: Socket) -> None:
        asyncio.get_running_loop().call_soon(self._save, socket)

    def _save(self, socket: Socket) -> None:
        """Leave word of who this is, if that is not known."""
        if socket.removed or not socket.pid or self._hall.hall.draining:
            return
        assert self._shelf is not None
        connection: Connection = socket.data
        game = (
            self._dialects.game(connection.dialect.inner)
            if isinstance(connection.dialect, TrackedDialect)
            else ""
        )
        wanted, room = self._lobby.wanted(connection), next(iter(connection.rooms), "")
        memory = StoredSocket(
            socket.sid, socket.path, game, connection.person or "", connection.name, wanted, room
        )
        if self._saved.get(socket) != memory:
            self._saved[socket] = memory
            self._shelf.keep(socket, memory)

    def recall(
        self,
        memory: StoredSocket,
        mark: RecoveryOffset | None,
        then: Callable[[Callable[[Socket], None] | None], None],
    ) -> None:
        """Find out what a client has missed, and pass on how it goes on."""
        room, person = memory.room or self._seat_of(memory), Person(memory.person)
        if not room:
            then(partial(self._revive, memory, Recovery((), None)))
            return

        def searched(found: Recovery | None) -> None:
            then(None if found is None else partial(self._revive, memory, found))

        assert self._shelf is not None
        fresh = partial(self._dialects.again, memory.sid, memory.game, apart=True)
        RecoverySearch(self._hall, self._shelf.bus, RoomId(room), person, mark, fresh, searched).begin()

    def _seat_of(self, memory: StoredSocket) -> str:
        """Return a table at which somebody sits without having been told so."""
        host = self._hall.executor
        rooms = host.seat_index.get(Person(memory.person), ())
        return next((room for room in rooms if host.live_rooms[room].game.name == memory.game), "")

    def _revive(self, memory: StoredSocket, found: Recovery, socket: Socket) -> None:
        """Introduce the peer as who it is, tell what it missed, and lead it to its table."""
        hall = self._hall
        dialect = self._dialects.again(memory.sid, memory.game, hall.hall.now())
        connection = self._introduce(socket, dialect)
        tracked = connection.dialect
        assert isinstance(tracked, TrackedDialect)
        if memory.person:
            hall.admission.admit(connection, Guest(Person(memory.person), memory.name))
        if memory.wanted:
            self._lobby.again(connection, memory.game, memory.wanted, memory.name)
        for frame, mark in found.missed:
            tracked.track.set(mark)
            socket.emit_payload_at(frame, tracked.track.mark)
        if found.box is not None:
            tracked.track.set(quietly(hall, found.box, Person(memory.person), dialect))
            hall.room_access.arrive(found.box, connection, quietly=True)
        else:
            self._lobby.tell(connection)
        if dialect.pending_intents:
            connection.wish()
        self._save(socket)

    def moved(self, socket: Socket) -> None:
        """The client has come back to another worker, which has its seat from now on."""
        self._saved.pop(socket, None)
        connection: Connection = socket.data
        connection.outbox.shut()
        for room in list(connection.rooms):
            if (live := self._hall.executor.live_rooms.get(room)) is not None:
                self._hall.presence.leave(live, connection)
        self._hall.hall.disconnected(connection)
