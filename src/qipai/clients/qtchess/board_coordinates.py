"""Rows and columns of the chess client, to and from UCI moves; the fast path for plain moves.

Row 0 is rank 8, column 0 is file a.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from qipai.games.chess.wire_types import Move
from qipai.kernel.commands import Play

from .errors import ClientError
from .incoming_messages import MAX_RELAYED, Fields

FILES: Final = "abcdefgh"
PIECE_NUMBERS: Final = {"P": 1, "R": 2, "N": 3, "B": 4, "Q": 5, "K": 6}
"""The clients' numbers of pieces."""
PIECE_LETTERS: Final = {number: letter for letter, number in PIECE_NUMBERS.items()}
_PROMOTION_LETTERS: Final = {2: "r", 3: "n", 4: "b", 5: "q"}
_PROMOTION_NUMBERS: Final = {letter: number for number, letter in _PROMOTION_LETTERS.items()}
_SQUARE_NAMES: Final = tuple(FILES[square % 8] + str(8 - square // 8) for square in range(64))
"""By row * 8 + column."""
MOVES: Final = tuple(Play(Move(start + end)) for start in _SQUARE_NAMES for end in _SQUARE_NAMES)
"""Moves without a promotion, by fromRow * 512 + fromCol * 64 + toRow * 8 + toCol."""
NULL_MOVE: Final = MOVES[0]
"""From a square to itself: always illegal, and refused by turn first if it is not the player's turn."""


_FIELD_COUNT: Final = 6
"""Fields of a move without a promotion."""
_CLOSING_BRACE: Final = ord("}")
_Coordinate = Annotated[int, Meta(ge=0, le=7)]


class FastMove(Struct, frozen=True, gc=False, forbid_unknown_fields=True, rename="camel"):
    """A move with valid coordinates and no unknown fields, as nearly all moves are sent."""

    action: Literal["move"]
    room: str
    from_row: _Coordinate
    from_col: _Coordinate
    to_row: _Coordinate
    to_col: _Coordinate
    promotion: int | UnsetType | None = UNSET


_decode_fast_move: Final = msgspec.json.Decoder(FastMove).decode


def parse_fast_move(frame: bytes, room: str) -> FastMove | None:
    """Return a move in this room whose frame can be relayed unchanged, None if it must be parsed in full.

    As many colons as fields means that no field occurs twice: of two, some parsers take the first, others the
    last.
    """
    try:
        move = _decode_fast_move(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if frame.count(b":") != (_FIELD_COUNT if move.promotion is UNSET else _FIELD_COUNT + 1):
        return None
    return move if move.room == room and frame[-1] == _CLOSING_BRACE and len(frame) <= MAX_RELAYED else None


def promotion_move(cell: int, promotion: Any, *, unchecked: bool) -> Play:
    """Return the move with a promotion.

    With an invalid promotion it is the null move, or the plain move where moves are unchecked.
    """
    letter = _PROMOTION_LETTERS.get(promotion) if type(promotion) is int else None
    if letter is None:
        return MOVES[cell] if unchecked else NULL_MOVE
    return Play(Move(_SQUARE_NAMES[cell >> 6] + _SQUARE_NAMES[cell & 63] + letter))


def parse_move(fields: Fields, room: str) -> FastMove | ClientError:
    """Return the move of a frame, or the error it is refused with."""
    row, column, to_row, to_column = (fields.get(key) for key in ("fromRow", "fromCol", "toRow", "toCol"))
    if not (type(row) is type(column) is type(to_row) is type(to_column) is int):
        return ClientError.SQUARES
    if (row | column | to_row | to_column) & -8:
        return ClientError.RANGE
    return FastMove("move", room, row, column, to_row, to_column, fields.get("promotion"))


def move_coordinates(uci: str) -> tuple[int, int, int, int, int | None]:
    """Return rows, columns and promotion of a UCI move."""
    promotion = _PROMOTION_NUMBERS[uci[4]] if len(uci) > 4 else None
    return 8 - int(uci[1]), FILES.index(uci[0]), 8 - int(uci[3]), FILES.index(uci[2]), promotion


def square_coordinates(square: str) -> tuple[int, int]:
    """Return row and column of a square."""
    return 8 - int(square[1]), FILES.index(square[0])


def square_number(row: int, column: int) -> int:
    """Return the number of a square: a1 is 0, h8 is 63."""
    return (7 - row) * 8 + column


def king_square(fen: str, *, white: bool) -> tuple[int, int]:
    """Return the row and column of a king; a corner if there is none."""
    for row, rank in enumerate(fen.split(" ", 1)[0].split("/")):
        column = 0
        for symbol in rank:
            if symbol == ("K" if white else "k"):
                return row, column
            column += int(symbol) if symbol.isdigit() else 1
    return 0, 0
