"""Evaluates positions: material, piece squares, pawn structure, king safety.

A search node has three parts: a rust-chess board for move generation; `cells` with a code for each square (a1
first; 0 is empty, 1-6 are white P N B R Q K, 7-12 black); and `packed`, the incrementally updated sum of the
piece-square values in the middlegame, in the endgame, and of the game phase, in one integer, so that a move
costs a few additions.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from rust_chess import BLACK_PAWN, BLACK_ROOK, WHITE_PAWN, WHITE_ROOK, Board, RepetitionDetectionMode
from rust_chess import Move as Push

from qipai.games.chess.position import SQUARES, board_letters

LETTERS: Final = ".PNBRQKpnbrqk"
PIECE_VALUES: Final = (0, 95, 325, 335, 500, 960, 0, 95, 325, 335, 500, 960, 0)
"""Value of a captured piece by its code, in centipawns."""
_MIDDLEGAME_VALUES: Final = (82, 330, 342, 480, 970, 0)
_ENDGAME_VALUES: Final = (100, 300, 318, 525, 960, 0)
_PHASE_WEIGHTS: Final = (0, 1, 1, 2, 4, 0)
_MAX_PHASE: Final = 24
_FIELD_BITS: Final = 20
_HALF: Final = 1 << _FIELD_BITS - 1
_MASK: Final = (1 << _FIELD_BITS) - 1
_PAWN_MIDDLE: Final = (0, 0, 4, 10, 18, 35, 60, 0)
_PAWN_END: Final = (0, 0, 6, 16, 34, 62, 100, 0)
_KING_HOME: Final = (24, 34, 18, -4, 0, -8, 38, 26)
_PASSED: Final = (0, 4, 8, 18, 36, 62, 95, 0)
_FILE: Final = 0x0101_0101_0101_0101
_FILES: Final = tuple(_FILE << file for file in range(8))
_ADJACENT_FILES: Final = tuple(
    (_FILES[file - 1] if file else 0) | (_FILES[file + 1] if file < 7 else 0) for file in range(8)
)
_FULL: Final = (1 << 64) - 1


def _middlegame_bonus(kind: int, file: int, rank: int) -> int:
    """Return the middlegame bonus of a white piece on a square."""
    edge = abs(2 * file - 7) + abs(2 * rank - 7)
    match kind:
        case 0:
            centre = 14 if file in (3, 4) and rank in (3, 4) else -14 if file in (3, 4) and rank == 1 else 0
            return _PAWN_MIDDLE[rank] + centre - (4 if file in (0, 7) else 0)
        case 1:
            return 26 - 4 * edge - (8 if rank == 0 else 0)
        case 2:
            return 14 - 2 * edge - (10 if rank == 0 else 0) + (6 if (file, rank) in ((1, 1), (6, 1)) else 0)
        case 3:
            return (16 if rank == 6 else 0) + (6 if file in (3, 4) else 0)
        case 4:
            return 4 - edge // 2 - (6 if rank in (3, 4) else 0)
        case _:
            return _KING_HOME[file] if rank == 0 else -14 - 16 * min(rank, 4)


def _endgame_bonus(kind: int, file: int, rank: int) -> int:
    """Return the endgame bonus of a white piece on a square."""
    edge = abs(2 * file - 7) + abs(2 * rank - 7)
    match kind:
        case 0:
            return _PAWN_END[rank]
        case 1:
            return 18 - 3 * edge
        case 2:
            return 10 - edge
        case 3:
            return 8 if rank == 6 else 0
        case 4:
            return 16 - 2 * edge
        case _:
            return 28 - 5 * edge


def _pack(middle: int, end: int, phase: int = 0) -> int:
    return (phase << 2 * _FIELD_BITS) + (middle << _FIELD_BITS) + end


def _piece_square_table() -> tuple[tuple[int, ...], ...]:
    table: list[tuple[int, ...]] = [(0,) * 64]
    white = []
    for kind in range(6):
        squares = [
            (
                _MIDDLEGAME_VALUES[kind] + _middlegame_bonus(kind, square % 8, square // 8),
                _ENDGAME_VALUES[kind] + _endgame_bonus(kind, square % 8, square // 8),
            )
            for square in range(64)
        ]
        white.append(squares)
        table.append(tuple(_pack(*values, _PHASE_WEIGHTS[kind]) for values in squares))
    for kind in range(6):
        mirrored = [white[kind][square ^ 56] for square in range(64)]
        table.append(tuple(_pack(-middle, -end, _PHASE_WEIGHTS[kind]) for middle, end in mirrored))
    return tuple(table)


PIECE_SQUARE: Final = _piece_square_table()
"""Packed piece-square values: by piece code, then by square."""


@cache
def _piece_square_at_phase(phase: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(_tapered(packed, phase) for packed in row) for row in PIECE_SQUARE)


def tapered_piece_square(packed: int) -> tuple[tuple[int, ...], ...]:
    """Return the piece-square values in centipawns at the game phase of a packed sum."""
    return _piece_square_at_phase(min(packed + _HALF + (_HALF << _FIELD_BITS) >> 2 * _FIELD_BITS, _MAX_PHASE))


def _tapered(packed: int, phase: int) -> int:
    end = (packed + _HALF & _MASK) - _HALF
    middle = ((packed - end >> _FIELD_BITS) + _HALF & _MASK) - _HALF
    return (middle * phase + end * (_MAX_PHASE - phase)) // _MAX_PHASE


class MoveSquares(NamedTuple):
    """A move as numbers: source and target square, and the kind it promotes to (0: none)."""

    source: int
    target: int
    kind: int


MOVE_SQUARES: Final = {
    SQUARES[source] + SQUARES[target] + letter: MoveSquares(source, target, kind)
    for source in range(64)
    for target in range(64)
    for letter, kind in (("", 0), ("n", 2), ("b", 3), ("r", 4), ("q", 5))
    if not letter or source // 8 in (1, 6)
}


class Node(NamedTuple):
    """A position of the search."""

    board: Board
    cells: bytearray
    packed: int


legal_moves: Callable[[Board], Iterable[Push]] = Board.generate_legal_moves  # type: ignore[assignment] # never None
legal_captures: Callable[[Board], Iterable[Push]] = Board.generate_legal_captures  # type: ignore[assignment] # nor here


def board_of(fen: str) -> Board:
    """Return a rust-chess board, or raise ValueError for a position that the library rejects."""
    return Board(fen, mode=RepetitionDetectionMode.NONE)


def node_of(fen: str) -> Node:
    """Return the search node of a position, or raise ValueError as `board_of` does."""
    # A FEN starts at a8, `cells` at a1.
    letters = board_letters(fen)
    cells = bytearray(LETTERS.index(letters[square ^ 56]) for square in range(64))
    return Node(board_of(fen), cells, sum(PIECE_SQUARE[code][square] for square, code in enumerate(cells)))


def uci_moves(board: Board) -> list[str]:
    """Return the legal moves; resets the move generator, which earlier calls may have consumed."""
    board.reset_move_generator()
    return [push.get_uci() for push in legal_moves(board)]


def after_move(cells: bytearray, packed: int, squares: MoveSquares) -> tuple[bytearray, int]:
    """Return the cells and the packed sum after a legal move."""
    source, target, kind = squares
    after = cells[:]
    piece, captured = after[source], after[target]
    after[source] = 0
    placed = PIECE_SQUARE[piece]
    packed -= placed[source]
    if captured:
        packed -= PIECE_SQUARE[captured][target]
    if kind:
        piece = kind if piece == 1 else kind + 6
        placed = PIECE_SQUARE[piece]
    elif piece in (1, 7):
        if not captured and (target - source) & 7:
            passed_square = source & 56 | target & 7
            packed -= PIECE_SQUARE[after[passed_square]][passed_square]
            after[passed_square] = 0
    elif piece in (6, 12) and target - source in (2, -2):
        corner, passed_square = (target + 1, target - 1) if target > source else (target - 2, target + 1)
        rook = PIECE_SQUARE[after[corner]]
        packed += rook[passed_square] - rook[corner]
        after[passed_square], after[corner] = after[corner], 0
    after[target] = piece
    return after, packed + placed[target]


PawnStructure = tuple[int, int, int]
"""Packed score of a pawn structure; files without white pawns; files without black pawns."""


class Evaluator:
    """Static evaluation with a pawn hash table."""

    def __init__(self) -> None:
        self._pawn_table: dict[tuple[int, int], PawnStructure] = {}

    def score(self, board: Board, cells: bytearray, packed: int) -> int:
        """Return the score of a position for white, in centipawns."""
        white, black = (
            board.get_piece_bitboard(WHITE_PAWN).to_uint(),
            board.get_piece_bitboard(BLACK_PAWN).to_uint(),
        )
        pawns = self._pawn_table.get((white, black)) or self._pawn_structure(white, black)
        packed += pawns[0]
        end = (packed + _HALF & _MASK) - _HALF
        packed = packed - end >> _FIELD_BITS
        middle = (packed + _HALF & _MASK) - _HALF
        phase = min(packed - middle >> _FIELD_BITS, _MAX_PHASE)
        bonus = 0
        if phase > 3:
            rooks = (
                board.get_piece_bitboard(WHITE_ROOK).to_uint(),
                board.get_piece_bitboard(BLACK_ROOK).to_uint(),
            )
            bonus = 10 * ((rooks[0] & pawns[1]).bit_count() - (rooks[1] & pawns[2]).bit_count())
            bonus += 8 * ((rooks[0] & pawns[2]).bit_count() - (rooks[1] & pawns[1]).bit_count())
            white_king, black_king = cells.index(6), cells.index(12)
            middle += 9 * (
                (white & _SHIELD[white_king]).bit_count() - (black & _SHIELD[black_king]).bit_count()
            )
        if cells.count(3) > 1:
            bonus += 28
        if cells.count(9) > 1:
            bonus -= 28
        score = (middle * phase + end * (_MAX_PHASE - phase)) // _MAX_PHASE + bonus
        if phase <= 6 and (not white or not black):
            score = _endgame_score(cells, score, white, black, phase)
        return score

    def _pawn_structure(self, white: int, black: int) -> PawnStructure:
        open_white = open_black = 0
        for file in _FILES:
            open_white |= 0 if white & file else file
            open_black |= 0 if black & file else file
        mirrored = _mirror(white), _mirror(black)
        middle, end = _pawn_scores(white, black)
        minus_middle, minus_end = _pawn_scores(mirrored[1], mirrored[0])
        pawns = _pack(middle - minus_middle, end - minus_end), open_white, open_black
        self._pawn_table[white, black] = pawns
        return pawns


def _mirror(pawns: int) -> int:
    return int.from_bytes(pawns.to_bytes(8, "little"), "big")


def _pawn_scores(ours: int, theirs: int) -> tuple[int, int]:
    """Return the scores of white's passed, doubled and isolated pawns: middlegame, endgame."""
    middle = end = 0
    remaining = ours
    while remaining:
        square = (remaining & -remaining).bit_length() - 1
        remaining &= remaining - 1
        file, rank = square % 8, square // 8
        ahead = _FULL << 8 * (rank + 1) & _FULL
        if not theirs & (_FILES[file] | _ADJACENT_FILES[file]) & ahead and not ours & _FILES[file] & ahead:
            middle += _PASSED[rank] // 2
            end += _PASSED[rank]
        if ours & _FILES[file] & ahead:
            middle -= 10
            end -= 18
        if not ours & _ADJACENT_FILES[file]:
            middle -= 12
            end -= 10
    return middle, end


