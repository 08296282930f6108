"""Positions as FEN: legal moves, check, mate. The only module of the rules that uses a chess library.

Writing a FEN costs rust-chess more than all the rest of a move. So after a plain move the FEN before it is
edited; rust-chess writes it only after castling, a promotion and what changes castling or en passant.

A FEN made here names an en passant square only if such a capture is legal. So two positions are the same by
FIDE 9.2 exactly if the first four fields of their FENs are equal.

An explosion may remove a piece that shields a king, so that the side not to move is in check. rust-chess
rejects such positions; python-chess, the fallback, accepts them. A king is never captured there either: its
side must answer the check when its turn comes.

`use_library` makes python-chess answer for every position.
"""

from functools import lru_cache
from typing import Final, Literal

import chess
from rust_chess import Board, BoardStatus, Move, RepetitionDetectionMode

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FILES: Final = "abcdefgh"
SQUARES: Final = tuple(f"{file}{rank}" for rank in "12345678" for file in FILES)
"""Square names by number: a1 is 0, b1 is 1, h8 is 63."""
SQUARE_NUMBER: Final = {name: number for number, name in enumerate(SQUARES)}
SQUARES_FROM_A8: Final = tuple(SQUARES[8 * row + column] for row in range(7, -1, -1) for column in range(8))
"""Square names in the order of a FEN, from a8 to h1."""
BOARD_INDEX: Final = {name: number for number, name in enumerate(SQUARES_FROM_A8)}
"""Index of a square in a board of 64 letters, a8 first."""

Library = Literal["rust-chess", "python-chess"]
"""Libraries that can make and check moves; their answers are the same."""

MATE: Final = "mate"
STALEMATE: Final = "stalemate"

_NO_REPETITIONS: Final = (
    RepetitionDetectionMode.NONE
)  # the other mode aborts the process on a FEN from mid-game
_MATED: Final = BoardStatus.CHECKMATE
_STALE: Final = BoardStatus.STALEMATE
_EMPTY: Final = {str(count): "." * count for count in range(1, 9)}
_EMPTY_RUNS: Final = tuple("." * count for count in range(8, 0, -1))


def _all_moves() -> dict[str, Move]:
    """Return each move that some piece could make on an empty board."""
    moves = {}
    for number, name in enumerate(SQUARES):
        attacks = chess.BB_KNIGHT_ATTACKS[number]
        attacks |= chess.BB_RANK_ATTACKS[number][0] | chess.BB_FILE_ATTACKS[number][0]
        attacks |= chess.BB_DIAG_ATTACKS[number][0]
        for target in chess.scan_forward(attacks):
            uci = name + SQUARES[target]
            moves[uci] = Move(uci)
            if (name[1], SQUARES[target][1]) in {("7", "8"), ("2", "1")} and abs(number - target) < 10:
                moves |= {uci + kind: Move(uci + kind) for kind in "qrbn"}
    return moves


_MOVES: Final = _all_moves()
_CASTLING_SQUARES: Final = frozenset({"a1", "e1", "h1", "a8", "e8", "h8"})
"""Squares of kings and rooks that may castle."""
_Cells = tuple[int, int, int, int]
"""Row and column of a move's start and target, from a8."""


def _cells(uci: str) -> _Cells:
    return (*divmod(BOARD_INDEX[uci[:2]], 8), *divmod(BOARD_INDEX[uci[2:4]], 8))


_CELLS: Final = {uci: _cells(uci) for uci in _MOVES if len(uci) == 4}
"""Of all moves but promotions."""
_CELLS_AWAY: Final = {
    uci: cells for uci, cells in _CELLS.items() if not {uci[:2], uci[2:4]} & _CASTLING_SQUARES
}
"""Of those that change no right to castle."""

_library: Library = "rust-chess"

AppliedMove = tuple[str, str, bool, str]
"""A position after a move: FEN, captured piece, check, and `mate`, `stalemate` or nothing."""


def use_library(library: Library) -> None:
    """Choose the library for all games of this process; call it before the first game."""
    global _library  # noqa: PLW0603 - positions are plain text, so no object could carry the choice
    _library = library


