"""Scores every legal move for a bot: sampled positions, search, mine risk, dice."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from rust_chess import Move as Push

from qipai.games.chess.position import BOARD_INDEX, START, board_letters, position_key
from qipai.games.chess.wire_types import CurrentDice, View
from qipai.kernel.ids import Seat

from .dice_search import ANY_PIECE, DiceSearch
from .evaluation import LETTERS, PIECE_VALUES, Node, board_of, node_of, uci_moves
from .mine_odds import CERTAIN, mine_odds
from .search import Search

_KING_VALUE: Final = 20_000
"""Value of the king when it may step on a mine."""


def legal_node(fen: str) -> Node | None:
    """Return the search node of a position; None for one that standard chess cannot reach."""
    try:
        return node_of(fen)
    except ValueError:
        return None


def earlier_positions(view: View) -> frozenset[int]:
    """Return the hashes of all positions of a standard game; empty if the moves are not all known."""
    board = board_of(START)
    hashes = {board.zobrist_hash}
    for uci in view.moves:
        push = Push(uci) if uci else None
        if push is None or not board.is_legal_move(push):
            return frozenset()
        board.make_move(push)
        hashes.add(board.zobrist_hash)
    # rust-chess writes the en passant field differently.
    return (
        frozenset(hashes)
        if position_key(board.get_fen()).split()[:3] == view.fen.split()[:3]
        else frozenset()
    )


def mine_losses(view: View, moves: Collection[str]) -> dict[str, int]:
    """Return the expected loss of each move by a mine."""
    if view.minefield is None:
        return {}
    odds = mine_odds(view.minefield)
    board = view.board or board_letters(view.fen)
    losses = {}
    for uci in moves:
        piece = board[BOARD_INDEX[uci[:2]]]
        losses[uci] = (_KING_VALUE if piece in "Kk" else _value(piece)) * odds.get(uci[2:4], 0) // CERTAIN
    return losses


def capture_values(view: View, moves: Collection[str], *, white: bool) -> dict[str, int]:
    """Return the value of the piece each move captures, if no search is possible; illegal captures lose."""
    board = view.board or board_letters(view.fen)
    values = {}
    for uci in moves:
        piece, target = board[BOARD_INDEX[uci[:2]]], board[BOARD_INDEX[uci[2:4]]]
        own = piece.isalpha() and piece.isupper() is white
        own_target = target.isalpha() and target.isupper() is white
        values[uci] = _value(target) if own and not own_target else -_KING_VALUE
    return values


def _value(piece: str) -> int:
    return PIECE_VALUES[max(LETTERS.find(piece), 0)]


def average_scores(scores: Sequence[dict[str, int]]) -> dict[str, int]:
    """Return the average score of each move over the positions in which it is legal."""
    by_move: dict[str, list[int]] = defaultdict(list)
    for position_scores in scores:
        for uci, score in position_scores.items():
            by_move[uci].append(score)
    return {uci: sum(position_scores) // len(position_scores) for uci, position_scores in by_move.items()}


def search_scores(node: Node, moves: Collection[str], nodes: int, depth: int) -> dict[str, int]:
    """Return the search score of each of the moves that are legal here."""
    return Search(node, nodes).score_moves([uci for uci in uci_moves(node.board) if uci in moves], depth)


class DiceScoring:
    """Scores moves, skip and reroll for the dice that a seat sees on the table."""

    def __init__(self, dice: CurrentDice, seat: Seat, plans: int) -> None:
        in_order = dice.free or dice.current >= 0
        self._search = DiceSearch(any_order=not in_order, width=2 * plans, leaves=plans)
        self._own = dice.owner == seat
        unused = "".join(die for die, mark in zip(dice.dice, dice.used, strict=False) if mark == ".")
        self._dice = ANY_PIECE + unused if dice.free and self._own else unused

    def score_moves(self, node: Node, moves: Collection[str]) -> dict[str, int]:
        """Return the score of each of the moves that are legal here."""
        legal = [uci for uci in uci_moves(node.board) if uci in moves]
        return (self._search.score_moves if self._own else self._search.score_check_answers)(
            node, legal, self._dice
        )

    def score_skip(self, node: Node) -> int:
        """Return the score of skipping the current die."""
        return self._search.score_skip(node, self._dice)

    def should_reroll(self, nodes: Sequence[Node]) -> bool:
        """Tell whether a reroll is better in most of the sampled positions."""
        return 2 * sum(self._search.should_reroll(node, self._dice) for node in nodes) > len(nodes)
