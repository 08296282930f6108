"""Squares as older clients name them: row 0 is rank 8, column 0 is file a."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from qipai.games.chess.wire_types import Move
from qipai.kernel.commands import Play

from .incoming_messages import LARGE

FILES: Final = "abcdefgh"
KINDS: Final = {"P": 1, "R": 2, "N": 3, "B": 4, "Q": 5, "K": 6}
"""The clients' numbers for kinds of pieces, in their order."""
LETTERS: Final = {number: letter for letter, number in KINDS.items()}
_PROMOTIONS: Final = {2: "r", 3: "n", 4: "b", 5: "q"}
_NUMBERS: Final = {letter: number for number, letter in _PROMOTIONS.items()}
_NAMES: Final = tuple(FILES[place % 8] + str(8 - place // 8) for place in range(64))
"""By row * 8 + column."""
PLAYS: Final = tuple(Play(Move(start + end)) for start in _NAMES for end in _NAMES)
"""Moves without a promotion, by fromRow * 512 + fromCol * 64 + toRow * 8 + toCol."""
NO_MOVE: Final = PLAYS[0]
"""From a square to itself: no rules allow it, so whoever is not to move hears of that first."""


_FIELDS: Final = 6
"""Of a move without a promotion."""
_BRACE: Final = ord("}")
_Line = Annotated[int, Meta(ge=0, le=7)]


class FastMove(Struct, frozen=True, gc=False, forbid_unknown_fields=True, rename="camel"):
    """A move as nearly all of them are sent: nothing is wrong with it, and nothing unknown in it."""

    action: Literal["move"]
    room: str
    from_row: _Line
    from_col: _Line
    to_row: _Line
    to_col: _Line
    promotion: int | UnsetType | None = UNSET


_plain: Final = msgspec.json.Decoder(FastMove).decode


def plain(frame: bytes, room: str) -> FastMove | None:
    """Return a move in this room that can be sent on as it is, or None if more care is needed to read it.

    As many colons as fields means that no field stands there twice: one reader may take the first of two,
    another the last.
    """
    try:
        move = _plain(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if frame.count(b":") != (_FIELDS if move.promotion is UNSET else _FIELDS + 1):
        return None
    return move if move.room == room and frame[-1] == _BRACE and len(frame) <= LARGE else None


def promoted(cell: int, promotion: Any, *, trusting: bool) -> Play:
    """Return the move with a promotion; one that is none leads nowhere, unless moves are not checked."""
    letter = _PROMOTIONS.get(promotion) if type(promotion) is int else None
    if letter is None:
        return PLAYS[cell] if trusting else NO_MOVE
    return Play(Move(_NAMES[cell >> 6] + _NAMES[cell & 63] + letter))


def places(uci: str) -> tuple[int, int, int, int, int | None]:
    """Return rows, columns and promotion of a move."""
    promotion = _NUMBERS[uci[4]] if len(uci) > 4 else None
    return 8 - int(uci[1]), FILES.index(uci[0]), 8 - int(uci[3]), FILES.index(uci[2]), promotion


def place(square: str) -> tuple[int, int]:
    """Return row and column of a square."""
    return 8 - int(square[1]), FILES.index(square[0])


def number(row: int, column: int) -> int:
    """Return a square's number: a1 is 0, h8 is 63."""
    return (7 - row) * 8 + column


def king(fen: str, *, white: bool) -> tuple[int, int]:
    """Return where a king stands; a corner if it has none."""
    for row, rank in enumerate(fen.split(" ", 1)[0].split("/")):
        column = 0
        for sign in rank:
            if sign == ("K" if white else "k"):
                return row, column
            column += int(sign) if sign.isdigit() else 1
    return 0, 0
