"""Swap2: every way through the opening, its refusals, undo, rematch, clocks and the wire."""

from collections.abc import Sequence

import msgspec
import pytest

from qipai.games.game_registry import GAMES
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import (
    PLACES_OF,
    Choice,
    Choose,
    Chosen,
    Move,
    OpeningRule,
    Options,
    Place,
    Placed,
    View,
)
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import AnswerOffer, MakeOffer, Play, Resign
from qipai.kernel.game_interface.rules_interface import IllegalCommand, Outcome
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from tests.games.gomoku.gomoku_table import DICE
from tests.kernel.scripted_game import RoomDriver

A, B = Seat(0), Seat(1)
BLACK, WHITE, TWO = (Choose(choice) for choice in (Choice.BLACK, Choice.WHITE, Choice.TWO_MORE))
STONES = [PLACES_OF[15][cell] for cell in (112, 113, 98, 97, 126, 84, 140, 70)]
FIRST, MORE = STONES[:3], STONES[3:5]
SWAP2 = Options(OpeningRule.SWAP2)


def play(moves: Sequence[Move], state: State | None = None) -> State:
    """Return the state after these moves of the seat to act."""
    state = RULES.deal(SWAP2, DICE) if state is None else state
    for move in moves:
        (seat,) = RULES.to_act(state)
        state = RULES.play(state, seat, move, DICE).state
    return state


def refusal(state: State, seat: Seat, move: Move) -> Refusal:
    with pytest.raises(IllegalCommand) as refused:
        RULES.play(state, seat, move, DICE)
    return refused.value.code


WAYS: list[tuple[list[Move], Seat, Seat]] = [
    ([*FIRST, WHITE], A, B),
    ([*FIRST, BLACK], B, A),
    ([*FIRST, TWO, *MORE, BLACK], A, B),
    ([*FIRST, TWO, *MORE, WHITE], B, A),
]
"""Moves of the opening, who has black after them, and who moves next."""


@pytest.mark.parametrize(("moves", "black", "turn"), WAYS)
def test_every_way_through_the_opening_gives_colours_and_white_moves(
    moves: list[Move], black: Seat, turn: Seat
) -> None:
    state = play(moves)
    assert (state.black, RULES.to_act(state)) == (black, (turn,))
    assert turn != black, "white has the next stone"
    assert len(RULES.legal(state, turn)) == 225 - len(state.moves)
    after = RULES.play(state, turn, STONES[5], DICE)
    assert [each.event for each in after.events] == [Placed(turn, STONES[5].x, STONES[5].y)]
    assert RULES.to_act(after.state) == (black,)


def test_the_opening_goes_as_the_rule_says() -> None:
    state = play([])
    for stone in FIRST:
        assert RULES.to_act(state) == (A,)
        assert refusal(state, A, WHITE) is Refusal.ILLEGAL
        state = play([stone], state)
    assert RULES.to_act(state) == (B,)
    assert RULES.legal(state, B) == (WHITE, BLACK, TWO)
    assert refusal(state, B, STONES[3]) is Refusal.ILLEGAL
    assert refusal(state, A, WHITE) is Refusal.NOT_YOUR_TURN
    state = play([TWO], state)
    for stone in MORE:
        assert RULES.to_act(state) == (B,)
        assert refusal(state, B, BLACK) is Refusal.ILLEGAL
        state = play([stone], state)
    assert RULES.to_act(state) == (A,)
    assert RULES.legal(state, A) == (WHITE, BLACK)
    assert refusal(state, A, TWO) is Refusal.ILLEGAL
    state = play([WHITE], state)
    for choice in (WHITE, BLACK, TWO):
        assert refusal(state, A, choice) is Refusal.ILLEGAL, "there is nothing more to choose"


@pytest.mark.parametrize("rule", [OpeningRule.FREE, OpeningRule.RENJU])
def test_there_is_nothing_to_choose_without_swap2(rule: OpeningRule) -> None:
    state = RULES.deal(Options(rule), DICE)
    for choice in (WHITE, BLACK, TWO):
        assert refusal(state, A, choice) is Refusal.ILLEGAL


