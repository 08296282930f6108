"""One Engine.IO session: packets in and out over polls, a WebSocket, or first one and then the other."""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct

from .packets import CLOSE, MESSAGE, NOOP, PONG, PROBE, PROBED, UPGRADE, Blob, Malformed, Packet, join, split

MAX_BEHIND: Final = 256 * 1024
"""Bytes that may wait for a reader; one that is further behind is dropped."""


PARSE_ERROR: Final = "parse error"


class Request(Struct, frozen=True):
    """What a session's first request said."""

    query: dict[str, str]
    host: str = ""
    origin: str | None = None
    cookie: str = ""


class Link(Protocol):
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


class Listener(Protocol):
    """Whoever the session's messages are for."""

    def text(self, packet: bytes) -> None:
        """Take a text message, its digit still in front, or raise `Malformed`."""

    def blob(self, body: bytes) -> None:
        """Take a binary message, or raise `Malformed`."""

    def ponged(self) -> None:
        """All that was sent before the last ping has arrived."""

    def closed(self, reason: str) -> None:
        """The session is over."""


Reply = Callable[[bytes | None], None]
"""Answers a poll with a payload; None means that the request was wrong."""


class Session:
    """A state machine without sockets and clocks.

    `send` is the present way to send a packet: into the queue of the next poll, or straight to the
    WebSocket while its reader keeps up.
    """

    __slots__ = (
        "__weakref__", "_behind", "_closing", "_link", "_poll", "_posting", "_probe", "_queue", "_stir",
        "listener", "request", "send", "sid",
    )  # fmt: skip

    def __init__(
        self,
        sid: str,
        request: Request,
        stir: "Callable[[Session], None]",
        closing: "Callable[[Session], None]",
        link: Link | None = None,
    ) -> None:
        self.sid = sid
        self.request = request
        self.listener: Listener | None = None
        self._stir = stir
        self._closing = closing
        self._queue: list[Packet] | None = None
        self._behind = 0
        self._poll: Reply | None = None
        self._posting = False
        self._probe: Link | None = None
        self._link = link
        self.send: Callable[[bytes], None] = self._enqueue if link is None else link.send

    @property
    def closed(self) -> bool:
        """Tell whether the session is over."""
        return self.send is _forget

    @property
    def upgraded(self) -> bool:
        """Tell whether a WebSocket carries the session."""
        return self._link is not None

    def send_blob(self, body: bytes) -> None:
        """Send a binary message."""
        if self.closed:
            return
        if self._link is None:
            self._push(Blob(body), len(body) * 4 // 3)
        elif self.send == self._link.send or self._fits(len(body)):
            self._link.send_blob(body)

    def close(self, reason: str, last: bytes = CLOSE) -> None:
        """End the session; a poll that waits is answered with `last`."""
        if self.closed:
            return
        self.send = _forget
        self._queue = None
        self._closing(self)
        if self._poll is not None:
            reply, self._poll = self._poll, None
            reply(last)
        if self._probe is not None:
            self._probe.close()
        if self._link is not None:
            self._link.close()
        self._probe = self._link = None
        if self.listener is not None:
            listener, self.listener = self.listener, None
            listener.closed(reason)

    def receive(self, packet: bytes) -> None:
        """Take one packet that came over the transport in use."""
        if self.listener is None:
            return
        try:
            if packet.startswith(MESSAGE):
                self.listener.text(packet)
            elif packet == PONG:
                self.listener.ponged()
            elif packet == CLOSE:
                self.close("transport close", NOOP)
            elif packet != NOOP:
                raise Malformed("not a packet for a server")
        except Malformed:
            self.close(PARSE_ERROR)

    def receive_blob(self, body: bytes) -> None:
        """Take one binary message."""
        if self.listener is not None:
            try:
                self.listener.blob(body)
            except Malformed:
                self.close(PARSE_ERROR)

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
            if self._probe is not None and not self._queue:
                self._release(NOOP)
            else:
                self.flush()

    def flush(self) -> None:
        """Answer the poll that waits, if anything waits for it."""
        if self._queue and self._poll is not None:
            queue, self._queue, self._behind = self._queue, None, 0
            self._release(join(queue))

    def hung_up(self, reply: Reply) -> None:
        """The peer gave a poll up that was not answered yet."""
        if self._poll is reply:
            self._poll = None
            self.close("transport error")

    def post(self) -> bool:
        """Begin to read a payload; a second one at the same time ends the session."""
        if self._link is not None:
            return False
        if self._posting:
            self.close("transport error")
            return False
        self._posting = True
        return True

    def posted(self, payload: bytes | None) -> bool:
        """Take a payload that was read, None if that failed; tell whether all of it was understood."""
        self._posting = False
        try:
            if payload is None:
                raise Malformed("half a payload")
            for packet in split(payload):
                if isinstance(packet, Blob):
                    self.receive_blob(packet.body)
                else:
                    self._read(packet)
        except Malformed:
            self.close(PARSE_ERROR)
            return False
        return True

    def _read(self, packet: bytes) -> None:
        goodbye = packet == CLOSE
        self.receive(packet)
        if self.closed and not goodbye:
            raise Malformed("the packet ended the session")

    def _release(self, payload: bytes) -> None:
        reply, self._poll = self._poll, None
        if reply is not None:
            reply(payload)

    # WebSocket

    def probe(self, link: Link) -> bool:
        """Let a WebSocket try to take over; tell whether it may."""
        if self.closed or self._link is not None or self._probe is not None:
            return False
        self._probe = link
        return True

    def probed(self, link: Link, packet: bytes) -> bool:
        """Take a packet of a WebSocket that tries to take over; tell whether it has done so."""
        if self._probe is not link:
            link.close()
        elif packet == PROBE:
            link.send(PROBED)
            if self._queue:
                self.flush()
            else:
                self._release(NOOP)
        elif packet == UPGRADE:
            self._probe, self._link = None, link
            queue, self._queue, self._behind = self._queue or [], None, 0
            self._release(NOOP)
            self.send = link.send
            for waiting in queue:
                if isinstance(waiting, Blob):
                    link.send_blob(waiting.body)
                else:
                    link.send(waiting)
            return True
        else:
            self._probe = None
            link.close()
        return False

    def lost(self, link: Link) -> None:
        """A WebSocket is gone."""
        if self._probe is link:
            self._probe = None
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
        self._push(packet, len(packet))

    def _push(self, packet: Packet, size: int) -> None:
        if self._fits(size):
            if self._queue is None:
                self._queue = []
                if self._poll is not None:
                    self._stir(self)
            self._queue.append(packet)

    def _fits(self, size: int) -> bool:
        """Count bytes that wait; whoever lets too many of them wait is dropped."""
        self._behind += size
        if self._behind <= MAX_BEHIND:
            return True
        if self._link is not None:
            self._link.abort()
        self.close("transport error")
        return False


def _forget(_packet: bytes) -> None:
    """Nobody is there to read."""
