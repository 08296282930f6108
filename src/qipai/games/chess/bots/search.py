"""Our own chess engine: alpha-beta with quiescence, deeper and deeper while positions last.

Instead of time it counts positions, so that the same question gives the same answer on every machine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from rust_chess import Board
from rust_chess import Move as Push

from .evaluation import STEPS, VALUES, Evaluator, Node, captures, legal, shifted

MATE: Final = 100_000
SURE: Final = MATE - 1_000
"""A worth beyond this is a mate that was seen to its end."""
DEPTHS: Final = 40
_MARGIN: Final = 160
"""A capture that cannot come this near to what is wanted is not looked at."""
_EXACT, _LOWER, _UPPER = range(3)
_FIRST: Final = 1 << 30
_NONE: Final[Mapping[str, int]] = {}


class _Spent(Exception):
    """The positions are used up."""


class Search:
    """Thinks about one position, once; `past` are the hashes of the positions that led to it.

    `nodes` is how many positions were looked at, `depth` how far the last whole look went.
    """

    def __init__(self, root: Node, budget: int, past: Iterable[int] = ()) -> None:
        self._root = root
        self._budget = budget
        self._judge = Evaluator()
        self._known: dict[int, tuple[int, int, int, str]] = {}
        self._killers = [["", ""] for _ in range(DEPTHS * 3)]
        self._history: dict[tuple[int, str], int] = {}
        self._line = set(past)
        self.nodes = 0
        self.depth = 0

    def best(
        self, moves: Sequence[str], depths: int = DEPTHS, bonus: Mapping[str, int] = _NONE
    ) -> tuple[str, int]:
        """Return the best of these legal moves and its worth; `bonus` is added to what a move is worth."""
        ordered = list(moves)
        worth = 0
        with suppress(_Spent):
            for depth in range(1, depths + 1):
                worth = self._deepen(ordered, depth, bonus)
                self.depth = depth
                if abs(worth) > SURE or len(ordered) < 2:
                    break
        return ordered[0], worth

    def worths(self, moves: Iterable[str], depth: int) -> dict[str, int]:
        """Return what each of these legal moves is worth to whoever makes it, as far as positions last."""
        found: dict[str, int] = {}
        with suppress(_Spent):
            for uci in moves:
                found[uci] = self._follow(uci, depth - 1, -MATE, MATE)
        return found

    def _deepen(self, moves: list[str], depth: int, bonus: Mapping[str, int]) -> int:
        """Put the best move first and return its worth; what was seen before the end is kept."""
        alpha = -MATE
        for number, uci in enumerate(list(moves)):
            more = bonus.get(uci, 0)
            worth = MATE
            if number:
                worth = self._follow(uci, depth - 1, alpha - more, alpha - more + 1) + more
            if worth > alpha:
                worth = self._follow(uci, depth - 1, alpha - more, MATE) + more
            if worth > alpha or not number:
                alpha = worth
                moves.remove(uci)
                moves.insert(0, uci)
        return alpha

    def _follow(self, uci: str, depth: int, alpha: int, beta: int) -> int:
        board, cells, total = self._root
        key = board.zobrist_hash
        new = key not in self._line
        self._line.add(key)
        try:
            after, sum_ = shifted(cells, total, STEPS[uci])
            child = board.make_move_new(Push(uci), False)
            return -self._search(child, after, sum_, depth, -beta, -alpha, 1)
        finally:
            if new:
                self._line.discard(key)

    def _search(
        self, board: Board, cells: bytearray, total: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Return the worth of a position to whoever is to move."""
        check = board.is_check()
        if check:
            depth += 1
        if depth <= 0:
            return self._quiet(board, cells, total, alpha, beta, ply)
        self.nodes += 1
        if self.nodes > self._budget:
            raise _Spent
        key = board.zobrist_hash
        if key in self._line or board.halfmove_clock > 99:
            return 0
        first = ""
        if (known := self._known.get(key)) is not None:
            at, bound, worth, first = known
            if abs(worth) > SURE:
                worth += -ply if worth > 0 else ply
            if at >= depth and (bound == _EXACT or (worth >= beta if bound == _LOWER else worth <= alpha)):
                return worth
        white = bool(board.turn)
        narrow = beta - alpha == 1
        if narrow and not check and abs(beta) < SURE:
            worth = self._judge.worth(board, cells, total)
            worth = worth if white else -worth
            if depth < 4 and worth - 90 * depth >= beta:
                return worth
            if depth > 2 and worth >= beta and _has_pieces(cells, white):
                free = board.make_null_move_new()
                if free is not None:
                    worth = -self._search(free, cells, total, depth - 3, -beta, 1 - beta, ply + 1)
                    if worth >= beta:
                        return beta
        return self._try(board, cells, total, depth, alpha, beta, ply, first, key, check)

    def _try(
        self,
        board: Board,
        cells: bytearray,
        total: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        first: str,
        key: int,
        check: bool,
    ) -> int:
        """Return the worth of the best move, and remember it."""
        best, choice, floor = -MATE, "", alpha
        search, line = self._search, self._line
        line.add(key)
        try:
            for number, (uci, push, quiet) in enumerate(self._moves(board, cells, first, ply)):
                after, sum_ = shifted(cells, total, STEPS[uci])
                child = board.make_move_new(push, False)
                worth = MATE
                if number:
                    less = 1
                    if quiet and number > 3 and depth > 2 and not check:
                        less = 2 + (number > 12)
                    worth = -search(child, after, sum_, depth - less, -alpha - 1, -alpha, ply + 1)
                    if less > 1 and worth > alpha:
                        worth = -search(child, after, sum_, depth - 1, -alpha - 1, -alpha, ply + 1)
                if not number or alpha < worth < beta:
                    worth = -search(child, after, sum_, depth - 1, -beta, -alpha, ply + 1)
                if worth > best:
                    best, choice = worth, uci
                    if worth > alpha:
                        alpha = worth
                        if alpha >= beta:
                            if quiet:
                                self._remember(uci, cells, depth, ply)
                            break
        finally:
            line.discard(key)
        if not choice:
            return ply - MATE if check else 0
        bound = _LOWER if best >= beta else _EXACT if best > floor else _UPPER
        # A mate is remembered as far as it is from here.
        away = 0 if abs(best) <= SURE else ply if best > 0 else -ply
        self._known[key] = (depth, bound, best + away, choice)
        return best

    def _remember(self, uci: str, cells: bytearray, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != uci:
            killers[:] = [uci, killers[0]]
        name = cells[STEPS[uci].source], uci
        self._history[name] = self._history.get(name, 0) + depth * depth

    def _moves(
        self, board: Board, cells: bytearray, first: str, ply: int
    ) -> Iterator[tuple[str, Push, bool]]:
        """Yield the moves, the promising ones first, and whether each is quiet."""
        if first:
            _, target, kind = STEPS[first]
            yield first, Push(first), not cells[target] and not kind
        # Whoever looked at this board before has used its generator up.
        board.reset_move_generator()
        bad = []
        for gain, uci, push in _captures(board, cells):
            if uci == first:
                continue
            if gain < 0:
                bad.append((uci, push, False))
            else:
                yield uci, push, False
        history = self._history.get
        killers = self._killers[ply]
        rest = []
        for push in legal(board):
            uci = push.get_uci()
            if uci == first:
                continue
            if uci in killers:
                rest.append((_FIRST, uci, push))
            else:
                rest.append((history((cells[STEPS[uci][0]], uci), 0), uci, push))
        rest.sort(key=_gain, reverse=True)
        for _, uci, push in rest:
            yield uci, push, len(uci) < 5
        yield from bad

    def _quiet(self, board: Board, cells: bytearray, total: int, alpha: int, beta: int, ply: int) -> int:
        """Return the worth of a position when all captures have been made that are worth it."""
        self.nodes += 1
        if self.nodes > self._budget:
            raise _Spent
        worth = self._judge.worth(board, cells, total)
        best = worth if board.turn else -worth
        if best >= beta:
            return best
        alpha = max(alpha, best)
        wanted = alpha - best - _MARGIN
        board.reset_move_generator()
        for gain, uci, push in _captures(board, cells):
            step = STEPS[uci]
            if gain < 0 or (VALUES[cells[step[1]]] < wanted and not step[2]):
                continue
            after, sum_ = shifted(cells, total, step)
            child = board.make_move_new(push, False)
            worth = -self._quiet(child, after, sum_, -beta, -alpha, ply + 1)
            if worth > best:
                best = worth
                if worth > alpha:
                    alpha = worth
                    if alpha >= beta:
                        break
        return best


def _gain(item: tuple[int, str, Push]) -> int:
    return item[0]


def _captures(board: Board, cells: bytearray) -> list[tuple[int, str, Push]]:
    """Return the captures, the best first; one that only loses material has a gain below nothing."""
    found = []
    white = bool(board.turn)
    guard, ahead = (7, 8) if white else (1, -8)
    for push in captures(board):
        uci = push.get_uci()
        source, target, kind = STEPS[uci]
        victim, piece = VALUES[cells[target]], VALUES[cells[source]]
        gain = 10 * victim - piece + 1_000
        if kind:
            gain += VALUES[kind]
        elif piece > victim:
            beyond = target + ahead
            if 0 <= beyond < 64 and (
                (beyond & 7 and cells[beyond - 1] == guard) or (beyond & 7 < 7 and cells[beyond + 1] == guard)
            ):
                gain = victim - piece
        found.append((gain, uci, push))
    found.sort(key=_gain, reverse=True)
    return found


def _has_pieces(cells: bytearray, white: bool) -> bool:
    """Tell whether a side has more than pawns: with pawns alone a move less may be a good thing."""
    return any(code in cells for code in ((2, 3, 4, 5) if white else (8, 9, 10, 11)))
