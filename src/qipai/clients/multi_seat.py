"""Several seats over one socket: a person and a dialect for each."""

from qipai.hall.client_interface import HallServices
from qipai.hall.connections.connection import Connection, ConnectionEvents, Handlers
from qipai.hall.connections.transport_interface import Transport
from qipai.kernel.ids import Millis
from qipai.protocol.dialect_interface import Dialect

from .legacy_messages import ActAs


class SeatConnection(Connection):
    """The connection of one seat, which writes to the outbox of its socket's connection."""

    __slots__ = ()

    def __init__(self, connection: Connection, dialect: Dialect, events: ConnectionEvents) -> None:
        super().__init__(_NoTransport(), dialect, events, connection.rate_limit, connection.address)
        self.outbox = connection.outbox
        self.handle = connection.handle


class MultiSeat:
    """The seats of each connection. Their pending intents and failures are those of the connection."""

    def __init__(self, hall: HallServices) -> None:
        self._identity = hall.identity
        self._events = hall.hall
        self._seats: dict[Connection, dict[str, SeatConnection]] = {}
        self.handlers: Handlers = {ActAs: self._act_as}

    def _act_as(self, connection: Connection, intent: ActAs, now: Millis) -> None:
        """Handle an intent as the seat of this key; the first intent creates the seat."""
        seats = self._seats.setdefault(connection, {})
        seat = seats.get(intent.key)
        if seat is None:
            seat = seats[intent.key] = SeatConnection(
                connection, intent.dialect, _SeatEvents(connection, self._events)
            )
            seat.admitted(*self._identity.guest())
        seat.handlers[type(intent.intent)](seat, intent.intent, now)

    def seats_of(self, connection: Connection) -> list[SeatConnection]:
        """Return the seats of a connection."""
        return [*self._seats.get(connection, {}).values()]

    def end(self, connection: Connection) -> list[SeatConnection]:
        """Forget the seats of a connection, and return them."""
        return [*self._seats.pop(connection, {}).values()]


class _SeatEvents:
    """Reports what happens to a seat as the connection's."""

    def __init__(self, connection: Connection, events: ConnectionEvents) -> None:
        self._connection = connection
        self._events = events

    @property
    def handlers(self) -> Handlers:
        return self._events.handlers

    @property
    def handlers_before_hello(self) -> Handlers:
        return self._events.handlers_before_hello

    def disconnected(self, _seat: Connection) -> None:
        """Do nothing: a seat ends with its connection."""

    def has_pending_intents(self, _seat: Connection) -> None:
        self._events.has_pending_intents(self._connection)

    def slow_down(self, _seat: Connection, message: bytes) -> None:
        """Do nothing: the messages of a seat are counted for its connection."""

    def failed(self, _seat: Connection, error: Exception) -> None:
        self._events.failed(self._connection, error)


class _NoTransport(Transport):
    """The transport of a seat, which is never used: its outbox is the connection's."""

    def send(self, frame: bytes) -> None:
        """Do nothing."""

    def close(self, code: int, reason: str) -> None:
        """Do nothing."""

    def ping(self, payload: bytes) -> None:
        """Do nothing."""

    def abort(self) -> None:
        """Do nothing."""

    def pause_reading(self) -> None:
        """Do nothing."""

    def resume_reading(self) -> None:
        """Do nothing."""