def apply_move(fen: str, uci: str) -> AppliedMove | None:
    """Return the position after a move, or None if the move is illegal."""
    move = _MOVES.get(uci)
    if move is None:
        return None
    fast = _fast_board(fen)
    if fast is None:
        return _fallback_apply_move(fen, uci)
    if not fast.is_legal_move(move):
        return None
    pieces, side, castling, _, halfmove_clock, number = fen.split(" ")
    cells = (_CELLS if castling == "-" else _CELLS_AWAY).get(uci)
    taken = ""
    if fast.is_capture(move):
        captured = fast.get_piece_on(move.dest)
        if captured is None:
            # Only an en passant capture takes a piece that is not on the target square.
            taken, cells = "p" if side == "w" else "P", None
        else:
            taken = captured.get_string()
    fast.make_move(move, False)
    if cells is None or fast.en_passant is not None:
        after = _written_fen(fast, fen)
    else:
        row, column, to_row, to_column = cells
        rows = pieces.split("/")
        rows[row], piece = _without_piece(rows[row], column)
        rows[to_row] = _with_piece(rows[to_row], to_column, piece)
        clock = 0 if taken or piece in "Pp" else int(halfmove_clock) + 1
        if side == "w":
            after = f"{'/'.join(rows)} b {castling} - {clock} {number}"
        else:
            after = f"{'/'.join(rows)} w {castling} - {clock} {int(number) + 1}"
    if not fast.is_check():
        return after, taken, False, STALEMATE if fast.get_status() == _STALE else ""
    return after, taken, True, MATE if fast.get_status() == _MATED else ""


def legal_moves(fen: str) -> list[str]:
    """Return the legal moves of the side to move."""
    board = _fast_board(fen)
    if board is None:
        return [move.uci() for move in _fallback_legal_moves(chess.Board(fen))]
    return [move.get_uci() for move in board.generate_legal_moves() if move is not None]


def status(fen: str) -> tuple[bool, str]:
    """Return whether the side to move is in check, and `mate` or `stalemate` if it has no legal move."""
    board = _fast_board(fen)
    if board is None:
        return _fallback_status(chess.Board(fen))
    if not board.is_check():
        return False, STALEMATE if board.get_status() == _STALE else ""
    return True, MATE if board.get_status() == _MATED else ""


def reachable_squares(fen: str) -> set[str]:
    """Return the target squares of the side to move, including that of an attacked king."""
    board = _fast_board(fen)
    if board is None:
        return {SQUARES[move.to_square] for move in chess.Board(fen).legal_moves}
    return {move.dest.get_name() for move in board.generate_legal_moves() if move is not None}


def checkers(fen: str, *, white: bool) -> set[str]:
    """Return the squares of the pieces that attack this side's king."""
    fast = _fast_board(fen)
    if fast is None:
        board = chess.Board(fen)
        king = board.king(white)
        return set() if king is None else {SQUARES[square] for square in board.attackers(not white, king)}
    if is_white(fen) is not white:
        return set()
    return {SQUARES[square] for square in chess.scan_forward(fast.get_checkers_bitboard().to_uint())}


def position_key(fen: str) -> str:
    """Return the key by which FIDE 9.2 compares positions: pieces, side to move, castling, en passant."""
    return fen.rsplit(" ", 2)[0]


def is_white(fen: str) -> bool:
    """Tell whether white is to move."""
    return fen.split(" ", 2)[1] == "w"


def with_side_to_move(fen: str, *, white: bool, last: str = "") -> str:
    """Return the position with this side to move; `last` is the other side's move if it was the last one.

    Only a double step in that move allows an en passant capture (FIDE 3.7.3.1).
    """
    pieces, side, castling, _, halfmove_clock, number = fen.split(" ")
    if (side == "w") is white:
        return fen
    counters = f"{halfmove_clock} {number}"
    without_en_passant = f"{pieces} {'w' if white else 'b'} {castling} - {counters}"
    double_step, pawn, rank = (("7", "5"), "p", "6") if white else (("2", "4"), "P", "3")
    if (last[1:2], last[3:4]) != double_step or last[0] != last[2] or piece_on(fen, last[2:4]) != pawn:
        return without_en_passant
    with_en_passant = f"{pieces} {'w' if white else 'b'} {castling} {last[0]}{rank} {counters}"
    return with_en_passant if chess.Board(with_en_passant).has_legal_en_passant() else without_en_passant


def board_letters(fen: str) -> str:
    """Return the 64 squares from a8 to h1, `.` for an empty one."""
    pieces = fen.split(" ", 1)[0].replace("/", "")
    return "".join([_EMPTY.get(letter, letter) for letter in pieces])


def piece_on(fen: str, square: str) -> str:
    """Return the piece on a square, empty if there is none."""
    return board_letters(fen)[BOARD_INDEX[square]].replace(".", "")


