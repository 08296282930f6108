"""Decides which bot computes next, and with how much effort, so that no answer is late.

Quick bots wait for the thread, slow ones for a process, both in a fair order. The effort of a slow bot
shrinks when others wait: each share gets the same part of the time of all workers for what
waits for it, whatever waits for others. How long a bot takes with full effort is measured.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Final, NamedTuple

from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.journal.store_interface import Now
from qipai.kernel.game_interface.bot_interface import FULL_EFFORT, AdjustableBot, Bot, is_slow
from qipai.kernel.ids import Millis

from .fair_queue import FairQueue, Next, Payer
from .thinking_pool import ChosenMove, MoveRequest, ThinkingPool

TRIES: Final = 3
"""How often a move is computed after its process died, the first time included."""
FIRST_ESTIMATE: Final = 0.5
"""Seconds that a slow bot is expected to take with full effort before it was measured."""
FALLING: Final = 0.02
"""How much slower estimates fall than rise: a move that was quick by chance says little."""
OVERHEAD: Final = 1
"""What a computation takes besides its effort, in percent; without it, many short ones would seem slow."""
LEAST_CHARGE: Final = 0.005
"""Seconds that are charged for a computation at least, such as that of a quick bot, which is not measured."""
ROUND: Final = 1.0
"""Seconds in which all that waits is to be computed: half the usual time, because more comes meanwhile."""
LEAST_TIME: Final = 0.1
"""Seconds in which it is to be computed if it is late already."""


class Decision:
    """A move that a bot is to choose by a deadline. `name` is that of the bot and its game.

    `request` is called when the bot is about to compute; None: the answer is no longer wanted. `answer` gets
    the move, or None if there is none.
    """

    __slots__ = ("answer", "asked_at", "bot", "deadline", "name", "payer", "request", "tries")

    def __init__(
        self,
        name: str,
        bot: Bot,
        payer: Payer,
        deadline: Millis,
        request: Callable[[], MoveRequest | None],
        answer: Callable[[Any | None], None],
    ) -> None:
        self.name = name
        self.bot = bot
        self.payer = payer
        self.deadline = deadline
        self.request = request
        self.answer = answer
        self.asked_at = Millis(0)
        self.tries = TRIES


class Running(NamedTuple):
    """A computation that runs: its estimated seconds and its end by that estimate."""

    effort: int
    seconds: float
    ends: float


class Lane:
    """Decisions that wait for the same workers, and counters of those that no longer wait."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.queue: FairQueue[Decision] = FairQueue()
        self.running: dict[Decision, Running] = {}
        self.started = 0
        self.waited_seconds = 0.0
        self._oldest_is_next = False

    def busy_seconds(self, now: Millis) -> float:
        """Return the computing time that running computations still need, by their estimates."""
        return sum([max(0.0, running.ends - now) for running in self.running.values()]) / 1_000

    def take(self, now: Millis) -> Next[Decision] | None:
        """Take what is next; every second time, the oldest decision if it is late.

        With little effort, a late decision takes hardly anything from others, whose shares are unchanged.
        """
        oldest = self.queue.oldest() if self._oldest_is_next else None
        if oldest is not None and oldest.deadline <= now:
            self._oldest_is_next = False
            return self.queue.take_oldest()
        self._oldest_is_next = True
        return self.queue.take()


