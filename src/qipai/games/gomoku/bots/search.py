"""Alpha-beta search for gomoku, limited by nodes so that it is deterministic.

Iterative deepening over few candidates, with a transposition table; forced moves cost no depth. The budget
counts stones placed on the search board, so the same position gives the same move on every machine.
"""

from contextlib import suppress
from typing import Final

from .forced_wins import VcfSearch
from .search_board import (
    ALL_CELLS,
    BLOCKS,
    CANDIDATES,
    COLOUR_BITS,
    FIVES,
    FOURS,
    OPEN_FOURS,
    OPEN_THREES,
    Board,
    cells,
)

WIN: Final = 1_000_000
WIN_THRESHOLD: Final = WIN - 1_000
"""A score beyond this is a forced win."""
MAX_DEPTH: Final = 20
MAX_CANDIDATES: Final = 14
"""Candidates per position."""
ROOT_CANDIDATES: Final = 24
FULL_DEPTH_MOVES: Final = 4
"""Moves searched at full depth; later ones only after a reduced search beats alpha."""
MAX_EXTENSION_PLY: Final = 13
"""Last ply at which answers to an open three cost no depth."""
NODE_VCF_LIMIT: Final = 40
"""Placed stones per VCF search inside the tree."""
ROOT_VCF_LIMIT: Final = 6_000
"""Placed stones per VCF search at the root."""
SHALLOW_BUDGET: Final = 20_000
"""Placed stones for a search of one answer to each candidate; never used up."""

_EXACT, _LOWER, _UPPER = range(3)


class _BudgetUsed(Exception):
    """The budget is used up; the search board is left in the middle and must not be used again."""


