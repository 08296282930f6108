"""The bots of tic-tac-toe: one never loses, one plays anything, and neither plays out of turn."""

from collections.abc import Iterator

import pytest

from qipai.games.game_registry import GAMES
from qipai.games.tictactoe.bots.levels import Perfect, Random
from qipai.games.tictactoe.rules import RULES, Mark, State
from qipai.kernel import randomness
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.ids import Seat

from .tictactoe_table import TAKEN, fresh, play, play_match, play_round

BOTS: tuple[Bot, ...] = (Perfect(), Random())


class Fixed(randomness.Random):
    """Random numbers given in advance; records the bound of each draw."""

    def __init__(self, face: int) -> None:
        super().__init__(bytes(32))
        self.face = face
        self.bound = 1

    def below(self, bound: int) -> int:
        """Return the next given number."""
        self.bound = bound
        return min(self.face, bound - 1)


def choices(bot: Bot, state: State, seat: Seat) -> Iterator[Mark]:
    """Yield every move the bot might make here, however its dice fall."""
    face, bound = 0, 1
    while face < bound:
        dice = Fixed(face)
        move = bot.choose(RULES.view(state, seat), seat, RULES.legal(state, seat), dice)
        assert move in RULES.legal(state, seat)
        assert isinstance(move, Mark)
        yield move
        face, bound = face + 1, dice.bound


def outcomes(bot: Bot, state: State, seat: Seat, known: dict[str, set[int | None]]) -> set[int | None]:
    """Return who may take the round, over all replies of the opponent and all dice of the bot."""
    if state.resting:
        return {state.taken}
    if state.board not in known:
        ours = state.turn == seat
        moves = choices(bot, state, seat) if ours else iter(RULES.legal(state, state.turn))
        known[state.board] = set()
        for move in moves:
            known[state.board] |= outcomes(bot, play(state, state.turn, move)[0], seat, known)
    return known[state.board]


def test_the_bots_are_registered_by_name() -> None:
    assert set(GAMES["tictactoe"].bots) == {"perfect", "random"}


@pytest.mark.parametrize("begins", [0, 1])
@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_perfect_bot_never_loses_a_round_against_any_play(begins: int, x: int, seat: int) -> None:
    results = outcomes(Perfect(), fresh(begins, x), Seat(seat), {})
    assert Seat(1 - seat) not in results
    assert results == {Seat(seat), None}, "it draws against the best and beats the others"


@pytest.mark.parametrize("x", [0, 1])
def test_the_perfect_bot_draws_with_itself(x: int) -> None:
    state, known = fresh(0, x), [fresh(0, x)]
    seen = {state.board}
    while known:
        state = known.pop()
        if state.resting:
            assert state.taken is None
            continue
        for move in choices(Perfect(), state, state.turn):
            after, _ = play(state, state.turn, move)
            if after.board not in seen:
                seen.add(after.board)
                known.append(after)


@pytest.mark.parametrize(
    ("cells", "best"),
    [
        ((0, 3, 1, 4), {2}),
        ((0, 4, 1), {2}),
        ((4, 0, 8, 2), {1}),
        ((0, 4, 8), {1, 3, 5, 7}),
        ((3, 0, 4, 1), {5}),
        ((8, 0, 3, 1, 4), {2}),
    ],
    ids=str,
)
def test_the_perfect_bot_wins_at_once_blocks_and_avoids_forks(cells: tuple[int, ...], best: set[int]) -> None:
    state, _ = play_round(fresh(), cells)
    assert {move.cell for move in choices(Perfect(), state, state.turn)} <= best


def test_the_random_bot_plays_every_legal_move_and_no_other() -> None:
    state, _ = play_round(fresh(), (0, 4, 8))
    moves = {move.cell for move in choices(Random(), state, state.turn)}
    assert moves == {1, 2, 3, 5, 6, 7}


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
@pytest.mark.parametrize("number", range(20))
def test_a_bot_plays_legally_to_the_end_of_a_match(bot: Bot, number: int) -> None:
    dice = randomness.Random(bytes([number]) * 32)
    state = RULES.deal(GAMES["tictactoe"].read_chosen_options(None), dice)
    for _ in range(60):
        acting = RULES.to_act(state)
        if not acting:
            break
        seat = acting[0]
        legal = RULES.legal(state, seat)
        chosen = bot.choose(RULES.view(state, seat), seat, legal, dice)
        assert (chosen is None) is state.resting
        state, _ = play(state, seat, legal[0] if chosen is None else chosen)
        assert chosen is None or chosen in legal
    assert RULES.outcome(state) is not None


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_leaves_it_to_the_person_to_go_on_after_a_round(bot: Bot, seat: int) -> None:
    state, _ = play_round(fresh(), TAKEN["first"])
    legal = RULES.legal(state, Seat(seat))
    assert bot.choose(RULES.view(state, Seat(seat)), Seat(seat), legal, randomness.Random(bytes(32))) is None


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_a_bot_has_nothing_to_do_when_it_is_not_its_turn_or_all_is_over(bot: Bot) -> None:
    waiting = fresh(left=0)
    over = play_match(fresh(), "L L L")
    for state in (waiting, over):
        view = RULES.view(state, Seat(1))
        assert bot.choose(view, Seat(1), RULES.legal(state, Seat(1)), randomness.Random(bytes(32))) is None


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_a_bot_with_the_same_random_numbers_plays_the_same(bot: Bot) -> None:
    state = fresh()
    view, legal = RULES.view(state, Seat(0)), RULES.legal(state, Seat(0))
    moves = {bot.choose(view, Seat(0), legal, randomness.Random(b"7" * 32)) for _ in range(5)}
    assert len(moves) == 1
