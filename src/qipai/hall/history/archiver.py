"""Moves closed rooms from the journal to the archive, in the background."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from qipai.games.game import Game
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError
from qipai.hall.journal.store_interface import Entry, Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis, RoomId

from .archive_interface import Archive, PackedMatch
from .archived_match import pack
from .match_archiving import archive_matches

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
        matches, readable = self._read_matches(history)
        if matches or not readable:
            self._use_archive(partial(self._archive.store, room, history, matches))
        self._store.mark_archived(room)

    def _use_archive(self, work: Callable[[], None]) -> None:
        try:
            work()
        except StoreError:
            self.up = False
            raise
        self.up = True

    def _read_matches(self, history: Sequence[Entry]) -> tuple[list[PackedMatch], bool]:
        """Return the matches of a room up to the first bad record, and whether there was none."""
        matches: list[PackedMatch] = []
        try:
            matches.extend(map(pack, archive_matches(self._games, history)))
        except JournalError as error:
            self._incidents.store_unavailable(error)
            return matches, False
        return matches, True
