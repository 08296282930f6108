"""What a client may ask: the event of one Socket.IO frame with its payload, whatever that is."""

from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import MsgspecError

from qipai.games.gomoku.rules import PLACES
from qipai.kernel.codec import MAX_DEPTH, nesting_depth
from qipai.kernel.commands import Play


class RequestType(StrEnum):
    """The events that are known."""

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
    """What is asked, and with what; a payload that is no object has no fields."""

    ask: RequestType
    fields: dict[str, Any]


MAX_CODE: Final = 8
PLAYS: Final = tuple(Play(place) for place in PLACES)
"""A move for each cell, x + 15 * y."""
TAILS: Final = {b'%d,"y":%d}]' % (move.move.x, move.move.y): move for move in PLAYS}
"""How the frames that clients send for a stone end, letter by letter: finding one saves reading it."""

_EVENTS: Final = {ask.value: ask for ask in RequestType}
_read: Final = msgspec.json.Decoder(list[Any]).decode


def opening(code: str) -> bytes:
    """Return how the frames begin that clients of this room send for a stone."""
    return b'["place-stone",{"roomId":"%s","x":' % code.encode()


def question(frame: bytes) -> Request | None:
    """Return what the frame asks, or None if nobody here knows it."""
    if frame.count(b"[") + frame.count(b"{") > MAX_DEPTH and nesting_depth(frame) > MAX_DEPTH:
        return None
    try:
        said = _read(frame)
    except (MsgspecError, UnicodeDecodeError, ValueError):
        return None
    ask = _EVENTS.get(said[0]) if said and isinstance(said[0], str) else None
    if ask is None:
        return None
    payload = said[1] if len(said) > 1 else None
    return Request(ask, payload if isinstance(payload, dict) else {})


def room_of(question: Request) -> str | None:
    """Return the room that is asked about, or None if that cannot be one."""
    room = question.fields.get("roomId")
    return room if isinstance(room, str) and 0 < len(room) <= MAX_CODE else None


def stone_of(question: Request) -> Play | None:
    """Return the stone that is asked for, or None if there is no such point."""
    x, y = question.fields.get("x"), question.fields.get("y")
    if type(x) is int and type(y) is int and 0 <= x < 15 and 0 <= y < 15:
        return PLAYS[x + 15 * y]
    return None
