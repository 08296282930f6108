"""Socket.IO clients as peers of the hall; a peer outlives its connection as long as its socket does."""

from collections.abc import Callable
from typing import Any, Final

from qipai.hall.identity import Guest
from qipai.hall.limits import Pace
from qipai.hall.reception import Reception
from qipai.hall.sessions import Connection
from qipai.kernel.asides import Entered
from qipai.kernel.names import Person
from qipai.kernel.talk import Dialect, Watch

from .login import login_of
from .origins import Origins
from .register import Register
from .socketio.messages import Event
from .socketio.socket import Socket
from .socketio.vault import Memory, Vault

BURST: Final = 100
_OURS: Final = Origins()


class SocketWire:
    """A socket as the hall sees it."""

    __slots__ = ("_socket", "send")

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.send: Callable[[bytes], None] = socket.tell

    def close(self, code: int, reason: str) -> None:
        """End the connection without a farewell, so that the client comes back by itself."""
        self._socket.drop(reason)

    def ping(self) -> None:
        """The endpoint pings by itself, and drops who does not answer."""
        self._socket.data.heard = True

    def abort(self) -> None:
        """Drop the connection."""
        self._socket.drop()


class Gateway:
    """The namespace of a dialect."""

    def __init__(
        self,
        reception: Reception,
        speech: Callable[[], Callable[[str], Dialect]],
        vault: Vault | None = None,
    ) -> None:
        self._reception = reception
        self._dialect = speech()
        self._register = None if vault is None else Register(vault)

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Everybody may look in; who has not logged in is refused by the hall."""

    def connected(self, socket: Socket, auth: dict[str, Any]) -> None:
        """Introduce the peer to the hall, by its login if our own page brought it."""
        peer = self._introduce(socket)
        request = socket.request
        if request.cookie and _OURS.same(request.origin, request.host):
            login = login_of(self._reception.identity, request.cookie)
            if login is not None:
                self._reception.admit(peer, Guest(login.person, login.name))

    def reborn(self, socket: Socket, memory: Memory) -> None:
        """Introduce the peer as whom another worker knew it, and lead it to its table."""
        peer = self._introduce(socket)
        now = self._reception.now()
        if memory.first:
            peer.receive(memory.first, now)
        if memory.person:
            self._reception.admit(peer, Guest(Person(memory.person), memory.name))
            if memory.first:
                peer.tell(Entered(memory.name))
            if memory.room:
                peer.grant((Watch(memory.room),), now)
        if self._register is not None:
            self._register.note(socket, memory.first)

    def _introduce(self, socket: Socket) -> Connection:
        dialect = self._dialect(socket.sid)
        peer = Connection(SocketWire(socket), dialect, self._reception, Pace(BURST, quiet=True))
        peer.handle = socket.sid
        socket.data = peer
        self._reception.welcome(peer)
        if self._register is not None:
            self._register.enter(socket)
        return peer

    def heard(self, socket: Socket, said: Event, raw: bytes, number: int | None) -> None:
        """Pass an event on."""
        if self._register is not None:
            self._register.note(socket, raw)
        self._reception.arrived(socket.data, raw)

    def cut(self, socket: Socket) -> None:
        """Let the hall decide how long the peer is waited for."""
        self._reception.cut(socket.data)

    def back(self, socket: Socket) -> None:
        """The peer missed nothing."""
        self._reception.back(socket.data)

    def gone(self, socket: Socket, reason: str) -> None:
        """The peer will not be back."""
        if self._register is not None:
            self._register.leave(socket)
        socket.data.outbox.shut()
        self._reception.arrived(socket.data, None)
