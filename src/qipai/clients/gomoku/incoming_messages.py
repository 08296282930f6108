"""Parses the Socket.IO events that gomoku clients send."""

from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import MsgspecError

from qipai.games.gomoku.wire_types import PLACES
from qipai.kernel.codec import MAX_DEPTH, nesting_depth
from qipai.kernel.commands import Play


class RequestType(StrEnum):
    """The events that clients may send, by name."""

    LOBBY = "join-lobby"
    CREATE = "create-room"
    QUICK = "quick-match"
    JOIN = "join-room"
    LEAVE = "leave-room"
    PLACE = "place-stone"
    UNDO = "request-undo"
    ANSWER_UNDO = "respond-undo"
    SURRENDER = "surrender"
    CHAT = "chat-message"
    REFRESH = "refresh-rooms"
    REMATCH = "request-rematch"
    CANCEL = "cancel-rematch"
    SWAP = "request-swap"
    ANSWER_SWAP = "respond-swap"
    SEARCH = "search-room"


class Request(NamedTuple):
    """One event: its type and the fields of its payload, none if the payload is not an object."""

    type: RequestType
    fields: dict[str, Any]


MAX_CODE_LENGTH: Final = 8
MOVES: Final = tuple(Play(place) for place in PLACES)
"""The move to each cell, by x + 15 * y."""
MOVE_FRAME_ENDS: Final = {b'%d,"y":%d}]' % (move.move.x, move.move.y): move for move in MOVES}
"""The move by the last bytes of the frame that clients send for it; a frame found here is not parsed."""

_REQUEST_TYPES: Final = {request_type.value: request_type for request_type in RequestType}
_decode: Final = msgspec.json.Decoder(list[Any]).decode


def move_frame_start(code: str) -> bytes:
    """Return the first bytes of the frames that clients in a room send for a move."""
    return b'["place-stone",{"roomId":"%s","x":' % code.encode()


def parse_request(frame: bytes) -> Request | None:
    """Return the request of a frame, or None if the frame is not a known event."""
    if frame.count(b"[") + frame.count(b"{") > MAX_DEPTH and nesting_depth(frame) > MAX_DEPTH:
        return None
    try:
        event = _decode(frame)
    except (MsgspecError, UnicodeDecodeError, ValueError):
        return None
    request_type = _REQUEST_TYPES.get(event[0]) if event and isinstance(event[0], str) else None
    if request_type is None:
        return None
    payload = event[1] if len(event) > 1 else None
    return Request(request_type, payload if isinstance(payload, dict) else {})


def room_code(request: Request) -> str | None:
    """Return the code of the room that a request names, or None if that cannot be a code."""
    room = request.fields.get("roomId")
    return room if isinstance(room, str) and 0 < len(room) <= MAX_CODE_LENGTH else None


def parse_move(request: Request) -> Play | None:
    """Return the move of a request, or None if there is no such point."""
    x, y = request.fields.get("x"), request.fields.get("y")
    if type(x) is int and type(y) is int and 0 <= x < 15 and 0 <= y < 15:
        return MOVES[x + 15 * y]
    return None
