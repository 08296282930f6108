"""One Engine.IO session: packets in and out over polls, a WebSocket, or first one and then the other."""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct

from .engineio_packets import (
    CLOSE,
    MESSAGE,
    NOOP,
    PONG,
    PROBE,
    PROBED,
    UPGRADE,
    BinaryMessage,
    Malformed,
    Packet,
    join,
    split,
)

MAX_BEHIND: Final = 512 * 1024
"""Bytes that may wait for a reader; one that is further behind is dropped."""


MAX_PACKETS: Final = 16
"""Packets in the answer to one poll; python-engineio's client refuses more."""
PARSE_ERROR: Final = "parse error"
FORCED: Final = "forced close"


class Request(Struct, frozen=True):
    """What a session's first request said."""

    query: dict[str, str]
    host: str = ""
    origin: str | None = None
    cookie: str = ""


class WebSocketLink(Protocol):
    """A WebSocket, as the pump lends it."""

    @property
    def send(self) -> Callable[[bytes], None]:
        """Send a text frame; never waits."""

    def send_blob(self, blob: bytes) -> None:
        """Send a binary frame; never waits."""

    def close(self) -> None:
        """Close politely."""

    def abort(self) -> None:
        """Drop the connection at once."""


class SessionListener(Protocol):
    """Whoever the session's messages are for."""

    def text(self, packet: bytes) -> None:
        """Take a text message, its digit still in front, or raise `Malformed`."""

    def blob(self, body: bytes) -> None:
        """Take a binary message, or raise `Malformed`."""

    def ponged(self) -> None:
        """All that was sent before the last ping has arrived."""

    def closed(self, reason: str) -> None:
        """The session is over."""


class SessionTimers(Protocol):
    """Whoever keeps the time of sessions, and finds them by their ids."""

    def stir(self, session: "Session") -> None:
        """Flush the session when this turn of the loop is over."""

    def tried(self, session: "Session") -> None:
        """A WebSocket tries to take the session over: call `give_up_probe` if that takes too long."""

    def probed(self, session: "Session") -> None:
        """The WebSocket works: call `nudge` until it has taken over."""

    def settled(self, session: "Session") -> None:
        """No WebSocket tries any more."""

    def ended(self, session: "Session") -> None:
        """The session is over; if it `lingers` somebody may still ask for its last packets."""

    def forget(self, session: "Session") -> None:
        """Nobody needs to find the session any more."""


Reply = Callable[[bytes | None], None]
"""Answers a poll with a payload; None means that the request was wrong."""


