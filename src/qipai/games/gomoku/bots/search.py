"""A search for the best stone: alpha-beta that looks at few cells, deeper and deeper while stones last.

What is forced costs no depth. Instead of time it counts stones put on the thinking board, so that
the same position and dice give the same answer on every machine.
"""

from contextlib import suppress
from typing import Final

from .forced_wins import Fours
from .search_board import FIVES, FOURS, FULL, LIVELY, SIDE, SPOILS, STRAIGHTS, THREES, Board, cells

WIN: Final = 1_000_000
SURE: Final = WIN - 1_000
"""A worth beyond this is a win that was seen to its end."""
DEPTHS: Final = 20
WIDTH: Final = 14
"""How many cells are looked at in a position."""
ROOT_WIDTH: Final = 24
PROMISING: Final = 4
"""So many are searched to the full depth; the others only if a shallow look likes them."""
EXTENDED: Final = 13
"""Up to here answers to an open three cost no depth."""
GLANCE: Final = 40
"""Stones for the look at fours that every position of the search gets."""
STARE: Final = 6_000
"""Stones for the same look at the position on the table."""
CARELESS: Final = 20_000
"""More stones than one answer to every cell needs."""

_EXACT, _LOWER, _UPPER = range(3)


class _Spent(Exception):
    """The stones are used up; the board is left as it is and must not be used again."""


