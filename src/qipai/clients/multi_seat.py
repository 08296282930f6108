"""Several people behind one peer: for clients that play more than one seat over one socket."""

from qipai.hall.connections.connection import Connection, Deeds, Ear
from qipai.hall.journal.store_interface import Wire
from qipai.hall.people.identity import Identity
from qipai.kernel.ids import Millis
from qipai.protocol.intents import Dialect

from .legacy_messages import As


class Companion(Connection):
    """Somebody who came with a peer, and writes to its outbox."""

    __slots__ = ()

    def __init__(self, peer: Connection, dialect: Dialect, ear: Ear) -> None:
        super().__init__(_Mute(), dialect, ear, peer.pace)
        self.outbox = peer.outbox
        self.handle = peer.handle


class Companions:
    """Who has come with whom. What one of them wants or breaks is the peer's affair."""

    def __init__(self, identity: Identity, ear: Ear, deeds: Deeds) -> None:
        self._identity = identity
        self._ear = ear
        self._deeds = deeds
        self._known: dict[Connection, dict[str, Companion]] = {}

    def do(self, peer: Connection, intent: As, now: Millis) -> None:
        """Do a wish as the companion of this key."""
        known = self._known.setdefault(peer, {})
        one = known.get(intent.key)
        if one is None:
            one = known[intent.key] = Companion(peer, intent.dialect, _Behind(peer, self._ear))
            one.person, one.name = self._identity.guest()
            one.deeds = self._deeds
        one.deeds[type(intent.wish)](one, intent.wish, now)

    def leave(self, peer: Connection) -> list[Companion]:
        """Forget who came with a peer, and return them."""
        return [*self._known.pop(peer, {}).values()]


class _Behind:
    """Passes on to the peer what its companions want."""

    def __init__(self, peer: Connection, ear: Ear) -> None:
        self._peer = peer
        self._ear = ear

    @property
    def strangers(self) -> Deeds:
        return self._ear.strangers

    def gone(self, _companion: Connection) -> None:
        """It goes with its peer, never alone."""

    def wished(self, _companion: Connection) -> None:
        self._ear.wished(self._peer)

    def broke(self, _companion: Connection, error: Exception) -> None:
        self._ear.broke(self._peer, error)


class _Mute(Wire):
    """Is never written to: the outbox is the peer's."""

    def send(self, frame: bytes) -> None:
        """Say nothing."""

    def close(self, code: int, reason: str) -> None:
        """Say nothing."""

    def ping(self) -> None:
        """Say nothing."""

    def abort(self) -> None:
        """Say nothing."""
