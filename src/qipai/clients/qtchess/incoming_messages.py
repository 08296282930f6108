"""What a client may ask: the fields of one frame, and what of them is sent on to the other player."""

import json
from collections.abc import Collection
from enum import StrEnum
from typing import Any, Final

import msgspec

from qipai.kernel.codec import nesting_depth

Fields = dict[str, Any]

LARGE: Final = 1024
"""Bytes of a frame of which unknown fields are sent on."""
MAX_ROOM: Final = 32
DEEPEST: Final = 512
"""Nesting beyond which a frame is noise; every Python can read this deep, and its own limits differ."""


class RequestType(StrEnum):
    """The actions that are known."""

    MOVE = "move"
    CREATE = "createRoom"
    JOIN = "joinRoom"
    START = "startGame"
    ROLL = "requestDice"
    THROW = "diceRoll"
    INTERRUPTED = "diceCheckInterruption"
    RESOLVED = "diceCheckResolved"
    RESIGN = "surrender"
    OFFER = "drawOffer"
    ANSWER = "drawResponse"
    OVER = "gameOver"
    LEAVE = "leaveRoom"


ASKS: Final = {ask.value: ask for ask in RequestType}
_OURS: Final = ("timerState", "diceState")
"""What only we write into a move."""
_KNOWN: Final[dict[RequestType, dict[str, Collection[type]]]] = {
    RequestType.MOVE: {
        "fromRow": {int},
        "fromCol": {int},
        "toRow": {int},
        "toCol": {int},
        "promotion": {int, type(None)},
        "diceCheckInterruption": {bool},
        "savedDiceMoves": {int},
    },
    RequestType.THROW: {"dice": {list}},
    RequestType.ANSWER: {"accepted": {bool}},
    RequestType.OVER: {"result": {str}},
}
"""Beside `action` and `room`: what is sent on of a frame that is too large to be sent on whole."""

_decode: Final = msgspec.json.Decoder(Fields).decode
_encode: Final = msgspec.json.Encoder().encode


def fields_of(frame: bytes) -> Fields | None:
    """Return the fields of a frame, or None if it is no JSON object.

    What is too deep to be read has no fields: it is noise, and the clients take any error for the end.
    """
    if frame.count(b"[") + frame.count(b"{") > DEEPEST and nesting_depth(frame) > DEEPEST:
        return {}
    try:
        return _decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return _leniently(frame)


def _leniently(frame: bytes) -> Fields | None:
    """Return the fields of what only the clients' readers take for JSON: huge numbers, half characters."""
    try:
        found = json.loads(frame.decode(), parse_constant=_refuse)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def ask_of(fields: Fields) -> RequestType | None:
    """Return the action that is asked for, or None if nobody here knows it."""
    action = fields.get("action")
    return ASKS.get(action) if isinstance(action, str) else None


def opened(ask: RequestType, frame: bytes, fields: Fields) -> bytes:
    """Return a frame as it is sent on, less its closing brace, so that more can be put behind.

    As many colons as fields means that nothing nests, and that no field stands there twice: one reader
    may take the first of two, another the last.
    """
    if (
        len(frame) <= LARGE
        and frame.count(b":") == len(fields)
        and frame.endswith(b"}")
        and "timerState" not in fields
        and "diceState" not in fields
    ):
        return frame[:-1]
    if len(frame) <= LARGE:
        try:
            return _encode({key: value for key, value in fields.items() if key not in _OURS})[:-1]
        except UnicodeEncodeError:
            # Half a character is in it somewhere, which nobody has asked for.
            pass
    known = _KNOWN.get(ask, {})
    kept = {key: value for key, value in fields.items() if type(value) in known.get(key, ())}
    return _encode({"action": ask.value, "room": fields["room"], **kept})[:-1]


def whole(ask: RequestType, frame: bytes, fields: Fields) -> bytes:
    """Return a frame as it is sent on."""
    return opened(ask, frame, fields) + b"}"