class Search:
    """Searches one position, once."""

    def __init__(self, board: Board, colour: int, budget: int, *, shallow: bool = False) -> None:
        self._board = board
        self._vcf_limit = 0 if shallow else NODE_VCF_LIMIT
        self._max_extension_ply = 0 if shallow else MAX_EXTENSION_PLY
        self._colour = colour
        self._vcf = VcfSearch(board)
        self._placed_before = board.placed
        self._placed_limit = board.placed + budget
        self._transpositions: dict[int, tuple[int, int, int, int]] = {}
        self.depth = 0

    @property
    def placed(self) -> int:
        """Return how many stones the search has placed."""
        return self._board.placed - self._placed_before

    def best_move(self) -> int | None:
        """Return the cell to play, or None if there is no candidate."""
        board, colour = self._board, self._colour
        any_direction, two_directions = board.fields()
        if urgent := urgent_cells(any_direction, two_directions, colour):
            return next(cells(urgent))
        if sequence := self._vcf.find_win(colour, min(ROOT_VCF_LIMIT, self._placed_limit - board.placed)):
            return sequence[0]
        moves = self._safe_moves(any_direction, two_directions)
        with suppress(_BudgetUsed):
            for depth in range(2, MAX_DEPTH):
                score = self._search_root(moves, depth)
                self.depth = depth
                if abs(score) > WIN_THRESHOLD or len(moves) < 2:
                    break
        return moves[0] if moves else None

    def _safe_moves(self, any_direction: int, two_directions: int) -> list[int]:
        """Return the root candidates; if the other side threatens a VCF, those that prevent it."""
        board, colour = self._board, self._colour
        moves = candidate_moves(any_direction, two_directions, colour, ROOT_CANDIDATES)
        threat = self._vcf.find_win(1 - colour, min(ROOT_VCF_LIMIT, (self._placed_limit - board.placed) // 4))
        if not threat:
            return moves
        defences = set(moves) | set(threat)
        for kind in (FOURS, OPEN_THREES, BLOCKS):
            defences |= set(cells((any_direction >> kind | any_direction >> COLOUR_BITS + kind) & ALL_CELLS))
        limit = (self._placed_limit - board.placed) // 2 // len(defences)
        safe = []
        for cell in [*moves, *sorted(defences - set(moves))]:
            undo = board.place(cell, colour)
            if not VcfSearch(board).find_win(1 - colour, limit):
                safe.append(cell)
            board.remove(cell, colour, undo)
        # No defence: block the first cell of the sequence.
        return safe or [threat[0]]

    def _search_root(self, moves: list[int], depth: int) -> int:
        """Search every root move; the best is in front, also if the budget ends."""
        board, colour = self._board, self._colour
        alpha = -WIN
        for number, cell in enumerate(list(moves)):
            undo = board.place(cell, colour)
            score = -self.search(1 - colour, depth - 1, -alpha - 1, -alpha, 1) if number else WIN
            if score > alpha:
                score = -self.search(1 - colour, depth - 1, -WIN, -alpha, 1)
            board.remove(cell, colour, undo)
            if score > alpha:
                alpha = score
                moves.remove(cell)
                moves.insert(0, cell)
        return alpha

    def search(self, colour: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the score for the colour to move, within the window of alpha and beta."""
        board = self._board
        if board.placed > self._placed_limit:
            raise _BudgetUsed
        any_direction, two_directions = board.fields()
        own, theirs = any_direction >> colour * COLOUR_BITS, any_direction >> (1 - colour) * COLOUR_BITS
        if own & ALL_CELLS:
            return WIN - ply - 1
        if must := theirs & ALL_CELLS:
            if must & must - 1:
                return ply + 2 - WIN
            return self._search_forced(must.bit_length() - 1, colour, depth, alpha, beta, ply)
        if (own >> OPEN_FOURS | two_directions >> colour * COLOUR_BITS + FOURS) & ALL_CELLS:
            return WIN - ply - 3
        fours = own >> FOURS & ALL_CELLS
        if fours and self._vcf_limit and self._vcf.find_win(colour, self._vcf_limit):
            return WIN - ply - 5
        if depth <= 0:
            return self._evaluate(colour, own, theirs, two_directions)
        table_move = -1
        if (entry := self._transpositions.get(board.key)) is not None:
            entry_depth, bound, score, table_move = entry
            if abs(score) > WIN_THRESHOLD:
                score += -ply if score > 0 else ply
            if entry_depth >= depth and (
                bound == _EXACT or (score >= beta if bound == _LOWER else score <= alpha)
            ):
                return score
        moves = open_three_answers(any_direction, colour)
        quiet = not moves
        moves = moves or candidate_moves(any_direction, two_directions, colour, MAX_CANDIDATES)
        if table_move >= 0 and moves[0] != table_move:
            moves = [table_move, *(cell for cell in moves if cell != table_move)]
        return self._search_moves(moves, colour, depth, alpha, beta, ply, quiet=quiet)

    def _search_moves(
        self, moves: list[int], colour: int, depth: int, alpha: int, beta: int, ply: int, *, quiet: bool
    ) -> int:
        """Return the score of the best move, and store it in the transposition table."""
        board = self._board
        next_depth = depth - 1 if quiet or ply > self._max_extension_ply else depth
        best, best_cell, original_alpha = -WIN, -1, alpha
        for number, cell in enumerate(moves):
            undo = board.place(cell, colour)
            score = WIN
            if number >= FULL_DEPTH_MOVES and depth > 2 and quiet:
                score = -self.search(1 - colour, next_depth - 1, -alpha - 1, -alpha, ply + 1)
            if number and score > alpha:
                score = -self.search(1 - colour, next_depth, -alpha - 1, -alpha, ply + 1)
            if not number or alpha < score < beta:
                score = -self.search(1 - colour, next_depth, -beta, -alpha, ply + 1)
            board.remove(cell, colour, undo)
            if score > best:
                best, best_cell = score, cell
                if score > alpha:
                    alpha = score
                    if alpha >= beta:
                        break
        if best_cell < 0:
            return 0
        bound = _LOWER if best >= beta else _EXACT if best > original_alpha else _UPPER
        # Win scores are stored relative to this node.
        win_distance = 0 if abs(best) <= WIN_THRESHOLD else ply if best > 0 else -ply
        self._transpositions[board.key] = (depth, bound, best + win_distance, best_cell)
        return best

    def _search_forced(self, cell: int, colour: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        undo = self._board.place(cell, colour)
        score = -self.search(1 - colour, depth, -beta, -alpha, ply + 1)
        self._board.remove(cell, colour, undo)
        return score

    def _evaluate(self, colour: int, own: int, theirs: int, two_directions: int) -> int:
        """Return the line score plus threats that the sum does not contain."""
        score = -self._board.score if colour else self._board.score
        open_threes = own >> OPEN_THREES & ALL_CELLS
        if theirs >> OPEN_FOURS & ALL_CELLS:
            score -= 40
        elif open_threes:
            score += 20
            if (own >> FOURS | two_directions >> colour * COLOUR_BITS + OPEN_THREES) & open_threes:
                score += 150
        if (
            (theirs >> FOURS | two_directions >> (1 - colour) * COLOUR_BITS + OPEN_THREES)
            & theirs >> OPEN_THREES
            & ALL_CELLS
        ):
            score -= 50
        return score + 10


def urgent_cells(any_direction: int, two_directions: int, colour: int) -> int:
    """Return the cells that make five, else those that block a five, else those that make a winning four."""
    own, theirs = any_direction >> colour * COLOUR_BITS, any_direction >> (1 - colour) * COLOUR_BITS
    wins = (own >> OPEN_FOURS | two_directions >> colour * COLOUR_BITS + FOURS) & ALL_CELLS
    return own >> FIVES & ALL_CELLS or theirs >> FIVES & ALL_CELLS or wins


def open_three_answers(any_direction: int, colour: int) -> list[int]:
    """Return the answers to an open three, blocks and fours; empty if there is none."""
    theirs = any_direction >> (1 - colour) * COLOUR_BITS
    if not theirs >> OPEN_FOURS & ALL_CELLS:
        return []
    blocks = (theirs >> BLOCKS | theirs >> OPEN_FOURS) & ALL_CELLS
    fours = any_direction >> colour * COLOUR_BITS + FOURS & ALL_CELLS
    return [*cells(blocks), *cells(fours & ~blocks)]


def score_moves(board: Board, colour: int) -> dict[int, int]:
    """Return the score of each candidate for this colour after the other's best answer."""
    any_direction, two_directions = board.fields()
    if urgent := urgent_cells(any_direction, two_directions, colour):
        return dict.fromkeys(cells(urgent), WIN)
    search = Search(board, colour, SHALLOW_BUDGET, shallow=True)
    scores = {}
    for cell in open_three_answers(any_direction, colour) or candidate_moves(
        any_direction, two_directions, colour, ROOT_CANDIDATES
    ):
        undo = board.place(cell, colour)
        scores[cell] = -search.search(1 - colour, 1, -WIN, WIN, 1)
        board.remove(cell, colour, undo)
    return scores


def candidate_moves(any_direction: int, two_directions: int, colour: int, width: int) -> list[int]:
    """Return up to `width` candidates for this colour, by the strength of their patterns."""
    own, theirs = any_direction >> colour * COLOUR_BITS, any_direction >> (1 - colour) * COLOUR_BITS
    own2, theirs2 = two_directions >> colour * COLOUR_BITS, two_directions >> (1 - colour) * COLOUR_BITS
    fours, open_threes, candidates = (
        own >> FOURS & ALL_CELLS,
        own >> OPEN_THREES & ALL_CELLS,
        own >> CANDIDATES & ALL_CELLS,
    )
    their_fours, their_open_threes, their_candidates = (
        theirs >> FOURS & ALL_CELLS,
        theirs >> OPEN_THREES & ALL_CELLS,
        theirs >> CANDIDATES & ALL_CELLS,
    )
    candidates2, their_candidates2 = own2 >> CANDIDATES & ALL_CELLS, theirs2 >> CANDIDATES & ALL_CELLS
    cells_found: list[int] = []
    listed = 0
    for group in (
        fours & open_threes,
        own2 >> OPEN_THREES & ALL_CELLS,
        their_fours & their_open_threes,
        theirs2 >> OPEN_THREES & ALL_CELLS | theirs2 >> FOURS & ALL_CELLS,
        open_threes & candidates2,
        their_open_threes & their_candidates2,
        open_threes,
        their_open_threes,
        candidates2 & their_candidates2,
        fours & candidates2,
        candidates2,
        their_candidates2,
        candidates & their_candidates,
        candidates,
        fours,
        their_candidates,
    ):
        new = group & ~listed
        if new:
            listed |= new
            cells_found += cells(new)
            if len(cells_found) >= width:
                break
    return cells_found[:width]
