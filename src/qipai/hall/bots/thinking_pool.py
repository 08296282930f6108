"""Computes moves of bots: fast bots in a thread, slow ones in processes that start on first use."""

import asyncio
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from time import perf_counter
from typing import Any, Final, NamedTuple

from qipai.kernel.game_interface.bot_interface import Bot, is_slow
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .uci_engine import EngineRunner

WORKERS: Final = min(4, os.cpu_count() or 1)
_NICE: Final = 10
_engines = EngineRunner("")


class MoveRequest(NamedTuple):
    """What a bot chooses a move from."""

    view: Any
    seat: Seat
    moves: Sequence[Any]
    seed: bytes


class ChosenMove(NamedTuple):
    """The move that a bot chose, and how long it computed."""

    move: Any | None
    seconds: float


class ThinkingPool:
    """A thread, and processes of which each computes one move; a process that dies fails no other move.

    `engine` is a UCI program that bots in the processes may ask.
    """

    def __init__(self, engine: str = "", workers: int = WORKERS) -> None:
        self._engine = engine
        self.workers = workers
        self._thread = ThreadPoolExecutor(1, "bots")
        self._idle: list[ProcessPoolExecutor] = []
        self._busy: dict[ProcessPoolExecutor, asyncio.Future[ChosenMove]] = {}

    def close(self) -> None:
        """Start no more computations, and end those that run: a busy machine would need minutes."""
        for executor in (self._thread, *self._idle, *self._busy):
            executor.shutdown(wait=False, cancel_futures=True)
        for future in self._busy.values():
            future.cancel()
        for process in active_children():
            process.terminate()

    def start_processes(self) -> None:
        """Start the processes that are missing: the first move is not late then."""
        while len(self._idle) + len(self._busy) < self.workers:
            process = processes(1, self._engine)
            process.submit(int)
            self._idle.append(process)

    def choose_move(self, bot: Bot, request: MoveRequest) -> "asyncio.Future[ChosenMove]":
        """Return the future move of the bot; it fails with `BrokenProcessPool` if its process died.

        No more than `workers` slow bots may compute at the same time.
        """
        loop = asyncio.get_running_loop()
        if not is_slow(bot):
            return loop.run_in_executor(self._thread, timed_choice, bot, request)
        while True:
            self.start_processes()
            process = self._idle.pop()
            try:
                future = loop.run_in_executor(process, timed_choice, bot, request)
            except BrokenProcessPool:
                # It died while it was idle.
                process.shutdown(wait=False)
                continue
            self._busy[process] = future
            future.add_done_callback(partial(self._finished, process))
            return future

    def _finished(self, process: ProcessPoolExecutor, future: "asyncio.Future[ChosenMove]") -> None:
        del self._busy[process]
        if not future.cancelled() and isinstance(future.exception(), BrokenProcessPool):
            process.shutdown(wait=False)
        else:
            self._idle.append(process)


def timed_choice(bot: Bot, request: MoveRequest) -> ChosenMove:
    """Return the bot's move, and how long it took."""
    started = perf_counter()
    return ChosenMove(choose(bot, *request), perf_counter() - started)


def choose(bot: Bot, view: Any, seat: Seat, moves: Sequence[Any], seed: bytes) -> Any | None:
    """Return the bot's move, with randomness from this seed."""
    return decide(bot, view, seat, moves, Random(seed))


def decide(bot: Bot, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
    """Return the move of this process's engine for the bot, otherwise the bot's own."""
    engine_move = _engines.ask(bot, view, seat, moves, random)
    return bot.choose(view, seat, moves, random) if engine_move is None else engine_move


def processes(workers: int, engine: str = "", nice: int = _NICE) -> ProcessPoolExecutor:
    """Return a pool of low-priority processes that end with this one; each may run an engine."""
    # A forked child would inherit the sockets and the locks of threads.
    return ProcessPoolExecutor(workers, get_context("spawn"), _start_process, (engine, nice))


def _start_process(engine: str, nice: int) -> None:
    global _engines  # noqa: PLW0603 - a process of the pool has nothing else to keep it in
    _engines = EngineRunner(engine)
    # Ctrl-C is for the parent, which then ends the pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit_now)
    if hasattr(os, "nice"):
        os.nice(nice)
    Thread(target=_exit_with_parent, name="parent", daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent ends, however it ends."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        _exit_now()


def _exit_now(*_: object) -> None:
    # An engine that hangs does not notice its closed input.
    _engines.close()
    os._exit(1)
