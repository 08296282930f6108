"""What must never happen, written down so that it can be played again."""

import traceback
from base64 import b64encode
from secrets import token_hex
from time import monotonic
from typing import Final

import structlog

from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.commands import Command
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.room import AnyRoom

_log = structlog.get_logger("qipai.hall")

QUIET: Final = 10.0
"""Seconds in which the same trouble with the store is told once: all tables have it at the same time."""
MOST_TROUBLES: Final = 1_000


class InternalErrors:
    """Counts and logs faults of ours; the peer learns a number and nothing else."""

    def __init__(self) -> None:
        self.count = 0
        self._troubles: dict[str, tuple[float, int]] = {}
        """When each was last told, and how often it was not since."""

    def report(
        self, error: Exception, room: AnyRoom, actor: Seat, command: Command, now: Millis, entropy: bytes
    ) -> str:
        """Log a command that broke, with all that is needed to break it again; return its number."""
        self.count += 1
        incident = token_hex(4)
        _log.error(
            "command broke",
            incident=incident,
            room=room.id,
            version=room.version,
            actor=actor,
            command=encode(command).decode(),
            at=now,
            entropy=b64encode(entropy).decode(),
            snapshot=encode(room).decode(),
            trace="".join(traceback.format_exception(error)),
        )
        return incident

    def peer(self, error: Exception) -> str:
        """Log a connection that broke; return the number of the incident."""
        self.count += 1
        incident = token_hex(4)
        _log.error("connection broke", incident=incident, trace="".join(traceback.format_exception(error)))
        return incident

    def store_failed(self, error: Exception, room: AnyRoom) -> None:
        """Log that the fate of a record is unknown."""
        self.count += 1
        self._tell("store failed", error, room=room.id, version=room.version)

    def archive_away(self, error: Exception) -> None:
        """Log that finished games cannot be kept or found for now; that is no fault of ours."""
        _log.error("archive out of reach", error=str(error), so="closed tables wait in the journal")

    def store_broke(self, error: Exception) -> None:
        """Log that the store could not be read or kept alive."""
        self.count += 1
        self._tell("store broke", error)

    def _tell(self, event: str, error: Exception, **where: str | int) -> None:
        now, text = monotonic(), f"{event}: {error}"
        told, more = self._troubles.pop(text, (-QUIET, 0))
        if now - told < QUIET:
            self._troubles[text] = told, more + 1
            return
        self._troubles[text] = now, 0
        while len(self._troubles) > MOST_TROUBLES:
            self._troubles.pop(next(iter(self._troubles)))
        _log.error(event, error=str(error), **where, **({"untold": more} if more else {}))
