"""Gomoku lines: known answers, in both colours and by the rules as well as by the bits."""

import pytest

from qipai.games.gomoku.lines import GRIDS
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import FiveInRow, Placed
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Seat

from .gomoku_table import Picture, at, board_of, cells_of, pictures, play, winning

CASES = pictures("gomoku_lines.txt")
BITS, winning_line = GRIDS[15].bits, GRIDS[15].winning_line
DIRECTIONS = {1: "row", 15: "column", 16: "falling", -14: "rising"}


def answer(case: Picture) -> list[int]:
    return cells_of(case.answer)


def game(case: Picture, colour: int) -> list[int]:
    """Return cells in an order that leads to the picture, the other side padded with lonely stones."""
    (last,) = case.cells["*"]
    mine, theirs = list(case.cells["X"]), list(case.cells["O"])
    wanted = len(mine) + colour
    # Stones on even columns and rows only never touch each other.
    lonely = [cell for cell in case.cells["."] if cell % 15 % 2 == 0 and cell // 15 % 2 == 0]
    theirs += lonely[: max(0, wanted - len(theirs))]
    # Where the picture has more of theirs, mine are padded on the edges, four points from each other.
    far = [cell for cell in case.cells["."] if cell not in theirs and cell // 15 in (0, 14) and cell % 4 == 3]
    mine += far[: max(0, len(theirs) - colour - len(mine))]
    first, second = (mine, theirs) if colour == 0 else (theirs, mine)
    order = [cell for pair in zip(first, second, strict=False) for cell in pair]
    order += first[len(second) :] if len(first) > len(second) else []
    return [*order, last]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_stone_makes_the_line_that_the_picture_says(case: Picture) -> None:
    (last,) = case.cells["*"]
    board = sum(BITS[cell] for cell in (*case.cells["X"], last))
    assert list(winning_line(board, last)) == answer(case)


@pytest.mark.parametrize("colour", [0, 1])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_game_that_leads_to_the_picture_ends_as_it_says(case: Picture, colour: int) -> None:
    cells = game(case, colour)
    assert len(cells) % 2 == 1 - colour, "the last stone is the mover's"
    state = State(Seat(1))
    for cell in cells[:-1]:
        state, _ = play(state, cell)
    state, events = play(state, cells[-1])
    mover = Seat(1 - colour)
    placed = Placed(mover, cells[-1] % 15, cells[-1] // 15)
    if not case.answer:
        assert events == [placed]
        assert RULES.outcome(state) is None
        assert state.line == ()
        return
    assert events == [placed, FiveInRow(tuple(answer(case)))]
    assert list(state.line) == answer(case)
    assert RULES.outcome(state) == Outcome((mover,), "five")
    assert RULES.to_act(state) == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_the_slow_oracle_agrees_with_the_picture(case: Picture) -> None:
    (last,) = case.cells["*"]
    board = board_of([])
    for cell in (*case.cells["X"], last):
        board[cell % 15][cell // 15] = 1
    assert winning(board, last % 15, last // 15) == answer(case)


def test_the_pictures_show_every_direction_length_edge_and_corner() -> None:
    found = [answer(case) for case in CASES if case.answer]
    assert {DIRECTIONS[cells[1] - cells[0]] for cells in found} == set(DIRECTIONS.values())
    assert {5, 6, 9} <= {len(cells) for cells in found}
    touched = {cell for cells in found for cell in cells}
    assert {0, 14, 210, 224} <= touched
    assert sum(not case.answer for case in CASES) >= 10


@pytest.mark.parametrize(("right", "down"), [(1, 0), (0, 1), (1, 1), (1, -1)])
def test_every_five_on_the_board_is_found_and_nothing_shorter(right: int, down: int) -> None:
    count = 0
    for x in range(15):
        for y in range(15):
            cells = [(x + far * right, y + far * down) for far in range(5)]
            if not all(0 <= a <= 14 and 0 <= b <= 14 for a, b in cells):
                continue
            count += 1
            five = [a + 15 * b for a, b in cells]
            board = sum(BITS[cell] for cell in five)
            for cell in five:
                assert list(winning_line(board, cell)) == five
                assert winning_line(board ^ BITS[cell], five[0] if cell != five[0] else five[1]) == ()
    assert count == (165 if 0 in (right, down) else 121)


def test_a_line_elsewhere_is_not_this_stones() -> None:
    board = sum(BITS[cell] for cell in cells_of("A1 B1 C1 D1 E1 H8"))
    assert winning_line(board, at("H8")) == ()
    assert len(winning_line(board, at("C1"))) == 5
