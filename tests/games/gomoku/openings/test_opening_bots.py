"""Bots under every opening rule and board size: legal moves, forbidden points, colours of swap2."""

import pytest

from qipai.games.gomoku.bots.levels import SEARCH_BUDGET, Easy, Hard, Normal, budget_for
from qipai.games.gomoku.bots.line_patterns import line_patterns
from qipai.games.gomoku.bots.search_board import Board, cells
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State, first_state
from qipai.games.gomoku.wire_types import PLACES_OF, Choice, Choose, Move, OpeningRule, Options, Place, View
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.games.gomoku.gomoku_table import DICE, cells_of

A, B = Seat(0), Seat(1)
BOTS: tuple[Bot, ...] = (Easy(), Normal(), Hard(3_000))
TABLES = [Options(rule, size) for rule in OpeningRule for size in (15, 19)]
SWAP2 = OpeningRule.SWAP2


def answer(bot: Bot, state: State, number: int = 0) -> Move:
    """Return the move the bot chooses; it is a legal one."""
    (seat,) = RULES.to_act(state)
    moves = RULES.legal(state, seat)
    move = bot.choose(RULES.view(state, seat), seat, moves, Random(bytes([number]) * 32))
    assert move in moves
    assert isinstance(move, Place | Choose)
    return move


def after(state: State, move: Move) -> State:
    (seat,) = RULES.to_act(state)
    following = RULES.play(state, seat, move, DICE).state
    assert isinstance(following, State)
    return following


def placed(names: str, rule: OpeningRule = OpeningRule.RENJU) -> State:
    """Return the state after stones on these points, black and white in turn."""
    state = first_state(A, rule, 15)
    for cell in cells_of(names):
        state = after(state, PLACES_OF[15][cell])
    return state


@pytest.mark.parametrize("options", TABLES, ids=lambda options: f"{options.rule}-{options.size}")
@pytest.mark.parametrize("number", range(3))
def test_bots_of_every_level_play_to_the_end(options: Options, number: int) -> None:
    state, moves = RULES.deal(options, DICE), 0
    while RULES.to_act(state):
        bot = BOTS[(number + RULES.to_act(state)[0]) % 3]
        state = after(state, answer(bot, state, moves % 256))
        moves += 1
    assert RULES.outcome(state) is not None
    assert (len(state.choices) > 0) == (options.rule is SWAP2)


# Renju


CROSS = "G8 A1 H7 O15 H6 A15 F8 O1"
"""H8 would be a double-three for black."""


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_black_leaves_the_forbidden_points(bot: Bot) -> None:
    state = placed(CROSS)
    barred = {point.cell for point in state.forbidden}
    assert barred
    for number in range(20):
        move = answer(bot, state, number)
        assert isinstance(move, Place)
        assert move.x + 15 * move.y not in barred


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_black_has_a_move_when_the_point_that_stops_a_five_is_forbidden(bot: Bot) -> None:
    """White has a closed four whose end H8 is a double-three for black."""
    state = placed("G8 I9 F8 J10 H7 K11 H6 L12 M13 A1")
    assert cells_of("H8")[0] in {point.cell for point in state.forbidden}
    answer(bot, state)


def test_the_bots_see_no_five_of_black_in_six_stones() -> None:
    six = 0b110111
    assert line_patterns(15, six, 0).fives == 0b001000
    exact = line_patterns(15, six, 0, exact=True)
    assert (exact.fives, exact.overlines) == (0, 0b001000)
    five = line_patterns(15, 0b10111, 0, exact=True)
    assert (five.fives, five.overlines) == (0b01000, 0)


def test_the_search_board_bars_what_is_forbidden_for_black_and_nothing_for_white() -> None:
    state = placed(CROSS)
    forbidden = {point.cell for point in state.forbidden}
    board = Board(state.moves, 15, renju=True)
    fields, _, barred = board.fields()
    assert set(cells(barred)) == forbidden
    assert all(board.is_forbidden(cell) for cell in forbidden)
    assert not fields >> board.layout.open_threes & barred
    assert Board(state.moves).fields()[2] == 0


@pytest.mark.parametrize("bot", BOTS[1:], ids=lambda bot: bot.name)
def test_white_completes_six(bot: Bot) -> None:
    state = placed("A1 F8 C1 G8 E1 H8 A3 J8 C3 K8 O15")
    move = answer(bot, state)
    assert isinstance(move, Place)
    assert RULES.outcome(after(state, move)) is not None


def test_hard_wins_where_black_may_not_answer() -> None:
    """White can make a four whose only answer H8 is a double-three; the four at H8 has an answer."""
    state = placed("G8 I9 F8 J10 H7 K11 H6 A1 M13 C1 G7")
    state = after(state, answer(Hard(20_000), state))
    assert state.moves[-1] == cells_of("L12")[0]
    state = after(state, answer(Hard(20_000), state))
    state = after(state, answer(Hard(20_000), state))
    assert RULES.outcome(state) is not None


# Swap2


def opened(names: str, *moves: Move) -> State:
    state = placed(names, SWAP2)
    for move in moves:
        state = after(state, move)
    return state


@pytest.mark.parametrize("bot", BOTS[1:], ids=lambda bot: bot.name)
def test_a_bot_takes_the_better_colour(bot: Bot) -> None:
    """Two black stones beside each other in the middle are strong; the same far apart in corners are not."""
    assert answer(bot, opened("H8 A1 H9")) == Choose(Choice.BLACK)
    assert answer(bot, opened("A1 H8 O1")) == Choose(Choice.WHITE)


@pytest.mark.parametrize("bot", BOTS[1:], ids=lambda bot: bot.name)
def test_a_bot_takes_the_better_colour_after_five_stones(bot: Bot) -> None:
    two = Choose(Choice.TWO_MORE)
    strong = opened("A1 H8 O1", two, PLACES_OF[15][cells_of("H9")[0]], PLACES_OF[15][cells_of("A15")[0]])
    assert answer(bot, strong) == Choose(Choice.WHITE)
    weak = opened("H8 A1 H9", two, PLACES_OF[15][cells_of("O1")[0]], PLACES_OF[15][cells_of("I9")[0]])
    assert answer(bot, weak) == Choose(Choice.BLACK)


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_a_bot_that_begins_places_three_stones_near_each_other(bot: Bot) -> None:
    for number in range(10):
        state = RULES.deal(Options(SWAP2), DICE)
        for _ in range(3):
            state = after(state, answer(bot, state, number))
        stones = [PLACES_OF[15][cell] for cell in state.moves]
        assert max(stone.x for stone in stones) - min(stone.x for stone in stones) <= 6
        assert max(stone.y for stone in stones) - min(stone.y for stone in stones) <= 6


def test_the_search_takes_a_smaller_budget_where_a_stone_costs_more() -> None:
    def budget(rule: OpeningRule, size: int) -> int:
        return budget_for(View(A, A, (), (), rule, size), SEARCH_BUDGET)

    assert budget(OpeningRule.FREE, 15) == budget(SWAP2, 15) == SEARCH_BUDGET
    assert budget(OpeningRule.RENJU, 19) < budget(OpeningRule.FREE, 19) < SEARCH_BUDGET
