"""Several people behind one peer: for clients that play more than one seat over one socket."""

from qipai.hall.connections.connection import Connection, ConnectionEvents, Handlers
from qipai.hall.connections.transport_interface import Transport
from qipai.hall.people.identity import Identity
from qipai.kernel.ids import Millis
from qipai.protocol.dialect_interface import Dialect

from .legacy_messages import ActAs


class SeatConnection(Connection):
    """Somebody who came with a peer, and writes to its outbox."""

    __slots__ = ()

    def __init__(self, connection: Connection, dialect: Dialect, ear: ConnectionEvents) -> None:
        super().__init__(_Mute(), dialect, ear, connection.rate_limit)
        self.outbox = connection.outbox
        self.handle = connection.handle


class MultiSeat:
    """Who has come with whom. What one of them wants or breaks is the peer's affair."""

    def __init__(self, identity: Identity, ear: ConnectionEvents, deeds: Handlers) -> None:
        self._identity = identity
        self._ear = ear
        self._deeds = deeds
        self._known: dict[Connection, dict[str, SeatConnection]] = {}

    def do(self, connection: Connection, intent: ActAs, now: Millis) -> None:
        """Do a wish as the companion of this key."""
        known = self._known.setdefault(connection, {})
        one = known.get(intent.key)
        if one is None:
            one = known[intent.key] = SeatConnection(
                connection, intent.dialect, _Behind(connection, self._ear)
            )
            one.person, one.name = self._identity.guest()
            one.handlers = self._deeds
        one.handlers[type(intent.intent)](one, intent.intent, now)

    def leave(self, connection: Connection) -> list[SeatConnection]:
        """Forget who came with a peer, and return them."""
        return [*self._known.pop(connection, {}).values()]


class _Behind:
    """Passes on to the peer what its companions want."""

    def __init__(self, connection: Connection, ear: ConnectionEvents) -> None:
        self._peer = connection
        self._ear = ear

    @property
    def handlers_before_hello(self) -> Handlers:
        return self._ear.handlers_before_hello

    def disconnected(self, _companion: Connection) -> None:
        """It goes with its peer, never alone."""

    def has_pending_intents(self, _companion: Connection) -> None:
        self._ear.has_pending_intents(self._peer)

    def failed(self, _companion: Connection, error: Exception) -> None:
        self._ear.failed(self._peer, error)


class _Mute(Transport):
    """Is never written to: the outbox is the peer's."""

    def send(self, frame: bytes) -> None:
        """Say nothing."""

    def close(self, code: int, reason: str) -> None:
        """Say nothing."""

    def ping(self) -> None:
        """Say nothing."""

    def abort(self) -> None:
        """Say nothing."""
