"""Moves closed rooms from the journal to the archive, in the background."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from qipai.games.game_registry import Game
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.record_format import PlayRecord
from qipai.hall.journal.room_rebuilding import JournalError, read_record, retrace
from qipai.hall.journal.store_interface import Entry, Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis, RoomId

from .archive_interface import Archive, FinishedGame
from .match_extraction import Match, matches

IDLE_PAUSE: Final = 5_000
"""Milliseconds between two rounds when no more rooms wait."""
BUSY_PAUSE: Final = 200
"""Milliseconds between two rounds when more rooms wait."""
ERROR_PAUSE: Final = 60_000
"""Milliseconds until the next round after an error."""
ROOMS_PER_ROUND: Final = 20
"""Rooms archived in one round: games go on while thousands of rooms wait."""
_ALARM: Final = "archiver"


class Archiver:
    """Stores every closed room in the archive, then marks it as archived in the store."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        archive: Archive,
        alarms: Alarms,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        now: Now,
    ) -> None:
        self._games = games
        self._store = store
        self._archive = archive
        self._alarms = alarms
        self._tasks = tasks
        self._incidents = incidents
        self._now = now
        self._thread = ThreadPoolExecutor(1, "archiver")
        self.waiting = 0
        """Rooms that are closed and not archived, as of the last round."""
        self.up = True
        """Whether the archive could be reached in the last round."""

    def start(self) -> None:
        """Run a round now and every few seconds; without a pause while more rooms wait."""
        self._tasks.run(self.run_round_in_thread())

    async def run_round_in_thread(self) -> None:
        """Run a round and set the alarm for the next one."""
        pause = ERROR_PAUSE
        with FailureIsolation(self._failed):
            archived = await asyncio.wrap_future(self._thread.submit(self.run_round))
            pause = BUSY_PAUSE if archived == ROOMS_PER_ROUND else IDLE_PAUSE
        self._alarms.set(_ALARM, Millis(self._now() + pause), self.start)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, StoreError):
            self._incidents.task_failed(error)
        elif self.up:
            self._incidents.store_unavailable(error)
        else:
            self._incidents.archive_unavailable(error)

    def run_round(self) -> int:
        """Archive a few rooms and return their number; a room that fails is tried again in the next round."""
        self.waiting = self._store.unarchived_count()
        self._use_archive(self._archive.check)
        rooms = self._store.closed(ROOMS_PER_ROUND)
        first_error: StoreError | None = None
        for room in rooms:
            try:
                self._archive_room(room)
                self.waiting -= 1
            except StoreError as error:
                # One bad room must not block the others; a second failure means that all will fail.
                if first_error is not None:
                    raise
                first_error = error
        if first_error is not None:
            raise first_error
        return len(rooms)

    def close(self) -> None:
        """Finish the present round and close the archive."""
        self._thread.shutdown()
        self._archive.close()

    def _archive_room(self, room: RoomId) -> None:
        history = self._store.history(room)
        games, readable = self._list(history)
        if games or not readable:
            self._use_archive(partial(self._archive.store, room, history, games))
        self._store.mark_archived(room)

    def _use_archive(self, work: Callable[[], None]) -> None:
        try:
            work()
        except StoreError:
            self.up = False
            raise
        self.up = True

    def _list(self, history: Sequence[Entry]) -> tuple[list[FinishedGame], bool]:
        """Return the games of a room, and whether its journal could be replayed."""
        try:
            return list_games(self._games, history), True
        except JournalError as error:
            self._incidents.store_unavailable(error)
            return [], False


def list_games(games: Mapping[str, Game], history: Sequence[Entry]) -> list[FinishedGame]:
    """Return every finished match of a room, or raise `JournalError`."""
    return [_listed(match) for match in matches(zip(history, retrace(games, history), strict=True))]


def _listed(match: Match) -> FinishedGame:
    ended, table, result = match.ended, match.ended.table, match.ended.result
    # As of the start: a player who left before the end has no seat any more.
    seats = match.began.seats
    assert result is not None
    return FinishedGame(
        ended.id,
        ended.match,
        ended.game,
        table.title,
        table.public,
        match.began.at,
        ended.at,
        tuple("" if seat is None else seat.name for seat in seats),
        tuple("" if seat is None else seat.bot for seat in seats),
        result.winners,
        result.reason,
        sum(isinstance(read_record(step.entry), PlayRecord) for step in match.steps[1:]),
    )
