"""uvicorn's HTTP protocol with limits in front of its parser: size and time of a request, connections, rates.

After the upgrade to a WebSocket nothing of this runs any more.
"""

import asyncio
from functools import partial
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from .client_address import FORWARDED_FOR, TrustedProxies, counted_address
from .connection_limits import ConnectionLimits, Reason
from .refusal_responses import RESPONSES, too_many_requests
from .request_body import BODY_BYTES, RequestBody
from .timeouts import Timeouts
from .worker_ports import NO_WORKERS, WorkerPorts

BODY_SECONDS: Final = 30.0
"""Seconds in which the body of a request must arrive."""
RESPONSE_SECONDS: Final = 30.0
"""Seconds in which a client must read some part of a response that waits for it."""
LINGER_SECONDS: Final = 1.0
LINGER_BYTES: Final = 256 * 1024
"""Bytes that are read and dropped after a refusal: closing at once could destroy the response."""
_MAX_UPGRADE: Final = 16 * 1024 - 256
"""Bytes of the headers of an upgrade: picows takes 16 kB, with request line and client address."""
_FORWARDED_FOR: Final = FORWARDED_FOR.encode()
_FORWARDED_PROTO: Final = b"x-forwarded-proto"
_TOO_LONG: Final = {Reason.HEADER_BYTES, Reason.URL_BYTES, Reason.BODY_BYTES}
_SCHEMES: Final = {b"http": "http", b"https": "https"}


class _Refused(Exception):
    """Stops the parser."""


