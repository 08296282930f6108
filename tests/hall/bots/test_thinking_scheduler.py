"""The scheduler in virtual time: no answer is late, and one person does not make others wait."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from errno import EMFILE
from statistics import mean
from typing import Any

import pytest

from qipai.hall.bots.thinking_pool import ChosenMove, MoveRequest, ThinkingPool
from qipai.hall.bots.thinking_scheduler import Decision, ThinkingScheduler
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.randomness import Random
from tests.support.hall_simulation import VirtualLoop

FULL = 0.5
"""Seconds that the slow bot computes with full effort."""
SOON = 1.1
"""Seconds of a computation that runs already, and of the own one."""
LATEST = 3.0
TARGET = 2.0
PAUSE = 0.6
REQUEST = MoveRequest(None, Seat(0), (), b"")


class SlowBot:
    """A bot that takes half a second, or a part of it."""

    name = "slow"
    slow = True

    def __init__(self, effort: int = 100) -> None:
        self.effort = effort

    def with_effort(self, effort: int) -> "SlowBot":
        return SlowBot(effort)

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
        raise NotImplementedError


class StubbornBot(SlowBot):
    """A slow bot of a game from outside that always computes everything."""

    with_effort = None  # type: ignore[assignment] # as if it had none


class VirtualPool(ThinkingPool):
    """Computes in virtual time; each move has a fixed cost too. The move is the effort."""

    def __init__(self) -> None:
        super().__init__(workers=2)
        self.slowness = 1.0
        self.busy = self.most_busy = 0
        self.deaths = 0
        self.refused_starts = 0

    def start_processes(self) -> None:
        """Nothing to start."""

    def choose_move(self, bot: Bot, request: MoveRequest) -> "asyncio.Future[ChosenMove]":
        assert isinstance(bot, SlowBot)
        if self.refused_starts:
            self.refused_starts -= 1
            raise OSError(EMFILE, "too many open files")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[ChosenMove] = loop.create_future()
        seconds = (0.003 + FULL * bot.effort / 100) * self.slowness
        self.busy += 1
        self.most_busy = max(self.busy, self.most_busy)
        loop.call_later(seconds, self._end, future, ChosenMove(bot.effort, seconds))
        return future

    def _end(self, future: "asyncio.Future[ChosenMove]", chosen: ChosenMove) -> None:
        self.busy -= 1
        if self.deaths:
            self.deaths -= 1
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(chosen)


class Club:
    """Tables at which persons answer a bot after some time, again and again."""

    def __init__(self) -> None:
        self.pool = VirtualPool()
        self.loop = VirtualLoop()
        self.failures: list[Any] = []
        self.loop.set_exception_handler(lambda _, context: self.failures.append(context))
        self.reported: list[BaseException] = []
        self.scheduler = ThinkingScheduler(self.pool, self.now, self.reported.append)
        self.waits: dict[str, list[float]] = {}
        self.efforts: dict[str, list[int]] = {}
        self.bot: Bot = SlowBot()

    def now(self) -> Millis:
        return Millis(round(self.loop.time() * 1_000))

    def ask(self, *payer: str, again: float | None = None) -> None:
        """Let a bot move at a table of this person; ask again so many seconds after each answer."""
        asked = self.loop.time()

        def answer(move: int | None) -> None:
            self.waits.setdefault(payer[-1], []).append(self.loop.time() - asked)
            self.efforts.setdefault(payer[-1], []).append(move or 0)
            if again is not None:
                # An answer is not given before its pause is over.
                pause = max(0.0, asked + PAUSE - self.loop.time())
                self.loop.call_later(pause + again, lambda: self.ask(*payer, again=again))

        deadline = Millis(self.now() + int(TARGET * 1_000))
        self.scheduler.add(Decision(self.bot.name, self.bot, payer, deadline, lambda: REQUEST, answer))

    def run(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def open_tables(self, count: int, *payer: str, again: float = 0.0) -> None:
        async def open_all() -> None:
            for _ in range(count):
                self.ask(*payer, again=again)

        self.loop.run_until_complete(open_all())

    def latest(self, person: str) -> float:
        return max(self.waits[person])


@contextmanager
def opened_club() -> Iterator[Club]:
    club = Club()
    yield club
    club.scheduler.close()
    club.loop.close()


@pytest.fixture
def club() -> Iterator[Club]:
    with opened_club() as club:
        yield club


def effort_beside(*others: tuple[int, str]) -> float:
    """Return the mean effort at the only table of Ann, on a slow machine, beside such tables of others."""
    with opened_club() as club:
        club.pool.slowness = 3.0
        for tables, person in others:
            club.open_tables(tables, person, person)
        club.open_tables(1, "home", "Ann", again=0.7)
        club.run(60)
        return mean(club.efforts["Ann"])


def test_a_bot_alone_computes_with_full_effort(club: Club) -> None:
    club.open_tables(1, "Ann", again=1.0)
    club.run(20)
    assert set(club.efforts["Ann"]) == {100}
    assert club.latest("Ann") < 0.6


def test_sixteen_tables_of_one_guest_delay_nobody(club: Club) -> None:
    club.open_tables(16, "Eve")
    club.open_tables(1, "Ann", again=0.7)
    club.open_tables(1, "Bob", again=1.3)
    club.run(60)
    for person in ("Ann", "Bob"):
        assert club.latest(person) < SOON
        assert min(club.efforts[person]) >= 60
    assert club.latest("Eve") < LATEST, "her moves are weaker, not late"
    assert min(club.efforts["Eve"]) < 50
    assert club.pool.most_busy == 2


def test_four_guests_with_sixteen_tables_each_are_answered_in_time(club: Club) -> None:
    for number in range(4):
        club.open_tables(16, f"Eve{number}")
    club.open_tables(1, "Ann", again=1.0)
    club.run(60)
    assert club.latest("Ann") < SOON
    assert min(club.efforts["Ann"]) >= 25
    assert max(club.latest(f"Eve{number}") for number in range(4)) < LATEST


def test_guests_of_one_address_share(club: Club) -> None:
    for number in range(20):
        club.open_tables(4, "mill", f"Eve{number}")
    club.open_tables(1, "home", "Ann", again=1.0)
    club.run(60)
    assert club.latest("Ann") < SOON
    assert min(club.efforts["Ann"]) >= 60
    assert max(club.latest(f"Eve{number}") for number in range(20)) < LATEST


@pytest.mark.parametrize("tables", [16, 200, 5_000])
def test_many_tables_weaken_the_bots_of_others_no_more_than_a_few(tables: int) -> None:
    assert effort_beside((tables, "Eve")) >= 0.95 * effort_beside((4, "Eve"))
    assert effort_beside((tables, "Eve")) >= effort_beside((2, "Bob"), (2, "Cy"))


def test_short_computations_of_one_person_do_not_make_the_bot_seem_slower(club: Club) -> None:
    club.open_tables(5_000, "Eve")
    club.open_tables(1, "Ann", again=1.0)
    club.run(30)
    assert min(club.efforts["Ann"]) >= 95


def test_forty_persons_with_one_table_each_get_the_same(club: Club) -> None:
    for number in range(40):
        club.open_tables(1, f"person{number}", again=0.1)
    club.run(60)
    assert max(map(max, club.waits.values())) < LATEST
    counts = [len(waits) for waits in club.waits.values()]
    assert max(counts) - min(counts) <= 0.2 * max(counts)


@pytest.mark.parametrize("slowness", [1.0, 3.0])
def test_many_tables_of_one_person_are_in_time_while_many_others_play(club: Club, slowness: float) -> None:
    club.pool.slowness = slowness
    club.open_tables(16, "Eve")
    for number in range(40):
        club.open_tables(1, f"person{number}", again=0.1)
    club.run(60)
    assert max(map(max, club.waits.values())) < LATEST


def test_on_a_slow_machine_the_first_answers_show_how_much_effort_is_possible(club: Club) -> None:
    club.pool.slowness = 10.0
    club.open_tables(1, "Ann", again=1.0)
    club.run(60)
    assert max(club.waits["Ann"][1:]) < LATEST


def test_more_than_the_machine_can_give_delays_its_sender_and_not_others(club: Club) -> None:
    club.open_tables(5_000, "Eve")
    club.open_tables(1, "Ann", again=1.0)
    club.run(30)
    assert club.latest("Ann") < SOON


def test_a_bot_that_cannot_compute_less_uses_the_share_of_its_person(club: Club) -> None:
    club.bot = StubbornBot()
    club.open_tables(16, "Eve")
    club.run(5)
    club.bot = SlowBot()
    club.open_tables(1, "Ann", again=0.3)
    club.bot = StubbornBot()
    club.run(30)
    assert club.latest("Ann") < LATEST


def test_a_decision_that_is_no_longer_wanted_costs_nothing(club: Club) -> None:
    async def forget_many() -> None:
        for _ in range(1_000):
            club.scheduler.add(
                Decision("slow", club.bot, ("Eve",), Millis(0), lambda: None, club.failures.append)
            )
        club.ask("Eve")

    club.loop.run_until_complete(forget_many())
    club.run(1)
    assert club.efforts["Eve"] == [100]
    assert club.scheduler.slow.started == 1
    assert not club.failures


def test_a_move_is_computed_again_after_its_process_died_but_not_for_ever(club: Club) -> None:
    club.pool.deaths = 2
    club.open_tables(1, "Ann", again=100)
    club.run(5)
    assert club.efforts["Ann"] == [100]
    club.pool.deaths = 3
    club.open_tables(1, "Bob", again=100)
    club.run(5)
    assert club.efforts["Bob"] == [0], "there is no move"
    assert [type(error) for error in club.reported] == [BrokenProcessPool]
    assert not club.failures


def test_a_computation_that_cannot_start_is_reported_and_keeps_no_place(club: Club) -> None:
    club.pool.refused_starts = 3
    club.open_tables(6, "Ann", again=100)
    club.run(5)
    lane = club.scheduler.slow
    assert (len(lane.queue), len(lane.running), lane.started) == (0, 0, 3)
    assert sorted(map(bool, club.efforts["Ann"])) == [False] * 3 + [True] * 3
    assert [type(error) for error in club.reported] == [OSError] * 3
    assert not club.failures


def test_a_question_that_fails_is_reported_and_the_rest_of_the_queue_starts(club: Club) -> None:
    answers: list[Any] = []

    def fail() -> MoveRequest:
        raise ValueError("faulty view")

    async def ask_all() -> None:
        for _ in range(3):
            club.scheduler.add(Decision("slow", club.bot, ("Eve",), Millis(2_000), fail, answers.append))
        club.ask("Ann")

    club.loop.run_until_complete(ask_all())
    club.run(2)
    assert club.efforts["Ann"] == [100]
    assert answers == [None] * 3
    assert [str(error) for error in club.reported] == ["faulty view"] * 3
    assert not club.failures


def test_a_bot_that_exits_its_thread_does_not_end_the_server(club: Club) -> None:
    future: asyncio.Future[ChosenMove] = club.loop.create_future()
    future.set_exception(SystemExit())
    club.pool.choose_move = lambda bot, request: future  # type: ignore[method-assign] # one answer
    club.open_tables(1, "Ann", again=100)
    club.run(1)
    assert club.efforts["Ann"] == [0]
    assert [type(error) for error in club.reported] == [SystemExit]


def test_a_scheduler_that_is_closed_starts_nothing(club: Club) -> None:
    club.open_tables(3, "Ann")
    club.scheduler.close()
    club.run(5)
    assert "Ann" not in club.waits


@pytest.mark.parametrize("count", [1, 200])
def test_waiting_is_counted(club: Club, count: int) -> None:
    club.open_tables(count, "Ann", again=1_000)
    assert len(club.scheduler.slow.queue) == count - min(count, 2)
    club.run(5)
    lane = club.scheduler.slow
    assert (len(lane.queue), len(lane.running), lane.started) == (0, 0, count)
    assert (lane.waited_seconds > 1) is (count > 1)
    assert (club.scheduler.reduced > 0) is (count > 1)
