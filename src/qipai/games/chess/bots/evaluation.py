"""What a position is worth to our own engine: material, squares, pawns, and where the kings stand.

A thinking board is three things: a board of rust-chess for its moves, `cells` with a code for each square
(a1 first; 0 is empty, 1-6 white P N B R Q K, 7-12 black), and `sum`, which is kept up move by move: the worth
of all pieces on their squares in the middle game, in the end game, and how much of the middle game is left,
packed in one number so that a move costs a few additions.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from rust_chess import BLACK_PAWN, BLACK_ROOK, WHITE_PAWN, WHITE_ROOK, Board, RepetitionDetectionMode
from rust_chess import Move as Push

from qipai.games.chess.position import SQUARES, letters

LETTERS: Final = ".PNBRQKpnbrqk"
VALUES: Final = (0, 95, 325, 335, 500, 960, 0, 95, 325, 335, 500, 960, 0)
"""What is gained by taking a piece, in hundredths of a pawn."""
_MIDDLE: Final = (82, 330, 342, 480, 970, 0)
_END: Final = (100, 300, 318, 525, 960, 0)
_PHASES: Final = (0, 1, 1, 2, 4, 0)
_ALL_PHASES: Final = 24
_FIELD: Final = 20
_HALF: Final = 1 << _FIELD - 1
_MASK: Final = (1 << _FIELD) - 1
_PAWN_MIDDLE: Final = (0, 0, 4, 10, 18, 35, 60, 0)
_PAWN_END: Final = (0, 0, 6, 16, 34, 62, 100, 0)
_KING_HOME: Final = (24, 34, 18, -4, 0, -8, 38, 26)
_PASSED: Final = (0, 4, 8, 18, 36, 62, 95, 0)
_FILE: Final = 0x0101_0101_0101_0101
_FILES: Final = tuple(_FILE << file for file in range(8))
_NEAR: Final = tuple(
    (_FILES[file - 1] if file else 0) | (_FILES[file + 1] if file < 7 else 0) for file in range(8)
)
_FULL: Final = (1 << 64) - 1


def _middle(kind: int, file: int, rank: int) -> int:
    """Return what a square adds in the middle game, for white."""
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


def _end(kind: int, file: int, rank: int) -> int:
    """Return what a square adds in the end game, for white."""
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


def _packed(middle: int, end: int, phase: int = 0) -> int:
    return (phase << 2 * _FIELD) + (middle << _FIELD) + end


def _table() -> tuple[tuple[int, ...], ...]:
    table: list[tuple[int, ...]] = [(0,) * 64]
    white = []
    for kind in range(6):
        squares = [
            (_MIDDLE[kind] + _middle(kind, at % 8, at // 8), _END[kind] + _end(kind, at % 8, at // 8))
            for at in range(64)
        ]
        white.append(squares)
        table.append(tuple(_packed(*worth, _PHASES[kind]) for worth in squares))
    for kind in range(6):
        mirrored = [white[kind][at ^ 56] for at in range(64)]
        table.append(tuple(_packed(-middle, -end, _PHASES[kind]) for middle, end in mirrored))
    return tuple(table)


PLACED: Final = _table()
"""What a piece (by its code) on a square adds to the sum."""


@cache
def _flat(phase: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(_mean(worth, phase) for worth in row) for row in PLACED)


def flattened(total: int) -> tuple[tuple[int, ...], ...]:
    """Return what pieces on squares are worth, as plain numbers, while a sum does not change much."""
    return _flat(min(total + _HALF + (_HALF << _FIELD) >> 2 * _FIELD, _ALL_PHASES))


def _mean(total: int, phase: int) -> int:
    end = (total + _HALF & _MASK) - _HALF
    middle = ((total - end >> _FIELD) + _HALF & _MASK) - _HALF
    return (middle * phase + end * (_ALL_PHASES - phase)) // _ALL_PHASES


class Step(NamedTuple):
    """A move as numbers: its squares, and the kind it promotes to (0: none)."""

    source: int
    target: int
    kind: int


STEPS: Final = {
    SQUARES[source] + SQUARES[target] + letter: Step(source, target, kind)
    for source in range(64)
    for target in range(64)
    for letter, kind in (("", 0), ("n", 2), ("b", 3), ("r", 4), ("q", 5))
    if not letter or source // 8 in (1, 6)
}


class Node(NamedTuple):
    """A position to think about."""

    board: Board
    cells: bytearray
    sum: int


legal: Callable[[Board], Iterable[Push]] = Board.generate_legal_moves  # type: ignore[assignment] # never None
captures: Callable[[Board], Iterable[Push]] = Board.generate_legal_captures  # type: ignore[assignment] # nor here


def fresh(fen: str) -> Board:
    """Return a board; the position must be a valid one."""
    return Board(fen, mode=RepetitionDetectionMode.NONE)


def setup(fen: str) -> Node:
    """Return a valid position, ready to be thought about."""
    # A FEN begins with a8, our cells with a1.
    shown = letters(fen)
    cells = bytearray(LETTERS.index(shown[at ^ 56]) for at in range(64))
    return Node(fresh(fen), cells, sum(PLACED[code][at] for at, code in enumerate(cells)))


def pushes(board: Board) -> list[str]:
    """Return the legal moves, whoever looked at this board before."""
    board.reset_move_generator()
    return [push.get_uci() for push in legal(board)]


def shifted(cells: bytearray, total: int, step: Step) -> tuple[bytearray, int]:
    """Return the cells and the sum after a legal move."""
    source, target, kind = step
    after = cells[:]
    piece, taken = after[source], after[target]
    after[source] = 0
    placed = PLACED[piece]
    total -= placed[source]
    if taken:
        total -= PLACED[taken][target]
    if kind:
        piece = kind if piece == 1 else kind + 6
        placed = PLACED[piece]
    elif piece in (1, 7):
        if not taken and (target - source) & 7:
            beside = source & 56 | target & 7
            total -= PLACED[after[beside]][beside]
            after[beside] = 0
    elif piece in (6, 12) and target - source in (2, -2):
        corner, beside = (target + 1, target - 1) if target > source else (target - 2, target + 1)
        rook = PLACED[after[corner]]
        total += rook[beside] - rook[corner]
        after[beside], after[corner] = after[corner], 0
    after[target] = piece
    return after, total + placed[target]


Pawns = tuple[int, int, int]
"""The packed worth of a structure of pawns; files without white pawns; files without black ones."""


class Evaluator:
    """Tells what positions are worth, and remembers structures of pawns."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Pawns] = {}

    def worth(self, board: Board, cells: bytearray, total: int) -> int:
        """Return the worth of a position to white."""
        white, black = (
            board.get_piece_bitboard(WHITE_PAWN).to_uint(),
            board.get_piece_bitboard(BLACK_PAWN).to_uint(),
        )
        pawns = self._known.get((white, black)) or self._pawns(white, black)
        total += pawns[0]
        end = (total + _HALF & _MASK) - _HALF
        total = total - end >> _FIELD
        middle = (total + _HALF & _MASK) - _HALF
        phase = min(total - middle >> _FIELD, _ALL_PHASES)
        extra = 0
        if phase > 3:
            rooks = (
                board.get_piece_bitboard(WHITE_ROOK).to_uint(),
                board.get_piece_bitboard(BLACK_ROOK).to_uint(),
            )
            extra = 10 * ((rooks[0] & pawns[1]).bit_count() - (rooks[1] & pawns[2]).bit_count())
            extra += 8 * ((rooks[0] & pawns[2]).bit_count() - (rooks[1] & pawns[1]).bit_count())
            king, other = cells.index(6), cells.index(12)
            middle += 9 * ((white & _SHIELD[king]).bit_count() - (black & _SHIELD[other]).bit_count())
        if cells.count(3) > 1:
            extra += 28
        if cells.count(9) > 1:
            extra -= 28
        worth = (middle * phase + end * (_ALL_PHASES - phase)) // _ALL_PHASES + extra
        if phase <= 6 and (not white or not black):
            worth = _finish(cells, worth, white, black, phase)
        return worth

    def _pawns(self, white: int, black: int) -> Pawns:
        open_white = open_black = 0
        for file in _FILES:
            open_white |= 0 if white & file else file
            open_black |= 0 if black & file else file
        mirrored = _mirror(white), _mirror(black)
        middle, end = _side(white, black)
        minus_middle, minus_end = _side(mirrored[1], mirrored[0])
        pawns = _packed(middle - minus_middle, end - minus_end), open_white, open_black
        self._known[white, black] = pawns
        return pawns


