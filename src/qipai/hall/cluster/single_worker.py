"""Replication where one worker has its store to itself: nothing to replicate, every answer comes at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from qipai.hall.connections.connection import Connection
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Damaged, Saved, Store, StoreError
from qipai.hall.rooms.command_executor import HEAD_START, CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import OutageEnded
from qipai.kernel.ids import SYSTEM, Millis, RoomId, Seat
from qipai.kernel.room import deadline

from .replica_transitions import FOLLOWING, Failed
from .replication_interface import Callback, ClusterListeners


class SingleWorker:
    """Loads all rooms at the start, and a room again after a commit with an unknown outcome."""

    may_conflict = False
    remote_persons = 0

    def __init__(self, executor: CommandExecutor, store: Store, errors: InternalErrors) -> None:
        self.listeners = ClusterListeners()
        self._executor = executor
        self._directory = executor.directory
        self._store = store
        self._errors = errors

    def start(self, beat: Callback) -> int:
        """Load every open room, end the outage for its clock, and let its bots move."""
        down, now = self._store.last_heartbeat(), self._executor.now()
        for damaged, reason in self._store.quarantined().items():
            self._errors.room_quarantined(damaged, Damaged(reason))
        for room_id in self._store.open_rooms():
            try:
                loaded = self._directory.load(room_id)
            except StoreError as error:
                self._errors.room_quarantined(room_id, error)
                continue
            if loaded is None:
                continue
            live = self._directory.add(LiveRoom(*loaded))
            room = live.durable
            self._executor.spectator_delay.recover(live, self._store, self._executor.games)
            for listener in self._executor.room_listeners:
                listener(live, room)
            if deadline(room) is not None:
                self._executor.submit(live, SYSTEM, OutageEnded(down, HEAD_START), now)
        for live in list(self._directory.live_rooms.values()):
            with FailureIsolation(self._errors.task_failed):
                self._executor.ask_bots(live)
        beat()
        return len(self._directory.live_rooms)

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
        return self._reload(live)

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
        """Return True, as `ready` does nothing."""
        return True

    async def find(self, key: str) -> LiveRoom | None:
        """Return None: what is not in the directory does not exist. Raise `Damaged` for a room set aside."""
        if (reason := self._errors.quarantined.get(RoomId(key))) is not None:
            raise Damaged(str(reason))
        return None

    async def ready(self, live: LiveRoom, version: int = 0) -> None:
        """Return at once; a room that cannot be read refuses its commands itself."""

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
