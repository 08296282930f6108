"""The request in progress and those waiting behind it.

A socket's requests are answered in order: one that waits for the hall holds back all that follow.
"""

from collections import deque
from typing import Final

from qipai.kernel.ids import Nonce, Seat

from . import errors, outgoing_messages
from .client_game import ClientGame
from .errors import ClientError
from .incoming_messages import READ_REQUESTS, Request, RequestType, parse_request
from .reply_cache import ReplyCache, SocketReplies

MAX_WAITING: Final = 200
"""Frames that may wait while a request is in progress."""


class PendingRequest:
    """A request that waits for the hall; without a `nonce` it waits for its game to be found.

    `retry_when_seated`: its move depends on the view of the seat, which is being taken first.
    `held_events` are events to be sent after the reply, if the request takes several steps.
    """

    __slots__ = ("held_events", "nonce", "request", "retry_when_seated", "seat")

    def __init__(
        self, request: Request, nonce: str = "", seat: Seat | None = None, *, retry_when_seated: bool = False
    ) -> None:
        self.request = request
        self.nonce = Nonce(nonce)
        self.seat = seat
        self.retry_when_seated = retry_when_seated
        self.held_events: list[bytes] | None = None

    def is_join_of(self, seat: Seat | None) -> bool:
        """Tell whether this is a `join_room` of the seat."""
        return self.request.known_type is RequestType.JOIN and self.seat == seat


class RequestQueue:
    """The requests of one socket, and the frames that it will be sent next."""

    __slots__ = ("_frames", "_rate_limited", "_replies", "_waiting", "current")

    def __init__(self, replies: ReplyCache) -> None:
        self._replies = SocketReplies(replies)
        self._waiting: deque[bytes] = deque()
        self._frames: list[bytes] = []
        self._rate_limited: Request | None = None
        self.current: PendingRequest | None = None

    # Requests

    @property
    def is_full(self) -> bool:
        """Tell whether no further frame may wait."""
        return len(self._waiting) >= MAX_WAITING

    def add(self, frame: bytes) -> None:
        """Add a frame behind those that wait."""
        self._waiting.append(frame)

    def next_request(self) -> Request | None:
        """Return the next request, None if there is none or one is in progress; answer malformed frames."""
        while self.current is None and self._waiting:
            request = parse_request(self._waiting.popleft())
            if request is not None:
                return request
            self._frames.append(outgoing_messages.MALFORMED)
        return None

    def is_current(self, nonce: str) -> bool:
        """Tell whether a nonce is that of the request in progress."""
        return nonce != "" and self.current is not None and self.current.nonce == nonce

    def finish(self) -> PendingRequest:
        """Return the request in progress, which is no longer in progress."""
        pending, self.current = self.current, None
        assert pending is not None
        return pending

    # Frames to send

    @property
    def has_frames(self) -> bool:
        """Tell whether there are frames to send."""
        return bool(self._frames)

    def take_frames(self) -> list[bytes]:
        """Return the frames to send, and remove them."""
        frames, self._frames = self._frames, []
        return frames

    def send(self, *frames: bytes) -> None:
        """Add frames to send."""
        self._frames += frames

    def send_event(self, event: bytes) -> None:
        """Add an event to send, after the reply of the request in progress if that holds events back."""
        held = None if self.current is None else self.current.held_events
        (self._frames if held is None else held).append(event)

    # Replies

    def cached_reply(self, request: Request, game: ClientGame) -> bytes | None:
        """Return the reply that the same request has had before."""
        return self._replies.find(request, game)

    def reply(self, request: Request, game: ClientGame, reply: bytes) -> None:
        """Send the reply to a command that took effect, and remember it."""
        self._replies.store(request, game, reply)
        self._frames.append(reply)

    def refuse(self, request: Request, game: ClientGame | None, error: ClientError) -> None:
        """Send an error; remember it unless the same request may succeed later."""
        reply = outgoing_messages.error_reply(request, error)
        if (
            game is not None
            and request.known_type not in READ_REQUESTS
            and error.code not in errors.TEMPORARY
        ):
            self._replies.store(request, game, reply)
        self._frames.append(reply)

    # Rate limit

    def note_rate_limited(self, frame: bytes) -> None:
        """Remember a frame for which the queue is full, to refuse it as the request that it is."""
        self._rate_limited = parse_request(frame)

    def refuse_rate_limited(self) -> None:
        """Send the error for the frame for which the queue was full."""
        error, request = ClientError(*errors.TOO_FAST), self._rate_limited
        if request is None:
            self._frames.append(
                outgoing_messages.encode({"type": "error", "error": error.text, "code": error.code})
            )
        else:
            self._frames.append(outgoing_messages.error_reply(request, error))
