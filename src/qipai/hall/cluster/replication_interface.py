"""What rooms need from the cluster; a single worker uses an implementation that answers at once."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from qipai.hall.connections.connection import Connection
from qipai.hall.journal.store_interface import Saved
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Millis, RoomId, Seat

Callback = Callable[[], None]


class ReplicaListener(Protocol):
    """Keeps track of presence in the rooms of this worker."""

    def read_again(self, live: LiveRoom) -> None:
        """The room was read: correct what could not be written before."""

    def inherited(self, live: LiveRoom) -> None:
        """No worker looked after this room until now."""

    def seat_taken_over(self, live: LiveRoom, seat: Seat, person: str) -> None:
        """A connection on another worker holds this seat now."""

    def seat_lost(self, live: LiveRoom, seat: Seat) -> None:
        """The worker is gone to which the player of this seat was connected."""


class ClusterListeners:
    """Who is called when something happens on other workers. Each part adds itself in its constructor."""

    def __init__(self) -> None:
        self.workers: list[Callable[[frozenset[str]], None]] = []
        """Called with the names of all live workers; with none after the store was unreachable."""
        self.broadcasts: list[Callable[[bytes], None]] = []
        """Called with what another worker broadcasts."""
        self.persons: list[Callable[[], None]] = []
        """Called when another number of persons is connected to other workers."""
        self.members: list[Callable[[LiveRoom], None]] = []
        """Called when a member connected to another worker came, changed or left."""
        self.own_members: list[Callable[[Connection], None]] = []
        """Called when a connection of this worker has entered or left a room."""
        self.released: list[Callable[[LiveRoom], None]] = []
        """Called when other workers look after a room from now on."""
        self.replicas: list[ReplicaListener] = []


class Replication(Protocol):
    """The cluster side of all rooms of this worker."""

    listeners: ClusterListeners

    @property
    def may_conflict(self) -> bool:
        """Tell whether other workers write to the same rooms."""

    @property
    def remote_persons(self) -> int:
        """Return how many persons are connected to other workers."""

    def start(self, beat: Callback) -> int:
        """Load or list the open rooms and return their number; call `beat` if heartbeats are up to us."""

    def stop(self, now: Millis) -> None:
        """Record when the server stopped, if that is up to us."""

    # Called by the executor

    def opened(self, live: LiveRoom) -> None:
        """A room was opened here and its first record staged."""

    def forgotten(self, live: LiveRoom) -> None:
        """A room is no longer live here."""

    def defer(self, live: LiveRoom, run: Callback, refuse: Callback) -> None:
        """Run a command once the state of the room takes commands, or refuse it."""

    def reread(self, live: LiveRoom, run: Callback, refuse: Callback) -> None:
        """Run a command once everything is read that other workers wrote before this call, or refuse it."""

    def commit_failed(self, live: LiveRoom) -> bool:
        """Handle a commit with an unknown outcome; tell whether the room takes commands again."""

    def computes_bots(self, live: LiveRoom) -> bool:
        """Tell whether this worker computes the moves of bots in this room."""

    # Rooms

    @property
    def unloaded(self) -> int:
        """Return how many open rooms are not in memory yet."""

    def live_room(self, room: RoomId) -> LiveRoom | None:
        """Return a room by its id if this worker has it; load it if it is still to be loaded.

        Raise `StoreError` if it cannot be loaded now.
        """

    # Members

    def member_changed(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """A connection of this worker is in the room, or is another than before."""

    def member_left(self, live: LiveRoom, connection: Connection) -> None:
        """A connection of this worker is no longer in the room."""

    def announce_handle(self, live: LiveRoom, connection: Connection) -> None:
        """Tell other workers the handle of a connection that is about to take a seat."""

    def send_room_message(self, room: RoomId, body: bytes) -> None:
        """Send a message to the observers of the room on other workers."""

    # Off the move path. Every wait is bounded; `StoreError` says that there was no answer.

    def is_ready(self, live: LiveRoom) -> bool:
        """Tell whether `ready` returns at once."""

    async def find(self, key: str) -> LiveRoom | None:
        """Find a room by id or code that is not loaded, or that only other workers know."""

    async def ready(self, live: LiveRoom, version: int = 0) -> None:
        """Return when the room takes commands, can be shown, and has this version if the store does."""

    async def load(self, live: LiveRoom) -> Saved | None:
        """Read a room as it is stored."""

    def exclusive(self, name: str) -> AbstractAsyncContextManager[None]:
        """Hold the lock of this name on all workers; its release follows what is staged meanwhile."""

    def opened_before(self, room: RoomId) -> bool:
        """Tell whether the store is known to have a room with this id."""
