"""Winning by fours only: every stone threatens five, so the other side has one answer or none."""

from .search_board import FIVES, FOURS, FULL, SIDE, STRAIGHTS, THREES, Board, cells


class Fours:
    """Looks for a win by fours without end; what has failed is remembered, so it costs once."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._failed: tuple[set[int], set[int]] = (set(), set())

    def win(self, colour: int, limit: int) -> list[int]:
        """Return the stones of both sides, in turn, up to the one that cannot be answered; or nothing.

        The colour is to move. After about `limit` stones it gives up.
        """
        return self._attack(colour, self._board.placed + limit)

    def _attack(self, colour: int, limit: int) -> list[int]:
        board = self._board
        failed = self._failed[colour]
        if board.key in failed or board.placed > limit:
            return []
        once, twice = board.fields()
        mine = once >> colour * SIDE
        if fives := mine & FULL:
            return [next(cells(fives))]
        fours = mine >> FOURS & FULL
        must = once >> (1 - colour) * SIDE & FULL
        if must:
            fours &= must if not must & must - 1 else 0
        elif wins := (mine >> STRAIGHTS | twice >> colour * SIDE + FOURS) & FULL:
            return [next(cells(wins))]
        # Fours that make a three as well come first: their next four is at hand.
        good = fours & mine >> THREES
        for group in (good, fours ^ good):
            for cell in cells(group):
                if (rest := self._try(cell, colour, limit)) or board.placed > limit:
                    return rest
        failed.add(board.key)
        return []

    def _try(self, cell: int, colour: int, limit: int) -> list[int]:
        board = self._board
        before = board.place(cell, colour)
        fives = (board.a | board.b | board.c | board.d) >> colour * SIDE + FIVES & FULL
        found: list[int] = []
        if fives & fives - 1:
            found = [cell]
        elif fives:
            answer = fives.bit_length() - 1
            between = board.place(answer, 1 - colour)
            if rest := self._attack(colour, limit):
                found = [cell, answer, *rest]
            board.lift(answer, 1 - colour, between)
        board.lift(cell, colour, before)
        return found
