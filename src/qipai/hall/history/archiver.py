"""Archives matches that ended and moves closed rooms to the archive, in the background."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from time import sleep
from typing import Final, TypeVar

from qipai.games.game import Game
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError
from qipai.hall.journal.store_interface import Damaged, Entry, Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.room import AnyRoom

from .archive_interface import Archive, PackedMatch
from .archived_match import list_packed, pack
from .match_archiving import archive_match, checked_matches, new_matches
from .match_extraction import MatchStep
from .record_numbers import finished_matches, game_name, other_rules, shown_at, why_unreadable

IDLE_PAUSE: Final = 5_000
"""Milliseconds between two rounds when no more rooms wait."""
BUSY_PAUSE: Final = 200
"""Milliseconds between two rounds when more rooms wait."""
ERROR_PAUSE: Final = 60_000
"""Milliseconds until the next round after an error."""
ENDED_PAUSE: Final = 60_000
"""Milliseconds between the end of a match in an open room and its archiving."""
HOLD_PAUSE: Final = 3_600_000
"""Milliseconds until a room is tried again that this worker cannot archive."""
ROOMS_PER_ROUND: Final = 20
"""Rooms archived in one round: games go on while thousands of rooms wait."""
MOST_LAST_STEPS: Final = 1_000
"""Open rooms whose last archived match is kept in memory."""
RECLAIM_STEPS: Final = 100
"""Steps in one round that delete what archived rooms left in the journal."""
RECLAIM_PAUSE: Final = 0.002
"""Seconds after each of these steps: the journal must not wait for more than one."""
_ALARM: Final = "archiver"


T = TypeVar("T")


class Archiver:
    """Stores every match that ended and every closed room in the archive.

    A closed room is then marked as archived in the store.
    """

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        archive: Archive,
        alarms: Alarms,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        now: Now,
        is_rated: Callable[[RoomId], bool] = lambda room: False,
    ) -> None:
        self._games = games
        self._store = store
        self._archive = archive
        self._alarms = alarms
        self._tasks = tasks
        self._incidents = incidents
        self._now = now
        self._is_rated = is_rated
        """Tells whether the present match of a room counts for ratings."""
        self._thread = ThreadPoolExecutor(1, "archiver")
        self._ended: dict[RoomId, Millis] = {}
        """Open rooms with a match that ended, and when it is archived."""
        self._last_steps: dict[RoomId, MatchStep] = {}
        """Open rooms, and the step that ended the last archived match: the next round replays from there."""
        self._held: dict[RoomId, Millis] = {}
        """Closed rooms that this worker cannot archive, and when it tries again."""
        self._causes: set[str] = set()
        """Why rooms are held; each cause is logged once."""
        self._more_to_reclaim = False
        self.waiting = 0
        """Rooms that are closed and not archived, as of the last round."""
        self.up = True
        """Whether the archive could be reached in the last round, and is not damaged."""
        self.damaged = False
        """Whether the archive is damaged."""
        self.rated = 0
        """Rated matches that this worker has archived."""
        self._round_ended = now()

    def start(self) -> None:
        """Run a round now and every few seconds; without a pause while more rooms wait."""
        self._tasks.run(self.run_round_in_thread())

    async def run_round_in_thread(self) -> None:
        """Run a round and set the alarm for the next one."""
        pause = ERROR_PAUSE
        with FailureIsolation(self._failed):
            archived = await asyncio.wrap_future(self._thread.submit(self.run_round))
            self._round_ended = self._now()
            busy = archived == ROOMS_PER_ROUND or self._more_to_reclaim
            pause = BUSY_PAUSE if busy else IDLE_PAUSE
        self._alarms.set(_ALARM, Millis(self._now() + pause), self.start)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, StoreError):
            self._incidents.task_failed(error)
        elif self.up:
            self._incidents.store_unavailable(error)
        else:
            self._incidents.archive_unavailable(error)

    def match_ended(self, room: RoomId, failure: StoreError | None = None) -> None:
        """Archive the match that ended in a room after a pause; not if its record was not written.

        A rated match is archived at once, so that its players see their new ratings.
        """
        if failure is not None:
            return
        if self._is_rated(room):
            self._tasks.run(self._archive_at_once(room))
        else:
            self._ended.setdefault(room, Millis(self._now() + ENDED_PAUSE))

    async def _archive_at_once(self, room: RoomId) -> None:
        with FailureIsolation(self._failed):
            await asyncio.wrap_future(self._thread.submit(self.archive_ended_match, room))

    @property
    def round_age(self) -> float:
        """Return the seconds since a round ended without an error."""
        return max(0, self._now() - self._round_ended) / 1000

    def close(self) -> None:
        """Finish the present round and close the archive."""
        self._thread.shutdown()
        self._archive.close()

    # In the thread

    def run_round(self) -> int:
        """Archive a few rooms and return their number; a room that fails is tried again in a later round."""
        try:
            return self._archive_rooms()
        finally:
            # Also while the archive is away: what was archived before is no longer needed here.
            self._reclaim()

    def _archive_rooms(self) -> int:
        self.waiting = self._store.unarchived_count()
        self._use_archive(self._archive.check)
        for (damaged, number), cause in tuple(self._archive.damaged.items()):
            self._incidents.archived_match_damaged(damaged, number, cause)
        now = self._now()
        for room, due in tuple(self._ended.items()):
            if due <= now:
                del self._ended[room]
                self.archive_ended_match(room)
        rooms = self._closed_rooms()
        first_error: StoreError | None = None
        for room in rooms:
            try:
                # The code of one game must not block the others.
                with FailureIsolation(partial(self._room_failed, room), StoreError):
                    self.waiting -= self._archive_room(room)
            except Damaged as error:
                if not self.up and self._archive_fails():
                    raise
                self._held[room] = Millis(self._now() + HOLD_PAUSE)
                self._incidents.room_quarantined(room, error)
            except StoreError as error:
                # One bad room must not block the others; a second failure means that all will fail.
                if first_error is not None:
                    raise
                first_error = error
        if first_error is not None:
            raise first_error
        return len(rooms)

    def _reclaim(self) -> None:
        """Delete some of what archived rooms left in the journal."""
        self._more_to_reclaim = True
        for _ in range(RECLAIM_STEPS):
            if not self._store.reclaim(self._now()):
                self._more_to_reclaim = False
                return
            sleep(RECLAIM_PAUSE)

    def archive_ended_match(self, room: RoomId) -> None:
        """Store the matches of an open room that the archive lacks; the next round tries again."""
        if not self.up:
            self._ended[room] = self._now()
            return
        try:
            with FailureIsolation(partial(self._incidents.room_not_archived, room), StoreError):
                self._store_ended_matches(room)
        except (JournalError, Damaged):
            pass  # Reported when the room is closed.
        except StoreError:
            self._ended[room] = self._now()  # Reported by the next round, which fails as well.

    def _store_ended_matches(self, room: RoomId) -> None:
        history, start = self._new_records(room)
        if not history or why_unreadable(self._games, history, "" if start is None else start.game):
            return
        known = self._use_archive(partial(self._archive.match_numbers, room))
        saved = self._store.load(room)
        snapshot = b"" if saved is None else saved.snapshot.body
        matches: list[PackedMatch] = []
        last: MatchStep | None = None
        for match, cause in checked_matches(self._games, history, snapshot, start):
            if not cause:
                last = match.steps[-1]
                if match.ended.match not in known:
                    matches.append(pack(archive_match(match)))
        if matches:
            self._use_archive(partial(self._archive.store, room, (), matches))
            self.rated += _rated(matches)
        if last is not None:
            self._keep_last_step(room, last)

    def _new_records(self, room: RoomId) -> tuple[Sequence[Entry], AnyRoom | None]:
        """Return the records after the last archived match and the room at its end; else every record."""
        last = self._last_steps.get(room)
        if last is not None:
            history = self._store.history(room, last.entry.version - 1)
            if history and history[0] == last.entry:  # Redis may have lost it and have other records now.
                return history[1:], last.step.room
        return self._store.history(room), None

    def _keep_last_step(self, room: RoomId, last: MatchStep) -> None:
        self._last_steps.pop(room, None)
        self._last_steps[room] = last
        if len(self._last_steps) > MOST_LAST_STEPS:
            del self._last_steps[next(iter(self._last_steps))]

    def _room_failed(self, room: RoomId, error: Exception) -> None:
        self._held[room] = Millis(self._now() + HOLD_PAUSE)
        self._incidents.room_not_archived(room, error)

    def _closed_rooms(self) -> Sequence[RoomId]:
        """Return the rooms of this round: without those that are held."""
        limit, now = ROOMS_PER_ROUND + len(self._held), self._now()
        closed = self._store.closed(limit)
        if len(closed) < limit:  # These are all.
            for room in self._held.keys() - closed:  # Another worker has archived it.
                del self._held[room]
                self._incidents.room_readable(room)
        return [room for room in closed if self._held.get(room, now) <= now][:ROOMS_PER_ROUND]

    def _archive_room(self, room: RoomId) -> bool:
        """Archive a closed room and tell whether it is archived now: not during its spectator delay."""
        self._last_steps.pop(room, None)
        saved = self._store.load(room)
        if saved is not None and (shown := shown_at(saved.snapshot.body)) > self._now():
            self._held[room] = shown
            return False
        history = self._store.history(room)
        known = self._use_archive(partial(self._archive.match_numbers, room))
        new: Sequence[PackedMatch] = ()
        complete = True
        finished = 0 if saved is None else finished_matches(saved.snapshot.body)
        if not 0 < len(known) == finished:  # The archive lacks a finished match, or the number is not known.
            if cause := why_unreadable(self._games, history):
                self._hold(room, cause)
                return False
            new, complete = self._new_matches(room, history, known)
        bodies = list(self._bodies(room, known))
        try:
            # The archive lists a match when its room is closed, also one that it has already.
            matches = [*map(list_packed, bodies), *new]
        except StoreError as error:  # A newer release archived it.
            self._hold(room, str(error))
            return False
        if matches or not complete:
            self._use_archive(partial(self._archive.store, room, history, matches))
            self.rated += _rated(new)
        self._store.mark_archived(room)
        self._held.pop(room, None)
        self._incidents.room_readable(room)
        return True

    def _bodies(self, room: RoomId, known: Sequence[int]) -> Iterator[bytes]:
        for number in known:
            body = self._use_archive(partial(self._archive.match, room, number))
            if body is not None:
                yield body

    def _hold(self, room: RoomId, cause: str) -> None:
        """Leave a room in the journal: another worker or a later start may be able to read it."""
        self._held[room] = Millis(self._now() + HOLD_PAUSE)
        if cause not in self._causes:
            self._causes.add(cause)
            self._incidents.rooms_held(room, cause)

    def _new_matches(
        self, room: RoomId, history: Sequence[Entry], known: Sequence[int]
    ) -> tuple[list[PackedMatch], bool]:
        """Return the matches that the archive lacks, and whether none of them had to be left out."""
        matches: list[PackedMatch] = []
        done, complete = {*known}, True

        def left_out(number: int, cause: str) -> None:
            nonlocal complete
            complete = False
            done.add(number)
            self._incidents.match_not_archived(room, number, cause)

        try:
            for match in new_matches(self._games, history, known, left_out):
                matches.append(pack(match))
                done.add(match.match)
        except JournalError as error:
            game = self._games.get(game_name(history))
            if game is None or other_rules(game, history) is None:
                self._incidents.room_not_archived(room, error)
            else:
                number = next(number for number in count(1) if number not in done)
                self._incidents.match_not_archived(room, number, str(error))
            return matches, False
        return matches, complete

    def _archive_fails(self) -> bool:
        """Tell whether the archive is damaged as a whole, and not only one match in it."""
        try:
            self._use_archive(self._archive.check)
        except StoreError:
            return True
        return False

    def _use_archive(self, work: Callable[[], T]) -> T:
        try:
            result = work()
        except StoreError as error:
            self.up = False
            self.damaged = isinstance(error, Damaged)
            raise
        self.up, self.damaged = True, False
        return result


def _rated(matches: Sequence[PackedMatch]) -> int:
    return sum(match.rated is not None for match in matches)
