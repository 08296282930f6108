"""What a client may ask: the events of one Socket.IO frame, read strictly."""

from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, MsgspecError, Raw, Struct, UnsetType

from qipai.games.tictactoe.rules import Mark
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import Play


class RequestType(StrEnum):
    """The events that are known, and `UNKNOWN` for an action that is not."""

    JOIN = "join_pvp"
    MOVE = "make_move"
    NEXT = "reset_game"
    AGAIN = "start_new_match"
    CHAT = "chat message"
    UNKNOWN = "action"


class _Square(Struct, frozen=True):
    row: Annotated[int, Meta(ge=0, le=2)]
    col: Annotated[int, Meta(ge=0, le=2)]


class _Line(Struct, frozen=True):
    message: str


class _Action(Struct, frozen=True):
    action: str
    data: Raw | UnsetType = UNSET


Request = tuple[RequestType, Play | str | None]
"""What is asked, with the move or the line of chat; None in its place means that it is no good."""

_MOVES: Final = tuple(Play(Mark(cell)) for cell in range(9))
MARKS: Final = {
    b'["make_move",{"row":%d,"col":%d}]' % divmod(cell, 3): move for cell, move in enumerate(_MOVES)
}
"""The frames that clients send for a mark, letter by letter: finding one here saves reading it."""

_arguments: Final = msgspec.json.Decoder(list[Raw]).decode
_name: Final = msgspec.json.Decoder(str).decode
_square: Final = msgspec.json.Decoder(_Square).decode
_line: Final = msgspec.json.Decoder(str | _Line).decode
_action: Final = msgspec.json.Decoder(_Action).decode
_ACTIONS: Final = {
    ask.value: ask for ask in (RequestType.JOIN, RequestType.MOVE, RequestType.NEXT, RequestType.AGAIN)
}
_EVENTS: Final = {ask.value: ask for ask in RequestType}


def question(frame: bytes) -> Request | None:
    """Return what the frame asks, or None for an event that nobody knows; raise `Malformed`."""
    # Not `codec.read`: a long line of chat is cut, not refused, and the transport knows its limits.
    try:
        arguments = _arguments(frame)
    except (MsgspecError, UnicodeDecodeError) as error:
        if frame.startswith(b'["make_move",'):
            return RequestType.MOVE, None
        raise Malformed(str(error)) from None
    ask = _EVENTS.get(_read(_name, arguments[0])) if arguments else None
    if ask is None:
        return None
    first = arguments[1] if len(arguments) > 1 else UNSET
    if ask is RequestType.UNKNOWN:
        action = _read(_action, first)
        if action is None or action.action not in _ACTIONS:
            return RequestType.UNKNOWN, None
        ask, first = _ACTIONS[action.action], action.data
    if ask is RequestType.MOVE:
        square = _read(_square, first)
        return ask, None if square is None else _MOVES[square.row * 3 + square.col]
    if ask is RequestType.CHAT:
        line = _read(_line, first)
        return ask, line.message if isinstance(line, _Line) else line
    return ask, None


def _read(decode: Any, raw: Raw | UnsetType) -> Any:
    """Return the argument as its decoder reads it, or None if there is none or it is something else."""
    if raw is UNSET:
        return None
    try:
        return decode(raw)
    except (MsgspecError, UnicodeDecodeError):
        return None
