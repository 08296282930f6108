"""Positions: a FEN goes in, a FEN comes out. The only module that knows a library's board.

The FENs made here name an en passant square only where such a capture is legal, so two positions are
the same to FIDE 9.2 exactly if the first four fields of their FENs are.

A mine may blow up the piece that shields a king: then a king is attacked though its side is not to move.
The fast library knows no such positions, so they are left to the patient one. In them, too, a king is
never captured: the attack is a check that its side must answer when its turn comes.

`use_library` makes python-chess answer for every position.
"""

from typing import Final, Literal

import chess
from rust_chess import Board, BoardStatus, Move, RepetitionDetectionMode

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FILES: Final = "abcdefgh"
SQUARES: Final = tuple(f"{file}{rank}" for rank in "12345678" for file in FILES)
"""Names of squares by their numbers: a1 is 0, b1 is 1, h8 is 63."""
INDEX: Final = {name: number for number, name in enumerate(SQUARES)}
SHOWN: Final = tuple(SQUARES[8 * row + column] for row in range(7, -1, -1) for column in range(8))
"""Names of squares in the order of a FEN, from a8 to h1."""
PLACE: Final = {name: number for number, name in enumerate(SHOWN)}
"""Where a square is in a board of 64 letters."""

Library = Literal["rust-chess", "python-chess"]
"""Libraries that can make and check moves; their answers are the same."""

MATE: Final = "mate"
STALEMATE: Final = "stalemate"

_PLAIN: Final = RepetitionDetectionMode.NONE  # the other mode aborts the process on a FEN from mid-game
_MATED: Final = BoardStatus.CHECKMATE
_STALE: Final = BoardStatus.STALEMATE
_EMPTY: Final = {str(count): "." * count for count in range(1, 9)}
_RUNS: Final = tuple("." * count for count in range(8, 0, -1))


def _conceivable() -> dict[str, Move]:
    """Return each move that some piece could make on some board."""
    moves = {}
    for number, name in enumerate(SQUARES):
        reach = chess.BB_KNIGHT_ATTACKS[number]
        reach |= chess.BB_RANK_ATTACKS[number][0] | chess.BB_FILE_ATTACKS[number][0]
        reach |= chess.BB_DIAG_ATTACKS[number][0]
        for target in chess.scan_forward(reach):
            uci = name + SQUARES[target]
            moves[uci] = Move(uci)
            if (name[1], SQUARES[target][1]) in {("7", "8"), ("2", "1")} and abs(number - target) < 10:
                moves |= {uci + kind: Move(uci + kind) for kind in "qrbn"}
    return moves


_MOVES: Final = _conceivable()

_library: Library = "rust-chess"

Made = tuple[str, str, bool, str]
"""A position after a move: its FEN, what was taken, whether it is check, and the end if it is one."""


def use_library(library: Library) -> None:
    """Choose the library for all games of this process; call it before the first game."""
    global _library  # noqa: PLW0603 - positions are plain text, so no object could carry the choice
    _library = library


def make(fen: str, uci: str) -> Made | None:
    """Return what a move makes of a position, or None if it is not legal."""
    move = _MOVES.get(uci)
    if move is None:
        return None
    board = _board(fen)
    if board is None:
        return _make_patiently(fen, uci)
    if not board.is_legal_move(move):
        return None
    taken = ""
    if board.is_capture(move):
        victim = board.get_piece_on(move.dest)
        # Only a pawn that is captured in passing does not stand where its captor goes.
        taken = ("p" if fen.split(" ", 2)[1] == "w" else "P") if victim is None else victim.get_string()
    board.make_move(move, False)
    after = board.get_fen()
    if board.en_passant is not None:
        after = _with_passing(board, after)
    if fen[-2] != " " != fen[-3]:
        after = _with_number(fen, after)
    if not board.is_check():
        return after, taken, False, STALEMATE if board.get_status() == _STALE else ""
    return after, taken, True, MATE if board.get_status() == _MATED else ""


def legal(fen: str) -> list[str]:
    """Return the legal moves of the side to move."""
    board = _board(fen)
    if board is None:
        return [move.uci() for move in _patiently(chess.Board(fen))]
    return [move.get_uci() for move in board.generate_legal_moves() if move is not None]


def status(fen: str) -> tuple[bool, str]:
    """Tell whether the side to move is in check, and that it has no move by the word for such an end."""
    board = _board(fen)
    if board is None:
        return _status_patiently(chess.Board(fen))
    if not board.is_check():
        return False, STALEMATE if board.get_status() == _STALE else ""
    return True, MATE if board.get_status() == _MATED else ""


def in_reach(fen: str) -> set[str]:
    """Return the squares that the side to move could go to now, a king in its reach included."""
    board = _board(fen)
    if board is None:
        return {SQUARES[move.to_square] for move in chess.Board(fen).legal_moves}
    return {move.dest.get_name() for move in board.generate_legal_moves() if move is not None}


def checkers(fen: str, *, white: bool) -> set[str]:
    """Return the squares of the pieces that attack this side's king."""
    fast = _board(fen)
    if fast is None:
        board = chess.Board(fen)
        king = board.king(white)
        return set() if king is None else {SQUARES[square] for square in board.attackers(not white, king)}
    if is_white(fen) is not white:
        return set()
    return {SQUARES[square] for square in chess.scan_forward(fast.get_checkers_bitboard().to_uint())}


