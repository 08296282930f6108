"""Where bots think: the quick ones in a thread, the slow ones in processes that begin when first needed."""

import asyncio
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Final

from qipai.kernel.game_interface.bot_interface import Bot, is_slow
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .uci_engine import EngineRunner

WORKERS: Final = min(4, os.cpu_count() or 1)
_NICE: Final = 10
_engines = EngineRunner("")


class ThinkingPool:
    """Lets bots think without the event loop; ends with it. `engine` is a program that slow ones may ask."""

    def __init__(self, engine: str = "", workers: int = WORKERS) -> None:
        self._engine = engine
        self._workers = workers
        self._thread = ThreadPoolExecutor(1, "bots")
        self._processes: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """Think no more; what is being thought ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)

    def think(
        self, bot: Bot, view: Any, seat: Seat, moves: Sequence[Any], seed: bytes
    ) -> "asyncio.Future[Any]":
        """Return the bot's choice when it has made it; `BrokenProcessPool` if its process died meanwhile."""
        loop = asyncio.get_running_loop()
        if not is_slow(bot):
            return loop.run_in_executor(self._thread, choose, bot, view, seat, moves, seed)
        if self._processes is not None:
            try:
                return loop.run_in_executor(self._processes, choose, bot, view, seat, moves, seed)
            except BrokenProcessPool:
                self._processes.shutdown(wait=False)
        self._processes = processes(self._workers, self._engine)
        return loop.run_in_executor(self._processes, choose, bot, view, seat, moves, seed)


def choose(bot: Bot, view: Any, seat: Seat, moves: Sequence[Any], seed: bytes) -> Any | None:
    """Return the bot's choice with dice of this seed."""
    return decide(bot, view, seat, moves, Random(seed))


def decide(bot: Bot, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
    """Return what an engine of this process chooses for the bot, else the bot's own choice."""
    asked = _engines.ask(bot, view, seat, moves, random)
    return bot.choose(view, seat, moves, random) if asked is None else asked


def processes(workers: int, engine: str = "") -> ProcessPoolExecutor:
    """Return processes that yield to everything else and never outlive this one; each may run an engine."""
    # A forked child would have our sockets and the locks of our threads.
    return ProcessPoolExecutor(workers, get_context("spawn"), _begin, (engine,))


def _begin(engine: str) -> None:
    global _engines  # noqa: PLW0603 - a process of the pool has nothing else to keep it in
    _engines = EngineRunner(engine)
    # Ctrl-C is for the parent, which then lets us go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    Thread(target=_follow, name="parent", daemon=True).start()


def _follow() -> None:
    """End with the parent, however it ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        # An engine that hangs does not notice that nobody is there any more.
        _engines.close()
        os._exit(1)
