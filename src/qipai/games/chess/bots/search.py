"""Alpha-beta search with quiescence, limited by nodes so that it is deterministic.

Iterative deepening, principal variation search, transposition table, null-move and reverse futility pruning,
late move reductions, killer moves, history heuristic. The same position gives the same move on every machine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from rust_chess import Board
from rust_chess import Move as Push

from .evaluation import MOVE_SQUARES, PIECE_VALUES, Evaluator, Node, after_move, legal_captures, legal_moves

MATE: Final = 100_000
MATE_THRESHOLD: Final = MATE - 1_000
"""A score beyond this is a forced mate."""
MAX_DEPTH: Final = 40
_DELTA_MARGIN: Final = 160
"""Delta pruning: a capture that stays this far below alpha is not searched."""
_EXACT, _LOWER, _UPPER = range(3)
_KILLER_ORDER: Final = 1 << 30
_NO_BONUS: Final[Mapping[str, int]] = {}


class _BudgetUsed(Exception):
    """The node budget is used up."""


class Search:
    """Searches one position, once; `past` are the hashes of the earlier positions of the game.

    `nodes` is the number of nodes searched, `depth` the last completed iteration.
    """

    def __init__(self, root: Node, budget: int, past: Iterable[int] = ()) -> None:
        self._root = root
        self._budget = budget
        self._evaluator = Evaluator()
        self._transpositions: dict[int, tuple[int, int, int, str]] = {}
        self._killers = [["", ""] for _ in range(MAX_DEPTH * 3)]
        self._history: dict[tuple[int, str], int] = {}
        self._path = set(past)
        self.nodes = 0
        self.depth = 0

    def best_move(
        self, moves: Sequence[str], depths: int = MAX_DEPTH, bonus: Mapping[str, int] = _NO_BONUS
    ) -> tuple[str, int]:
        """Return the best of these legal moves and its score; `bonus` is added to the score of a move."""
        ordered = list(moves)
        score = 0
        with suppress(_BudgetUsed):
            for depth in range(1, depths + 1):
                score = self._search_root(ordered, depth, bonus)
                self.depth = depth
                if abs(score) > MATE_THRESHOLD or len(ordered) < 2:
                    break
        return ordered[0], score

    def score_moves(self, moves: Iterable[str], depth: int) -> dict[str, int]:
        """Return the score of each of these legal moves, as many as the node budget allows."""
        scores: dict[str, int] = {}
        with suppress(_BudgetUsed):
            for uci in moves:
                scores[uci] = self._search_root_move(uci, depth - 1, -MATE, MATE)
        return scores

    def _search_root(self, moves: list[str], depth: int, bonus: Mapping[str, int]) -> int:
        """Move the best root move to the front, also if the budget ends; return its score."""
        alpha = -MATE
        for number, uci in enumerate(list(moves)):
            move_bonus = bonus.get(uci, 0)
            score = MATE
            if number:
                score = (
                    self._search_root_move(uci, depth - 1, alpha - move_bonus, alpha - move_bonus + 1)
                    + move_bonus
                )
            if score > alpha:
                score = self._search_root_move(uci, depth - 1, alpha - move_bonus, MATE) + move_bonus
            if score > alpha or not number:
                alpha = score
                moves.remove(uci)
                moves.insert(0, uci)
        return alpha

    def _search_root_move(self, uci: str, depth: int, alpha: int, beta: int) -> int:
        board, cells, packed = self._root
        key = board.zobrist_hash
        is_new = key not in self._path
        self._path.add(key)
        try:
            cells_after, packed_after = after_move(cells, packed, MOVE_SQUARES[uci])
            child = board.make_move_new(Push(uci), False)
            return -self._search(child, cells_after, packed_after, depth, -beta, -alpha, 1)
        finally:
            if is_new:
                self._path.discard(key)

    def _search(
        self, board: Board, cells: bytearray, packed: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Return the score of a position for the side to move."""
        in_check = board.is_check()
        if in_check:
            depth += 1
        if depth <= 0:
            return self._quiescence(board, cells, packed, alpha, beta, ply)
        self.nodes += 1
        if self.nodes > self._budget:
            raise _BudgetUsed
        key = board.zobrist_hash
        if key in self._path or board.halfmove_clock > 99:
            return 0
        table_move = ""
        if (entry := self._transpositions.get(key)) is not None:
            entry_depth, bound, score, table_move = entry
            if abs(score) > MATE_THRESHOLD:
                score += -ply if score > 0 else ply
            if entry_depth >= depth and (
                bound == _EXACT or (score >= beta if bound == _LOWER else score <= alpha)
            ):
                return score
        white = bool(board.turn)
        null_window = beta - alpha == 1
        if null_window and not in_check and abs(beta) < MATE_THRESHOLD:
            score = self._evaluator.score(board, cells, packed)
            score = score if white else -score
            if depth < 4 and score - 90 * depth >= beta:
                return score
            if depth > 2 and score >= beta and _has_non_pawns(cells, white):
                after_null = board.make_null_move_new()
                if after_null is not None:
                    score = -self._search(after_null, cells, packed, depth - 3, -beta, 1 - beta, ply + 1)
                    if score >= beta:
                        return beta
        return self._search_moves(board, cells, packed, depth, alpha, beta, ply, table_move, key, in_check)

    def _search_moves(
        self,
        board: Board,
        cells: bytearray,
        packed: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        table_move: str,
        key: int,
        in_check: bool,
    ) -> int:
        """Return the score of the best move, and store it in the transposition table."""
        best, best_uci, original_alpha = -MATE, "", alpha
        search, path = self._search, self._path
        path.add(key)
        try:
            for number, (uci, push, quiet) in enumerate(self._ordered_moves(board, cells, table_move, ply)):
                cells_after, packed_after = after_move(cells, packed, MOVE_SQUARES[uci])
                child = board.make_move_new(push, False)
                score = MATE
                if number:
                    reduction = 1
                    if quiet and number > 3 and depth > 2 and not in_check:
                        reduction = 2 + (number > 12)
                    score = -search(
                        child, cells_after, packed_after, depth - reduction, -alpha - 1, -alpha, ply + 1
                    )
                    if reduction > 1 and score > alpha:
                        score = -search(
                            child, cells_after, packed_after, depth - 1, -alpha - 1, -alpha, ply + 1
                        )
                if not number or alpha < score < beta:
                    score = -search(child, cells_after, packed_after, depth - 1, -beta, -alpha, ply + 1)
                if score > best:
                    best, best_uci = score, uci
                    if score > alpha:
                        alpha = score
                        if alpha >= beta:
                            if quiet:
                                self._store_cutoff(uci, cells, depth, ply)
                            break
        finally:
            path.discard(key)
        if not best_uci:
            return ply - MATE if in_check else 0
        bound = _LOWER if best >= beta else _EXACT if best > original_alpha else _UPPER
        # Mate scores are stored relative to this node.
        mate_distance = 0 if abs(best) <= MATE_THRESHOLD else ply if best > 0 else -ply
        self._transpositions[key] = (depth, bound, best + mate_distance, best_uci)
        return best

    def _store_cutoff(self, uci: str, cells: bytearray, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != uci:
            killers[:] = [uci, killers[0]]
        key = cells[MOVE_SQUARES[uci].source], uci
        self._history[key] = self._history.get(key, 0) + depth * depth

    def _ordered_moves(
        self, board: Board, cells: bytearray, table_move: str, ply: int
    ) -> Iterator[tuple[str, Push, bool]]:
        """Yield (uci, move, is quiet): table move, captures, killers, history, losing captures."""
        if table_move:
            _, target, promotion = MOVE_SQUARES[table_move]
            yield table_move, Push(table_move), not cells[target] and not promotion
        # Earlier calls may have consumed the move generator of this board.
        board.reset_move_generator()
        losing = []
        for gain, uci, push in _ordered_captures(board, cells):
            if uci == table_move:
                continue
            if gain < 0:
                losing.append((uci, push, False))
            else:
                yield uci, push, False
        history = self._history.get
        killers = self._killers[ply]
        quiet_moves = []
        for push in legal_moves(board):
            uci = push.get_uci()
            if uci == table_move:
                continue
            if uci in killers:
                quiet_moves.append((_KILLER_ORDER, uci, push))
            else:
                quiet_moves.append((history((cells[MOVE_SQUARES[uci][0]], uci), 0), uci, push))
        quiet_moves.sort(key=_order, reverse=True)
        for _, uci, push in quiet_moves:
            yield uci, push, len(uci) < 5
        yield from losing

    def _quiescence(
        self, board: Board, cells: bytearray, packed: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Return the quiescence score: the better of standing pat and the captures that do not lose."""
        self.nodes += 1
        if self.nodes > self._budget:
            raise _BudgetUsed
        score = self._evaluator.score(board, cells, packed)
        best = score if board.turn else -score
        if best >= beta:
            return best
        alpha = max(alpha, best)
        needed_gain = alpha - best - _DELTA_MARGIN
        board.reset_move_generator()
        for gain, uci, push in _ordered_captures(board, cells):
            squares = MOVE_SQUARES[uci]
            if gain < 0 or (PIECE_VALUES[cells[squares[1]]] < needed_gain and not squares[2]):
                continue
            cells_after, packed_after = after_move(cells, packed, squares)
            child = board.make_move_new(push, False)
            score = -self._quiescence(child, cells_after, packed_after, -beta, -alpha, ply + 1)
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    if alpha >= beta:
                        break
        return best


def _order(item: tuple[int, str, Push]) -> int:
    return item[0]


def _ordered_captures(board: Board, cells: bytearray) -> list[tuple[int, str, Push]]:
    """Return the captures by MVV-LVA; one of a pawn-guarded, cheaper piece has a negative order."""
    captures = []
    white = bool(board.turn)
    enemy_pawn, ahead = (7, 8) if white else (1, -8)
    for push in legal_captures(board):
        uci = push.get_uci()
        source, target, promotion = MOVE_SQUARES[uci]
        captured, piece = PIECE_VALUES[cells[target]], PIECE_VALUES[cells[source]]
        gain = 10 * captured - piece + 1_000
        if promotion:
            gain += PIECE_VALUES[promotion]
        elif piece > captured:
            in_front = target + ahead
            if 0 <= in_front < 64 and (
                (in_front & 7 and cells[in_front - 1] == enemy_pawn)
                or (in_front & 7 < 7 and cells[in_front + 1] == enemy_pawn)
            ):
                gain = captured - piece
        captures.append((gain, uci, push))
    captures.sort(key=_order, reverse=True)
    return captures


def _has_non_pawns(cells: bytearray, white: bool) -> bool:
    """Tell whether a side has pieces besides pawns: without any, zugzwang forbids null-move pruning."""
    return any(code in cells for code in ((2, 3, 4, 5) if white else (8, 9, 10, 11)))
