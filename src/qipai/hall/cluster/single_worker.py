"""Replication where one worker has its store to itself: nothing to replicate, every answer comes at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Damaged, Saved, Store, StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.rooms.room_deadlines import RETRY_PAUSE
from qipai.kernel.ids import Millis, RoomId, Seat

from .replica_transitions import FOLLOWING, Failed
from .replication_interface import Callback, ClusterListeners
from .room_loading import RoomLoading


class SingleWorker:
    """Loads all rooms after the start, and a room again after a commit with an unknown outcome."""

    may_conflict = False
    remote_persons = 0

    def __init__(
        self,
        executor: CommandExecutor,
        store: Store,
        errors: InternalErrors,
        tasks: BackgroundTasks,
        loaded_at_start: frozenset[str],
    ) -> None:
        self.listeners = ClusterListeners()
        self._executor = executor
        self._directory = executor.directory
        self._store = store
        self._errors = errors
        self._loading = RoomLoading(executor, store, errors, tasks, loaded_at_start)

    def start(self, beat: Callback) -> int:
        """Begin to load the open rooms; those that are damaged are set aside."""
        for damaged, reason in self._store.quarantined().items():
            self._errors.room_quarantined(damaged, Damaged(reason))
        count = self._loading.start()
        beat()
        return count

    def stop(self, now: Millis) -> None:
        """Record until when the server was up: the next start ends the outage that begins here."""
        self._store.heartbeat(now)

    def opened(self, live: LiveRoom) -> None:
        """Nothing: no other worker writes to the room."""

    def forgotten(self, live: LiveRoom) -> None:
        """Nothing: the rules refuse commands of a closed room."""

    def defer(self, live: LiveRoom, run: Callback, refuse: Callback) -> None:
        """Load the room again and run the command, or refuse it."""
        if self._reload(live):
            run()
        else:
            refuse()

    def reread(self, live: LiveRoom, run: Callback, refuse: Callback) -> None:
        """Run the command: nobody else wrote."""
        run()

    def commit_failed(self, live: LiveRoom) -> bool:
        """Take no commands until the room is loaded again, which is tried at once."""
        live.replica = Failed(subscribed=True)
        if self._loading.outage_lasts(live):
            # Its clocks would be charged for the outage: nothing happens before the end of it is written.
            live.deadline = live.alarm = None
            self._executor.deadlines.clear(live)
            self._retry_later(live)
            return False
        return self._reload(live)

    def _retry_later(self, live: LiveRoom) -> None:
        due = Millis(self._executor.now() + RETRY_PAUSE)
        self._executor.alarms.set(("outage", live.durable.id), due, partial(self._retry, live))

    def _retry(self, live: LiveRoom) -> None:
        # A command may have loaded the room already.
        if live.replica is not FOLLOWING and (self._executor.journal.full or not self._reload(live)):
            self._retry_later(live)

    def _reload(self, live: LiveRoom) -> bool:
        try:
            loaded = self._directory.load(live.latest.id)
        except StoreError as error:
            self._errors.commit_failed(error, live.latest)
            return False
        if loaded is None:
            return False
        live.replica = FOLLOWING
        self._executor.replace_value(live, loaded[1])
        self._loading.end_outage(live)
        return True

    def computes_bots(self, live: LiveRoom) -> bool:
        """Return True: there is no other worker."""
        return True

    def member_changed(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Nothing: there is no other worker to tell."""

    def member_left(self, live: LiveRoom, connection: Connection) -> None:
        """Nothing, as for `member_changed`."""

    def announce_handle(self, live: LiveRoom, connection: Connection) -> None:
        """Nothing, as for `member_changed`."""

    def send_room_message(self, room: RoomId, body: bytes) -> None:
        """Nothing, as for `member_changed`."""

    def is_ready(self, live: LiveRoom) -> bool:
        """Tell whether `ready` returns at once."""
        return self._loading.is_ready(live)

    def live_room(self, room: RoomId) -> LiveRoom | None:
        """Return a room by its id; load it if the start has not come to it, or raise `StoreError`."""
        return self._loading.live_room(room)

    @property
    def unloaded(self) -> int:
        """Return how many rooms the start has not come to."""
        return len(self._loading)

    async def find(self, key: str) -> LiveRoom | None:
        """Return a room that is loaded now, or None. Raise `Damaged` for a room set aside."""
        live = self._loading.find(key)
        if live is None:
            return None
        await self._loading.ready(live)
        return self._directory.live_rooms.get(live.durable.id)

    async def ready(self, live: LiveRoom, version: int = 0) -> None:
        """Return when a loaded room can be shown; one that cannot be read refuses its commands itself."""
        await self._loading.ready(live)

    async def load(self, live: LiveRoom) -> Saved | None:
        """Read a room as it is stored."""
        return self._store.load(live.durable.id)

    @asynccontextmanager
    async def exclusive(self, name: str) -> AsyncIterator[None]:
        """Hold nothing: only this worker looks for rooms."""
        yield

    def opened_before(self, room: RoomId) -> bool:
        """Tell whether the store has a room with this id."""
        return room in self._errors.quarantined or self._store.load(room) is not None
