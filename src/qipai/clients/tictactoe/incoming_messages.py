"""Parses the Socket.IO events that tic-tac-toe clients send."""

from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, MsgspecError, Raw, Struct, UnsetType

from qipai.games.tictactoe.rules import Mark
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import Play


class RequestType(StrEnum):
    """The events that clients may send; `UNKNOWN` is an unknown action."""

    JOIN = "join_pvp"
    MOVE = "make_move"
    NEXT = "reset_game"
    NEW_MATCH = "start_new_match"
    CHAT = "chat message"
    UNKNOWN = "action"


class _MoveFields(Struct, frozen=True):
    row: Annotated[int, Meta(ge=0, le=2)]
    col: Annotated[int, Meta(ge=0, le=2)]


class _ChatFields(Struct, frozen=True):
    message: str


class _ActionFields(Struct, frozen=True):
    action: str
    data: Raw | UnsetType = UNSET


Request = tuple[RequestType, Play | str | None]
"""The type of an event with its move or chat text; None instead of these if they are missing or invalid."""

_MOVES: Final = tuple(Play(Mark(cell)) for cell in range(9))
REQUEST_MOVES: Final = {
    b'["make_move",{"row":%d,"col":%d}]' % divmod(cell, 3): move for cell, move in enumerate(_MOVES)
}
"""The move by the frame that clients send for it, byte for byte; a frame found here is not parsed."""

_decode_arguments: Final = msgspec.json.Decoder(list[Raw]).decode
_decode_name: Final = msgspec.json.Decoder(str).decode
_decode_move: Final = msgspec.json.Decoder(_MoveFields).decode
_decode_chat: Final = msgspec.json.Decoder(str | _ChatFields).decode
_decode_action: Final = msgspec.json.Decoder(_ActionFields).decode
_ACTIONS: Final = {
    request_type.value: request_type
    for request_type in (RequestType.JOIN, RequestType.MOVE, RequestType.NEXT, RequestType.NEW_MATCH)
}
_REQUEST_TYPES: Final = {request_type.value: request_type for request_type in RequestType}


def parse_request(frame: bytes) -> Request | None:
    """Return the request of a frame, or None for an unknown event; raise `Malformed`."""
    # Not `codec.read`: a long chat line is cut, not refused; the transport limits the size of frames.
    try:
        arguments = _decode_arguments(frame)
    except (MsgspecError, UnicodeDecodeError) as error:
        if frame.startswith(b'["make_move",'):
            return RequestType.MOVE, None
        raise Malformed(str(error)) from None
    request_type = _REQUEST_TYPES.get(_decode(_decode_name, arguments[0])) if arguments else None
    if request_type is None:
        return None
    argument = arguments[1] if len(arguments) > 1 else UNSET
    if request_type is RequestType.UNKNOWN:
        action = _decode(_decode_action, argument)
        if action is None or action.action not in _ACTIONS:
            return RequestType.UNKNOWN, None
        request_type, argument = _ACTIONS[action.action], action.data
    if request_type is RequestType.MOVE:
        square = _decode(_decode_move, argument)
        return request_type, None if square is None else _MOVES[square.row * 3 + square.col]
    if request_type is RequestType.CHAT:
        chat = _decode(_decode_chat, argument)
        return request_type, chat.message if isinstance(chat, _ChatFields) else chat
    return request_type, None


def _decode(decode: Any, raw: Raw | UnsetType) -> Any:
    """Return the decoded argument, or None if it is missing or of another type."""
    if raw is UNSET:
        return None
    try:
        return decode(raw)
    except (MsgspecError, UnicodeDecodeError):
        return None
