"""The rules of Reversi: known positions, passes, ends, undo."""

import pytest

from qipai.kernel.game_interface.rules_interface import IllegalCommand, Outcome, StartConditions
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
from qipai_reversi.discs import SQUARES, flipped_discs, legal_squares, squares
from qipai_reversi.rules import RULES, Options, Passed, Place, Placed, State, first_state
from qipai_reversi.transcript import square_name

A, B = Seat(0), Seat(1)
RANDOM = Random(bytes(32))


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def named(board: int) -> str:
    return " ".join(square_name(each) for each in squares(board))


def play(state: State, moves: str) -> State:
    """Play a transcript such as `f5d6c3`, each move by the seat to act."""
    for start in range(0, len(moves), 2):
        (seat,) = RULES.to_act(state)
        state = RULES.play(state, seat, Place(square(moves[start : start + 2])), RANDOM).state
    return state


def refusal(state: State, seat: Seat, move: Place) -> Refusal:
    with pytest.raises(IllegalCommand) as refused:
        RULES.play(state, seat, move, RANDOM)
    return refused.value.code


def perft(own: int, other: int, depth: int) -> int:
    """Return the number of move sequences of this length; a pass counts as a move."""
    if depth == 0:
        return 1
    moves = legal_squares(own, other)
    if not moves:
        return perft(other, own, depth - 1) if legal_squares(other, own) else 1
    total = 0
    for each in squares(moves):
        flipped = flipped_discs(own, other, each)
        total += perft(other & ~flipped, own | flipped | 1 << each, depth - 1)
    return total


@pytest.mark.parametrize(("depth", "count"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396), (6, 8200)])
def test_the_number_of_games_from_the_start_is_the_known_one(depth: int, count: int) -> None:
    assert perft(*first_state(A, empty_start=False).boards, depth) == count


def test_black_starts_with_four_moves() -> None:
    state = first_state(A, empty_start=False)
    assert RULES.to_act(state) == (A,)
    assert named(state.legal) == "d3 c4 f5 e6"


def test_a_disc_flips_every_enclosed_line() -> None:
    state = play(first_state(A, empty_start=False), "f5d6c3d3c4f4f6")
    assert named(state.boards[0]) == "c3 c4 d4 e4 e5 f5 f6"
    assert named(state.boards[1]) == "d3 f4 d5 d6"


def test_events_tell_the_flipped_discs_and_the_next_moves() -> None:
    state = first_state(A, empty_start=False)
    (event,) = RULES.play(state, A, Place(square("f5")), RANDOM).events
    assert event.to is None
    assert event.event == Placed(A, square("f5"), (square("e5"),), B, (29, 43, 45))


def test_moves_that_are_not_allowed_are_refused() -> None:
    state = first_state(A, empty_start=False)
    assert refusal(state, B, Place(square("f5"))) is Refusal.NOT_YOUR_TURN
    assert refusal(state, A, Place(square("e5"))) is Refusal.OCCUPIED
    assert refusal(state, A, Place(square("a1"))) is Refusal.ILLEGAL
    assert refusal(state, A, Place(SQUARES)) is Refusal.OUT_OF_RANGE
    assert refusal(state, A, Place(-1)) is Refusal.OUT_OF_RANGE


SHORTEST = "f5d6c5f4e7f6g5e6e3"
"""The shortest game: black flips every disc of white."""


def test_a_game_without_discs_of_one_side_is_over() -> None:
    state = play(first_state(A, empty_start=False), SHORTEST)
    assert RULES.to_act(state) == ()
    assert RULES.legal(state, A) == RULES.legal(state, B) == ()
    assert RULES.outcome(state) == Outcome((A,), "discs")
    assert state.boards[1] == 0
    assert refusal(state, B, Place(0)) is Refusal.NOT_YOUR_TURN


def test_a_side_that_cannot_move_passes() -> None:
    state = play(first_state(A, empty_start=False), "d3c3b3b2f5a3a1")
    result = RULES.play(state, B, Place(square("c1")), RANDOM)
    placed, passed = (each.event for each in result.events)
    assert isinstance(placed, Placed)
    assert placed.turn == B
    assert passed == Passed(A)
    assert RULES.to_act(result.state) == (B,)
    assert legal_squares(*result.state.boards) == 0
    assert RULES.legal(result.state, A) == ()


def test_equal_discs_are_a_draw() -> None:
    assert RULES.outcome(State(A, A, False, boards=(1, 2), legal=0)) == Outcome((), "equal")


def test_a_board_that_starts_empty_is_filled_in_the_middle_first() -> None:
    state = first_state(A, empty_start=True)
    assert named(state.legal) == "d4 e4 d5 e5"
    state = play(state, "d4d5e4e5")
    assert RULES.to_act(state) == (A,)
    assert named(state.boards[0]) == "d4 e4"
    assert named(state.legal) == "c6 d6 e6 f6"


def test_an_undo_goes_back_to_before_the_last_move_of_a_seat() -> None:
    start = first_state(A, empty_start=False)
    state = play(start, "f5d6c3")
    assert RULES.undo(state, A) == play(start, "f5d6")
    assert RULES.undo(state, B) == play(start, "f5")
    assert RULES.undo(play(start, "f5"), B) is None
    assert RULES.undo(play(start, SHORTEST), A) is None


def test_a_rematch_swaps_colours_and_a_new_opponent_keeps_them() -> None:
    first = RULES.deal(Options(), RANDOM)
    assert first.black == A
    assert RULES.deal(Options(), RANDOM, first, StartConditions(rematch=True)).black == B
    assert RULES.deal(Options(), RANDOM, first).black == A


def test_every_viewer_sees_the_same() -> None:
    state = play(first_state(A, empty_start=False), "f5d6")
    assert RULES.view(state, A) == RULES.view(state, SPECTATOR)
