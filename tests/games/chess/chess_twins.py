"""What a viewer sees in fog, computed with python-chess, and games that it cannot tell apart."""

import functools
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, combinations
from typing import NamedTuple

import chess
from msgspec.structs import replace

from qipai.games.chess import position
from qipai.games.chess.state import State
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random

FEW = 4
TRIES = 300
ENOUGH = 2
MIDDLE = tuple(chess.SQUARE_NAMES[16:48])
NEIGHBOURS = {
    chess.square_name(here): frozenset(
        chess.square_name(there) for there in chess.SQUARES if chess.square_distance(here, there) == 1
    )
    for here in chess.SQUARES
}


class Sight(NamedTuple):
    """What a side knows of a position: the squares it sees and what is on them, its moves, its check."""

    squares: frozenset[int]
    board: str
    dests: frozenset[str]
    check: bool


@functools.lru_cache(maxsize=10_000)
def board_of(fen: str) -> chess.Board:
    """Return a board that must not be changed."""
    return chess.Board(fen)


def facing(fen: str, side: chess.Color) -> chess.Board:
    """Return the position as if it were this side's turn."""
    board = board_of(fen)
    if board.turn != side:
        board = board.copy(stack=False)
        board.turn = side
        board.ep_square = None
    return board


def sight(fen: str, side: chess.Color) -> Sight:
    """Return what a side sees: its own pieces, where they could go now, and who gives check to its king."""
    board = facing(fen, side)
    moves = list(board.legal_moves)
    squares = set(chess.SquareSet(board.occupied_co[side])) | {move.to_square for move in moves}
    squares |= set(board.checkers())
    king = board.king(not side)
    dests = frozenset(move.uci() for move in moves if move.to_square != king)
    return Sight(frozenset(squares), drawn(board, squares), dests, board.is_check())


def drawn(board: chess.Board, squares: set[int]) -> str:
    """Return 64 squares from a8 to h1 as a view writes them."""
    signs = []
    for square in chess.SQUARES_180:
        piece = board.piece_at(square)
        signs.append((piece.symbol() if piece else ".") if square in squares else "?")
    return "".join(signs)


def fair(fen: str) -> bool:
    """Tell whether a position is valid: one king each, and the side not to move is not in check."""
    board = board_of(fen)
    if len(board.pieces(chess.KING, True)) != 1 or len(board.pieces(chess.KING, False)) != 1:
        return False
    return not board.was_into_check() and any(board.legal_moves)


def kinds(fen: str, among: str) -> frozenset[str]:
    """Return the kinds of pieces, among some, that the side to move can move."""
    board = board_of(fen)
    movable = {board.piece_type_at(move.from_square) for move in board.legal_moves} if among else set()
    return frozenset(kind for kind in among if " PNBRQK".index(kind) in movable)


def at_stake(state: State) -> str:
    """Return the kinds of pieces that the dice ask for now; all of them in check, none without dice."""
    if state.dice is None:
        return ""
    if state.dice.free_move or state.check:
        return "PNBRQK"
    last = state.dice.rolls[-1]
    unused = {kind for kind, sign in zip(last.dice, last.used, strict=True) if sign == "."}
    return "".join(sorted({*unused, "K"}))


def side_of(state: State, seat: Seat) -> chess.Color:
    """Return the colour of a seat."""
    return chess.WHITE if seat == state.white else chess.BLACK


def scramble(state: State, viewer: Seat, dice: Random) -> State:
    """Return a game that this viewer cannot tell from the given one."""
    if state.result is not None or viewer in state.sees_hidden:
        return state
    if state.mines is not None:
        state = other_mines(state, dice)
    if state.options.fog and not state.options.unchecked_moves:
        state = other_pieces(state, viewer, dice)
    return state


def other_mines(state: State, dice: Random) -> State:
    """Return the game with mines elsewhere, under the same numbers: each keeps its landed-on neighbours."""
    assert state.mines is not None
    landed = set(state.mines.visited)
    laid: list[str] = []
    for place, mine in enumerate(state.mines.unexploded):
        taken = {*laid, *state.mines.unexploded[place + 1 :], *landed}
        choice = [
            name for name in MIDDLE if name not in taken and near(name, landed) == near(mine, landed)
        ] or [mine]
        laid.append(choice[dice.below(len(choice))])
    return replace(state, mines=replace(state.mines, unexploded=tuple(sorted(laid))))