class Engine:
    """Thinks about one position, once."""

    def __init__(self, board: Board, colour: int, budget: int, *, shallow: bool = False) -> None:
        self._board = board
        self._glance = 0 if shallow else GLANCE
        self._extended = 0 if shallow else EXTENDED
        self._colour = colour
        self._fours = Fours(board)
        self._start = board.placed
        self._last = board.placed + budget
        self._known: dict[int, tuple[int, int, int, int]] = {}
        self.depth = 0

    @property
    def spent(self) -> int:
        """Return how many stones were put while thinking."""
        return self._board.placed - self._start

    def best(self) -> int | None:
        """Return the cell to play, or None where no cell is better than any other."""
        board, colour = self._board, self._colour
        once, twice = board.fields()
        if now := urgent(once, twice, colour):
            return next(cells(now))
        if plan := self._fours.win(colour, min(STARE, self._last - board.placed)):
            return plan[0]
        moves = self._safe(once, twice)
        with suppress(_Spent):
            for depth in range(2, DEPTHS):
                worth = self._deepen(moves, depth)
                self.depth = depth
                if abs(worth) > SURE or len(moves) < 2:
                    break
        return moves[0] if moves else None

    def _safe(self, once: int, twice: int) -> list[int]:
        """Return the cells to look at: if the other side threatens to win by fours, those that stop it."""
        board, colour = self._board, self._colour
        moves = ordered(once, twice, colour, ROOT_WIDTH)
        danger = self._fours.win(1 - colour, min(STARE, (self._last - board.placed) // 4))
        if not danger:
            return moves
        wide = set(moves) | set(danger)
        for kind in (FOURS, THREES, SPOILS):
            wide |= set(cells((once >> kind | once >> SIDE + kind) & FULL))
        limit = (self._last - board.placed) // 2 // len(wide)
        safe = []
        for cell in [*moves, *sorted(wide - set(moves))]:
            before = board.place(cell, colour)
            if not Fours(board).win(1 - colour, limit):
                safe.append(cell)
            board.lift(cell, colour, before)
        # Nothing helps: block where it begins.
        return safe or [danger[0]]

    def _deepen(self, moves: list[int], depth: int) -> int:
        """Search every root move; leave the best in front even if the stones run out."""
        board, colour = self._board, self._colour
        alpha = -WIN
        for number, cell in enumerate(list(moves)):
            before = board.place(cell, colour)
            worth = -self.search(1 - colour, depth - 1, -alpha - 1, -alpha, 1) if number else WIN
            if worth > alpha:
                worth = -self.search(1 - colour, depth - 1, -WIN, -alpha, 1)
            board.lift(cell, colour, before)
            if worth > alpha:
                alpha = worth
                moves.remove(cell)
                moves.insert(0, cell)
        return alpha

    def search(self, colour: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return what the position is worth to the colour to move, as exactly as alpha and beta ask."""
        board = self._board
        if board.placed > self._last:
            raise _Spent
        once, twice = board.fields()
        mine, theirs = once >> colour * SIDE, once >> (1 - colour) * SIDE
        if mine & FULL:
            return WIN - ply - 1
        if must := theirs & FULL:
            if must & must - 1:
                return ply + 2 - WIN
            return self._forced(must.bit_length() - 1, colour, depth, alpha, beta, ply)
        if (mine >> STRAIGHTS | twice >> colour * SIDE + FOURS) & FULL:
            return WIN - ply - 3
        fours = mine >> FOURS & FULL
        if fours and self._glance and self._fours.win(colour, self._glance):
            return WIN - ply - 5
        if depth <= 0:
            return self._worth(colour, mine, theirs, twice)
        first = -1
        if (known := self._known.get(board.key)) is not None:
            at, bound, worth, first = known
            if abs(worth) > SURE:
                worth += -ply if worth > 0 else ply
            if at >= depth and (bound == _EXACT or (worth >= beta if bound == _LOWER else worth <= alpha)):
                return worth
        moves = answers(once, colour)
        quiet = not moves
        moves = moves or ordered(once, twice, colour, WIDTH)
        if first >= 0 and moves[0] != first:
            moves = [first, *(cell for cell in moves if cell != first)]
        return self._try(moves, colour, depth, alpha, beta, ply, quiet=quiet)

    def _try(
        self, moves: list[int], colour: int, depth: int, alpha: int, beta: int, ply: int, *, quiet: bool
    ) -> int:
        """Return the worth of the best of the moves, and remember it."""
        board = self._board
        less = depth - 1 if quiet or ply > self._extended else depth
        best, choice, floor = -WIN, -1, alpha
        for number, cell in enumerate(moves):
            before = board.place(cell, colour)
            worth = WIN
            if number >= PROMISING and depth > 2 and quiet:
                worth = -self.search(1 - colour, less - 1, -alpha - 1, -alpha, ply + 1)
            if number and worth > alpha:
                worth = -self.search(1 - colour, less, -alpha - 1, -alpha, ply + 1)
            if not number or alpha < worth < beta:
                worth = -self.search(1 - colour, less, -beta, -alpha, ply + 1)
            board.lift(cell, colour, before)
            if worth > best:
                best, choice = worth, cell
                if worth > alpha:
                    alpha = worth
                    if alpha >= beta:
                        break
        if choice < 0:
            return 0
        bound = _LOWER if best >= beta else _EXACT if best > floor else _UPPER
        # A win is remembered as far as it is from here.
        away = 0 if abs(best) <= SURE else ply if best > 0 else -ply
        self._known[board.key] = (depth, bound, best + away, choice)
        return best

    def _forced(self, cell: int, colour: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        before = self._board.place(cell, colour)
        worth = -self.search(1 - colour, depth, -beta, -alpha, ply + 1)
        self._board.lift(cell, colour, before)
        return worth

    def _worth(self, colour: int, mine: int, theirs: int, twice: int) -> int:
        """Return what the lines are worth, and the threats that their sum does not show."""
        worth = -self._board.worth if colour else self._board.worth
        threes = mine >> THREES & FULL
        if theirs >> STRAIGHTS & FULL:
            worth -= 40
        elif threes:
            worth += 20
            if (mine >> FOURS | twice >> colour * SIDE + THREES) & threes:
                worth += 150
        if (theirs >> FOURS | twice >> (1 - colour) * SIDE + THREES) & theirs >> THREES & FULL:
            worth -= 50
        return worth + 10


def urgent(once: int, twice: int, colour: int) -> int:
    """Return the cells that win at once or in two more stones, else those where the other would."""
    mine, theirs = once >> colour * SIDE, once >> (1 - colour) * SIDE
    wins = (mine >> STRAIGHTS | twice >> colour * SIDE + FOURS) & FULL
    return mine >> FIVES & FULL or theirs >> FIVES & FULL or wins


def answers(once: int, colour: int) -> list[int]:
    """Return what can be done about an open three, nothing if there is none: spoil it, or make fours."""
    theirs = once >> (1 - colour) * SIDE
    if not theirs >> STRAIGHTS & FULL:
        return []
    spoils = (theirs >> SPOILS | theirs >> STRAIGHTS) & FULL
    fours = once >> colour * SIDE + FOURS & FULL
    return [*cells(spoils), *cells(fours & ~spoils)]


def weigh(board: Board, colour: int) -> dict[int, int]:
    """Return what the promising cells are worth to this colour after the other's best answer."""
    once, twice = board.fields()
    if now := urgent(once, twice, colour):
        return dict.fromkeys(cells(now), WIN)
    engine = Engine(board, colour, CARELESS, shallow=True)
    worths = {}
    for cell in answers(once, colour) or ordered(once, twice, colour, ROOT_WIDTH):
        before = board.place(cell, colour)
        worths[cell] = -engine.search(1 - colour, 1, -WIN, WIN, 1)
        board.lift(cell, colour, before)
    return worths


def ordered(once: int, twice: int, colour: int, width: int) -> list[int]:
    """Return the most promising cells for this colour, the best first."""
    mine, theirs = once >> colour * SIDE, once >> (1 - colour) * SIDE
    mine2, theirs2 = twice >> colour * SIDE, twice >> (1 - colour) * SIDE
    fours, threes, lively = mine >> FOURS & FULL, mine >> THREES & FULL, mine >> LIVELY & FULL
    fours_, threes_, lively_ = theirs >> FOURS & FULL, theirs >> THREES & FULL, theirs >> LIVELY & FULL
    lively2, lively2_ = mine2 >> LIVELY & FULL, theirs2 >> LIVELY & FULL
    found: list[int] = []
    seen = 0
    for group in (
        fours & threes,
        mine2 >> THREES & FULL,
        fours_ & threes_,
        theirs2 >> THREES & FULL | theirs2 >> FOURS & FULL,
        threes & lively2,
        threes_ & lively2_,
        threes,
        threes_,
        lively2 & lively2_,
        fours & lively2,
        lively2,
        lively2_,
        lively & lively_,
        lively,
        fours,
        lively_,
    ):
        new = group & ~seen
        if new:
            seen |= new
            found += cells(new)
            if len(found) >= width:
                break
    return found[:width]
