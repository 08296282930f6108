"""Renju: forbidden points by known positions and by a slow judge, and games under these rules."""

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from qipai.games.gomoku.forbidden_points import RenjuBoard
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State, first_state
from qipai.games.gomoku.wire_types import (
    PLACES_OF,
    FiveInRow,
    ForbiddenKind,
    ForbiddenPoint,
    OpeningRule,
    Placed,
)
from qipai.kernel.game_interface.rules_interface import Event, IllegalCommand, Outcome
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.refusals import Refusal
from tests.games.gomoku.gomoku_table import DICE, cells_of

from .renju_reference import Judge, Point

A, B = Seat(0), Seat(1)
SIGNS = {"3": ForbiddenKind.DOUBLE_THREE, "4": ForbiddenKind.DOUBLE_FOUR, "6": ForbiddenKind.OVERLINE}


class Position(NamedTuple):
    """A picture of the file: its points by their sign."""

    title: str
    points: dict[str, set[Point]]


def positions() -> list[Position]:
    found = []
    text = (Path(__file__).parent / "renju_positions.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        title, *rows = lines
        left, top = (0, 0) if rows[0] == "edge" else (2, 3)
        rows = [row for row in rows if row != "edge"]
        signs = {(x + left, y + top): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
        points = {sign: {at for at, one in signs.items() if one == sign} for sign in ".XO3456?"}
        found.append(Position(title, points))
    return found


POSITIONS = positions()


def judged(black: set[Point], white: set[Point], size: int = 15) -> dict[Point, str]:
    """Return the forbidden points that the server finds."""
    board = RenjuBoard(size, [x + size * y for x, y in black], [x + size * y for x, y in white])
    return {(point.cell % size, point.cell // size): point.kind for point in board.forbidden_points()}


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.title)
def test_a_point_is_forbidden_as_the_rules_say(position: Position) -> None:
    points = position.points
    found = judged(points["X"], points["O"])
    assert any(points[sign] for sign in "3456?")
    for sign, kind in SIGNS.items():
        for point in points[sign]:
            assert found.get(point) == kind
    assert not found.keys() & (points["?"] | points["5"])
    judge = Judge(15, points["X"], points["O"])
    assert found == judge.forbidden_points()
    assert all(judge.makes_five(point) for point in points["5"])


def turned(points: set[Point], turn: int) -> set[Point]:
    """Return points of a board of 15 in one of its eight symmetries."""
    for _ in range(turn % 4):
        points = {(14 - y, x) for x, y in points}
    return {(14 - x, y) for x, y in points} if turn >= 4 else points


@pytest.mark.parametrize("turn", range(1, 8))
def test_a_turned_board_has_the_turned_forbidden_points(turn: int) -> None:
    for position in POSITIONS:
        black, white = position.points["X"], position.points["O"]
        there = judged(turned(black, turn), turned(white, turn))
        for point, kind in judged(black, white).items():
            assert there.pop(*turned({point}, turn)) == kind
        assert not there


def crowded(number: int) -> tuple[int, set[Point], set[Point]]:
    """Return a board on which stones are close together, also at edges; which one follows from the number."""
    chance = random.Random(number)
    size, width = chance.choice((15, 15, 19)), chance.choice((5, 6, 7, 8))
    left, top = (chance.choice((0, size - width, chance.randrange(size - width))) for _ in range(2))
    points = [(x, y) for x in range(left, left + width) for y in range(top, top + width)]
    chance.shuffle(points)
    count = chance.randrange(5, 14)
    return size, set(points[:count]), set(points[count : count + chance.randrange(8)])


def check_crowded(numbers: range) -> dict[str, int]:
    """Compare the server with the judge, and return how often each kind was found."""
    counts: dict[str, int] = {}
    for number in numbers:
        size, black, white = crowded(number)
        found = judged(black, white, size)
        judge = Judge(size, black, white)
        near = {(x + a, y + b) for x, y in black for a in (-1, 0, 1) for b in (-1, 0, 1)} | found.keys()
        for point in near:
            if judge.is_empty(point):
                assert found.get(point, "") == judge.forbidden(point), (number, point)
        for kind in found.values():
            counts[kind] = counts.get(kind, 0) + 1
    return counts


def test_the_server_agrees_with_a_judge_that_tries_every_stone() -> None:
    assert set(check_crowded(range(60))) == set(ForbiddenKind)


@pytest.mark.slow
def test_the_server_agrees_with_the_judge_on_many_boards() -> None:
    assert min(check_crowded(range(60, 1_000)).values()) > 20


# Games


def play(cells: list[int], size: int = 15) -> tuple[State, list[Event]]:
    """Return the state after these cells, and the events of the last."""
    state, events = first_state(A, OpeningRule.RENJU, size), []
    for cell in cells:
        (seat,) = RULES.to_act(state)
        result = RULES.play(state, seat, PLACES_OF[size][cell], DICE)
        state, events = result.state, [addressed.event for addressed in result.events]
    return state, events


CROSS = cells_of("G8 A1 H7 O15 H6 A15 F8 O1")
"""Black has two in a row and two in a column; H8 would make two threes, and so would other points near."""
H8 = 112


def test_a_forbidden_point_is_told_to_everybody_and_refused() -> None:
    state, (placed,) = play(CROSS)
    assert isinstance(placed, Placed)
    assert ForbiddenPoint(H8, ForbiddenKind.DOUBLE_THREE) in placed.forbidden
    for viewer in (A, B, SPECTATOR):
        assert RULES.view(state, viewer).forbidden == placed.forbidden == state.forbidden
    with pytest.raises(IllegalCommand) as refused:
        RULES.play(state, A, PLACES_OF[15][H8], DICE)
    assert refused.value.code is Refusal.ILLEGAL
    assert PLACES_OF[15][H8] not in RULES.legal(state, A)
    assert len(RULES.legal(state, A)) == 225 - len(CROSS) - len(state.forbidden)


def test_nothing_is_forbidden_for_white() -> None:
    state, (placed,) = play([*CROSS, *cells_of("A8")])
    assert placed == Placed(A, 0, 7)
    assert state.forbidden == ()
    assert RULES.play(state, B, PLACES_OF[15][H8], DICE).state.moves[-1] == H8


def test_an_undo_restores_the_forbidden_points() -> None:
    state, _ = play(CROSS)
    later, _ = play([*CROSS, *cells_of("A8")])
    assert RULES.undo(later, A) == state
    earlier = RULES.undo(state, B)
    assert earlier is not None
    assert earlier.forbidden == ()


def test_black_wins_with_exactly_five() -> None:
    state, events = play(cells_of("F8 A1 G8 C1 H8 E1 I8 G1 J8"))
    assert events[-1] == FiveInRow(tuple(cells_of("F8 G8 H8 I8 J8")))
    assert RULES.outcome(state) == Outcome((A,), "five")
    assert state.forbidden == ()


def test_six_in_a_row_is_refused_for_black() -> None:
    state, _ = play(cells_of("F8 A1 G8 C1 H8 E1 J8 G1 K8 I1"))
    assert ForbiddenPoint(cells_of("I8")[0], ForbiddenKind.OVERLINE) in state.forbidden


def test_six_in_a_row_wins_for_white() -> None:
    state, events = play(cells_of("A1 F8 C1 G8 E1 H8 A3 J8 C3 K8 O15 I8"))
    assert events[-1] == FiveInRow(tuple(cells_of("F8 G8 H8 I8 J8 K8")))
    assert RULES.outcome(state) == Outcome((B,), "five")


def test_a_five_wins_for_black_although_the_point_makes_two_threes() -> None:
    state, _ = play(cells_of("D8 A1 E8 C1 F8 E1 G8 G1 H7 I1 H6 K1 I9 M1 J10 O1 O15 A15"))
    result = RULES.play(state, A, PLACES_OF[15][H8], DICE)
    assert isinstance(result.events[-1].event, FiveInRow)
    assert all(point.cell != H8 for point in state.forbidden)


def test_a_board_with_forbidden_points_only_is_a_draw() -> None:
    """All but one point are taken without a five, and the last one would be an overline."""
    size = 15
    row = "XX.XXX"
    taken = {(x, 0): sign for x, sign in enumerate(row) if sign != "."}
    for y in range(size):
        for x in range(size):
            if (x, y) not in taken and (x, y) != (2, 0):
                taken[x, y] = "XO"[(x // 2 + y) % 2]
    black = [x + size * y for (x, y), sign in taken.items() if sign == "X"]
    white = [x + size * y for (x, y), sign in taken.items() if sign == "O"]
    point = ForbiddenPoint(2, ForbiddenKind.OVERLINE)
    assert RenjuBoard(size, black, white).forbidden_points() == (point,)
    moves = (*black, *white)
    state = State(A, moves, rule=OpeningRule.RENJU, forbidden=(point,))
    assert RULES.to_act(state) == ()
    assert RULES.outcome(state) == Outcome((), "no_point")
    assert RULES.legal(state, A) == ()


def test_renju_is_played_on_the_large_board_too() -> None:
    cross = [9 + 19 * 8, 0, 9 + 19 * 7, 18, 8 + 19 * 9, 342, 7 + 19 * 9, 360]
    state, _ = play(cross, 19)
    assert ForbiddenPoint(9 + 19 * 9, ForbiddenKind.DOUBLE_THREE) in state.forbidden
