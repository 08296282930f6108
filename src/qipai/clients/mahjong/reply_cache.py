"""Remembers recent replies by request id, so that a repeated request is not done twice."""

from collections import OrderedDict
from collections.abc import Hashable
from hashlib import sha256
from typing import Final

from qipai.kernel.ids import Nonce, Seat

from .client_game import ClientGame
from .errors import ClientError
from .incoming_messages import COMMON_REQUESTS, SEAT_REQUESTS, Request, RequestType, parse_seat

REPLIES_PER_SEAT: Final = 16
MAX_SEATS: Final = 1_000
"""Seats whose replies are remembered; the seat that was silent longest is dropped first."""

ReqId = str | int
SeatKey = tuple[Hashable, Seat | None]


class ReplyCache:
    """The last replies of each seat, by request id."""

    __slots__ = ("_replies",)

    def __init__(self) -> None:
        self._replies: OrderedDict[SeatKey, OrderedDict[ReqId, bytes]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._replies)

    def find(self, key: SeatKey, req_id: ReqId) -> bytes | None:
        """Return the reply to a request id, None if it is not remembered."""
        replies = self._replies.get(key)
        return None if replies is None else replies.get(req_id)

    def store(self, key: SeatKey, req_id: ReqId, reply: bytes) -> None:
        """Remember a reply."""
        replies = self._replies.setdefault(key, OrderedDict())
        self._replies.move_to_end(key)
        replies[req_id] = reply
        if len(replies) > REPLIES_PER_SEAT:
            replies.popitem(last=False)
        if len(self._replies) > MAX_SEATS:
            self._replies.popitem(last=False)


class SocketReplies:
    """The replies of one socket, and those of the seats it holds, also from earlier holders.

    A reply that belongs to no seat is shared with every seat that the socket holds; that of a deal, which may
    show several hands, belongs to the socket alone.
    """

    __slots__ = ("_own", "_shared")

    def __init__(self, shared: ReplyCache) -> None:
        self._shared = shared
        self._own = ReplyCache()

    def find(self, request: Request, game: ClientGame) -> bytes | None:
        """Return the reply that the same request has had before."""
        if request.req_id is None:
            return None
        try:
            seat = _request_seat(request)
        except ClientError:
            return None
        reply = self._own.find((game.room, seat), request.req_id)
        for key in _shared_keys(request, game, seat):
            reply = reply or self._shared.find(key, request.req_id)
        return reply

    def store(self, request: Request, game: ClientGame, reply: bytes) -> None:
        """Remember the reply to a request with an id; `join_room` may be repeated and is not remembered."""
        if request.req_id is None or request.known_type is RequestType.JOIN:
            return
        try:
            seat = _request_seat(request)
        except ClientError:
            return
        self._own.store((game.room, seat), request.req_id, reply)
        for key in _shared_keys(request, game, seat):
            self._shared.store(key, request.req_id, reply)


def request_nonce(request: Request, game: ClientGame, seat: Seat | None) -> Nonce | None:
    """Return the nonce of a seat's request with an id, None without one.

    The room remembers nonces when a restarted server has lost the replies. Nonces of seats differ, because
    everybody in a room receives every nonce.
    """
    seats = game.seats[:1] if seat is None else [seat]
    if request.req_id is None or not seats:
        return None
    name = "" if request.known_type in SEAT_REQUESTS else request.known_type
    return Nonce("r" + sha256(f"{seats[0]} {name} {request.req_id!r}".encode()).hexdigest()[:24])


def _shared_keys(request: Request, game: ClientGame, seat: Seat | None) -> list[SeatKey]:
    """Return the keys under which other holders of the same seats find a reply."""
    if seat is not None:
        return [(game.room, seat)] if seat in game.views else []
    # The command is part of the key: clients may number common commands and those of a seat separately.
    return (
        [((game.room, request.known_type), held) for held in game.seats]
        if request.known_type in COMMON_REQUESTS
        else []
    )


def _request_seat(request: Request) -> Seat | None:
    return parse_seat(request.data) if request.known_type in SEAT_REQUESTS else None
