"""Tic-tac-toe: known answers for rounds and matches, and what is refused."""

import pytest

from qipai.games.tictactoe.rules import (
    BREAK_TIME,
    EMPTY,
    LINES,
    RULES,
    Mark,
    Marked,
    Next,
    Options,
    RoundBegan,
    RoundOver,
    State,
)
from qipai.kernel.game_interface.rules_interface import IllegalCommand, Outcome
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .tictactoe_table import DICE, TAKEN, fresh, play, play_match, play_round, rows

ROUNDS = rows("tictactoe_rounds.txt")
MATCHES = rows("tictactoe_matches.txt")


def refused(state: State, seat: int, move: Mark | Next) -> Refusal:
    with pytest.raises(IllegalCommand) as no:
        RULES.play(state, Seat(seat), move, DICE)
    return no.value.code


# Rounds


@pytest.mark.parametrize(("cells", "taken", "lines"), ROUNDS, ids=lambda part: part or "-")
@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize("left", [0, 1])
def test_a_round_is_taken_as_the_table_says(cells: str, taken: str, lines: str, left: int, x: int) -> None:
    order = tuple(int(cell) for cell in cells.split())
    state, events = play_round(fresh(left, x), order)
    symbols = {left: "X" if x == left else "O", 1 - left: "X" if x == 1 - left else "O"}
    board = list(EMPTY)
    for number, cell in enumerate(order):
        board[cell] = symbols[left if number % 2 == 0 else 1 - left]
    assert state.board == "".join(board)
    winner = {"first": Seat(left), "second": Seat(1 - left)}.get(taken)
    won = tuple(tuple(int(cell) for cell in line) for line in lines.split())
    if taken == "open":
        mover = left if len(order) % 2 == 0 else 1 - left
        assert (state.resting, state.turn, state.wins, state.draws) == (False, mover, (0, 0), 0)
        assert RULES.to_act(state) == (Seat(mover),)
        return
    assert state.resting
    assert state.taken == winner
    assert set(state.lines) == set(won)
    assert state.wins == (int(winner == 0), int(winner == 1))
    assert state.draws == int(winner is None)
    over = events[-1]
    assert isinstance(over, RoundOver)
    assert (over.round, over.winner, set(over.lines)) == (0, winner, set(won))
    assert (over.wins, over.draws) == (state.wins, state.draws)
    assert events[0] == Marked(Seat(left if len(order) % 2 else 1 - left), order[-1])


def test_the_table_has_every_line_for_both_sides_and_every_crossing() -> None:
    taken = {(who, lines) for _, who, lines in ROUNDS}
    for line in LINES:
        name = "".join(map(str, line))
        assert ("first", name) in taken
        assert ("second", name) in taken
    assert sum(" " in lines for _, lines in taken) == 22
    assert sum(row[1] == "draw" for row in ROUNDS) == 16


def test_sides_take_turns_and_a_mark_is_told_to_everybody() -> None:
    state, events = play(fresh(left=1), 1, Mark(4))
    assert events == [Marked(Seat(1), 4)]
    assert (state.turn, RULES.to_act(state)) == (0, (Seat(0),))
    assert refused(state, 1, Mark(0)) is Refusal.NOT_YOUR_TURN


@pytest.mark.parametrize("cell", [-1, -9, 9, 10, 10**6])
def test_a_cell_outside_the_board_is_out_of_range(cell: int) -> None:
    assert refused(fresh(), 0, Mark(cell)) is Refusal.OUT_OF_RANGE


@pytest.mark.parametrize("cell", range(9))
def test_a_marked_cell_stays_as_it_is(cell: int) -> None:
    state, _ = play(fresh(), 0, Mark(cell))
    assert refused(state, 1, Mark(cell)) is Refusal.OCCUPIED


# Between rounds


def test_after_a_round_both_sides_may_start_the_next_and_none_may_mark() -> None:
    state, _ = play_round(fresh(), TAKEN["first"])
    assert RULES.to_act(state) == (Seat(0), Seat(1))
    for seat in (0, 1):
        assert RULES.legal(state, Seat(seat)) == (Next(),)
        assert refused(state, seat, Mark(8)) is Refusal.NOT_PLAYING
    assert RULES.outcome(state) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_the_next_round_has_an_empty_board_and_the_other_side_begins(seat: int) -> None:
    state, _ = play_round(fresh(left=1, x=0), TAKEN["draw"])
    state, events = play(state, seat, Next())
    assert events == [RoundBegan(1, Seat(0))]
    assert (state.board, state.round, state.first, state.turn) == (EMPTY, 1, 0, 0)
    assert (state.resting, state.taken, state.lines) == (False, None, ())
    assert (state.wins, state.draws) == ((0, 0), 1), "the score stays"
    assert (state.left, state.x) == (1, 0), "sides and symbols stay for the match"


