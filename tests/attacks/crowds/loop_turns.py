"""A worker that records long turns of its event loop: `python -m tests.attacks.crowds.loop_turns FILE`.

A timer runs in every turn that is due for it. What the thread computed since its last run is one turn, and
at most `PERIOD` of others before it. That is processor time, so a busy machine makes no turn longer.
"""

import os
import sys
from pathlib import Path
from time import thread_time
from typing import Final

import uvloop

from qipai.cli.main import main
from tests.support.workers import Worker

PERIOD: Final = 0.002
RECORDED: Final = 0.005
"""Seconds from which a turn is recorded."""
LONGEST_TURN: Final = 0.025
"""A move waits for the turn in which it arrives, and for the one in which the store answers: 50 ms in all."""


class LoopTurns:
    """Lets a worker that is not started yet record its turns, and reads the record."""

    def __init__(self, worker: Worker) -> None:
        self._file = worker.data / "turns"
        self._file.touch()
        worker.arguments = ("-m", __name__, str(self._file))
        self._seen = 0

    def longest(self) -> float:
        """Return the seconds of the longest turn since the last call; 0 if all were short."""
        turns = [float(line) for line in self._file.read_text().split()]
        new, self._seen = turns[self._seen :], len(turns)
        return max(new, default=0.0)


# The process of the worker


class MeasuredLoop(uvloop.Loop):
    """An event loop that writes the seconds of each long turn to a file."""

    def __init__(self) -> None:
        super().__init__()
        self._record = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
        self._last = 0.0
        self.call_soon(self._tick)

    def _tick(self) -> None:
        now = thread_time()
        if now - self._last > RECORDED:
            os.write(self._record, b"%.4f\n" % (now - self._last))
        self._last = now
        self.call_later(PERIOD, self._tick)


if __name__ == "__main__":
    assert Path(sys.argv[1]).exists()
    uvloop.Loop = MeasuredLoop  # type: ignore[misc] # the server makes a loop of this class
    sys.exit(main(["serve"]))
