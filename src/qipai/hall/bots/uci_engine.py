"""Engines that an operator has installed: programs that speak UCI, asked before a bot thinks for itself.

An engine lives in the process that asks it, has one thread and little memory, and is given little time. One
that hangs, dies or talks nonsense is killed and begun anew once; then the bot thinks for itself. It ends
with its process: whatever ends that closes the engine's input, and UCI's engines quit then.
"""

import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO, Any, Final

from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.game_interface.engine_query import EngineQuery, UsesEngine
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

NONE: Final = "none"
"""What an operator writes who wants no engine."""
USUAL: Final = ("stockfish", "/usr/games/stockfish")
START_SECONDS: Final = 10.0
GRACE_SECONDS: Final = 3.0
"""How much later than its time an engine may answer: the machine may be busy."""
TRIES: Final = 2
FAILURES: Final = 3
"""After so many questions in a row without an answer no more are asked."""
_LONGEST: Final = 4_096
_SETUP: Final = (("Threads", "1"), ("Hash", "16"))


class EngineError(Exception):
    """An engine did not do what it should; it must be given up."""


def find(chosen: str) -> str:
    """Return the program: the chosen one, a usual one if none is chosen; empty if it is not there."""
    names = () if chosen == NONE else (chosen,) if chosen else USUAL
    return next((found for name in names if (found := shutil.which(name))), "")


class UciEngine:
    """One running program. Every wait is limited; `EngineError` if it fails."""

    def __init__(self, program: str) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the operator chose the program
                [program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise EngineError(str(error)) from error
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._options: dict[str, str] = {}
        assert self._process.stdout is not None
        Thread(target=_read, args=(self._process.stdout, self._lines), name="engine", daemon=True).start()
        try:
            self._begin()
        except EngineError:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        return self._process.pid

    def close(self) -> None:
        """End the program, whatever it does."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def ask(self, question: EngineQuery) -> str:
        """Return the move that the engine would make."""
        end = monotonic() + question.millis / 1_000 + GRACE_SECONDS
        for name, value in question.options:
            self._set(name, value)
        place = f"fen {question.fen}" if question.fen else "startpos"
        line = f" moves {' '.join(question.moves)}" if question.moves else ""
        depth = f" depth {question.depth}" if question.depth else ""
        self._say(f"position {place}{line}", f"go movetime {question.millis}{depth}")
        words = self._until("bestmove", end).split()
        if len(words) < 2:
            raise EngineError("no move")
        return words[1]

    def _begin(self) -> None:
        end = monotonic() + START_SECONDS
        self._say("uci")
        self._until("uciok", end)
        for name, value in _SETUP:
            self._set(name, value)
        self._say("ucinewgame", "isready")
        self._until("readyok", end)

    def _set(self, name: str, value: str) -> None:
        if name in self._options and self._options[name] != value:
            self._say(f"setoption name {name} value {value}")
            self._options[name] = value

    def _say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError("it is gone") from error

    def _until(self, first: str, end: float) -> str:
        """Return the next line that begins with a word, and learn on the way which options there are."""
        while True:
            try:
                line = self._lines.get(timeout=max(end - monotonic(), 0.0))
            except Empty as error:
                raise EngineError(f"no {first} in time") from error
            if line is None:
                raise EngineError("it is gone")
            words = line.split()
            if words[:1] == [first]:
                return line
            if words[:2] == ["option", "name"] and "type" in words:
                self._options.setdefault(" ".join(words[2 : words.index("type")]), "")


def _read(output: IO[bytes], lines: "SimpleQueue[str | None]") -> None:
    # A pipe has no timeout; a thread that waits for it has all the time of the world.
    with output:
        while line := output.readline(_LONGEST):
            lines.put(line.decode("ascii", "replace"))
    lines.put(None)


class EngineRunner:
    """The engine of one process: begun when first needed, begun anew when it fails."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._engine: UciEngine | None = None
        self._failures = 0

    def close(self) -> None:
        """End the engine if there is one."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def ask(self, bot: Bot, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
        """Return the move an engine chooses for a bot; None if the bot must think for itself."""
        if not self._program or self._failures >= FAILURES or not isinstance(bot, UsesEngine):
            return None
        question = bot.engine_query(view, seat, moves, random)
        if question is None:
            return None
        for _ in range(TRIES):
            try:
                if self._engine is None:
                    self._engine = UciEngine(self._program)
                move = bot.engine_move(self._engine.ask(question), moves)
                if move is not None:
                    self._failures = 0
                    return move
            except EngineError:
                pass
            self.close()
        self._failures += 1
        return None
