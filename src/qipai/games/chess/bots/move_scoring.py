"""What the bots think with: the positions that may be, what led to them, what each move is worth there."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from rust_chess import Move as Push

from qipai.games.chess.position import PLACE, START, key, letters
from qipai.games.chess.wire_types import CurrentDice, View
from qipai.kernel.ids import Seat

from .dice_search import ANY, DiceSearch
from .evaluation import LETTERS, VALUES, Node, fresh, pushes, setup
from .mine_odds import CERTAIN, perils
from .search import Search

_KING: Final = 20_000
"""What the king is worth where it may step on a mine."""


def sound(fen: str) -> Node | None:
    """Return a position to think about; None if it is one that the rules of chess alone never lead to."""
    try:
        return setup(fen)
    except ValueError:
        return None


def past(view: View) -> frozenset[int]:
    """Return the hashes of the positions of a game without twists, nothing if they are not known."""
    board = fresh(START)
    found = {board.zobrist_hash}
    for uci in view.moves:
        push = Push(uci) if uci else None
        if push is None or not board.is_legal_move(push):
            return frozenset()
        board.make_move(push)
        found.add(board.zobrist_hash)
    # The library writes en passant its own way.
    return frozenset(found) if key(board.get_fen()).split()[:3] == view.fen.split()[:3] else frozenset()


def dangers(view: View, moves: Collection[str]) -> dict[str, int]:
    """Return what each move may lose by a mine, on the average."""
    if view.minefield is None:
        return {}
    chances = perils(view.minefield)
    shown = view.board or letters(view.fen)
    lost = {}
    for uci in moves:
        piece = shown[PLACE[uci[:2]]]
        lost[uci] = (_KING if piece in "Kk" else _value(piece)) * chances.get(uci[2:4], 0) // CERTAIN
    return lost


def prey(view: View, moves: Collection[str], *, white: bool) -> dict[str, int]:
    """Return what each move takes, where nothing better is known; a friend or nothing is no prey."""
    shown = view.board or letters(view.fen)
    found = {}
    for uci in moves:
        piece, target = shown[PLACE[uci[:2]]], shown[PLACE[uci[2:4]]]
        own = piece.isalpha() and piece.isupper() is white
        spared = target.isalpha() and target.isupper() is white
        found[uci] = _value(target) if own and not spared else -_KING
    return found


def _value(piece: str) -> int:
    return VALUES[max(LETTERS.find(piece), 0)]


def average(worths: Sequence[dict[str, int]]) -> dict[str, int]:
    """Return what each move is worth on the average of the positions in which it is possible."""
    found: dict[str, list[int]] = defaultdict(list)
    for some in worths:
        for uci, worth in some.items():
            found[uci].append(worth)
    return {uci: sum(some) // len(some) for uci, some in found.items()}


def searched(node: Node, moves: Collection[str], nodes: int, depth: int) -> dict[str, int]:
    """Return what each of the moves that are possible here is worth by a search."""
    return Search(node, nodes).worths([uci for uci in pushes(node.board) if uci in moves], depth)


class Cast:
    """The dice on the table as a seat sees them, and what may be done with them."""

    def __init__(self, hand: CurrentDice, seat: Seat, plans: int) -> None:
        ordered = hand.free or hand.current >= 0
        self._odds = DiceSearch(free=not ordered, width=2 * plans, leaves=plans)
        self._own = hand.owner == seat
        left = "".join(die for die, sign in zip(hand.dice, hand.used, strict=False) if sign == ".")
        self._dice = ANY + left if hand.free and self._own else left

    def worths(self, node: Node, moves: Collection[str]) -> dict[str, int]:
        """Return what each of the moves that are possible here is worth."""
        known = [uci for uci in pushes(node.board) if uci in moves]
        return (self._odds.worths if self._own else self._odds.reply)(node, known, self._dice)

    def skip(self, node: Node) -> int:
        """Return what it is worth to let the present die go."""
        return self._odds.skip(node, self._dice)

    def again(self, nodes: Sequence[Node]) -> bool:
        """Tell whether to throw again."""
        return 2 * sum(self._odds.again(node, self._dice) for node in nodes) > len(nodes)