def remove_piece(fen: str, square: str) -> str:
    """Return the position after the piece on a square exploded, which counts as a capture."""
    # A pawn that exploded after its double step cannot be captured en passant.
    _, side, castling, _, _, number = fen.split(" ")
    board = board_letters(fen)
    index = BOARD_INDEX[square]
    return f"{board_field(board[:index] + '.' + board[index + 1 :])} {side} {castling} - 0 {number}"


def move_unchecked(fen: str, uci: str) -> str:
    """Return the position after an unchecked move: the piece of one square replaces that of the other."""
    _, side, castling, _, _, number = fen.split(" ")
    board = list(board_letters(fen))
    start, end = BOARD_INDEX[uci[:2]], BOARD_INDEX[uci[2:4]]
    piece = board[start]
    if piece != ".":
        if piece in "Pp" and len(uci) > 4:
            piece = uci[4].upper() if piece == "P" else uci[4]
        board[start], board[end] = ".", piece
    next_number = int(number) + (side == "b")
    return f"{board_field(''.join(board))} {'b' if side == 'w' else 'w'} {castling} - 0 {next_number}"


def board_field(board: str) -> str:
    """Return 64 letters as the first field of a FEN."""
    return _row_field("/".join(board[8 * row : 8 * row + 8] for row in range(8)))


def _fast_board(fen: str) -> Board | None:
    """Return a rust-chess board, or None if that library rejects the position or is switched off."""
    if _library != "rust-chess":
        return None
    try:
        return Board(fen, _NO_REPETITIONS)
    except ValueError:
        if fen[-2] == " " or fen[-3] == " ":
            return None
    try:
        # rust-chess has eight bits for the move number.
        return Board(fen.rsplit(" ", 1)[0] + " 1", _NO_REPETITIONS)
    except ValueError:
        return None


@lru_cache(4096)
def _without_piece(row: str, column: int) -> tuple[str, str]:
    """Return a row of a FEN without the piece in this column, and the piece."""
    letters = "".join([_EMPTY.get(letter, letter) for letter in row])
    return _row_field(letters[:column] + "." + letters[column + 1 :]), letters[column]


@lru_cache(4096)
def _with_piece(row: str, column: int, piece: str) -> str:
    """Return a row of a FEN with a piece in this column."""
    letters = "".join([_EMPTY.get(letter, letter) for letter in row])
    return _row_field(letters[:column] + piece + letters[column + 1 :])


def _row_field(letters: str) -> str:
    for run in _EMPTY_RUNS:
        letters = letters.replace(run, str(len(run)))
    return letters


def _written_fen(board: Board, before: str) -> str:
    """Return the FEN after a move as rust-chess writes it; its en passant square and number are corrected."""
    after = board.get_fen()
    if board.en_passant is not None:
        after = _with_en_passant(board, after)
    return _with_move_number(before, after) if before[-2] != " " != before[-3] else after


def _with_move_number(before: str, after: str) -> str:
    """Return the FEN after a move with the right move number, which rust-chess cuts to eight bits."""
    _, side, _, _, _, number = before.split(" ")
    return f"{after.rsplit(' ', 1)[0]} {int(number) + (side == 'b')}"


def _with_en_passant(board: Board, fen: str) -> str:
    """Return the FEN with the en passant square only if a capture on it is legal."""
    square = board.en_passant
    assert square is not None
    name = square.get_name()
    rank = "5" if name[1] == "6" else "4"
    column = FILES.index(name[0])
    neighbours = [FILES[other] for other in (column - 1, column + 1) if 0 <= other < 8]
    capturable = any(board.is_legal_move(_MOVES[file + rank + name]) for file in neighbours)
    pieces, side, castling, _, halfmove_clock, number = fen.split(" ")
    return f"{pieces} {side} {castling} {name if capturable else '-'} {halfmove_clock} {number}"


def _fallback_legal_moves(board: chess.Board) -> list[chess.Move]:
    king = board.king(not board.turn)
    return [move for move in board.legal_moves if move.to_square != king]


def _fallback_status(board: chess.Board) -> tuple[bool, str]:
    check = board.is_check()
    if _fallback_legal_moves(board):
        return check, ""
    return check, MATE if check else STALEMATE


def _fallback_apply_move(fen: str, uci: str) -> AppliedMove | None:
    board = chess.Board(fen)
    move = chess.Move.from_uci(uci)
    if move not in _fallback_legal_moves(board):
        return None
    captured = board.piece_at(move.to_square)
    taken = "" if captured is None else captured.symbol()
    if board.is_en_passant(move):
        taken = "p" if board.turn else "P"
    board.push(move)
    check, end = _fallback_status(board)
    return board.fen(en_passant="legal"), taken, check, end
