"""Finds forced wins by consecutive fours (VCF): every four leaves the other side one answer or none."""

from .search_board import Board, cells


class VcfSearch:
    """VCF search on one board; positions without a win are cached."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._failed: tuple[set[int], set[int]] = (set(), set())

    def find_win(self, colour: int, limit: int) -> list[int]:
        """Return the cells of both sides, in turn, up to one without an answer; empty if none is found.

        The colour is to move. The search stops after about `limit` placed stones.
        """
        return self._attack(colour, self._board.placed + limit)

    def _attack(self, colour: int, limit: int) -> list[int]:
        board = self._board
        failed = self._failed[colour]
        if board.key in failed or board.placed > limit:
            return []
        any_direction, two_directions, _ = board.fields()
        layout = board.layout
        all_cells, colour_bits = layout.all_cells, layout.colour_bits
        own = any_direction >> colour * colour_bits
        if fives := own & all_cells:
            return [next(cells(fives))]
        fours = own >> layout.fours & all_cells
        forced = any_direction >> (1 - colour) * colour_bits & all_cells
        if forced:
            fours &= forced if not forced & forced - 1 else 0
        elif (
            wins := (own >> layout.open_fours | two_directions >> colour * colour_bits + layout.fours)
            & all_cells
        ):
            return [next(cells(wins))]
        # Fours that also make an open three come first: another four follows from them.
        with_three = fours & own >> layout.open_threes
        for group in (with_three, fours ^ with_three):
            for cell in cells(group):
                if (sequence := self._try_four(cell, colour, limit)) or board.placed > limit:
                    return sequence
        failed.add(board.key)
        return []

    def _try_four(self, cell: int, colour: int, limit: int) -> list[int]:
        board = self._board
        undo = board.place(cell, colour)
        layout = board.layout
        fives = (board.a | board.b | board.c | board.d) >> colour * layout.colour_bits & layout.all_cells
        sequence: list[int] = []
        if fives & fives - 1:
            sequence = [cell]
        elif fives:
            answer = fives.bit_length() - 1
            if colour and board.is_forbidden(answer):
                sequence = [cell]
            else:
                answer_undo = board.place(answer, 1 - colour)
                if rest := self._attack(colour, limit):
                    sequence = [cell, answer, *rest]
                board.remove(answer, 1 - colour, answer_undo)
        board.remove(cell, colour, undo)
        return sequence
