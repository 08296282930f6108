"""The board of 19: lines at every edge, its last point, SGF; the usual board has its old bytes."""

import msgspec
import pytest

from qipai.games.gomoku.lines import GRIDS
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.sgf import read_sgf, sgf_game, write_sgf
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import PLACES_OF, OpeningRule, Options, Place, Placed
from qipai.kernel.codec import Malformed
from qipai.kernel.game_interface.rules_interface import IllegalCommand, Outcome
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.refusals import Refusal
from tests.games.gomoku.gomoku_table import DICE, played

A, B = Seat(0), Seat(1)
LARGE = Options(size=19)


def play(cells: list[int], options: Options = LARGE) -> State:
    state = RULES.deal(options, DICE)
    for cell in cells:
        (seat,) = RULES.to_act(state)
        state = RULES.play(state, seat, PLACES_OF[19][cell], DICE).state
    return state


@pytest.mark.parametrize(("right", "down"), [(1, 0), (0, 1), (1, 1), (1, -1)])
def test_every_five_on_the_board_is_found_and_nothing_shorter(right: int, down: int) -> None:
    grid, count = GRIDS[19], 0
    for x in range(19):
        for y in range(19):
            points = [(x + far * right, y + far * down) for far in range(5)]
            if not all(0 <= a < 19 and 0 <= b < 19 for a, b in points):
                continue
            count += 1
            five = tuple(a + 19 * b for a, b in points)
            board = sum(grid.bits[cell] for cell in five)
            for cell in five:
                assert grid.winning_line(board, cell) == five
                rest = next(other for other in five if other != cell)
                assert grid.winning_line(board ^ grid.bits[cell], rest) == ()
    assert count == (285 if 0 in (right, down) else 225)


def test_a_line_does_not_go_on_at_the_other_edge() -> None:
    grid = GRIDS[19]
    for cells in ((16, 17, 18, 19, 20), (17, 18, 37, 38, 39)):
        board = sum(grid.bits[cell] for cell in cells)
        assert all(grid.winning_line(board, cell) == () for cell in cells)


def test_a_game_is_won_in_the_last_corner() -> None:
    black, white = [360, 359, 358, 357, 356], [0, 2, 4, 6]
    order = [cell for pair in zip(black, [*white, 8], strict=True) for cell in pair][:-1]
    state = play(order)
    assert state.line == (356, 357, 358, 359, 360)
    assert RULES.outcome(state) == Outcome((A,), "five")
    assert len(RULES.legal(play([]), A)) == 361


@pytest.mark.parametrize(("x", "y"), [(19, 0), (0, 19), (-1, 5)])
def test_a_point_outside_is_out_of_range(x: int, y: int) -> None:
    with pytest.raises(IllegalCommand) as refused:
        RULES.play(play([]), A, Place(x, y), DICE)
    assert refused.value.code is Refusal.OUT_OF_RANGE


def test_a_state_survives_being_stored() -> None:
    state = play([360, 0, 18, 342, 255, 256])
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    undone = RULES.undo(state, A)
    assert undone == play([360, 0, 18, 342, 255])


def test_the_usual_free_game_has_the_bytes_that_it_always_had() -> None:
    view = msgspec.json.encode(RULES.view(played([112, 97]), SPECTATOR))
    assert view == b'{"black":0,"turn":0,"moves":[112,97],"line":[]}'
    assert msgspec.json.encode(Placed(A, 7, 7)) == b'{"e":"placed","seat":0,"x":7,"y":7}'
    assert msgspec.json.encode(Options()) == b"{}"


def test_size_and_rule_are_in_the_sgf() -> None:
    state = play([360, 0, 18], Options(OpeningRule.RENJU, 19))
    game = sgf_game(RULES.view(state, SPECTATOR), ("Ann", "Bob"), None)
    text = write_sgf(game)
    assert text.startswith("(;FF[4]GM[4]SZ[19]CA[UTF-8]AP[Qipai]RU[Renju]PB[Ann]PW[Bob]RE[?]")
    assert ";B[ss];W[aa];B[sa])" in text
    assert read_sgf(text) == game


@pytest.mark.parametrize("rule", OpeningRule)
@pytest.mark.parametrize("size", [15, 19])
def test_every_rule_and_size_is_read_back(rule: OpeningRule, size: int) -> None:
    name = {"free": "", "swap2": "RU[Swap2]", "renju": "RU[renju]"}[rule]
    game = read_sgf(f"(;GM[4]SZ[{size}]{name};B[hh];W[ii];B[gg];W[aa])")
    assert (game.rule, game.size, len(game.moves)) == (rule, size, 4)
    assert read_sgf(write_sgf(game)) == game


def test_a_forbidden_point_of_renju_is_no_move_of_a_file() -> None:
    stones = ";B[gh];W[aa];B[fh];W[oo];B[hg];W[ao];B[hf];W[oa];B[hh]"
    with pytest.raises(Malformed, match="move 9 is on a forbidden point: hh"):
        read_sgf(f"(;GM[4]SZ[15]RU[Renju]{stones})")
    assert len(read_sgf(f"(;GM[4]SZ[15]{stones})").moves) == 9
