"""Chess with every combination of dice, fog and mines: random games never get stuck and stay consistent."""

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from qipai.games.chess.rules import RULES
from qipai.games.chess.wire_types import ClaimDraw, Move, Settings
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import OpenRoom, Play, TableRules, TakeSeat, TimeUp
from qipai.kernel.ids import SYSTEM, Code, Millis, Person, RoomId
from qipai.kernel.room import Advanced, AnyRoom, Phase, create, deadline
from qipai.kernel.step import step

from .chess_machine import favoured, holds, machine, whole_game
from .chess_table import FREE, SEQUENTIAL

COMBINATIONS = {
    "plain": Settings(),
    "sequential": Settings(dice=SEQUENTIAL),
    "rerolls": Settings(dice=SEQUENTIAL, rerolls=3),
    "free": Settings(dice=FREE),
    "fog": Settings(fog=True),
    "mines": Settings(mines=5),
    "many mines": Settings(mines=20),
    "sequential fog": Settings(dice=SEQUENTIAL, fog=True),
    "sequential mines": Settings(dice=SEQUENTIAL, mines=5),
    "free mines": Settings(dice=FREE, mines=8),
    "free fog": Settings(dice=FREE, fog=True),
    "fog mines": Settings(fog=True, mines=5),
    "sequential fog mines": Settings(dice=SEQUENTIAL, fog=True, mines=5, rerolls=1),
    "free fog mines": Settings(dice=FREE, fog=True, mines=12, rerolls=2),
}

TestSequentialFog = machine(COMBINATIONS["sequential fog"])
TestSequentialMines = machine(COMBINATIONS["sequential mines"])
TestFreeMines = machine(COMBINATIONS["free mines"])
TestFreeFog = machine(COMBINATIONS["free fog"])
TestFogMines = machine(COMBINATIONS["fog mines"])
TestSequentialFogMines = machine(COMBINATIONS["sequential fog mines"])
TestFreeFogMines = machine(COMBINATIONS["free fog mines"])


@pytest.mark.parametrize("name", COMBINATIONS)
def test_a_whole_random_game_is_consistent_and_can_be_replayed(name: str) -> None:
    for number in range(3):
        game = whole_game(COMBINATIONS[name], number, 150)
        holds(game.state)
        game.again()


@pytest.mark.parametrize("name", COMBINATIONS)
def test_a_claimable_draw_does_not_stop_the_game(name: str) -> None:
    game = whole_game(COMBINATIONS[name], 77, 60)
    if RULES.to_act(game.state):
        moves = RULES.legal(game.state, game.state.turn)
        assert any(not isinstance(move, ClaimDraw) for move in moves)


class Evening:
    """A room where random players sit, whose clock is simulated."""

    def __init__(self, options: Settings, rng: random.Random, now: int) -> None:
        self.rng, self.now = rng, now
        plan = ClockPlan(main=(300_000,), increment=2_000)
        command = OpenRoom(RoomId("room"), Code("1234"), "chess", options, TableRules(clock=plan))
        self.room: AnyRoom = create(RULES, command, Millis(now), rng.randbytes(32))
        for name in ("ann", "bob"):
            self.do(SYSTEM, TakeSeat(Person(name), name))

    def do(self, actor: int, command: Any) -> None:
        """Do what must be carried out."""
        result = step(RULES, self.room, actor, command, Millis(self.now), self.rng.randbytes(32))  # type: ignore[arg-type]  # a plain number will do
        assert isinstance(result, Advanced), (command, result)
        self.room = result.room

    def move(self) -> None:
        """Let the seat to act think for a while and move, or run out of time."""
        state = self.room.state
        assert state is not None
        (seat,) = RULES.to_act(state)
        self.now += self.rng.choice((300, 900, 2_500, 6_000))
        due = deadline(self.room)
        assert due is not None, "a running game has a deadline"
        if due <= self.now:
            self.do(SYSTEM, TimeUp())
        else:
            self.do(seat, Play(favoured(state, self.rng)))


@pytest.mark.slow
def test_thirty_simulated_minutes_of_random_games_leave_no_table_stuck() -> None:
    reasons = Counter[str]()
    for number, (name, options) in enumerate(COMBINATIONS.items()):
        rng, now = random.Random(number), 0
        while now < 1_800_000:
            evening = Evening(options, rng, now)
            count = 0
            while evening.room.phase is Phase.PLAYING:
                evening.move()
                count += 1
                assert count < 5_000, name
            assert evening.room.state is not None
            holds(evening.room.state)
            assert evening.room.result is not None
            reasons[evening.room.result.reason] += 1
            now = evening.now
    assert {"mate", "mined"} <= reasons.keys(), reasons
    assert sum(reasons.values()) >= len(COMBINATIONS)


def test_the_clock_runs_through_all_three_moves_and_the_increment_is_added_at_each() -> None:
    rng = random.Random(5)
    for number in range(40):
        evening = Evening(COMBINATIONS["sequential"], random.Random(number), 0)
        moved = []
        for _ in range(6):
            room = evening.room
            assert room.clock is not None
            assert room.state is not None
            (seat,) = RULES.to_act(room.state)
            had, began = room.clock.left[seat], room.clock.since[seat]
            assert had is not None
            assert began is not None
            move = next((one for one in RULES.legal(room.state, seat) if isinstance(one, Move)), None)
            if move is None:
                break
            evening.now += rng.choice((400, 1_700))
            evening.do(seat, Play(move))
            if evening.room.phase is not Phase.PLAYING:
                break
            assert evening.room.clock is not None
            assert evening.room.clock.left[seat] == had - (evening.now - began) + 2_000
            moved.append(seat)
        if any(a == b for a, b in pairwise(moved)):
            return
    raise AssertionError("no side moved twice in a row")