def _shield_squares(square: int, ahead: int) -> int:
    """Return the pawn-shield squares of a king on its first two ranks."""
    file, rank = square % 8, square // 8
    if rank not in ((0, 1) if ahead > 0 else (6, 7)):
        return 0
    files = _FILES[file] | _ADJACENT_FILES[file]
    return files & (0xFF << 8 * (rank + ahead) | 0xFF << 8 * (rank + 2 * ahead))


_SHIELD: Final = tuple(_shield_squares(square, 1) | _shield_squares(square, -1) for square in range(64))


def _endgame_score(cells: bytearray, score: int, white: int, black: int, phase: int) -> int:
    """Return the score with few pieces left: a draw without winning material, else king to the edge."""
    if not white and not black and phase <= 1:
        return 0
    ahead = white if score > 0 else black
    if not ahead and phase <= 2 and abs(score) < 450:
        return score // 8
    strong, weak = cells.index(6), cells.index(12)
    if score < 0:
        strong, weak = weak, strong
    edge_distance = abs(2 * (weak % 8) - 7) + abs(2 * (weak // 8) - 7)
    king_distance = abs(strong % 8 - weak % 8) + abs(strong // 8 - weak // 8)
    drive = 6 * edge_distance - 6 * king_distance
    return score + (drive if score > 0 else -drive)