class ThinkingScheduler:
    """The queues of one worker; called on the event loop only. `report` gets what fails."""

    def __init__(self, pool: ThinkingPool, now: Now, report: Callable[[BaseException], object]) -> None:
        self._pool = pool
        self._now = now
        self._report = report
        self.quick = Lane(1)
        self.slow = Lane(pool.workers)
        self.reduced = 0
        """Moves with less than full effort, also those without any computation."""
        self._full_seconds: dict[str, float] = {}
        self._scheduled = False
        self._closed = False

    def close(self) -> None:
        """Start no more computations."""
        self._closed = True
        self._pool.close()

    def expect(self, bot: Bot) -> None:
        """Prepare for a bot that will compute soon."""
        if is_slow(bot) and not self._closed:
            with FailureIsolation(self._report):
                self._pool.start_processes()

    def add(self, decision: Decision) -> None:
        """Queue a decision; its request is made in a later turn of the event loop."""
        decision.asked_at = self._now()
        self._lane(decision.bot).queue.add(decision, decision.payer)
        self._start_soon()

    def _lane(self, bot: Bot) -> Lane:
        return self.slow if is_slow(bot) else self.quick

    def _start_soon(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._start_waiting)

    def _start_waiting(self) -> None:
        self._scheduled = False
        for lane in () if self._closed else (self.quick, self.slow):
            while len(lane.running) < lane.workers and self._start_next(lane):
                pass

    def _start_next(self, lane: Lane) -> bool:
        """Start the next computation; return False if there is none."""
        following = lane.take(self._now())
        if following is None:
            return False
        decision, part = following
        with FailureIsolation(partial(self._failed, decision)):
            if (request := decision.request()) is not None:
                self._start(lane, decision, request, part)
        return True

    def _start(self, lane: Lane, decision: Decision, request: MoveRequest, part: float) -> None:
        """Start a computation with its part of the capacity; it has a place in the lane only if it starts."""
        now, bot, effort, seconds = self._now(), decision.bot, FULL_EFFORT, 0.0
        if lane is self.slow:
            full = self._full_seconds.setdefault(decision.name, FIRST_ESTIMATE)
            if isinstance(bot, AdjustableBot):
                left = _seconds_until(decision.deadline, now)
                window = left if part == 1 else min(left, ROUND)
                allowed = min(left, (lane.workers * window - lane.busy_seconds(now)) * part)
                effort = max(1, min(FULL_EFFORT, int((FULL_EFFORT + OVERHEAD) * allowed / full) - OVERHEAD))
            seconds = full * _part_of_full(effort)
            if effort < FULL_EFFORT and isinstance(bot, AdjustableBot):
                bot = bot.with_effort(effort)
        lane.queue.charge(decision.payer, max(seconds, LEAST_CHARGE))
        future = self._pool.choose_move(bot, request)
        lane.running[decision] = Running(effort, seconds, now + seconds * 1_000)
        lane.started += 1
        lane.waited_seconds += (now - decision.asked_at) / 1_000
        self.reduced += effort < FULL_EFFORT
        future.add_done_callback(partial(self._finished, lane, decision))

    def _failed(self, decision: Decision, error: BaseException) -> None:
        self._report(error)
        decision.answer(None)

    def _finished(self, lane: Lane, decision: Decision, future: "asyncio.Future[ChosenMove]") -> None:
        running = lane.running.pop(decision)
        self._start_soon()
        if future.cancelled() or self._closed:
            return
        error = future.exception()
        decision.tries -= 1
        if isinstance(error, BrokenProcessPool) and decision.tries:
            self.add(decision)
            return
        if error is not None:
            self._failed(decision, error)
            return
        move, seconds = future.result()
        if lane is self.slow:
            self._measured(decision.name, seconds, _part_of_full(running.effort))
        decision.answer(move)

    def _measured(self, name: str, seconds: float, part_of_full: float) -> None:
        """Move the estimate towards the measured time: a long computation says more than a short one."""
        estimate = self._full_seconds[name]
        difference = seconds / part_of_full - estimate
        weight = part_of_full * (1.0 if difference > 0 else FALLING)
        self._full_seconds[name] = estimate + difference * weight


def _part_of_full(effort: int) -> float:
    """Return which part of its full time a bot takes with an effort."""
    return (effort + OVERHEAD) / (FULL_EFFORT + OVERHEAD)


def _seconds_until(deadline: Millis, now: Millis) -> float:
    return max(LEAST_TIME, (deadline - now) / 1_000)
