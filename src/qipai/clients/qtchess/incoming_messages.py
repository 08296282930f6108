"""Parses the frames that chess clients send, and what of them is relayed to the opponent."""

import json
from collections.abc import Collection
from enum import StrEnum
from typing import Any, Final

import msgspec

from qipai.kernel.codec import nesting_depth

Fields = dict[str, Any]

MAX_RELAYED: Final = 1024
"""Bytes of the largest frame whose unknown fields are relayed."""
MAX_DEPTH: Final = 512
"""Deepest nesting of a frame that is parsed; every supported Python can parse this deep."""
MAX_ROOM_LENGTH: Final = 32


class RequestType(StrEnum):
    """The actions that clients may send."""

    MOVE = "move"
    CREATE = "createRoom"
    JOIN = "joinRoom"
    START = "startGame"
    REQUEST_DICE = "requestDice"
    SET_DICE = "diceRoll"
    INTERRUPTED = "diceCheckInterruption"
    RESOLVED = "diceCheckResolved"
    RESIGN = "surrender"
    OFFER = "drawOffer"
    ANSWER = "drawResponse"
    OVER = "gameOver"
    LEAVE = "leaveRoom"


REQUEST_TYPES: Final = {request_type.value: request_type for request_type in RequestType}
_SERVER_FIELDS: Final = ("timerState", "diceState")
"""Fields of a move that only the server writes."""
_RELAYED_FIELDS: Final[dict[RequestType, dict[str, Collection[type]]]] = {
    RequestType.MOVE: {
        "fromRow": {int},
        "fromCol": {int},
        "toRow": {int},
        "toCol": {int},
        "promotion": {int, type(None)},
        "diceCheckInterruption": {bool},
        "savedDiceMoves": {int},
    },
    RequestType.SET_DICE: {"dice": {list}},
    RequestType.ANSWER: {"accepted": {bool}},
    RequestType.OVER: {"result": {str}},
}
"""Fields that are relayed of a frame above `MAX_RELAYED`, beside `action` and `room`, with their types."""

_decode: Final = msgspec.json.Decoder(Fields).decode
_encode: Final = msgspec.json.Encoder().encode


def parse_fields(frame: bytes) -> Fields | None:
    """Return the fields of a frame, or None if it is not a JSON object.

    A frame nested too deeply has no fields and is ignored: the clients end their game on any error.
    """
    if frame.count(b"[") + frame.count(b"{") > MAX_DEPTH and nesting_depth(frame) > MAX_DEPTH:
        return {}
    try:
        return _decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return _parse_leniently(frame)


def _parse_leniently(frame: bytes) -> Fields | None:
    """Return the fields of JSON that clients accept and msgspec does not: huge numbers, lone surrogates."""
    try:
        fields = json.loads(frame.decode(), parse_constant=_refuse_constant)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def _refuse_constant(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def request_type_of(fields: Fields) -> RequestType | None:
    """Return the action of a frame, or None if it is unknown."""
    action = fields.get("action")
    return REQUEST_TYPES.get(action) if isinstance(action, str) else None


def is_about_room(fields: Fields, code: str) -> bool:
    """Tell whether a frame names this room."""
    room = fields.get("room")
    return isinstance(room, str) and room.upper() == code


def open_frame(request_type: RequestType, frame: bytes, fields: Fields) -> bytes:
    """Return a frame to be relayed, without its closing brace, so that fields can be added.

    As many colons as fields means that nothing nests and that no field occurs twice: of two, some parsers
    take the first, others the last.
    """
    if (
        len(frame) <= MAX_RELAYED
        and frame.count(b":") == len(fields)
        and frame.endswith(b"}")
        and "timerState" not in fields
        and "diceState" not in fields
    ):
        return frame[:-1]
    if len(frame) <= MAX_RELAYED:
        try:
            return _encode({key: value for key, value in fields.items() if key not in _SERVER_FIELDS})[:-1]
        except UnicodeEncodeError:
            # A lone surrogate in an unknown field cannot be encoded.
            pass
    allowed = _RELAYED_FIELDS.get(request_type, {})
    relayed = {key: value for key, value in fields.items() if type(value) in allowed.get(key, ())}
    return _encode({"action": request_type.value, "room": fields["room"], **relayed})[:-1]


def relayed_frame(request_type: RequestType, frame: bytes, fields: Fields) -> bytes:
    """Return a frame to be relayed."""
    return open_frame(request_type, frame, fields) + b"}"
