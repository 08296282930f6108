"""The Socket.IO server: all sessions and sockets, their ids, pings and time-outs."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import msgspec

from .allowed_origins import AllowedOrigins
from .engineio_packets import OPEN, PING
from .engineio_session import PARSE_ERROR, Session
from .missed_events import NO_WHOLE_STATES, WholeStates
from .namespaces import SessionNamespaces
from .request_errors import RequestError
from .session_forwarding import SEPARATOR
from .session_interfaces import Handshake, SessionLimits, SessionListener, Unlimited, WebSocketLink
from .socket import EventEncoder, Namespace, RecoveryStore, Socket
from .socketio_packets import EncodedEvent
from .timeout_queue import TimeoutQueue

UPGRADE_TIMEOUT: Final = 10.0
RELEASE_INTERVAL: Final = 0.1
_json: Final = msgspec.json.Encoder().encode


class SocketIO(EventEncoder):
    """A Socket.IO server without a port; `polling_transport` and `websocket_transport` connect it to one.

    Times are in seconds. `recovery` is how long connection state recovery is possible after a disconnect; 0
    switches it off. With several workers the ids of sessions start with the name of this `worker`. `sid_of`
    makes the public id of a socket from its private one (pid), whose end is what `pid_suffix` returns. A
    browser without the `browser_cookie` gets one with a random value; empty for none. With a
    `session_listener` the sessions speak Engine.IO alone. `run_task` runs the coroutines that recover sockets
    of other servers. `limits` counts the sessions that poll.
    """

    def __init__(
        self,
        *,
        ping_interval: float = 25.0,
        ping_timeout: float = 20.0,
        max_payload: int = 1_000_000,
        recovery: float = 120.0,
        connect_timeout: float = 45.0,
        origins: AllowedOrigins | None = None,
        worker: str = "",
        sid_of: Callable[[str], str] = lambda _: secrets.token_urlsafe(15),
        pid_suffix: Callable[[Handshake], str] = lambda _: "",
        browser_cookie: str = "",
        session_listener: Callable[[Session], SessionListener] | None = None,
        run_task: Callable[[Coroutine[Any, Any, None]], object] | None = None,
        limits: SessionLimits | None = None,
    ) -> None:
        super().__init__(worker, has_offsets=recovery > 0)
        self.namespaces: dict[str, Namespace] = {}
        self._session_listener = session_listener
        self.max_payload = max_payload
        self.post_timeout = ping_timeout
        """Seconds that the body of a POST may take to arrive."""
        self.origins = origins or AllowedOrigins()
        self.recovery_stores: dict[str, RecoveryStore] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.run_task = run_task or self._create_task
        self._make_sid = sid_of
        self._pid_suffix = pid_suffix
        self.browser_cookie = browser_cookie
        self._sid_prefix = f"{worker}{SEPARATOR}" if worker else ""
        self.sessions: dict[str, Session] = {}
        self._limits = limits or Unlimited()
        self._counted: set[Session] = set()
        self._recoverable_sockets: dict[str, Socket] = {}
        self._recovery_time = recovery
        self._ping_times: TimeoutQueue[Session] = TimeoutQueue(ping_interval, self._schedule)
        self._pong_timeouts: TimeoutQueue[Session] = TimeoutQueue(ping_timeout, self._schedule)
        self._connect_timeouts: TimeoutQueue[Session] = TimeoutQueue(connect_timeout, self._schedule)
        self._recovery_timeouts: TimeoutQueue[Socket] = TimeoutQueue(recovery, self._schedule)
        self._upgrade_timeouts: TimeoutQueue[Session] = TimeoutQueue(UPGRADE_TIMEOUT, self._schedule)
        self._poll_releases: TimeoutQueue[Session] = TimeoutQueue(RELEASE_INTERVAL, self._schedule)
        self._close_timeouts: TimeoutQueue[Session] = TimeoutQueue(ping_timeout, self._schedule)
        self._queues = (
            self._ping_times, self._pong_timeouts, self._connect_timeouts, self._recovery_timeouts,
            self._upgrade_timeouts, self._poll_releases, self._close_timeouts,
        )  # fmt: skip
        self._timer: asyncio.TimerHandle | None = None
        self._whole_states: dict[str, WholeStates] = {}
        self._handshake_fields = {
            "pingInterval": round(ping_interval * 1000),
            "pingTimeout": round(ping_timeout * 1000),
            "maxPayload": max_payload,
        }

    def of(
        self,
        path: str,
        namespace: Namespace,
        recovery_store: RecoveryStore | None = None,
        whole_states: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """Serve a namespace at this path, such as `/` or `/chat`.

        Its sockets are recovered from other servers by way of the store, if there is one. `whole_states` are
        the events that tell the whole of something, each with the earlier events that it replaces: a client
        that recovers needs none of those.
        """
        self.namespaces[path] = namespace
        self._whole_states[path] = {
            name.encode(): [each.encode() for each in replaced] for name, replaced in whole_states.items()
        }
        if recovery_store is not None:
            self.recovery_stores[path] = recovery_store

    def close(self) -> None:
        """Close every session, and forget all sockets."""
        for session in list(self.sessions.values()):
            session.close("server shutting down")
        for socket in list(self._recoverable_sockets.values()):
            self.remove_socket(socket, "server shutting down")
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _create_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Sessions

    def open_session(self, handshake: Handshake, websocket: WebSocketLink | None = None) -> Session:
        """Open a session and send its handshake (Engine.IO packet `open`)."""
        listener = self._session_listener or partial(SessionNamespaces, self)
        session = Session(self._sid_prefix + secrets.token_urlsafe(15), handshake, self, listener, websocket)
        self.sessions[session.sid] = session
        upgrades = ["websocket"] if websocket is None else []
        session.send(OPEN + _json({"sid": session.sid, "upgrades": upgrades, **self._handshake_fields}))
        now = _now()
        self._ping_times.add(session, now)
        if self._session_listener is None:
            self._connect_timeouts.add(session, now)
        return session

    def open_polling_session(self, handshake: Handshake) -> Session | RequestError:
        """Open a session without a WebSocket, or return why the limits refuse it."""
        if (error := self._limits.enter(handshake.address)) is not None:
            return error
        session = self.open_session(handshake)
        self._counted.add(session)
        return session

    def _uncount(self, session: Session) -> None:
        if session in self._counted:
            self._counted.remove(session)
            self._limits.leave(session.handshake.address)

    def ping_early(self, session: Session) -> None:
        """Ping the session now, unless it has not answered the last ping yet."""
        if self._ping_times.drop(session):
            self._ping(session, _now())

    def pong_received(self, session: Session) -> None:
        """The session has answered a ping."""
        if self._pong_timeouts.drop(session):
            self._ping_times.add(session, _now())

    def set_connect_timeout(self, session: Session, *, waiting: bool) -> None:
        """Start the connect time-out of a session that is in no namespace, or stop it."""
        if waiting and not session.closed:
            self._connect_timeouts.add(session, _now())
        else:
            self._connect_timeouts.drop(session)

    def session_closed(self, session: Session) -> None:
        """Drop all time-outs of the session; keep it if a poll may still fetch its last packets."""
        for queue in (self._ping_times, self._pong_timeouts, self._connect_timeouts):
            queue.drop(session)
        self.upgrade_ended(session)
        if session.has_last_packets:
            self._close_timeouts.add(session, _now())
        else:
            self.remove_session(session)

    def remove_session(self, session: Session) -> None:
        """Forget the session."""
        self._close_timeouts.drop(session)
        self.sessions.pop(session.sid, None)
        self._uncount(session)

    def flush_soon(self, session: Session) -> None:
        """Flush the session at the end of this turn of the event loop, with all packets sent in it."""
        asyncio.get_running_loop().call_soon(session.flush)

    def upgrade_started(self, session: Session) -> None:
        """Start the upgrade time-out."""
        self._upgrade_timeouts.add(session, _now())

    def probe_succeeded(self, session: Session) -> None:
        """Release the polls of the session until the upgrade is complete."""
        self._poll_releases.add(session, _now())

    def upgrade_ended(self, session: Session) -> None:
        """Stop the upgrade time-out."""
        self._upgrade_timeouts.drop(session)
        self._poll_releases.drop(session)
        if session.is_upgraded:
            self._uncount(session)

    # Sockets

    def create_socket(
        self, namespace: Namespace, path: str, connection: SessionNamespaces, sid: str = "", pid: str = ""
    ) -> Socket:
        """Return a socket for a client: a new one, or one with the ids it had at another server."""
        if not pid and self._recovery_time:
            pid = secrets.token_urlsafe(24) + self._pid_suffix(connection.session.handshake)
        sid = sid or (self._make_sid(pid) if pid else secrets.token_urlsafe(15))
        return Socket(
            self, namespace, path, connection, sid, pid, self._whole_states.get(path, NO_WHOLE_STATES)
        )

    def socket_connected(self, socket: Socket) -> None:
        """The socket is in its namespace and can be recovered."""
        socket.connected = True
        self._recovery_timeouts.drop(socket)
        if socket.pid:
            self._recoverable_sockets[socket.pid] = socket

    def recover(self, path: str, auth: dict[str, Any]) -> Socket | None:
        """Return the socket that a client recovers, None if it or the missed events are not known."""
        pid, offset = auth.get("pid"), auth.get("offset", "")
        if not isinstance(pid, str) or not isinstance(offset, str):
            return None
        socket = self._recoverable_sockets.get(pid)
        if socket is None or socket.path != path or socket.missed.after(offset) is None:
            return None
        return socket

    def connection_lost(self, socket: Socket, reason: str) -> None:
        """Keep a socket without a connection until the recovery time is over."""
        socket.detach()
        if not socket.connected:
            return
        if self._recovery_time and reason != PARSE_ERROR:
            self._recovery_timeouts.add(socket, _now())
            socket.namespace.on_connection_lost(socket)
        else:
            self.remove_socket(socket, reason)

    def remove_socket(self, socket: Socket, reason: str) -> None:
        """Forget a socket; the namespace is told once."""
        if not socket.removed:
            socket.removed = True
            self._recovery_timeouts.drop(socket)
            self._recoverable_sockets.pop(socket.pid, None)
            socket.namespace.on_disconnect(socket, reason)

    def has_socket(self, pid: str) -> bool:
        """Tell whether a socket is at this server."""
        return pid in self._recoverable_sockets

    def release_socket(self, pid: str, offset: str) -> tuple[Socket, list[EncodedEvent] | None] | None:
        """Remove a socket that its client recovers at another server; return its missed events, if known."""
        socket = self._recoverable_sockets.pop(pid, None)
        if socket is None:
            return None
        missed = socket.missed.after(offset)
        self._recovery_timeouts.drop(socket)
        socket.removed = True
        if socket.connection is not None:
            connection, socket.connection, socket.session = socket.connection, None, None
            connection.remove(socket, close=True)
        return socket, missed

    # Time-outs

    def _schedule(self, due: float) -> None:
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
            # A fault in one session must not stop the timer of the others.
            if dues := [due for queue in self._queues if (due := queue.next_due()) is not None]:
                self._schedule(min(dues))

    def _expire(self, now: float) -> None:
        for session in self._pong_timeouts.pop_expired(now):
            session.close("ping timeout")
        for session in self._connect_timeouts.pop_expired(now):
            session.close("connect timeout")
        for session in self._upgrade_timeouts.pop_expired(now):
            session.cancel_probe()
        for session in self._poll_releases.pop_expired(now):
            self._poll_releases.add(session, now)
            session.release_poll()
        for session in self._close_timeouts.pop_expired(now):
            self.remove_session(session)
        for session in self._ping_times.pop_expired(now):
            self._ping(session, now)
        for socket in self._recovery_timeouts.pop_expired(now):
            self.remove_socket(socket, "transport close")

    def _ping(self, session: Session, now: float) -> None:
        session.send(PING)
        if isinstance(session.listener, SessionNamespaces):
            session.listener.ping_sent()
            session.listener.extend_sockets(now)
        if not session.closed:
            self._pong_timeouts.add(session, now)


def _now() -> float:
    return asyncio.get_running_loop().time()