def key(fen: str) -> str:
    """Return what makes two positions the same: pieces, side to move, castling, en passant (FIDE 9.2)."""
    return fen.rsplit(" ", 2)[0]


def is_white(fen: str) -> bool:
    """Tell whether white is to move."""
    return fen.split(" ", 2)[1] == "w"


def turned(fen: str, *, white: bool, last: str = "") -> str:
    """Return the position with this side to move; `last` is the other side's move if none came after it.

    It may be captured in passing then; whoever lets his turn go captures nothing in passing later.
    """
    pieces, side, castling, _, quiet, number = fen.split(" ")
    if (side == "w") is white:
        return fen
    rest = f"{quiet} {number}"
    still = f"{pieces} {'w' if white else 'b'} {castling} - {rest}"
    doubled, pawn, rank = (("7", "5"), "p", "6") if white else (("2", "4"), "P", "3")
    if (last[1:2], last[3:4]) != doubled or last[0] != last[2] or on(fen, last[2:4]) != pawn:
        return still
    passing = f"{pieces} {'w' if white else 'b'} {castling} {last[0]}{rank} {rest}"
    return passing if chess.Board(passing).has_legal_en_passant() else still


def letters(fen: str) -> str:
    """Return the 64 squares from a8 to h1, `.` where there is nothing."""
    pieces = fen.split(" ", 1)[0].replace("/", "")
    return "".join([_EMPTY.get(sign, sign) for sign in pieces])


def on(fen: str, square: str) -> str:
    """Return the piece on a square, empty if there is none."""
    return letters(fen)[PLACE[square]].replace(".", "")


def without(fen: str, square: str) -> str:
    """Return the position after a piece went up where its move ended, which counts as a capture."""
    # A pawn that went up with its double step cannot be captured any more: no en passant.
    _, side, castling, _, _, number = fen.split(" ")
    board = letters(fen)
    place = PLACE[square]
    return f"{written(board[:place] + '.' + board[place + 1 :])} {side} {castling} - 0 {number}"


def put(fen: str, uci: str) -> str:
    """Return the position after a move by no rules: what is on one square goes to the other."""
    _, side, castling, _, _, number = fen.split(" ")
    board = list(letters(fen))
    start, end = PLACE[uci[:2]], PLACE[uci[2:4]]
    piece = board[start]
    if piece != ".":
        if piece in "Pp" and len(uci) > 4:
            piece = uci[4].upper() if piece == "P" else uci[4]
        board[start], board[end] = ".", piece
    following = int(number) + (side == "b")
    return f"{written(''.join(board))} {'b' if side == 'w' else 'w'} {castling} - 0 {following}"


def written(board: str) -> str:
    """Return 64 squares as the first field of a FEN."""
    rows = "/".join(board[8 * row : 8 * row + 8] for row in range(8))
    for run in _RUNS:
        rows = rows.replace(run, str(len(run)))
    return rows


def _board(fen: str) -> Board | None:
    """Return the fast library's board, or None where it knows no such position or is switched off."""
    if _library != "rust-chess":
        return None
    try:
        return Board(fen, _PLAIN)
    except ValueError:
        if fen[-2] == " " or fen[-3] == " ":
            return None
    try:
        # It may also be that it cannot count so many moves: it has eight bits for them.
        return Board(fen.rsplit(" ", 1)[0] + " 1", _PLAIN)
    except ValueError:
        return None


def _with_number(before: str, after: str) -> str:
    """Return the FEN after a move with the number of moves as it should be, beyond eight bits too."""
    _, side, _, _, _, number = before.split(" ")
    return f"{after.rsplit(' ', 1)[0]} {int(number) + (side == 'b')}"


def _with_passing(board: Board, fen: str) -> str:
    """Return the FEN with the right en passant square; the library names the pawn's instead."""
    square = board.en_passant
    assert square is not None
    name = square.get_name()
    rank = "5" if name[1] == "6" else "4"
    column = FILES.index(name[0])
    beside = [FILES[other] for other in (column - 1, column + 1) if 0 <= other < 8]
    capturable = any(board.is_legal_move(_MOVES[file + rank + name]) for file in beside)
    pieces, side, castling, _, quiet, number = fen.split(" ")
    return f"{pieces} {side} {castling} {name if capturable else '-'} {quiet} {number}"


def _patiently(board: chess.Board) -> list[chess.Move]:
    king = board.king(not board.turn)
    return [move for move in board.legal_moves if move.to_square != king]


def _status_patiently(board: chess.Board) -> tuple[bool, str]:
    check = board.is_check()
    if _patiently(board):
        return check, ""
    return check, MATE if check else STALEMATE


def _make_patiently(fen: str, uci: str) -> Made | None:
    board = chess.Board(fen)
    move = chess.Move.from_uci(uci)
    if move not in _patiently(board):
        return None
    victim = board.piece_at(move.to_square)
    taken = "" if victim is None else victim.symbol()
    if board.is_en_passant(move):
        taken = "p" if board.turn else "P"
    board.push(move)
    check, end = _status_patiently(board)
    return board.fen(en_passant="legal"), taken, check, end
