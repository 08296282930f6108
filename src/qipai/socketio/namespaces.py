"""Socket.IO on one Engine.IO session: which namespaces it is in, and what arrives for each."""

from functools import partial
from typing import Any, Final, Protocol

from .engineio_packets import Malformed
from .engineio_session import FORCED, Session
from .recovery_interface import MAX_PID, RecoveredSocket, RecoveryStore
from .socket import Namespace, Refused, Socket
from .socketio_packets import MAIN, Kind, Message, control, event, filled, mended, read

MAX_CONNECTS: Final = 100
"""How often one session may enter namespaces."""


class NamespaceHub(Protocol):
    """What all conversations share."""

    @property
    def namespaces(self) -> dict[str, Namespace]:
        """Return the namespaces by their paths."""

    @property
    def vault(self) -> RecoveryStore | None:
        """Return where other servers leave sockets, if there are others."""

    def create(
        self, namespace: Namespace, path: str, conversation: "SessionNamespaces", sid: str = "", pid: str = ""
    ) -> Socket:
        """Return a socket for a client: a new one, or one that had these ids at another server."""

    def recover(self, path: str, auth: dict[str, Any]) -> Socket | None:
        """Return the socket that a client comes back to, if it is still there."""

    def enter(self, socket: Socket) -> None:
        """The socket is in its namespace."""

    def cut(self, socket: Socket, reason: str) -> None:
        """The socket's connection is gone."""

    def alive(self, session: Session) -> None:
        """The session answered a ping."""

    def lonely(self, session: Session, *, alone: bool) -> None:
        """The session is in no namespace, or no longer in none."""


