"""What was answered lately: a request that comes again from the same seat is answered, not done again."""

from collections import OrderedDict
from collections.abc import Hashable
from hashlib import sha256
from typing import Final

from qipai.kernel.ids import Nonce, Seat

from .client_game import ClientGame
from .errors import ClientError
from .incoming_messages import OPEN, SEATED, Request, RequestType, seat_of

EACH: Final = 16
SEATS: Final = 1_000
"""How many seats' answers are kept; those of the seat that has been silent longest go first."""

ReqId = str | int
Key = tuple[Hashable, Seat | None]


class ReplyCache:
    """The last answers of each seat, by the id of the request."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, OrderedDict[ReqId, bytes]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, seat: Key, req_id: ReqId) -> bytes | None:
        """Return what this request was answered with, if it is remembered."""
        known = self._kept.get(seat)
        return None if known is None else known.get(req_id)

    def keep(self, seat: Key, req_id: ReqId, answer: bytes) -> None:
        """Remember an answer."""
        known = self._kept.setdefault(seat, OrderedDict())
        self._kept.move_to_end(seat)
        known[req_id] = answer
        if len(known) > EACH:
            known.popitem(last=False)
        if len(self._kept) > SEATS:
            self._kept.popitem(last=False)


class SocketReplies:
    """The answers that one socket has had, and those of the seats it holds, whoever held them before.

    What belongs to no seat is known to every seat that the socket holds; a deal, which may have shown it
    several hands, to the socket alone.
    """

    __slots__ = ("_mine", "_shared")

    def __init__(self, shared: ReplyCache) -> None:
        self._shared = shared
        self._mine = ReplyCache()

    def known(self, request: Request, sitting: ClientGame) -> bytes | None:
        """Return the answer that the same request has had before."""
        if request.req_id is None:
            return None
        try:
            seat = _seat(request)
        except ClientError:
            return None
        found = self._mine.find((sitting.room, seat), request.req_id)
        for key in _keys(request, sitting, seat):
            found = found or self._shared.find(key, request.req_id)
        return found

    def keep(self, request: Request, sitting: ClientGame, answer: bytes) -> None:
        """Remember the answer to a request that has an id; to join twice does no harm."""
        if request.req_id is None or request.ask is RequestType.JOIN:
            return
        try:
            seat = _seat(request)
        except ClientError:
            return
        self._mine.keep((sitting.room, seat), request.req_id, answer)
        for key in _keys(request, sitting, seat):
            self._shared.keep(key, request.req_id, answer)


def nonce_of(request: Request, sitting: ClientGame, seat: Seat | None) -> Nonce | None:
    """Return what the table knows a seat's request by, if it has an id.

    The table remembers it when a server that began anew has forgotten the answer. Seats differ, for
    everybody at a table hears of every nonce.
    """
    mine = sitting.seats[:1] if seat is None else [seat]
    if request.req_id is None or not mine:
        return None
    name = "" if request.ask in SEATED else request.ask
    return Nonce("r" + sha256(f"{mine[0]} {name} {request.req_id!r}".encode()).hexdigest()[:24])


def _keys(request: Request, sitting: ClientGame, seat: Seat | None) -> list[Key]:
    """Return what an answer is known by to other sockets that hold the same seats."""
    if seat is not None:
        return [(sitting.room, seat)] if seat in sitting.views else []
    # By its name too: a seat's own commands and the table's may have been numbered apart.
    return [((sitting.room, request.ask), held) for held in sitting.seats] if request.ask in OPEN else []


def _seat(request: Request) -> Seat | None:
    return seat_of(request.data) if request.ask in SEATED else None