def _mirror(pawns: int) -> int:
    return int.from_bytes(pawns.to_bytes(8, "little"), "big")


def _side(ours: int, theirs: int) -> tuple[int, int]:
    """Return what white's pawns are worth beside their squares: passed, doubled and lonely ones."""
    middle = end = 0
    rest = ours
    while rest:
        at = (rest & -rest).bit_length() - 1
        rest &= rest - 1
        file, rank = at % 8, at // 8
        ahead = _FULL << 8 * (rank + 1) & _FULL
        if not theirs & (_FILES[file] | _NEAR[file]) & ahead and not ours & _FILES[file] & ahead:
            middle += _PASSED[rank] // 2
            end += _PASSED[rank]
        if ours & _FILES[file] & ahead:
            middle -= 10
            end -= 18
        if not ours & _NEAR[file]:
            middle -= 12
            end -= 10
    return middle, end


def _shield(at: int, ahead: int) -> int:
    """Return the squares before a king at home."""
    file, rank = at % 8, at // 8
    if rank not in ((0, 1) if ahead > 0 else (6, 7)):
        return 0
    files = _FILES[file] | _NEAR[file]
    return files & (0xFF << 8 * (rank + ahead) | 0xFF << 8 * (rank + 2 * ahead))


_SHIELD: Final = tuple(_shield(at, 1) | _shield(at, -1) for at in range(64))


def _finish(cells: bytearray, worth: int, white: int, black: int, phase: int) -> int:
    """Return the worth where few are left: who cannot win draws, who can drives the king to the edge."""
    if not white and not black and phase <= 1:
        return 0
    ahead = white if worth > 0 else black
    if not ahead and phase <= 2 and abs(worth) < 450:
        return worth // 8
    strong, weak = cells.index(6), cells.index(12)
    if worth < 0:
        strong, weak = weak, strong
    corner = abs(2 * (weak % 8) - 7) + abs(2 * (weak // 8) - 7)
    apart = abs(strong % 8 - weak % 8) + abs(strong // 8 - weak // 8)
    drive = 6 * corner - 6 * apart
    return worth + (drive if worth > 0 else -drive)
