"""Whole games of mahjong by players of little thought: no tile is lost, games end and can be replayed."""

import struct
from collections.abc import Callable
from time import process_time

import msgspec
import pytest

from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.state import State
from qipai.games.mahjong.wire_types import AnyMove, Flowers, Settings, Size, Stage
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .mahjong_walls import anything, eager, tiles_are_conserved, waiting

Player = Callable[[State, Seat, Random], AnyMove]


def whole_game(options: Settings, key: bytes, player: Player, hands: int) -> tuple[list[AnyMove], State, int]:
    """Play until the game or so many hands are over; everything is checked after every command."""
    dice, choices = Random(key), Random(key[::-1])
    state = RULES.deal(options, dice)
    moves: list[AnyMove] = []
    over = 0
    while RULES.outcome(state) is None and over < hands:
        acting = waiting(state)
        seat = acting[choices.below(len(acting))]
        move = player(state, seat, choices)
        moves.append(move)
        after = RULES.play(state, seat, move, dice).state
        tiles_are_conserved(after)
        if after.result is not None and state.result is None:
            over += 1
            assert sum(after.result.delta) == 0
            assert len(after.result.winners) <= 3
            stored = msgspec.json.decode(msgspec.json.encode(after), type=State)
            assert stored == after
        state = after
    return moves, state, over


KINDS_OF_TABLES = (
    Settings(rounds=1, hints=False),
    Settings(tiles=Size.SIXTEEN, rounds=1, hints=False),
    Settings(tiles=Size.SIXTEEN, flowers=Flowers.KEEP, manual_steps=True, hints=False),
    Settings(
        house=HouseRules(
            passed_hu="until_change",
            passed_pong=True,
            no_swap_call=True,
            act_after_claim=True,
            orphans_rob_concealed=True,
            several_winners=False,
            declare_ting=True,
            early_ready=True,
            dead_wall_grows=True,
            late_added_kong=False,
            last_discard_hu_only=False,
            feeder_pays=True,
            seat_winds="opening",
        ),
        rounds=2,
    ),
)


def many_hands(count: int) -> None:
    played = 0
    number = 0
    while played < count:
        options = KINDS_OF_TABLES[number % len(KINDS_OF_TABLES)]
        player: Player = anything if number % 3 == 2 else eager
        played += whole_game(options, struct.pack("<8I", *([number] * 8)), player, 5)[2]
        number += 1


def test_no_tile_is_lost_in_a_hundred_hands() -> None:
    many_hands(100)


@pytest.mark.slow
def test_no_tile_is_lost_in_two_thousand_hands() -> None:
    many_hands(2000)


@pytest.mark.parametrize("number", range(3))
def test_a_game_of_one_wind_ends_and_can_be_had_again_from_its_seed(number: int) -> None:
    options = Settings(tiles=Size.SIXTEEN if number % 2 else Size.THIRTEEN, rounds=1, hints=False)
    key = bytes([number + 1]) * 32
    moves, state, hands = whole_game(options, key, eager, 10_000)
    assert state.stage is Stage.GAME_OVER
    assert state.deal.number == 3
    assert hands >= 4
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert outcome.reason == "finished"
    again = whole_game(options, key, eager, 10_000)
    assert again[:2] == (moves, state)
    lists_every_hand(state, hands)


def lists_every_hand(state: State, hands: int) -> None:
    """The list of hands gives the scores, and the best hand is one of its wins."""
    assert len(state.hands) == hands
    assert tuple(map(sum, zip(*[hand.delta for hand in state.hands], strict=True))) == state.scores
    deals = [(hand.place, hand.streak) for hand in state.hands]
    assert deals == sorted(set(deals))
    assert all(bool(hand.winners) == any(hand.delta) for hand in state.hands)
    last = state.result
    assert last is not None
    assert state.hands[-1].delta == last.delta
    assert state.best is not None
    assert state.best.winner.seat in state.hands[state.best.hand].winners
    assert state.best.winner.tai >= max((winner.tai for winner in last.winners), default=0)


@pytest.mark.slow
def test_a_whole_game_of_four_winds_ends() -> None:
    options = Settings(hints=False)
    state = whole_game(options, b"w" * 32, eager, 100_000)[1]
    assert (state.stage, state.deal.label) == (Stage.GAME_OVER, "4-4")


@pytest.mark.slow
def test_the_claims_after_a_discard_are_found_in_a_hundred_microseconds() -> None:
    windows: list[State] = []
    dice, choices = Random(b"t" * 32), Random(b"u" * 32)
    state = RULES.deal(Settings(tiles=Size.SIXTEEN, hints=False), dice)
    while len(windows) < 300:
        acting = waiting(state)
        seat = acting[choices.below(len(acting))]
        state = RULES.play(state, seat, eager(state, seat, choices), dice).state
        if state.stage is Stage.CLAIMING and not any(state.answers):
            windows.append(state)
    best = min(seconds_for_claims(windows) for _ in range(5))
    assert best / len(windows) < 100e-6


def seconds_for_claims(windows: list[State]) -> float:
    """Return the processor time that it takes to list what everybody may claim."""
    began = process_time()
    for state in windows:
        for seat in RULES.to_act(state):
            RULES.legal(state, seat)
    return process_time() - began
