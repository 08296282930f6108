"""UCI engines that an operator installed, asked for a move before the bot computes its own.

An engine is a child of the process that asks it, with one thread, little memory and a time limit. One that
hangs, dies or answers nonsense is killed, the bot computes its own move, and the next query starts the engine
again. UCI engines quit when their input is closed, so an engine ends with its process.
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
from qipai.kernel.game_interface.engine_comparison import Analysis
from qipai.kernel.game_interface.engine_query import EngineQuery, UsesEngine
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

NONE: Final = "none"
"""The setting for no engine."""
DEFAULT_PROGRAMS: Final = ("stockfish", "/usr/games/stockfish")
START_SECONDS: Final = 10.0
"""How long an engine may take to start; one that takes longer is not started again."""
GRACE_SECONDS: Final = 1.0
"""How much later than its time limit an engine may answer on a busy machine."""
FAILURES: Final = 3
"""Consecutive queries without an answer after which the engine is not asked again."""
ANALYSIS_SECONDS: Final = 120.0
"""How long an engine with low priority may analyse a position on a busy machine."""
MATE_SCORE: Final = 100_000
"""Centipawns that stand for a mate."""
MAX_INFO: Final = 50
MAX_NAME: Final = 60
_MAX_LINE: Final = 4_096
_SETUP: Final = (("Threads", "1"), ("Hash", "16"))


class EngineError(Exception):
    """The engine failed and must be killed."""


class EngineLateError(EngineError):
    """The engine did not answer in time."""


def find(chosen: str) -> str:
    """Return the path of the configured program, or of a default one if none is; empty if it is missing."""
    names = () if chosen == NONE else (chosen,) if chosen else DEFAULT_PROGRAMS
    return next((found for name in names if (found := shutil.which(name))), "")


class UciEngine:
    """One running engine. Every wait has a limit; failures raise `EngineError`."""

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
        self.name = ""
        """How the engine calls itself."""
        assert self._process.stdout is not None
        Thread(target=_read, args=(self._process.stdout, self._lines), name="engine", daemon=True).start()
        try:
            self._start()
        except EngineError:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    def close(self) -> None:
        """Kill the engine."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def ask(self, query: EngineQuery) -> str:
        """Return the move of the engine in UCI notation."""
        end = monotonic() + query.millis / 1_000 + GRACE_SECONDS
        for name, value in query.options:
            self._set(name, value)
        start = f"fen {query.fen}" if query.fen else "startpos"
        line = f" moves {' '.join(query.moves)}" if query.moves else ""
        depth = f" depth {query.depth}" if query.depth else ""
        self._write(f"position {start}{line}", f"go movetime {query.millis}{depth}")
        words = self._until("bestmove", end).split()
        if len(words) < 2:
            raise EngineError("no move")
        return words[1]

    def analyse(self, moves: Sequence[str], nodes: int) -> Analysis:
        """Return the analysis of the position after these moves, with so many nodes: always the same."""
        line = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
        # A new game empties the hash tables: what was analysed before makes no difference.
        self._write("ucinewgame", line, f"go nodes {nodes}")
        info: list[str] = []
        words = self._until("bestmove", monotonic() + ANALYSIS_SECONDS, info).split()
        found = [fields for each in info if (fields := _score_and_depth(each)) is not None]
        if len(words) < 2 or not found:
            raise EngineError("no analysis")
        return Analysis(words[1], *found[-1])

    def _start(self) -> None:
        end = monotonic() + START_SECONDS
        self._write("uci")
        self._until("uciok", end)
        for name, value in _SETUP:
            self._set(name, value)
        self._write("ucinewgame", "isready")
        self._until("readyok", end)

    def _set(self, name: str, value: str) -> None:
        if name in self._options and self._options[name] != value:
            self._write(f"setoption name {name} value {value}")
            self._options[name] = value

    def _write(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError("the engine ended") from error

    def _until(self, first: str, end: float, info: list[str] | None = None) -> str:
        """Return the next line that begins with this word; record name, options and `info` before it."""
        while True:
            try:
                line = self._lines.get(timeout=max(end - monotonic(), 0.0))
            except Empty as error:
                raise EngineLateError(f"no {first} in time") from error
            if line is None:
                raise EngineError("the engine ended")
            words = line.split()
            if words[:1] == [first]:
                return line
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])[:MAX_NAME]
            elif words[:1] == ["info"] and info is not None:
                info[:] = [*info[-MAX_INFO:], line]
            elif words[:2] == ["option", "name"] and "type" in words:
                self._options.setdefault(" ".join(words[2 : words.index("type")]), "")


def _score_and_depth(info: str) -> tuple[int, int] | None:
    """Return score (in centipawns) and depth of a line of information; None if the score is a bound."""
    words = info.split()
    if "score" not in words or "depth" not in words or {"lowerbound", "upperbound"} & {*words}:
        return None
    at = words.index("score")
    try:
        kind, score, depth = words[at + 1], int(words[at + 2]), int(words[words.index("depth") + 1])
    except (IndexError, ValueError):
        return None
    # "mate 0" and "mate -3" are lost.
    return (score if kind == "cp" else MATE_SCORE if score > 0 else -MATE_SCORE), depth


def _read(output: IO[bytes], lines: "SimpleQueue[str | None]") -> None:
    # Reading a pipe has no timeout, so a thread of its own waits for it.
    with output:
        while line := output.readline(_MAX_LINE):
            lines.put(line.decode("ascii", "replace"))
    lines.put(None)


class EngineRunner:
    """The engine of one process: started on first use, and again after a failure."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._engine: UciEngine | None = None
        self._failures = 0

    def close(self) -> None:
        """Kill the engine if one runs."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def ask(self, bot: Bot, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
        """Return the engine's move for a bot; None if the bot must compute its own."""
        if not self._program or self._failures >= FAILURES or not isinstance(bot, UsesEngine):
            return None
        query = bot.engine_query(view, seat, moves, random)
        if query is None:
            return None
        self._failures += 1
        try:
            if self._engine is None:
                self._engine = UciEngine(self._program)
            move = bot.engine_move(self._engine.ask(query), moves)
        except EngineLateError:
            move = None
            if self._engine is None:
                self._failures = FAILURES
        except EngineError:
            move = None
        if move is None:
            self.close()
        else:
            self._failures = 0
        return move