class Session:
    """A state machine without sockets and clocks.

    `send` is the present way to send a packet: into the queue of the next poll, or straight to the
    WebSocket while its reader keeps up.
    """

    __slots__ = (
        "__weakref__", "_behind", "_link", "_poll", "_posting", "_probe", "_queue", "_watch", "listener",
        "request", "send", "sid",
    )  # fmt: skip

    def __init__(
        self, sid: str, request: Request, watch: SessionTimers, link: WebSocketLink | None = None
    ) -> None:
        self.sid = sid
        self.request = request
        self.listener: SessionListener | None = None
        self._watch = watch
        self._queue: list[Packet] | None = None
        self._behind = 0
        self._poll: Reply | None = None
        self._posting = False
        self._probe: WebSocketLink | None = None
        self._link = link
        self.send: Callable[[bytes], None] = self._enqueue if link is None else link.send

    @property
    def closed(self) -> bool:
        """Tell whether the session is over."""
        return self.send is _forget

    @property
    def lingers(self) -> bool:
        """Tell whether a session that is over has last words for a poll."""
        return self.closed and self._queue is not None

    @property
    def upgraded(self) -> bool:
        """Tell whether a WebSocket carries the session."""
        return self._link is not None

    def send_blob(self, body: bytes) -> None:
        """Send a binary message."""
        if self.closed:
            return
        if self._link is None:
            self._push(BinaryMessage(body))
        elif self.send == self._link.send or self._fits(len(body)):
            self._link.send_blob(body)

    def close(self, reason: str, last: bytes = CLOSE) -> None:
        """End the session; a poll is answered with `last`, after our own words if it is we who end it."""
        if self.closed:
            return
        self.send = _forget
        lingers = self._link is None and reason == FORCED
        self._queue = [*(self._queue or ()), last] if lingers else None
        self._watch.ended(self)
        if lingers:
            self.flush()
        else:
            self._release(last)
        for link in (self._probe, self._link):
            if link is not None:
                link.close()
        self._probe = self._link = None
        if self.listener is not None:
            listener, self.listener = self.listener, None
            listener.closed(reason)

    def receive(self, packet: bytes) -> None:
        """Take one packet that came over the transport in use."""
        try:
            if self.listener is not None and packet.startswith(MESSAGE):
                self.listener.text(packet)
            else:
                self._take(packet)
        except Malformed:
            self.close(PARSE_ERROR)

    def receive_blob(self, body: bytes) -> None:
        """Take one binary message."""
        try:
            self._take_blob(body)
        except Malformed:
            self.close(PARSE_ERROR)

    def _take(self, packet: bytes) -> None:
        if self.listener is None:
            return
        if packet.startswith(MESSAGE):
            self.listener.text(packet)
        elif packet == PONG:
            self.listener.ponged()
        elif packet == CLOSE:
            self.close("transport close", NOOP)
        elif packet != NOOP:
            raise Malformed("not a packet for a server")

    def _take_blob(self, body: bytes) -> None:
        if self.listener is not None:
            self.listener.blob(body)

    # Long polling

    def poll(self, reply: Reply) -> None:
        """Answer now if there is something to tell, and as soon as there is otherwise."""
        if self._link is not None:
            reply(None)
        elif self._poll is not None:
            reply(None)
            self.close("transport error")
        else:
            self._poll = reply
            self.flush()

    def flush(self) -> None:
        """Answer the poll that waits, if anything waits for it."""
        if self._queue and self._poll is not None:
            packets, rest = self._queue[:MAX_PACKETS], self._queue[MAX_PACKETS:]
            self._queue = rest or None
            self._behind = sum(map(_size, rest))
            self._release(join(packets))
            if self.closed and not rest:
                self._watch.forget(self)

    def hung_up(self, reply: Reply) -> None:
        """The peer gave a poll up that was not answered yet."""
        if self._poll is reply:
            self._poll = None
            self.close("transport error")

    def post(self) -> bool:
        """Begin to read a payload; a second one at the same time ends the session."""
        if self._link is not None or self.closed:
            return False
        if self._posting:
            self.close("transport error")
            return False
        self._posting = True
        return True

    def posted(self, payload: bytes | None) -> bool:
        """Take a payload that was read, None if that failed; tell whether all of it was understood."""
        self._posting = False
        if payload is None or self.closed:
            self.close("transport error")
            return False
        try:
            for packet in split(payload):
                if isinstance(packet, BinaryMessage):
                    self._take_blob(packet.body)
                else:
                    self._take(packet)
        except Malformed:
            self.close(PARSE_ERROR)
            return False
        return True

    def _release(self, payload: bytes) -> None:
        reply, self._poll = self._poll, None
        if reply is not None:
            reply(payload)

    # WebSocket

    def probe(self, link: WebSocketLink) -> bool:
        """Let a WebSocket try to take over; tell whether it may."""
        if self.closed or self._link is not None or self._probe is not None:
            return False
        self._probe = link
        self._watch.tried(self)
        return True

    def probed(self, link: WebSocketLink, packet: bytes) -> bool:
        """Take a packet of a WebSocket that tries to take over; tell whether it has done so."""
        if self._probe is not link:
            link.close()
        elif packet == PROBE:
            link.send(PROBED)
            self._watch.probed(self)
            self.nudge()
        elif packet == UPGRADE:
            self._probe, self._link = None, link
            self._watch.settled(self)
            queue, self._queue, self._behind = self._queue or [], None, 0
            self._release(NOOP)
            self.send = link.send
            for waiting in queue:
                if isinstance(waiting, BinaryMessage):
                    link.send_blob(waiting.body)
                else:
                    link.send(waiting)
            return True
        else:
            self.give_up_probe()
        return False

    def nudge(self) -> None:
        """Let a poll go that keeps the client from changing over; it will not wait for another."""
        if self._probe is not None and not self._queue:
            self._release(NOOP)

    def give_up_probe(self) -> None:
        """Stay with polling."""
        if self._probe is not None:
            link, self._probe = self._probe, None
            self._watch.settled(self)
            link.close()

    def lost(self, link: WebSocketLink) -> None:
        """A WebSocket is gone."""
        if self._probe is link:
            self._probe = None
            self._watch.settled(self)
        elif self._link is link:
            self.close("transport close")

    def pause(self) -> None:
        """The WebSocket's reader does not keep up."""
        if self._link is not None:
            self.send = self._pile

    def resume(self) -> None:
        """The WebSocket's reader has caught up."""
        if self._link is not None:
            self._behind = 0
            self.send = self._link.send

    def _pile(self, packet: bytes) -> None:
        if self._link is not None and self._fits(len(packet)):
            self._link.send(packet)

    def _enqueue(self, packet: bytes) -> None:
        self._push(packet)

    def _push(self, packet: Packet) -> None:
        if self._fits(_size(packet)):
            if self._queue is None:
                self._queue = []
                if self._poll is not None:
                    self._watch.stir(self)
            self._queue.append(packet)

    def _fits(self, size: int) -> bool:
        """Count bytes that wait; whoever lets too many of them wait is dropped.

        A packet that finds nothing waiting fits, however large it is.
        """
        self._behind += size
        if self._behind <= MAX_BEHIND or self._behind == size:
            return True
        if self._link is not None:
            self._link.abort()
        self.close("transport error")
        return False


def _forget(_packet: bytes) -> None:
    """Nobody is there to read."""


def _size(packet: Packet) -> int:
    return len(packet.body) * 4 // 3 if isinstance(packet, BinaryMessage) else len(packet)
