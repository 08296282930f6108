"""The bots: the better one wins, a corner is taken, a win at the end is found."""

import pytest

from qipai.kernel.game_interface.bot_interface import Bot, is_slow
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai_reversi.bots import Easy, Hard, Normal
from qipai_reversi.discs import legal_squares, squares
from qipai_reversi.game import GAME
from qipai_reversi.rules import RULES, State, View, first_state, with_disc
from qipai_reversi.search import best_square, boards_of, evaluate, with_move


def winner(bots: tuple[Bot, Bot], number: int) -> Bot | None:
    """Return the bot that wins a game from a seed; the first plays black."""
    random = Random(bytes([number]) * 32)
    state = first_state(Seat(0), empty_start=False)
    while acting := RULES.to_act(state):
        (seat,) = acting
        move = bots[seat].choose(RULES.view(state, seat), seat, RULES.legal(state, seat), random)
        assert move is not None
        state = RULES.play(state, seat, move, random).state
    outcome = RULES.outcome(state)
    assert outcome is not None
    return bots[outcome.winners[0]] if outcome.winners else None


def test_the_bots_are_listed_from_weak_to_strong_and_only_the_strong_one_is_slow() -> None:
    assert [(bot.name, is_slow(bot)) for bot in GAME.bots.values()] == [
        ("easy", False),
        ("normal", False),
        ("hard", True),
    ]


def test_normal_beats_easy() -> None:
    normal, easy = Normal(), Easy()
    games = [winner((normal, easy) if number % 2 else (easy, normal), number) for number in range(20)]
    assert games.count(normal) >= 15


@pytest.mark.slow
def test_hard_beats_normal() -> None:
    hard, normal = Hard(), Normal()
    assert [winner((hard, normal), 1), winner((normal, hard), 2)] == [hard, hard]


def view_of(black: int, white: int, legal: int) -> View:
    return RULES.view(State(Seat(0), Seat(0), True, (black, white), legal), Seat(0))


CORNERS = frozenset({0, 7, 56, 63})


def first_choice_of_a_corner(number: int) -> State:
    """Return the first position of a random game in which a corner is one of several legal moves."""
    random = Random(bytes([number]) * 32)
    state = first_state(Seat(0), empty_start=False)
    while state.legal.bit_count() < 2 or CORNERS.isdisjoint(squares(state.legal)):
        legal = list(squares(state.legal))
        state = with_disc(state, legal[random.below(len(legal))])
    return state


def test_a_corner_is_taken_by_the_bot_that_looks_one_move_ahead() -> None:
    for number in range(8):
        state = first_choice_of_a_corner(number)
        legal = RULES.legal(state, state.turn)
        move = Normal().choose(RULES.view(state, state.turn), state.turn, legal, Random(bytes(32)))
        assert move is not None
        assert move.square in CORNERS, number


def test_a_bot_without_moves_chooses_none() -> None:
    for bot in GAME.bots.values():
        assert bot.choose(view_of(0, 0, 0), Seat(0), (), Random(bytes(32))) is None


def test_boards_are_rebuilt_from_a_view() -> None:
    random = Random(bytes(32))
    for empty_start in (False, True):
        state = first_state(Seat(1), empty_start=empty_start)
        while acting := RULES.to_act(state):
            seat = acting[0]
            own, other = boards_of(RULES.view(state, seat), seat)
            assert (own, other) == (state.boards if seat == state.black else state.boards[::-1])
            legal = RULES.legal(state, seat)
            move = legal[random.below(len(legal))]
            state = RULES.play(state, seat, move, random).state
            assert with_move(own, other, move.square) == (
                state.boards[::-1] if seat == state.black else state.boards
            )


def final_difference(own: int, other: int) -> int:
    """Return the best difference of discs at the end for the side to move, by trying everything."""
    moves = [with_move(own, other, square) for square in squares(legal_squares(own, other))]
    if moves:
        return max(-final_difference(*after) for after in moves)
    if legal_squares(other, own):
        return -final_difference(other, own)
    return own.bit_count() - other.bit_count()


def test_the_search_plays_the_last_moves_perfectly() -> None:
    checked = 0
    for number in range(12):
        random = Random(bytes([number]) * 32)
        state = first_state(Seat(0), empty_start=False)
        while state.legal and len(state.moves) < 55:
            legal = list(squares(state.legal))
            state = with_disc(state, legal[random.below(len(legal))])
        if state.legal.bit_count() > 1:
            own, other = state.boards if state.turn == 0 else state.boards[::-1]
            chosen = with_move(own, other, best_square(own, other))
            assert -final_difference(*chosen) == final_difference(own, other)
            checked += 1
    assert checked > 3


def test_an_evaluation_is_the_opposite_for_the_other_side() -> None:
    own, other = 1 << 0 | 1 << 27, 1 << 9 | 1 << 28
    assert evaluate(own, other) == -evaluate(other, own)