class Guard:
    """What all connections of one process share."""

    def __init__(
        self, limits: ConnectionLimits, proxies: TrustedProxies, workers: WorkerPorts = NO_WORKERS
    ) -> None:
        self.limits = limits
        self.proxies = proxies
        self.workers = workers
        self.heads: Timeouts[GuardedProtocol] = Timeouts(
            limits.settings.header_seconds, lambda each: each.refuse(Reason.HEADER_TIME)
        )
        """Connections that have not sent the whole head of a request."""
        self.bodies: Timeouts[GuardedProtocol] = Timeouts(
            BODY_SECONDS, lambda each: each.refuse(Reason.BODY_TIME)
        )
        """Connections that have not sent the whole body."""
        self.responses: Timeouts[GuardedProtocol] = Timeouts(RESPONSE_SECONDS, GuardedProtocol.check_reading)
        """Connections whose client has not read the response."""

    def protocol(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> "GuardedProtocol":
        """Return the protocol of a new connection, as uvicorn makes it."""
        return GuardedProtocol(self, config, server_state, app_state, _loop)

    def make_place(self) -> Reason | None:
        """Make place for a new connection; return why there is none, if so.

        A connection that has sent no request gives way, the oldest first.
        """
        if (full := self.limits.why_full()) is None:
            return None
        if (silent := self.heads.pop_first()) is None:
            return full
        silent.close_for_another()
        return None


class GuardedProtocol(HttpToolsProtocol):
    """One connection until its end, or until it is upgraded."""

    def __init__(
        self,
        guard: Guard,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._guard = guard
        self._limit = guard.limits.settings.header_bytes
        self._address = ""
        """The address for which this connection is counted; empty for proxies and workers."""
        self._proxied: list[str] = []
        """The addresses of clients of a proxy whose requests are not answered yet, the oldest first."""
        self._is_proxy = self._forwarded = False
        self._unparsed = 0
        """Bytes since the parser last completed a head or delivered a part of a body."""
        self._reading_head = True
        self._body = RequestBody()
        self._head_size = self._discarded = self._unread = 0
        self._refused = self._upgraded = False

    # Called by the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn
        """Take the connection, or refuse it."""
        super().connection_made(transport)
        limits = self._guard.limits
        limits.open += 1
        peer = self.client[0] if self.client else ""
        self._is_proxy = bool(peer) and self._guard.proxies.trusts(peer)
        reason = None
        if peer and not self._is_proxy and not self._guard.workers.is_worker(peer, self.server):
            address = counted_address(peer)
            reason = limits.handshake(address) or limits.enter(address)
            self._address = "" if reason else address
        reason = reason or self._guard.make_place()
        if reason:
            self.refuse(reason)
        else:
            self._guard.heads.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        super().connection_lost(exc)
        self._forget_timeouts()
        limits = self._guard.limits
        _release(limits, self._address)
        proxied, self._proxied = self._proxied, []
        for address in filter(None, proxied):
            limits.leave(address)

    def data_received(self, data: bytes) -> None:
        """Give the parser no more than the limit before it completes something."""
        if self._refused:
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.transport.abort()
            return
        if self._reading_head and not self._unparsed:
            self._guard.heads.add(self)
        while data and not self._refused and not self._upgraded and not self.transport.is_closing():
            size = self._limit + 1 - self._unparsed
            part, data = data[:size], data[size:]
            self._unparsed += len(part)
            super().data_received(part)
            self._pass_body_on()
            if self._unparsed > self._limit and not self._refused:
                self.refuse(self._too_long())

    def pause_writing(self) -> None:
        """The send buffer is full."""
        super().pause_writing()
        self._watch_reading()

    def resume_writing(self) -> None:
        """The send buffer has space again."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._guard.responses.drop(self)

    # Called by the parser

    def on_headers_complete(self) -> None:
        """Find the address of the client, and serve the request unless it is too long or one too many."""
        if self._refused:
            return
        self._unparsed = 0
        self._reading_head = False
        self._guard.heads.drop(self)
        self._head_size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if self._head_size > self._limit:
            self.refuse(self._too_long())
            raise _Refused
        if any(name == b"content-length" and int(value) > BODY_BYTES for name, value in self.headers):
            self.refuse(Reason.BODY_BYTES)
            raise _Refused
        peer = self.client[0] if self.client else ""
        self._forwarded = self._guard.workers.is_forwarded(peer, self.server, self.headers)
        if self._is_proxy and not self._forwarded:
            self._believe_proxy()
        if self.parser.should_upgrade() and self._should_upgrade():
            super().on_headers_complete()
            return
        address = self._counted_client()
        reason = self._guard.limits.request(address) if address else None
        if reason is None:
            self._guard.bodies.add(self)
        app = self.app
        if self._is_proxy:
            reason = reason or (self._guard.limits.enter(address) if address else None)
            self._proxied.append("" if reason else address)
        if reason:
            self._guard.limits.count(reason)
            self.app = too_many_requests
        super().on_headers_complete()
        self.app = app
        if reason and not self._is_proxy:
            # Nothing more is parsed: the next request needs a new connection, and those have a rate too.
            self.cycle.keep_alive = False
            self._refused = True

    def on_body(self, body: bytes) -> None:
        """Keep a part of the body, to pass many small ones on at once."""
        self._unparsed = 0
        if not self._body.add(body):
            self.refuse(Reason.BODY_BYTES)
            raise _Refused

    def _pass_body_on(self) -> None:
        if body := self._body.take():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole; what follows is the head of the next."""
        self._pass_body_on()
        self._body.reset()
        self._unparsed = 0
        self._reading_head = True
        self._guard.bodies.drop(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A response is sent."""
        if self._proxied and (address := self._proxied.pop(0)):
            self._guard.limits.leave(address)
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch_reading()

    def timeout_keep_alive_handler(self) -> None:
        """No further request came: close, at the latest when the client reads nothing more."""
        super().timeout_keep_alive_handler()
        self._watch_reading()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection to the WebSocket protocol, with the true address of the client."""
        if self._refused:
            return
        if self._head_size > _MAX_UPGRADE:
            self.refuse(self._too_long())
            return
        limits = self._guard.limits
        client = self.scope["client"]
        host = client[0] if client else ""
        if not self._forwarded and not self._guard.proxies.lists(host):
            address = counted_address(host)
            reason = limits.handshake(address)
            if reason is None and not self._address:
                reason = limits.enter(address)
                self._address = "" if reason else address
            if reason:
                self.refuse(reason)
                return
        self.headers[:] = [pair for pair in self.headers if pair[0] != _FORWARDED_FOR]
        self.headers.append((_FORWARDED_FOR, host.encode()))
        # The WebSocket protocol is told when the connection is lost; this object is not.
        self._upgraded = True
        self._forget_timeouts()
        on_lost = partial(_release, limits, self._address)
        upgraded: Any = self.ws_protocol_class
        self.ws_protocol_class = partial(upgraded, on_lost=on_lost)  # type: ignore[assignment] # only called
        super().handle_websocket_upgrade()
        # The parser refers to this object: without it both are freed now, and not by the garbage collector.
        self.parser = None  # type: ignore[assignment] # as uvicorn does at the end of a connection

    def send_400_response(self, msg: str) -> None:
        """Respond to what is no HTTP, unless there is a response already."""
        if not self._refused:
            super().send_400_response(msg)

    # Called by the guard

    def refuse(self, reason: Reason) -> None:
        """Respond why, and close the connection."""
        self._guard.limits.count(reason)
        self._refused = True
        self._forget_timeouts()
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        # A request whose body is too long in the end has its response.
        if not self._body.has_begun and (reason is not Reason.HEADER_TIME or self._unparsed):
            self.transport.write(RESPONSES[reason])
        if reason in _TOO_LONG:
            self.transport.write_eof()
            self.loop.call_later(LINGER_SECONDS, self.transport.abort)
        else:
            self.transport.close()
            self._watch_reading()

    def check_reading(self) -> None:
        """Drop the connection if its client has read nothing since the last check."""
        if self.transport.get_write_buffer_size() < self._unread:
            self._watch_reading()
        elif self._unread:
            self._guard.limits.count(Reason.RESPONSE_TIME)
            self.transport.abort()

    def close_for_another(self) -> None:
        """Close this connection, which has sent no request, so that another one has its place."""
        self._guard.limits.count(Reason.REPLACED)
        self._refused = True
        self.transport.abort()

    def _watch_reading(self) -> None:
        self._unread = self.transport.get_write_buffer_size()
        self._guard.responses.add(self)

    def _forget_timeouts(self) -> None:
        self._guard.responses.drop(self)
        self._guard.heads.drop(self)
        self._guard.bodies.drop(self)

    def _too_long(self) -> Reason:
        return Reason.URL_BYTES if len(self.url) > self._limit // 2 else Reason.HEADER_BYTES

    def _believe_proxy(self) -> None:
        """Take address and scheme of the client from the headers of a proxy."""
        assert self.client is not None
        forwarded = []
        for name, value in self.headers:
            if name == _FORWARDED_FOR:
                forwarded.append(value.decode("latin-1"))
            elif name == _FORWARDED_PROTO and value in _SCHEMES:
                self.scope["scheme"] = _SCHEMES[value]
        if forwarded:
            host = self._guard.proxies.client_of(self.client[0], ",".join(forwarded))
            self.scope["client"] = (host, 0)

    def _counted_client(self) -> str:
        """Return the address for which a request is counted; empty for those of proxies and workers."""
        client = self.scope["client"]
        if client is None or self._forwarded or (self._is_proxy and self._guard.proxies.lists(client[0])):
            return ""
        return counted_address(client[0])


def _release(limits: ConnectionLimits, address: str) -> None:
    limits.open -= 1
    if address:
        limits.leave(address)
