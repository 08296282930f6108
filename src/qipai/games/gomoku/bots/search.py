"""Alpha-beta search for gomoku, limited by nodes so that it is deterministic.

Iterative deepening over few candidates, with a transposition table; forced moves cost no depth. The budget
counts stones placed on the search board, so the same position gives the same move on every machine.
"""

from contextlib import suppress
from typing import Final

from .forced_wins import VcfSearch
from .search_board import Board, Layout, cells

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


Fields = tuple[int, int, int]
"""What `Board.fields` returns."""


class Search:
    """Searches one position, once. `forbidden` are the cells where the colour to move may not place a stone.

    `score` is the score of the position for this colour, once the best move is found.
    """

    def __init__(
        self, board: Board, colour: int, budget: int, *, forbidden: int = 0, shallow: bool = False
    ) -> None:
        self._board = board
        self._forbidden = forbidden
        self._vcf_limit = 0 if shallow else NODE_VCF_LIMIT
        self._max_extension_ply = 0 if shallow else MAX_EXTENSION_PLY
        self._colour = colour
        self._vcf = VcfSearch(board)
        self._placed_before = board.placed
        self._placed_limit = board.placed + budget
        self._transpositions: dict[int, tuple[int, int, int, int]] = {}
        self.depth = 0
        self.score = 0

    @property
    def placed(self) -> int:
        """Return how many stones the search has placed."""
        return self._board.placed - self._placed_before

    def best_move(self) -> int | None:
        """Return the cell to play, or None if there is no candidate."""
        board, colour = self._board, self._colour
        fields = board.fields()
        if urgent := urgent_cells(board.layout, fields, colour) & ~self._forbidden:
            return next(cells(urgent))
        if sequence := self._vcf.find_win(colour, min(ROOT_VCF_LIMIT, self._placed_limit - board.placed)):
            self.score = WIN - len(sequence)
            return sequence[0]
        moves = self._safe_moves(fields)
        with suppress(_BudgetUsed):
            for depth in range(2, MAX_DEPTH):
                self.score = self._search_root(moves, depth)
                self.depth = depth
                if abs(self.score) > WIN_THRESHOLD or len(moves) < 2:
                    break
        return moves[0] if moves else None

    def _safe_moves(self, fields: Fields) -> list[int]:
        """Return the root candidates; if the other side threatens a VCF, those that prevent it."""
        board, colour, layout = self._board, self._colour, self._board.layout
        forbidden = self._forbidden
        moves = candidate_moves(layout, fields, colour, ROOT_CANDIDATES)
        if forbidden:
            moves = [cell for cell in moves if not forbidden >> cell & 1]
        threat = self._vcf.find_win(1 - colour, min(ROOT_VCF_LIMIT, (self._placed_limit - board.placed) // 4))
        if not threat:
            return moves
        any_direction = fields[0]
        defences = set(moves) | set(threat)
        for kind in (layout.fours, layout.open_threes, layout.blocks):
            found = any_direction >> kind | any_direction >> layout.colour_bits + kind
            defences |= set(cells(found & layout.all_cells))
        defences -= set(cells(forbidden))
        limit = (self._placed_limit - board.placed) // 2 // max(1, len(defences))
        safe = []
        for cell in [*moves, *sorted(defences - set(moves))]:
            undo = board.place(cell, colour)
            if not VcfSearch(board).find_win(1 - colour, limit):
                safe.append(cell)
            board.remove(cell, colour, undo)
        # No defence: block the first cell of the sequence.
        return safe or [cell for cell in threat[:1] if not forbidden >> cell & 1] or moves

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
        fields = board.fields()
        any_direction, two_directions, _ = fields
        layout = board.layout
        all_cells, colour_bits = layout.all_cells, layout.colour_bits
        own, theirs = any_direction >> colour * colour_bits, any_direction >> (1 - colour) * colour_bits
        if own & all_cells:
            return WIN - ply - 1
        if must := theirs & all_cells:
            cell = must.bit_length() - 1
            if must & must - 1 or (not colour and board.is_forbidden(cell)):
                return ply + 2 - WIN
            return self._search_forced(cell, colour, depth, alpha, beta, ply)
        if (own >> layout.open_fours | two_directions >> colour * colour_bits + layout.fours) & all_cells:
            return WIN - ply - 3
        fours = own >> layout.fours & all_cells
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
        moves = open_three_answers(layout, fields, colour)
        quiet = not moves
        moves = moves or candidate_moves(layout, fields, colour, MAX_CANDIDATES)
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
        layout = self._board.layout
        all_cells, colour_bits = layout.all_cells, layout.colour_bits
        open_threes = own >> layout.open_threes & all_cells
        if theirs >> layout.open_fours & all_cells:
            score -= 40
        elif open_threes:
            score += 20
            if (
                own >> layout.fours | two_directions >> colour * colour_bits + layout.open_threes
            ) & open_threes:
                score += 150
        if (
            (theirs >> layout.fours | two_directions >> (1 - colour) * colour_bits + layout.open_threes)
            & theirs >> layout.open_threes
            & all_cells
        ):
            score -= 50
        return score + 10


def urgent_cells(layout: Layout, fields: Fields, colour: int) -> int:
    """Return the cells that make five, else those that block a five, else those that make a winning four."""
    any_direction, two_directions, _ = fields
    all_cells, colour_bits = layout.all_cells, layout.colour_bits
    own, theirs = any_direction >> colour * colour_bits, any_direction >> (1 - colour) * colour_bits
    wins = (own >> layout.open_fours | two_directions >> colour * colour_bits + layout.fours) & all_cells
    return own & all_cells or theirs & all_cells or wins


def open_three_answers(layout: Layout, fields: Fields, colour: int) -> list[int]:
    """Return the answers to an open three, blocks and fours; empty if there is none."""
    any_direction, _, barred = fields
    all_cells = layout.all_cells
    theirs = any_direction >> (1 - colour) * layout.colour_bits
    if not theirs >> layout.open_fours & all_cells:
        return []
    blocks = (theirs >> layout.blocks | theirs >> layout.open_fours) & all_cells
    if not colour:
        blocks &= ~barred
    fours = any_direction >> colour * layout.colour_bits + layout.fours & all_cells
    return [*cells(blocks), *cells(fours & ~blocks)]


def score_moves(board: Board, colour: int, forbidden: int = 0) -> dict[int, int]:
    """Return the score of each candidate for this colour after the other's best answer."""
    layout, fields = board.layout, board.fields()
    if urgent := urgent_cells(layout, fields, colour) & ~forbidden:
        return dict.fromkeys(cells(urgent), WIN)
    search = Search(board, colour, SHALLOW_BUDGET, shallow=True)
    scores = {}
    answers = open_three_answers(layout, fields, colour)
    for cell in answers or candidate_moves(layout, fields, colour, ROOT_CANDIDATES):
        if forbidden >> cell & 1:
            continue
        undo = board.place(cell, colour)
        scores[cell] = -search.search(1 - colour, 1, -WIN, WIN, 1)
        board.remove(cell, colour, undo)
    return scores


def candidate_moves(layout: Layout, fields: Fields, colour: int, width: int) -> list[int]:
    """Return up to `width` candidates for this colour, by the strength of their patterns."""
    any_direction, two_directions, barred = fields
    all_cells, own_bits = layout.all_cells, colour * layout.colour_bits
    their_bits = layout.colour_bits - own_bits
    own, theirs = any_direction >> own_bits, any_direction >> their_bits
    own2, theirs2 = two_directions >> own_bits, two_directions >> their_bits
    fours, open_threes, candidates = (
        own >> layout.fours & all_cells,
        own >> layout.open_threes & all_cells,
        own >> layout.candidates & all_cells,
    )
    their_fours, their_open_threes, their_candidates = (
        theirs >> layout.fours & all_cells,
        theirs >> layout.open_threes & all_cells,
        theirs >> layout.candidates & all_cells,
    )
    candidates2 = own2 >> layout.candidates & all_cells
    their_candidates2 = theirs2 >> layout.candidates & all_cells
    cells_found: list[int] = []
    listed = 0 if colour else barred
    for group in (
        fours & open_threes,
        own2 >> layout.open_threes & all_cells,
        their_fours & their_open_threes,
        (theirs2 >> layout.open_threes | theirs2 >> layout.fours) & all_cells,
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
