"""The endpoint: all sessions and sockets, who they are found by, and when they are given up."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, Final

import msgspec

from .allowed_origins import Origins
from .engineio_packets import OPEN, PING
from .engineio_session import PARSE_ERROR, Request, Session, WebSocketLink
from .namespaces import SessionNamespaces
from .recovery_interface import RecoveryStore
from .session_forwarding import SEPARATOR
from .socket import Namespace, Socket
from .socketio_packets import EncodedEvent, Kind, head, spelled, write
from .timeout_queue import TimeoutQueue

UPGRADE_TIMEOUT: Final = 10.0
NUDGE: Final = 0.1
_json: Final = msgspec.json.Encoder().encode
_LOW: Final = tuple(b'%03x"]' % low for low in range(0x1000))
"""The end of an event with its offset; formatting numbers would cost more than all the rest of it."""
_NOTHING: Final = (b"", "", EncodedEvent(0, b""))


class SocketIO:
    """A Socket.IO server without a port; `polling` and `websocket` connect it to one.

    Times are in seconds. `recovery` is how long a client may be away and still come back to its
    socket with everything it missed; 0 means never. Where requests may come to another worker the ids of
    sessions begin with the name of this one. `sid_of` makes the public id of a socket from its private one.
    """

    def __init__(
        self,
        *,
        ping_interval: float = 25.0,
        ping_timeout: float = 20.0,
        max_payload: int = 1_000_000,
        recovery: float = 120.0,
        connect_timeout: float = 45.0,
        origins: Origins | None = None,
        worker: str = "",
        sid_of: Callable[[str], str] = lambda _: secrets.token_urlsafe(15),
    ) -> None:
        self.namespaces: dict[str, Namespace] = {}
        self.max_payload = max_payload
        self.patience = ping_timeout
        """Seconds that a post may take to arrive."""
        self.origins = origins or Origins()
        self.vault: RecoveryStore | None = None
        """Where other servers leave the sockets that may be come back to here."""
        self._name = worker.encode()
        self._sid_of = sid_of
        self._owner = f"{worker}{SEPARATOR}" if worker else ""
        self.sessions: dict[str, Session] = {}
        self._recoverable: dict[str, Socket] = {}
        self._recovery = recovery
        self._pings: TimeoutQueue[Session] = TimeoutQueue(ping_interval, self._wake)
        self._pongs: TimeoutQueue[Session] = TimeoutQueue(ping_timeout, self._wake)
        self._lonely: TimeoutQueue[Session] = TimeoutQueue(connect_timeout, self._wake)
        self._held: TimeoutQueue[Socket] = TimeoutQueue(recovery, self._wake)
        self._tries: TimeoutQueue[Session] = TimeoutQueue(UPGRADE_TIMEOUT, self._wake)
        self._nudges: TimeoutQueue[Session] = TimeoutQueue(NUDGE, self._wake)
        self._leaving: TimeoutQueue[Session] = TimeoutQueue(ping_timeout, self._wake)
        self._timer: asyncio.TimerHandle | None = None
        self._offsets = 0
        self._high = b',"0'
        self.stamped: tuple[bytes, str, EncodedEvent] = _NOTHING
        self.marked = b""
        self._heads: dict[str, bytes] = {}
        self._terms = {
            "pingInterval": round(ping_interval * 1000),
            "pingTimeout": round(ping_timeout * 1000),
            "maxPayload": max_payload,
        }

    def of(self, path: str, namespace: Namespace) -> None:
        """Serve a namespace at this path, such as `/` or `/chat`."""
        self.namespaces[path] = namespace

    def close(self) -> None:
        """End every session, and forget who might come back."""
        for session in list(self.sessions.values()):
            session.close("server shutting down")
        for socket in list(self._recoverable.values()):
            self.give_up(socket, "server shutting down")
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Events, encoded once for any number of receivers

    def encode(self, event: str, *args: Any, namespace: str = "/") -> EncodedEvent:
        """Return an event for any number of receivers in a namespace."""
        if not self._recovery:
            return EncodedEvent(0, *write(Kind.EVENT, [event, *args], namespace))
        # What is stamped next comes after this one, even if it is the same as what was stamped before.
        self.stamped = _NOTHING
        offset = self._offset()
        return EncodedEvent(offset, *write(Kind.EVENT, [event, *args, spelled(offset)], namespace))

    def stamp(self, payload: bytes, namespace: str) -> EncodedEvent:
        """Return an event whose JSON array is known, and remember it for other receivers."""
        front = self._heads.get(namespace)
        if front is None:
            front = self._heads[namespace] = head(Kind.EVENT, namespace)
        if self._recovery:
            offset = self._offset()
            text = b"".join((front, payload[:-1], self._high, _LOW[offset & 0xFFF]))
            encoded = EncodedEvent(offset, text)
        else:
            encoded = EncodedEvent(0, front + payload)
        self.stamped = (payload, namespace, encoded)
        return encoded

    def stamp_at(self, payload: bytes, namespace: str, mark: bytes) -> EncodedEvent:
        """Return such an event whose offset names this worker and ends with a mark."""
        self.marked = mark
        offset = self._offset()
        end = b',"%s.%s.%s"]' % (spelled(offset).encode(), self._name, mark)
        encoded = EncodedEvent(offset, head(Kind.EVENT, namespace) + payload[:-1] + end)
        self.stamped = (payload, namespace, encoded)
        return encoded

    def _offset(self) -> int:
        self._offsets = offset = self._offsets + 1
        if not offset & 0xFFF:
            self._high = b',"%x' % (offset >> 12)
        return offset

    # Sessions

    def open(self, request: Request, link: WebSocketLink | None = None) -> Session:
        """Begin a session and tell its terms."""
        session = Session(self._owner + secrets.token_urlsafe(15), request, self, link)
        session.listener = SessionNamespaces(self, session)
        self.sessions[session.sid] = session
        upgrades = ["websocket"] if link is None else []
        session.send(OPEN + _json({"sid": session.sid, "upgrades": upgrades, **self._terms}))
        now = _now()
        self._pings.add(session, now)
        self._lonely.add(session, now)
        return session

    def alive(self, session: Session) -> None:
        """The session answered a ping."""
        if self._pongs.drop(session):
            self._pings.add(session, _now())

    def lonely(self, session: Session, *, alone: bool) -> None:
        """Watch a session that is in no namespace."""
        if alone and not session.closed:
            self._lonely.add(session, _now())
        else:
            self._lonely.drop(session)

    def ended(self, session: Session) -> None:
        """Wait for the session no longer, except for a poll that fetches its last words."""
        for queue in (self._pings, self._pongs, self._lonely, self._tries, self._nudges):
            queue.drop(session)
        if session.lingers:
            self._leaving.add(session, _now())
        else:
            self.sessions.pop(session.sid, None)

    def forget(self, session: Session) -> None:
        """Nobody will ask for the session again."""
        self._leaving.drop(session)
        self.sessions.pop(session.sid, None)

    def stir(self, session: Session) -> None:
        """Let a poll wait for everything that is told in this turn of the loop."""
        asyncio.get_running_loop().call_soon(session.flush)

    def tried(self, session: Session) -> None:
        """Give a WebSocket some seconds to take the session over."""
        self._tries.add(session, _now())

    def probed(self, session: Session) -> None:
        """Let the session's polls go until the WebSocket has taken over."""
        self._nudges.add(session, _now())

    def settled(self, session: Session) -> None:
        """No WebSocket tries to take the session over."""
        self._tries.drop(session)
        self._nudges.drop(session)

    # Sockets

    def create(
        self, namespace: Namespace, path: str, conversation: SessionNamespaces, sid: str = "", pid: str = ""
    ) -> Socket:
        """Return a socket for a client: a new one, or one that had these ids at another server."""
        pid = pid or (secrets.token_urlsafe(24) if self._recovery else "")
        sid = sid or (self._sid_of(pid) if pid else secrets.token_urlsafe(15))
        return Socket(self, namespace, path, conversation, sid, pid)

    def enter(self, socket: Socket) -> None:
        """The socket is in its namespace and can be come back to."""
        socket.entered = True
        self._held.drop(socket)
        if socket.pid:
            self._recoverable[socket.pid] = socket

    def recover(self, path: str, auth: dict[str, Any]) -> Socket | None:
        """Return the socket that a client comes back to, if what it missed is still known."""
        pid, offset = auth.get("pid"), auth.get("offset", "")
        if not isinstance(pid, str) or not isinstance(offset, str):
            return None
        socket = self._recoverable.get(pid)
        if socket is None or socket.path != path or socket.missed(offset) is None:
            return None
        return socket

    def cut(self, socket: Socket, reason: str) -> None:
        """Keep a socket whose connection is gone, for a while."""
        socket.part()
        if not socket.entered:
            return
        if self._recovery and reason != PARSE_ERROR:
            self._held.add(socket, _now())
            socket.namespace.cut(socket)
        else:
            self.give_up(socket, reason)

    def give_up(self, socket: Socket, reason: str) -> None:
        """Forget a socket, once."""
        if not socket.over:
            socket.over = True
            self._held.drop(socket)
            self._recoverable.pop(socket.pid, None)
            socket.namespace.gone(socket, reason)

    def holds(self, pid: str) -> bool:
        """Tell whether a socket is here, whatever is known of what its client missed."""
        return pid in self._recoverable

    def hand_over(self, pid: str, offset: str) -> tuple[Socket, list[EncodedEvent] | None] | None:
        """Let go of a socket that its client has come back to elsewhere; return what it missed, if known."""
        socket = self._recoverable.pop(pid, None)
        if socket is None:
            return None
        missed = socket.missed(offset)
        self._held.drop(socket)
        socket.over = True
        if socket.carrier is not None:
            carrier, socket.carrier, socket.session = socket.carrier, None, None
            carrier.remove(socket, close=True)
        return socket, missed

    # Time

    def _wake(self, due: float) -> None:
        if self._timer is not None:
            if self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(due, self._tick)

    def _tick(self) -> None:
        self._timer = None
        try:
            self._expire(_now())
        finally:
            # Whatever one of them did, the clock goes on for the others.
            if dues := [due for queue in self._queues if (due := queue.next()) is not None]:
                self._wake(min(dues))

    def _expire(self, now: float) -> None:
        for session in self._pongs.expired(now):
            session.close("ping timeout")
        for session in self._lonely.expired(now):
            session.close("connect timeout")
        for session in self._tries.expired(now):
            session.give_up_probe()
        for session in self._nudges.expired(now):
            self._nudges.add(session, now)
            session.nudge()
        for session in self._leaving.expired(now):
            self.forget(session)
        for session in self._pings.expired(now):
            self._ping(session, now)
        for socket in self._held.expired(now):
            self.give_up(socket, "transport close")

    def _ping(self, session: Session, now: float) -> None:
        session.send(PING)
        if isinstance(session.listener, SessionNamespaces):
            session.listener.pinged()
            if self.vault is not None:
                session.listener.prolong(self.vault)
            self._pongs.add(session, now)

    @property
    def _queues(self) -> tuple[TimeoutQueue[Any], ...]:
        return (
            self._pings, self._pongs, self._lonely, self._held, self._tries, self._nudges, self._leaving,
        )  # fmt: skip


def _now() -> float:
    return asyncio.get_running_loop().time()