def test_a_choice_is_told_with_the_seat_that_has_black_then() -> None:
    state = play(FIRST)
    result = RULES.play(state, B, BLACK, DICE)
    assert [each.event for each in result.events] == [Chosen(B, Choice.BLACK, B)]
    result = RULES.play(state, B, TWO, DICE)
    assert [each.event for each in result.events] == [Chosen(B, Choice.TWO_MORE, A)]


def test_everybody_sees_stage_and_choices() -> None:
    state = play([*FIRST, TWO, *MORE])
    cells = tuple(stone.x + 15 * stone.y for stone in STONES[:5])
    for viewer in (A, B, SPECTATOR):
        view = RULES.view(state, viewer)
        assert view == View(A, A, cells, (), OpeningRule.SWAP2, 15, (Choice.TWO_MORE,))


@pytest.mark.parametrize(("moves", "black", "turn"), WAYS)
def test_undo_goes_back_through_the_whole_opening(moves: list[Move], black: Seat, turn: Seat) -> None:
    states = [play(moves[:count]) for count in range(len(moves) + 1)]
    state = play([STONES[5]], states[-1])
    for earlier in reversed(states):
        undone = RULES.undo(state, A)
        assert undone == earlier
        state = undone
    assert RULES.undo(state, A) is None


@pytest.mark.parametrize(("moves", "black", "turn"), WAYS)
def test_a_rematch_lets_the_other_player_begin(moves: list[Move], black: Seat, turn: Seat) -> None:
    driver = RoomDriver(RULES, options=SWAP2)
    for beginner in (A, B, A):
        assert RULES.to_act(driver.state) == (beginner,)
        for move in moves:
            driver.do(RULES.to_act(driver.state)[0], Play(move), 0)
        assert driver.state.black == (black if beginner == A else Seat(1 - black))
        driver.do(A, Resign(), 0)
        driver.do(A, MakeOffer(OfferKind.REMATCH), 0)
        driver.do(B, AnswerOffer(driver.room.offered, yes=True), 0)
        assert driver.state.choices == ()


def test_the_chosen_colour_wins() -> None:
    """The second player takes black and makes five, the first player loses."""
    state = play([*FIRST, BLACK])
    line = [PLACES_OF[15][cell] for cell in (0, 1, 2, 3, 4)]
    far = [PLACES_OF[15][cell] for cell in (210, 212, 214, 216, 218)]
    state = play([stone for pair in zip(far, line, strict=True) for stone in pair], state)
    assert RULES.outcome(state) == Outcome((B,), "five")


def test_each_stone_of_the_opening_has_its_own_time() -> None:
    driver = RoomDriver(RULES, options=SWAP2, plan=ClockPlan(move=30_000))
    for number, stone in enumerate(FIRST):
        driver.do(A, Play(stone), (number + 1) * 29_999)
    driver.do(B, Play(BLACK), 4 * 29_999)
    assert driver.refuses(A, Play(STONES[3]), 5 * 30_000) is Refusal.TOO_LATE


def test_choices_come_from_the_wire() -> None:
    game = GAMES["gomoku"]
    for choice in Choice:
        raw = f'{{"do":"choose","choice":"{choice}"}}'.encode()
        assert game.decode_move(raw) == Choose(choice)
        assert msgspec.json.encode(Choose(choice)) == raw
    for bad in ('"green"', "null", "0"):
        with pytest.raises(msgspec.MsgspecError):
            game.decode_move(f'{{"do":"choose","choice":{bad}}}'.encode())


def test_swap2_is_played_on_the_large_board_too() -> None:
    state = RULES.deal(Options(OpeningRule.SWAP2, 19), DICE)
    state = play([Place(18, 18), Place(17, 18), Place(16, 18), TWO, Place(0, 0), Place(1, 1), BLACK], state)
    assert state.moves == (360, 359, 358, 0, 20)
    assert RULES.legal(state, B)[-1] == Place(15, 18)
