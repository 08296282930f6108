"""Logs internal errors with everything needed to reproduce them."""

import traceback
from collections import Counter, deque
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from secrets import token_hex
from time import monotonic
from typing import Final

import structlog

from qipai import __version__
from qipai.games.game import Game
from qipai.hall.journal.record_conversion import record_of
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Damaged, StoreError
from qipai.kernel.commands import Command
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.room import AnyRoom

from .incidents.failed_commands import failed_command
from .incidents.faults import faults_of
from .incidents.incident_interface import (
    FORMAT,
    FailedCommand,
    Fault,
    KeepIncident,
    KeptIncident,
    fingerprint,
    keep_nothing,
)
from .people.identity import wall_clock

_log = structlog.get_logger("qipai.hall")

REPEAT_SECONDS: Final = 10.0
"""Seconds in which the same error of the store is logged once: it affects all rooms at the same time."""
MAX_REMEMBERED: Final = 1_000
RECENT: Final = 50
"""Incidents that operators see."""


class Database(StrEnum):
    """A database of the server."""

    STORE = "store"
    ARCHIVE = "archive"
    ACCOUNTS = "accounts"


class InternalErrors:
    """Counts, logs and keeps internal errors; the client receives the number of the incident only."""

    def __init__(self, keep: KeepIncident = keep_nothing) -> None:
        self.count = 0
        self._keep = keep
        self.quarantined: dict[RoomId, StoreError] = {}
        """Rooms that are not served now because they are damaged or cannot be read here, and why."""
        self.unavailable: Counter[Database] = Counter()
        """How often each database did not answer, or could not be written."""
        self._damaged_matches: set[tuple[RoomId, int]] = set()
        self._logged: dict[str, tuple[float, int]] = {}
        """When each error was last logged, and how often it was suppressed since."""
        self.recent: deque[KeptIncident] = deque(maxlen=RECENT)
        """The last incidents of this worker, the latest last."""
        self._kept: dict[str, float] = {}
        """When each fault was last kept, by fingerprint."""

    def command_failed(
        self,
        error: Exception,
        game: Game,
        room: AnyRoom,
        actor: Seat,
        command: Command,
        now: Millis,
        entropy: bytes,
        nonce: Nonce = NO_NONCE,
    ) -> str:
        """Log a failed command as a journal record, with a snapshot of the room; return the incident."""
        self.count += 1
        incident, number = token_hex(4), game.rules_number
        _log.error(
            "command failed",
            incident=incident,
            room=room.id,
            version=room.version,
            at=now,
            record=encode(
                record_of(command, actor, entropy=entropy, rules_number=game.rules_number)
            ).decode(),
            snapshot=encode_snapshot(room, number).decode(),
            trace="".join(traceback.format_exception(error)),
        )
        failed = partial(failed_command, game, room, actor, command, now, entropy, nonce)
        self._keep_fault("command failed", error, incident, failed)
        return incident

    def connection_failed(self, error: Exception) -> str:
        """Log a failed connection; return the number of the incident."""
        self.count += 1
        incident = token_hex(4)
        _log.error("connection failed", incident=incident, trace="".join(traceback.format_exception(error)))
        self._keep_fault("connection failed", error, incident)
        return incident

    def task_failed(self, error: Exception) -> None:
        """Log a failed background task."""
        self.count += 1
        _log.error("background task failed", trace="".join(traceback.format_exception(error)))
        self._keep_fault("background task failed", error)

    def bot_failed(self, error: BaseException) -> None:
        """Log a bot that could not compute its move."""
        self.count += 1
        self._log_once("bot failed", error, trace="".join(traceback.format_exception(error)))
        self._keep_fault("bot failed", error)

    def commit_failed(self, error: Exception, room: AnyRoom) -> None:
        """Log a commit whose outcome is unknown."""
        self.count += 1
        self._log_once("commit failed", error, room=room.id, version=room.version)
        self._keep_fault("commit failed", error)

    def archive_unavailable(self, error: Exception) -> None:
        """Log that the archive does not answer; this counts as no internal error."""
        self.unavailable[Database.ARCHIVE] += 1
        _log.error("archive unavailable", error=str(error), effect="closed rooms stay in the journal")

    def accounts_unavailable(self, error: Exception) -> None:
        """Log that the database of accounts does not answer; this counts as no internal error."""
        self.unavailable[Database.ACCOUNTS] += 1
        self._log_once("accounts unavailable", error, effect="nobody can sign in")

    def match_not_archived(self, room: RoomId, match: int, cause: str) -> None:
        """Log that a finished match is left out of the archive."""
        self.count += 1
        _log.error("match not archived", room=room, match=match, cause=cause)

    def room_not_archived(self, room: RoomId, error: Exception) -> None:
        """Log that the matches of a room could not be read, or not written by its game."""
        self.count += 1
        trace = "" if isinstance(error, StoreError) else "".join(traceback.format_exception(error))
        _log.error("room not archived", room=room, cause=str(error), **({"trace": trace} if trace else {}))
        self._keep_fault("room not archived", error)

    def rooms_held(self, room: RoomId, cause: str) -> None:
        """Log why rooms wait in the journal; `room` is the first of them."""
        self.count += 1
        _log.error("rooms wait for the archive", room=room, cause=cause, effect="they stay in the journal")

    def store_unavailable(self, error: Exception) -> None:
        """Log that the store cannot be read or written."""
        self.count += 1
        self.unavailable[Database.STORE] += 1
        self._log_once("store unavailable", error)
        self._keep_fault("store unavailable", error)

    def room_quarantined(self, room: RoomId, reason: StoreError) -> None:
        """Note that a room is set aside, and log it once."""
        if room not in self.quarantined:
            self.count += 1
            effect = "it is not served; all others are"
            _log.error("table set aside", room=room, reason=str(reason), effect=effect)
            self._keep_fault("table set aside", reason)
        self.quarantined[room] = reason

    def room_readable(self, room: RoomId) -> None:
        """Note that a room can be read again, or that it is closed and needs not be."""
        self.quarantined.pop(room, None)

    def damaged_rooms(self) -> int:
        """Return how many rooms are set aside because they are damaged."""
        return sum(isinstance(reason, Damaged) for reason in tuple(self.quarantined.values()))

    def archived_match_damaged(self, room: RoomId, match: int, cause: str) -> None:
        """Log once that a match of the archive is damaged."""
        if (room, match) not in self._damaged_matches:
            self._damaged_matches.add((room, match))
            self.count += 1
            _log.error(
                "archived match damaged", room=room, match=match, cause=cause, effect="it is not shown"
            )

    def _keep_fault(
        self,
        event: str,
        error: BaseException,
        incident: str = "",
        failed: Callable[[tuple[Fault, ...]], FailedCommand] | None = None,
    ) -> None:
        """Keep an incident without what is personal; the same fault once per `REPEAT_SECONDS`."""
        now, faults = monotonic(), faults_of(error)
        mark = fingerprint(faults)
        if now - self._kept.get(mark, -REPEAT_SECONDS) < REPEAT_SECONDS:
            return
        self._kept[mark] = now
        while len(self._kept) > MAX_REMEMBERED:
            self._kept.pop(next(iter(self._kept)))
        command = None if failed is None else failed(faults)
        number = incident or token_hex(4)
        kept = KeptIncident(FORMAT, number, wall_clock(), __version__, event, faults, command)
        self.recent.append(kept)
        self._keep(kept)

    def _log_once(self, event: str, error: BaseException, **context: str | int) -> None:
        now, text = monotonic(), f"{event}: {error}"
        logged_at, suppressed = self._logged.pop(text, (-REPEAT_SECONDS, 0))
        if now - logged_at < REPEAT_SECONDS:
            self._logged[text] = logged_at, suppressed + 1
            return
        self._logged[text] = now, 0
        while len(self._logged) > MAX_REMEMBERED:
            self._logged.pop(next(iter(self._logged)))
        _log.error(event, error=str(error), **context, **({"suppressed": suppressed} if suppressed else {}))
