"""What the hall needs from outside: a store, a wire, the time."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from qipai.kernel.ids import Millis, RoomId


class Entry(Struct, frozen=True):
    """One journal record: the command that made `version` out of the one before."""

    room: RoomId
    version: int
    at: Millis
    body: bytes


class Snapshot(NamedTuple):
    """A whole room as of `version`; `live` rooms are loaded again after a restart.

    The first one of a room claims its `code` where several servers share a store.
    """

    room: RoomId
    version: int
    live: bool
    body: bytes
    code: str = ""


class Saved(NamedTuple):
    """What is needed to have a room again: its last snapshot and every record since."""

    snapshot: Snapshot
    tail: Sequence[Entry]


class StoreError(Exception):
    """Nothing is known about whether the batch was written."""


class Conflict(StoreError):
    """The records of these rooms do not follow and were not written; those of all others were."""

    def __init__(self, rooms: Iterable[RoomId]) -> None:
        self.rooms = frozenset(rooms)
        super().__init__(f"does not follow what is written: {', '.join(sorted(self.rooms))}")


class Store(Protocol):
    """The journal of all rooms. What a batch has of one room is written whole or not at all."""

    @property
    def slow(self) -> bool:
        """Tell whether `append` waits for a disk and belongs into a thread."""

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write a batch so that it survives what the store promises, or raise `StoreError`.

        `Conflict` names the rooms that were left as they are; any other error leaves all in doubt.
        """

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None if it was never opened."""

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of the room, oldest first."""

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that were not closed."""

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return some rooms that were closed and not yet shelved."""

    def unarchived_count(self) -> int:
        """Return how many these are."""

    def mark_archived(self, room: RoomId) -> None:
        """Take note that an archive has the room; it need not be kept here any longer."""

    def heartbeat(self, now: Millis) -> None:
        """Remember that the server is alive."""

    def last_heartbeat(self) -> Millis:
        """Return the last moment at which a server is known to have been alive."""

    def secret(self) -> bytes:
        """Return the key that tokens are signed with; made once, kept for ever."""

    def import_secret(self, secret: bytes) -> None:
        """Sign with the key of another store, whose rooms move in."""

    def close(self) -> None:
        """Release everything."""


Now = Callable[[], Millis]
Entropy = Callable[[int], bytes]
