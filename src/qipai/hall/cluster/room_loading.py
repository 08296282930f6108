"""Loads the open rooms of a single worker: a few at the start, the others when they are needed or in slices.

A server with many rooms answers before it has replayed their journals (docs/adr/0024). Of a room that is not
loaded yet, its code and the persons at its seats are known; its clocks stand still.
"""

import asyncio
from collections import deque
from functools import partial
from time import monotonic
from typing import Final

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError
from qipai.hall.journal.snapshot_format import read_summary
from qipai.hall.journal.store_interface import Damaged, Store, StoreError
from qipai.hall.rooms.command_executor import HEAD_START, CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.rooms.room_deadlines import RETRY_PAUSE
from qipai.kernel.commands import OutageEnded
from qipai.kernel.ids import SYSTEM, Millis, Person, RoomId
from qipai.kernel.room import deadline

from .replica_transitions import FOLLOWING

LOADED_AT_START: Final = 500
"""Rooms that are loaded before the server answers, in about a tenth of a second."""
SLICE: Final = 0.004
"""Seconds that one slice of loading takes, and seconds until the next: so long a frame may have to wait."""


class RoomLoading:
    """Knows which open rooms of the store are not loaded yet, and loads them.

    Rooms of the games in `at_start` are always loaded at the start.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        store: Store,
        errors: InternalErrors,
        tasks: BackgroundTasks,
        at_start: frozenset[str],
    ) -> None:
        self._executor = executor
        self._directory = executor.directory
        self._store = store
        self._errors = errors
        self._tasks = tasks
        self._at_start = at_start
        self._down = Millis(0)
        self._outage = Millis(0)
        """When the outage began for rooms without a record since then: they were not loaded after it."""
        self._all_rebuilt = True
        self._unloaded: dict[RoomId, frozenset[Person]] = {}
        """The persons at the seats of each room that is not loaded."""
        self._ending: set[RoomId] = set()
        """Loaded rooms that cannot be shown yet: what their load changed is not durable."""
        self._outages: set[RoomId] = set()
        """Loaded rooms whose clocks still stand still: the end of the outage is not durable."""

    def __len__(self) -> int:
        return len(self._unloaded)

    def start(self) -> int:
        """Load the first rooms, and return how many rooms there are."""
        # Until the last room is loaded, the outage has not ended: a second crash must not end it.
        self._down = self._store.last_heartbeat()
        self._outage = self._store.outage() or self._down
        rooms = self._store.open_rooms()
        if rooms:
            self._store.set_outage(self._outage)
        for number, room in enumerate(rooms):
            if number < LOADED_AT_START or not self._postpone(room):
                self._load_first(room)
        self._tasks.run(self._load_others())
        return len(self._directory.live_rooms) + len(self._unloaded)

    def live_room(self, room: RoomId) -> LiveRoom | None:
        """Return a room by its id, and load it if it is not; None if there is none, or it is set aside.

        Raise `StoreError` if it cannot be loaded now.
        """
        if room in self._unloaded:
            if self._executor.journal.full:
                raise StoreError("the journal takes no records now")
            self._load_postponed(room)
        return self._directory.live_rooms.get(room)

    def find(self, key: str) -> LiveRoom | None:
        """Return a room by its id or code, loaded if it was not; raise `StoreError` if it is not served."""
        room = RoomId(key)
        if room not in self._unloaded:
            room = self._directory.rooms_by_code.get(key.upper(), room)
        live = self.live_room(room)
        if (reason := self._errors.quarantined.get(room)) is not None:
            raise Damaged(str(reason))
        return live

    def is_ready(self, live: LiveRoom) -> bool:
        """Tell whether `ready` returns at once."""
        return live.durable.id not in self._ending

    async def ready(self, live: LiveRoom) -> None:
        """Return when a loaded room can be shown; raise `StoreError` if what it waits for was lost."""
        while not self.is_ready(live):
            if live.replica is not FOLLOWING:
                raise StoreError("the end of the outage could not be written")
            await self._executor.journal.written()

    def outage_lasts(self, live: LiveRoom) -> bool:
        """Tell whether the end of the outage is not durable in this room."""
        return live.durable.id in self._outages

    def end_outage(self, live: LiveRoom) -> None:
        """End the outage for the clocks of a room, if that is not durable: before all other commands."""
        if self.outage_lasts(live):
            down = self._outage if live.durable.at <= self._outage else self._down
            command = OutageEnded(down, HEAD_START)
            self._executor.submit(live, SYSTEM, command, self._executor.now())
            self._show_when_durable(live)

    def _load_first(self, room: RoomId) -> None:
        try:
            self._load(room)
        except StoreError as error:
            self._errors.store_unavailable(error)
            if not self._postpone(room):
                self._unloaded[room] = frozenset()

    def _postpone(self, room: RoomId) -> bool:
        """Index a room by what its snapshot says, if that is enough until it is loaded."""
        try:
            snapshot = self._store.snapshot(room)
        except StoreError:
            return False
        summary = None if snapshot is None else read_summary(snapshot.body)
        if summary is None or summary.game in self._at_start:
            return False
        self._unloaded[room] = summary.persons
        self._directory.rooms_by_code[summary.code] = room
        self._directory.seat_index.add(summary.persons, room)
        return True

    async def _load_others(self) -> None:
        waiting = deque(self._unloaded)
        while waiting or self._outages:
            await asyncio.sleep(SLICE)
            try:
                self._load_slice(waiting)
            except StoreError as error:
                self._errors.store_unavailable(error)
                waiting.rotate(-1)
                await asyncio.sleep(RETRY_PAUSE / 1000)
        while self._all_rebuilt:
            try:
                self._store.set_outage(Millis(0))
            except StoreError as error:
                self._errors.store_unavailable(error)
                await asyncio.sleep(RETRY_PAUSE / 1000)
            else:
                return

    def _load_slice(self, waiting: deque[RoomId]) -> None:
        """Load rooms for a while; raise `StoreError` if the first of those that wait cannot be read now."""
        end = monotonic() + SLICE
        while waiting and not self._executor.journal.full and monotonic() < end:
            if waiting[0] in self._unloaded:
                self._load_postponed(waiting[0])
            waiting.popleft()

    def _load_postponed(self, room: RoomId) -> None:
        """Load a room that was not; raise `StoreError` if it cannot be read now."""
        persons = self._unloaded.pop(room)
        self._directory.seat_index.remove(persons, room)
        try:
            self._load(room)
        except StoreError:
            self._unloaded[room] = persons
            self._directory.seat_index.add(persons, room)
            raise

    def _load(self, room_id: RoomId) -> None:
        """Load a room, end the outage for its clock, and let its bots move.

        A room that is damaged or cannot be rebuilt is set aside. Raise `StoreError` if it cannot be read now.
        """
        try:
            loaded = self._directory.load(room_id)
        except (Damaged, JournalError) as error:
            # A later start may have the game that is missing now: the outage lasts until then.
            self._all_rebuilt &= isinstance(error, Damaged)
            self._errors.room_quarantined(room_id, error)
            return
        if loaded is None:
            return
        live = self._directory.add(LiveRoom(*loaded))
        room = live.durable
        self._executor.spectator_delay.recover(live, self._store, self._executor.games)
        for listener in self._executor.room_listeners:
            # Whatever fails, the clocks of this room must not be charged, and all others must be loaded.
            with FailureIsolation(self._errors.task_failed):
                listener(live, room)
        if deadline(room) is not None:
            self._outages.add(room_id)
            self.end_outage(live)
        with FailureIsolation(self._errors.task_failed):
            self._executor.ask_bots(live)
        if not self.outage_lasts(live):
            self._show_when_durable(live)

    def _show_when_durable(self, live: LiveRoom, failure: StoreError | None = None) -> None:
        room = live.durable.id
        if live.writing:
            # What is written now may lead to more: a seat that is left closes its room.
            self._ending.add(room)
            self._executor.journal.after(partial(self._show_when_durable, live), room)
        elif failure is None or not self.outage_lasts(live):
            # Otherwise it is tried again: until then the clocks are as if the outage had been played.
            self._ending.discard(room)
            self._outages.discard(room)
