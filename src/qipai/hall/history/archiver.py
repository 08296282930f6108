"""Finished games leave the journal for the archive: a few at a time, beside the event loop."""

from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Final

from qipai.games.game_registry import Game
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError, read_record, retrace
from qipai.hall.journal.store_interface import Entry, Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.commands import Play
from qipai.kernel.ids import Millis, RoomId

from .archive_interface import Archive, FinishedGame
from .match_extraction import Match, matches

PAUSE: Final = 5_000
LOOK: Final = 200
"""Milliseconds until a round is looked at again, and between two where many rooms wait."""
AFTER_TROUBLE: Final = 60_000
FEW: Final = 20
"""Rooms that are shelved in one round: a server that has thousands waiting must still play."""


class Archiver:
    """Keeps every closed room in the archive, then lets the store forget it."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        archive: Archive,
        alarms: Alarms,
        incidents: InternalErrors,
        now: Now,
    ) -> None:
        self._games = games
        self._store = store
        self._archive = archive
        self._alarms = alarms
        self._incidents = incidents
        self._now = now
        self._pool = ThreadPoolExecutor(1, "librarian")
        self._round: Future[int] | None = None
        self.waiting = 0
        """Rooms that were closed and not yet kept, when it was looked last."""
        self.up = True
        """Whether the archive was in reach then."""

    def start(self) -> None:
        """Look for closed rooms now and every few seconds; at once where more are waiting."""
        pause = LOOK
        # Whatever goes wrong below, it is tried again.
        self._alarms.set("librarian", Millis(self._now() + AFTER_TROUBLE), self.start)
        if self._round is None:
            self._round = self._pool.submit(self.shelve)
        elif self._round.done():
            finished, self._round = self._round, None
            try:
                pause = LOOK if finished.result() == FEW else PAUSE
            except StoreError as error:
                (self._incidents.store_broke if self.up else self._incidents.archive_away)(error)
                pause = AFTER_TROUBLE
        self._alarms.set("librarian", Millis(self._now() + pause), self.start)

    def shelve(self) -> int:
        """Move a few rooms and return how many; what fails is found again in the next round."""
        self.waiting = self._store.unarchived_count()
        self._reach(self._archive.check)
        rooms = self._store.closed(FEW)
        trouble: StoreError | None = None
        for room in rooms:
            try:
                self._move(room)
                self.waiting -= 1
            except StoreError as error:
                # One room must not hold up the others; a second one that fails means that all will.
                if trouble is not None:
                    raise
                trouble = error
        if trouble is not None:
            raise trouble
        return len(rooms)

    def _move(self, room: RoomId) -> None:
        history = self._store.history(room)
        games, readable = self._listed(history)
        if games or not readable:
            self._reach(partial(self._archive.keep, room, history, games))
        self._store.mark_archived(room)

    def _reach(self, work: Callable[[], None]) -> None:
        try:
            work()
        except StoreError:
            self.up = False
            raise
        self.up = True

    def wait(self) -> None:
        """Return when the present round is over."""
        if self._round is not None:
            futures.wait([self._round])

    def close(self) -> None:
        """Finish what was begun."""
        self._pool.shutdown()
        self._archive.close()

    def _listed(self, history: Sequence[Entry]) -> tuple[list[FinishedGame], bool]:
        """Return the games of a room; one that no longer follows the rules is kept without a list."""
        try:
            return list_games(self._games, history), True
        except JournalError as error:
            self._incidents.store_broke(error)
            return [], False


def list_games(games: Mapping[str, Game], history: Sequence[Entry]) -> list[FinishedGame]:
    """Return every game of a room that came to its end, or raise `Unreadable`."""
    return [_finished(match) for match in matches(zip(history, retrace(games, history), strict=True))]


def _finished(match: Match) -> FinishedGame:
    # Whoever left has given up his chair with the game.
    ended, table, result = match.ended, match.ended.table, match.ended.result
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
        tuple("" if chair is None else chair.name for chair in seats),
        tuple("" if chair is None else chair.bot for chair in seats),
        result.winners,
        result.reason,
        sum(isinstance(read_record(taken.entry).command, Play) for taken in match.steps[1:]),
    )