def test_a_second_next_is_refused_and_skips_nothing() -> None:
    # The older program skipped a round when both asked at once.
    state, _ = play_round(fresh(), TAKEN["first"])
    state, _ = play(state, 0, Next())
    for seat in (0, 1):
        assert refused(state, seat, Next()) is Refusal.STALE
    assert state.round == 1


def test_a_lost_round_cannot_be_wiped_in_the_middle() -> None:
    # The older program let `reset_game` clear a board that a player was about to lose.
    state = fresh()
    for cell in (0, 3, 1, 4):
        for seat in (0, 1):
            assert refused(state, seat, Next()) is Refusal.STALE
        state, _ = play(state, state.turn, Mark(cell))
    assert refused(state, 1, Next()) is Refusal.STALE


def test_a_break_is_fifteen_seconds_and_costs_no_clock_time() -> None:
    state = fresh()
    assert RULES.allowance(state, Seat(0)) is RULES.allowance(state, Seat(1)) is None
    assert RULES.overdue(state, Seat(0), DICE) is None, "in a round, running out of time loses"
    state, _ = play_round(state, TAKEN["second"])
    for seat in (0, 1):
        assert RULES.allowance(state, Seat(seat)) == BREAK_TIME == 15_000
        assert RULES.overdue(state, Seat(seat), DICE) == Next()


# Matches


@pytest.mark.parametrize(("taken", "score", "winner"), MATCHES, ids=lambda part: part or "-")
@pytest.mark.parametrize("left", [0, 1])
def test_a_match_ends_as_the_table_says(taken: str, score: str, winner: str, left: int) -> None:
    state = play_match(fresh(left, x=left), taken)
    lefts, rights, draws = (int(number) for number in score.split())
    assert (state.wins[left], state.wins[1 - left], state.draws) == (lefts, rights, draws)
    won = {"left": (Seat(left),), "right": (Seat(1 - left),), "nobody": ()}
    outcome = RULES.outcome(state)
    if winner == "open":
        assert outcome is None
        assert RULES.to_act(state)
        return
    assert outcome == Outcome(won[winner], "rounds")
    assert RULES.to_act(state) == ()
    assert RULES.legal(state, Seat(0)) == RULES.legal(state, Seat(1)) == ()


@pytest.mark.parametrize(("taken", "score", "winner"), MATCHES, ids=lambda part: part or "-")
def test_a_match_does_not_end_before_its_last_round(taken: str, score: str, winner: str) -> None:
    letters = taken.split()
    for number in range(len(letters)):
        assert RULES.outcome(play_match(fresh(), " ".join(letters[:number]))) is None


@pytest.mark.parametrize("left", [0, 1])
def test_left_begins_and_then_they_take_turns_beginning(left: int) -> None:
    state = fresh(left)
    firsts = []
    for number in range(5):
        if number:
            state, _ = play(state, number % 2, Next())
        firsts.append(state.first)
        assert state.turn == state.first
        state, _ = play_round(state, TAKEN["draw"])
    assert firsts == [left, 1 - left, left, 1 - left, left]
    assert RULES.outcome(state) == Outcome((), "rounds")


@pytest.mark.parametrize("seat", [0, 1])
def test_who_gives_up_loses_to_the_other_whatever_the_score(seat: int) -> None:
    state = play_match(fresh(), "L L" if seat == 0 else "R R")
    for reason in ("resigned", "left", "time"):
        assert RULES.forfeit(state, Seat(seat), reason) == Outcome((Seat(1 - seat),), reason)


def test_nothing_is_offered_or_taken_back_during_a_match() -> None:
    assert RULES.offers == frozenset()
    state, _ = play(fresh(), 0, Mark(0))
    assert RULES.undo(state, Seat(0)) is RULES.undo(state, Seat(1)) is None


# Deals and views


def test_every_deal_is_one_of_four_and_left_begins() -> None:
    deals = set()
    for number in range(64):
        state = RULES.deal(Options(), Random(bytes([number]) * 32))
        assert state.first == state.turn == state.left
        assert (state.board, state.round, state.wins, state.draws) == (EMPTY, 0, (0, 0), 0)
        deals.add((state.left, state.x))
    assert deals == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_everybody_sees_everything() -> None:
    state = play_match(fresh(1, 0), "L D R")
    for viewer in (Seat(0), Seat(1), SPECTATOR):
        view = RULES.view(state, viewer)
        for name in ("left", "x", "first", "turn", "board", "round", "wins", "draws", "resting", "taken"):
            assert getattr(view, name) == getattr(state, name)
        assert view.lines == state.lines
    assert not RULES.hidden(Options())