def near(name: str, others: set[str]) -> frozenset[str]:
    """Return which of the others touch a square."""
    return NEIGHBOURS[name] & others


def other_pieces(state: State, viewer: Seat, dice: Random) -> State:
    """Return the game with unseen pieces elsewhere, where the viewer sees and may do just the same."""
    side = None if viewer == SPECTATOR else side_of(state, viewer)
    fens = twins(state.fen, side, at_stake(state))
    if not fens:
        return state
    fen = fens[dice.below(len(fens))]
    was, now = position.position_key(state.fen), position.position_key(fen)
    seen = tuple(now if one == was else one for one in state.position_keys)
    return replace(state, fen=fen, check=board_of(fen).is_check(), position_keys=seen)


@functools.lru_cache(maxsize=50_000)
def twins(fen: str, side: chess.Color | None, stake: str) -> tuple[str, ...]:
    """Return positions that a side, or a spectator, cannot tell from this one."""
    board, dice = board_of(fen), Random(sha256(fen.encode()).digest())
    before = None if side is None else sight(fen, side)
    hidden = set(chess.SQUARES) - (before.squares if before else set())
    stay = bound(board)
    loose = [square for square in sorted(hidden) if board.piece_at(square) and square not in stay]
    room = [square for square in sorted(hidden) if square not in stay]
    found: list[str] = []
    tries = (shuffled(board, loose, room, dice) for _ in range(TRIES if loose else 0))
    for count, twin in enumerate(chain(tries, changed(board, loose))):
        if len(found) == ENOUGH or (found and count > FEW):
            break
        if twin == fen or not fair(twin):
            continue
        if side is not None and sight(twin, side) != before:
            continue
        # A check decides who goes on with the dice, and what can move which of them goes by.
        if stake and board_of(twin).is_check() != board.is_check():
            continue
        if kinds(twin, stake) != kinds(fen, stake):
            continue
        found.append(twin)
    return tuple(found)


def bound(board: chess.Board) -> set[int]:
    """Return squares that must stay as they are: what castling and en passant rights hang on."""
    stay = set(chess.SquareSet(board.castling_rights))
    for side in chess.COLORS:
        king = board.king(side)
        if board.has_castling_rights(side) and king is not None:
            stay.add(king)
    if board.ep_square is not None:
        stay |= {board.ep_square - 8, board.ep_square, board.ep_square + 8}
    return stay


def changed(board: chess.Board, loose: list[int]) -> Iterator[str]:
    """Yield the position with two pieces in each other's place."""
    for one, other in combinations(loose, 2):
        twin = board.copy(stack=False)
        first, second = twin.remove_piece_at(one), twin.remove_piece_at(other)
        assert first is not None
        assert second is not None
        if first == second or chess.PAWN in (first.piece_type, second.piece_type):
            continue
        twin.set_piece_at(one, second)
        twin.set_piece_at(other, first)
        twin.castling_rights = board.castling_rights
        yield twin.fen(en_passant="fen")


def shuffled(board: chess.Board, loose: list[int], room: list[int], dice: Random) -> str:
    """Return the position with one or several pieces put on other squares."""
    twin = board.copy(stack=False)
    count = 1 + dice.below(min(len(loose), 4))
    squares = dice.shuffle(loose)[:count]
    pieces = [piece for square in squares if (piece := twin.remove_piece_at(square))]
    for piece in pieces:
        free = [
            square
            for square in room
            if twin.piece_at(square) is None
            and not (piece.piece_type == chess.PAWN and chess.square_rank(square) in (0, 7))
        ]
        if not free:
            return board.fen(en_passant="fen")
        twin.set_piece_at(free[dice.below(len(free))], piece)
    twin.castling_rights = board.castling_rights
    return twin.fen(en_passant="fen")
