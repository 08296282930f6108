"""The namespaces of one Engine.IO session: connects sockets and routes packets."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, Protocol

from .engineio_packets import Malformed
from .engineio_session import FORCED_CLOSE, Session
from .socket import (
    MAX_PID_LENGTH,
    ConnectError,
    Namespace,
    RecoveredSocket,
    RecoveryStore,
    RecoveryUnavailable,
    Socket,
)
from .socketio_packets import (
    MAIN_NAMESPACE,
    PacketType,
    SocketIOPacket,
    decode_event,
    decode_packet,
    encode_control,
    insert_attachments,
    repair_json,
)

EXTEND_INTERVAL: Final = 25.0
"""Seconds between two extensions of the time that a socket is stored."""
MAX_CONNECT_PACKETS: Final = 100
"""CONNECT packets that one session may send."""


class NamespaceHub(Protocol):
    """What all sessions share."""

    @property
    def namespaces(self) -> dict[str, Namespace]:
        """Return the namespaces by path."""

    @property
    def recovery_stores(self) -> Mapping[str, RecoveryStore]:
        """Return where sockets of other servers are found, by path."""

    @property
    def run_task(self) -> Callable[[Coroutine[Any, Any, None]], object]:
        """Return what runs a coroutine."""

    def create_socket(
        self, namespace: Namespace, path: str, connection: "SessionNamespaces", sid: str = "", pid: str = ""
    ) -> Socket:
        """Return a socket for a client: a new one, or one with the ids it had at another server."""

    def recover(self, path: str, auth: dict[str, Any]) -> Socket | None:
        """Return the socket that a client recovers, if it is still there."""

    def socket_connected(self, socket: Socket) -> None:
        """The socket is in its namespace."""

    def connection_lost(self, socket: Socket, reason: str) -> None:
        """The connection of the socket is lost."""

    def ping_early(self, session: Session) -> None:
        """Ping the session now, unless it has not answered the last ping yet."""

    def pong_received(self, session: Session) -> None:
        """The session has answered a ping."""

    def set_connect_timeout(self, session: Session, *, waiting: bool) -> None:
        """Start the connect time-out of a session that is in no namespace, or stop it."""


class SessionNamespaces:
    """The sockets of one session, and a packet whose attachments have not all arrived."""

    __slots__ = (
        "_attachments", "_connect_count", "_extend_at", "_hub", "_incomplete", "_main_socket", "_sockets",
        "session",
    )  # fmt: skip

    def __init__(self, hub: NamespaceHub, session: Session) -> None:
        self._hub = hub
        self.session = session
        self._main_socket: Socket | None = None
        self._sockets: dict[str, Socket] | None = None
        self._incomplete: SocketIOPacket | None = None
        self._attachments: list[bytes] = []
        self._connect_count = 0
        self._extend_at = 0.0

    def remove(self, socket: Socket, *, close: bool) -> None:
        """Remove a socket; with `close` the whole session is closed."""
        if self._main_socket is socket:
            self._main_socket = None
        elif self._sockets is not None:
            self._sockets.pop(socket.path, None)
        if close:
            self.session.close(FORCED_CLOSE)
        elif not self._all_sockets():
            self._hub.set_connect_timeout(self.session, waiting=True)

    def ping_early(self) -> None:
        """Send the next ping now, unless one is not answered yet."""
        self._hub.ping_early(self.session)

    def ping_sent(self) -> None:
        """A ping was sent after everything else."""
        for socket in self._all_sockets():
            socket.missed.ping_sent()

    def extend_sockets(self, now: float) -> None:
        """Extend the time that the sockets of this session are stored, not with every ping."""
        if now < self._extend_at:
            return
        self._extend_at = now + EXTEND_INTERVAL
        for socket in self._all_sockets():
            if (store := self._hub.recovery_stores.get(socket.path)) is not None:
                store.extend(socket)

    # Called by the session

    def on_text(self, text: bytes) -> None:
        """Receive a text message, or raise `Malformed`."""
        if text.startswith(b"42[") and self._main_socket is not None and self._incomplete is None:
            raw = text[2:]
            try:
                event = decode_event(raw)
            except Malformed:
                raw = repair_json(raw)
                event = decode_event(raw)
            self._main_socket.namespace.on_event(self._main_socket, event, raw, None)
            return
        if self._incomplete is not None:
            raise Malformed("attachments were announced")
        packet = decode_packet(text[1:])
        if packet.attachment_count:
            self._incomplete = packet
        else:
            self._dispatch(packet)

    def on_binary(self, data: bytes) -> None:
        """Receive an attachment, or raise `Malformed`."""
        if self._incomplete is None:
            raise Malformed("no attachment was announced")
        self._attachments.append(data)
        if len(self._attachments) == self._incomplete.attachment_count:
            packet, self._incomplete = self._incomplete, None
            attachments, self._attachments = self._attachments, []
            packet.data = insert_attachments(packet.data, attachments)
            self._dispatch(packet)

    def on_pong(self) -> None:
        """Everything that was sent before the last ping has arrived."""
        self._hub.pong_received(self.session)
        for socket in self._all_sockets():
            socket.missed.pong_received()

    def on_close(self, reason: str) -> None:
        """The session is closed: its sockets may be recovered on another."""
        sockets = self._all_sockets()
        self._main_socket = self._sockets = self._incomplete = None
        for socket in sockets:
            self._hub.connection_lost(socket, reason)

    def _all_sockets(self) -> list[Socket]:
        sockets = [] if self._main_socket is None else [self._main_socket]
        return sockets if self._sockets is None else sockets + list(self._sockets.values())

    def _find(self, path: str) -> Socket | None:
        if path == MAIN_NAMESPACE:
            return self._main_socket
        return None if self._sockets is None else self._sockets.get(path)

    def _dispatch(self, packet: SocketIOPacket) -> None:
        socket = self._find(packet.namespace)
        if packet.type is PacketType.CONNECT:
            if socket is not None:
                raise Malformed("connected already")
            self._connect(packet.namespace, packet.data)
        elif socket is None:
            raise Malformed("not connected to this namespace")
        elif packet.type in {PacketType.EVENT, PacketType.BINARY_EVENT}:
            socket.namespace.on_event(socket, packet.data, packet.raw, packet.id)
        elif packet.type is PacketType.DISCONNECT:
            socket.drop("client namespace disconnect", close=False)
        else:
            assert packet.id is not None
            socket.on_ack(packet.id, packet.data)

    def _connect(self, path: str, auth: dict[str, Any]) -> None:
        self._connect_count += 1
        if self._connect_count > MAX_CONNECT_PACKETS:
            raise Malformed("connected too often")
        namespace = self._hub.namespaces.get(path)
        if namespace is None:
            self._refuse(path, ConnectError("Invalid namespace"))
            return
        if (socket := self._hub.recover(path, auth)) is not None:
            self._recover(socket, auth.get("offset", ""))
            return
        store, pid, offset = self._hub.recovery_stores.get(path), auth.get("pid"), auth.get("offset", "")
        if (
            store is not None
            and isinstance(pid, str)
            and isinstance(offset, str)
            and 0 < len(pid) <= MAX_PID_LENGTH
        ):
            self._hub.run_task(self._recover_elsewhere(store, namespace, path, auth, pid, offset))
        else:
            self._connect_new(namespace, path, auth)

    async def _recover_elsewhere(
        self,
        store: RecoveryStore,
        namespace: Namespace,
        path: str,
        auth: dict[str, Any],
        pid: str,
        offset: str,
    ) -> None:
        """Recover a socket from another server, or connect a new one if there is none."""
        try:
            recovered = await store.recover(pid, offset)
        except RecoveryUnavailable:
            # A client whose session closes reconnects by itself, with the same pid.
            self.session.close("transport error")
            return
        if self._find(path) is not None:
            return
        if recovered is not None:
            self._add_recovered(recovered, namespace, path, pid, offset)
        elif not self.session.closed:
            self._connect_new(namespace, path, auth)

    def _add_recovered(
        self, recovered: RecoveredSocket, namespace: Namespace, path: str, pid: str, offset: str
    ) -> None:
        socket = self._hub.create_socket(namespace, path, self, recovered.sid, pid)
        socket.missed.start_at(offset)
        self._add(socket)
        for event in recovered.missed_events:
            socket.send(event)
        recovered.on_recovered(socket)
        self._hub.socket_connected(socket)
        if self.session.closed:
            self._hub.connection_lost(socket, "transport close")

    def _connect_new(self, namespace: Namespace, path: str, auth: dict[str, Any]) -> None:
        socket = self._hub.create_socket(namespace, path, self)
        try:
            namespace.admit(socket, auth)
        except ConnectError as error:
            socket.detach()
            self._refuse(path, error)
            return
        self._add(socket)
        if not self.session.closed:
            self._hub.socket_connected(socket)
            namespace.on_connect(socket, auth)

    def _recover(self, socket: Socket, offset: str) -> None:
        missed_events = socket.missed.after(offset)
        assert missed_events is not None
        if socket.connection is not None:
            socket.connection.remove(socket, close=True)
        socket.attach(self)
        self._add(socket)
        socket.replay(missed_events)
        # Sending may have closed the session already, and detached the socket again.
        if not self.session.closed:
            self._hub.socket_connected(socket)
            socket.namespace.on_recover(socket)

    def _add(self, socket: Socket) -> None:
        if socket.path == MAIN_NAMESPACE:
            self._main_socket = socket
        else:
            self._sockets = self._sockets or {}
            self._sockets[socket.path] = socket
        self._hub.set_connect_timeout(self.session, waiting=False)
        ids = {"sid": socket.sid, "pid": socket.pid} if socket.pid else {"sid": socket.sid}
        self.session.send(encode_control(PacketType.CONNECT, socket.path, ids))

    def _refuse(self, path: str, connect_error: ConnectError) -> None:
        error = {"message": connect_error.message}
        if connect_error.details is not None:
            error["data"] = connect_error.details
        self.session.send(encode_control(PacketType.CONNECT_ERROR, path, error))