class SessionNamespaces:
    """The sockets of one session, and a packet whose attachments are still to come."""

    __slots__ = ("_blobs", "_connects", "_hub", "_main", "_partial", "_sockets", "session")

    def __init__(self, hub: NamespaceHub, session: Session) -> None:
        self._hub = hub
        self.session = session
        self._main: Socket | None = None
        self._sockets: dict[str, Socket] | None = None
        self._partial: Message | None = None
        self._blobs: list[bytes] = []
        self._connects = 0

    def remove(self, socket: Socket, *, close: bool) -> None:
        """The socket is no longer here; with `close` nothing else is either."""
        if self._main is socket:
            self._main = None
        elif self._sockets is not None:
            self._sockets.pop(socket.path, None)
        if close:
            self.session.close(FORCED)
        elif not self._all():
            self._hub.lonely(self.session, alone=True)

    def pinged(self) -> None:
        """A ping is on its way, behind everything else."""
        for socket in self._all():
            socket.mark()

    def prolong(self, vault: RecoveryStore) -> None:
        """Its sockets are alive."""
        for socket in self._all():
            vault.prolong(socket)

    # What the session tells

    def text(self, packet: bytes) -> None:
        """Take a text message, or raise `Malformed`."""
        if packet.startswith(b"42[") and self._main is not None and self._partial is None:
            raw = packet[2:]
            try:
                said = event(raw)
            except Malformed:
                raw = mended(raw)
                said = event(raw)
            self._main.namespace.heard(self._main, said, raw, None)
            return
        if self._partial is not None:
            raise Malformed("attachments were announced")
        message = read(packet[1:])
        if message.attachments:
            self._partial = message
        else:
            self._take(message)

    def blob(self, body: bytes) -> None:
        """Take an attachment, or raise `Malformed`."""
        if self._partial is None:
            raise Malformed("no attachment was announced")
        self._blobs.append(body)
        if len(self._blobs) == self._partial.attachments:
            message, self._partial = self._partial, None
            blobs, self._blobs = self._blobs, []
            message.value = filled(message.value, blobs)
            self._take(message)

    def ponged(self) -> None:
        """What was sent before the last ping has arrived."""
        self._hub.alive(self.session)
        for socket in self._all():
            socket.arrived()

    def closed(self, reason: str) -> None:
        """The session is over: its sockets may come back on another."""
        sockets = self._all()
        self._main = self._sockets = self._partial = None
        for socket in sockets:
            self._hub.cut(socket, reason)

    def _all(self) -> list[Socket]:
        sockets = [] if self._main is None else [self._main]
        return sockets if self._sockets is None else sockets + list(self._sockets.values())

    def _find(self, path: str) -> Socket | None:
        if path == MAIN:
            return self._main
        return None if self._sockets is None else self._sockets.get(path)

    def _take(self, message: Message) -> None:
        socket = self._find(message.namespace)
        if message.kind is Kind.CONNECT:
            if socket is not None:
                raise Malformed("connected already")
            self._connect(message.namespace, message.value)
        elif socket is None:
            raise Malformed("not connected to this namespace")
        elif message.kind in {Kind.EVENT, Kind.BINARY_EVENT}:
            socket.namespace.heard(socket, message.value, message.raw, message.id)
        elif message.kind is Kind.DISCONNECT:
            socket.drop("client namespace disconnect", close=False)
        else:
            assert message.id is not None
            socket.answered(message.id, message.value)

    def _connect(self, path: str, auth: dict[str, Any]) -> None:
        self._connects += 1
        if self._connects > MAX_CONNECTS:
            raise Malformed("connected too often")
        namespace = self._hub.namespaces.get(path)
        if namespace is None:
            self._refuse(path, Refused("Invalid namespace"))
            return
        if (socket := self._hub.recover(path, auth)) is not None:
            self._resume(socket, auth.get("offset", ""))
            return
        vault, pid, offset = self._hub.vault, auth.get("pid"), auth.get("offset", "")
        if vault is not None and isinstance(pid, str) and isinstance(offset, str) and 0 < len(pid) <= MAX_PID:
            # Who is turned away comes again by itself, and still knows its id.
            sorry = partial(self.session.close, "transport error")
            vault.seek(pid, path, offset, partial(self._sought, namespace, path, auth), sorry)
        else:
            self._begin(namespace, path, auth)

    def _sought(
        self, namespace: Namespace, path: str, auth: dict[str, Any], found: RecoveredSocket | None
    ) -> None:
        """Go on with a socket that was at another server, if there is one."""
        if self._find(path) is not None:
            return
        if found is None:
            if not self.session.closed:
                self._begin(namespace, path, auth)
            return
        socket = self._hub.create(namespace, path, self, found.sid, auth["pid"])
        socket.begin(auth.get("offset", ""))
        self._seat(socket)
        for missed in found.missed:
            socket.send(missed)
        found.revive(socket)
        self._hub.enter(socket)
        if self.session.closed:
            self._hub.cut(socket, "transport close")

    def _begin(self, namespace: Namespace, path: str, auth: dict[str, Any]) -> None:
        socket = self._hub.create(namespace, path, self)
        try:
            namespace.admit(socket, auth)
        except Refused as refusal:
            socket.part()
            self._refuse(path, refusal)
            return
        self._seat(socket)
        if not self.session.closed:
            self._hub.enter(socket)
            namespace.connected(socket, auth)

    def _resume(self, socket: Socket, offset: str) -> None:
        missed = socket.missed(offset)
        assert missed is not None
        if socket.carrier is not None:
            socket.carrier.remove(socket, close=True)
        socket.board(self)
        self._seat(socket)
        socket.replay(missed)
        # Sending may have ended the session already, and cut the socket once more.
        if not self.session.closed:
            self._hub.enter(socket)
            socket.namespace.back(socket)

    def _seat(self, socket: Socket) -> None:
        if socket.path == MAIN:
            self._main = socket
        else:
            self._sockets = self._sockets or {}
            self._sockets[socket.path] = socket
        self._hub.lonely(self.session, alone=False)
        greeting = {"sid": socket.sid, "pid": socket.pid} if socket.pid else {"sid": socket.sid}
        self.session.send(control(Kind.CONNECT, socket.path, greeting))

    def _refuse(self, path: str, refusal: Refused) -> None:
        told = {"message": refusal.message}
        if refusal.details is not None:
            told["data"] = refusal.details
        self.session.send(control(Kind.CONNECT_ERROR, path, told))
