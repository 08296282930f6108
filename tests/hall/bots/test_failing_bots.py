"""Bots that fail: a table does not wait for ever, and a failure costs other tables nothing."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.bots.thinking_pool import MoveRequest, ThinkingPool
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.support.hall_simulation import HallSimulation, NativeClient


class Failing:
    """A quick bot that fails so many times, then plays the first move."""

    name = "easy"
    slow = False

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.asked_at: list[int] = []
        self.now: Callable[[], int] = lambda: 0

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
        self.asked_at.append(self.now())
        if len(self.asked_at) <= self.failures:
            raise ValueError("no idea")
        return moves[0]


def play_against(simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch, bot: Failing) -> NativeClient:
    """Open a table of gomoku where this bot is to answer the first stone."""
    bot.now = simulation.now
    monkeypatch.setitem(GAMES["gomoku"].bots, "easy", bot)
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="gomoku", nonce="1", bot="easy")[0]["room"]["id"]
    ann.ask("play", room=room, move={"do": "place", "x": 7, "y": 7})
    simulation.finish_bot_decisions()
    return ann


def test_a_bot_that_failed_is_asked_again(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Failing(2)
    ann = play_against(simulation, monkeypatch, bot)
    for _ in range(60):
        simulation.wait(0.5)
        simulation.finish_bot_decisions()
    assert len(bot.asked_at) == 3
    assert simulation.hall.internal_errors.count == 2
    events = [event for frame in ann.received() for event in frame.get("events", ())]
    assert [event["seat"] for event in events if event["e"] == "placed"] == [1]


def test_a_bot_that_always_fails_is_asked_less_and_less_often(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Failing(1_000)
    ann = play_against(simulation, monkeypatch, bot)
    room = next(iter(simulation.hall.executor.live_rooms))
    for number in range(600):
        simulation.wait(0.5)
        simulation.finish_bot_decisions()
        if number % 20 == 0:
            ann.send("say", room=room, text=str(number))
    pauses = [later - earlier for earlier, later in zip(bot.asked_at, bot.asked_at[1:], strict=False)]
    # The bot computes in real time, in which some virtual time may pass.
    expected = [2, 4, 8, 16, 32, 60, 60]
    assert len(pauses) >= len(expected)
    for pause, seconds in zip(pauses, expected, strict=False):
        assert seconds * 1_000 <= pause <= seconds * 1_000 + 2_000, pauses


def test_a_bot_that_failed_is_not_asked_after_the_game_is_over(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Failing(1_000)
    ann = play_against(simulation, monkeypatch, bot)
    ann.ask("resign", room=next(iter(simulation.hall.executor.live_rooms)))
    simulation.wait(60)
    simulation.finish_bot_decisions()
    assert len(bot.asked_at) == 1


class Deadly:
    """A bot that ends its process once the bot beside it computes."""

    name = "deadly"
    slow = True

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
        wait_for(self.folder / "computes")
        os._exit(1)


class Beside(Deadly):
    """A bot that computes until the other process was replaced."""

    name = "beside"

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
        (self.folder / "computes").touch()
        wait_for(self.folder / "died")
        return "move"


def wait_for(file: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not file.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.slow
def test_a_computation_that_ends_its_process_does_not_fail_the_one_beside_it(tmp_path: Path) -> None:
    request = MoveRequest(None, Seat(0), (), bytes(32))
    pool = ThinkingPool(workers=2)

    async def compute() -> Any:
        beside = pool.choose_move(Beside(str(tmp_path)), request)
        for _ in range(2):
            with pytest.raises(BrokenProcessPool):
                await pool.choose_move(Deadly(str(tmp_path)), request)
        (tmp_path / "died").touch()
        return (await beside).move

    try:
        assert asyncio.run(compute()) == "move"
    finally:
        pool.close()


class Endless(Deadly):
    """A bot that does not stop computing."""

    name = "endless"

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
        (self.folder / "computes").touch()
        while True:
            pass


@pytest.mark.slow
def test_closing_ends_a_computation_that_does_not_stop(tmp_path: Path) -> None:
    pool = ThinkingPool(workers=1)

    async def compute() -> bool:
        future = pool.choose_move(Endless(str(tmp_path)), MoveRequest(None, Seat(0), (), bytes(32)))
        await asyncio.to_thread(wait_for, tmp_path / "computes")
        (process,) = active_children()
        pool.close()
        await asyncio.to_thread(process.join, 60)
        return future.cancelled() and not process.is_alive()

    assert asyncio.run(compute())
