"""The Store interface: journal entries, snapshots, conflicts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from qipai.kernel.ids import Millis, RoomId


class Entry(Struct, frozen=True):
    """One journal record: the command that produced `version` from the version before."""

    room: RoomId
    version: int
    at: Millis
    body: bytes


class Snapshot(NamedTuple):
    """A whole room at `version`; `live` rooms are loaded after a restart.

    The first snapshot of a room claims its `code` where several workers share a store.
    """

    room: RoomId
    version: int
    live: bool
    body: bytes
    code: str = ""


class Saved(NamedTuple):
    """What is needed to rebuild a room: its last snapshot and every record since."""

    snapshot: Snapshot
    tail: Sequence[Entry]


class StoreError(Exception):
    """The outcome is unknown: the batch may or may not be written."""


class Conflict(StoreError):
    """The records of these rooms do not follow the stored ones and were not written; all others were."""

    def __init__(self, rooms: Iterable[RoomId]) -> None:
        self.rooms = frozenset(rooms)
        super().__init__(f"does not follow what is written: {', '.join(sorted(self.rooms))}")


class Damaged(StoreError):
    """What is stored of a room is damaged; the text says what. Reading it again does not help."""


class Store(Protocol):
    """The journal of all rooms. What a batch has of one room is written whole or not at all."""

    @property
    def slow(self) -> bool:
        """Tell whether `append` would wait for a disk now, and belongs in a thread."""

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write a batch so that it survives what the store promises, or raise `StoreError`.

        `Conflict` names the rooms that were left as they are; any other error leaves all in doubt.
        """

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None if it was never opened; raise `Damaged` if it is."""

    def snapshot(self, room: RoomId) -> Snapshot | None:
        """Return the last snapshot of the room without the records after it; raise `Damaged` if it is."""

    def history(self, room: RoomId, after: int = 0) -> Sequence[Entry]:
        """Return the records of the room after a version, oldest first; raise `Damaged` if one is."""

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that were not closed, without those that are set aside."""

    def quarantined(self) -> Mapping[RoomId, str]:
        """Return the rooms that the store has set aside, and why."""

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return some rooms that are closed and not archived yet."""

    def unarchived_count(self) -> int:
        """Return how many closed rooms are not archived yet."""

    def mark_archived(self, room: RoomId) -> None:
        """Note that an archive has the room; the store may drop it."""

    def reclaim(self, now: Millis) -> bool:
        """Delete some of what archived rooms left and give back its space; tell whether more is left."""

    def heartbeat(self, now: Millis) -> None:
        """Record that the server is alive."""

    def last_heartbeat(self) -> Millis:
        """Return the time of the last heartbeat."""

    def outage(self) -> Millis:
        """Return when the outage began that has not ended for all rooms yet; 0 if there is none."""

    def set_outage(self, began: Millis) -> None:
        """Record when an outage began that has not ended for all rooms yet; 0 if it has."""

    def secret(self, proposed: bytes = b"") -> bytes:
        """Return the key that tokens are signed with; created once, as proposed or at random."""

    def import_secret(self, secret: bytes) -> None:
        """Replace the key by that of another store whose rooms are imported."""

    def close(self) -> None:
        """Release everything."""


Now = Callable[[], Millis]
Entropy = Callable[[int], bytes]
