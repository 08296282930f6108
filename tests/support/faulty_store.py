"""A store that fails when a test asks for it."""

from collections.abc import Mapping, Sequence

from qipai.hall.journal.store_interface import Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.memory_store import MemoryStore


class FaultyStore:
    """A memory store that fails before or after a write, and may be unreachable."""

    slow = False

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.tries = 0
        self.fail_before = 0
        self.fail_after = 0
        self.fail_close = 0
        self.unreachable = False

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        self.tries += 1
        if self.fail_before:
            self.fail_before -= 1
            raise StoreError("failed before the write")
        if self.fail_close and any(b'"do":"close"' in entry.body for entry in entries):
            self.fail_close -= 1
            raise StoreError("failed before the write")
        self.inner.append(entries, snapshots)
        if self.fail_after:
            self.fail_after -= 1
            raise StoreError("failed after the write")

    def load(self, room: RoomId) -> Saved | None:
        if self.unreachable:
            raise StoreError("unreachable")
        return self.inner.load(room)

    def snapshot(self, room: RoomId) -> Snapshot | None:
        if self.unreachable:
            raise StoreError("unreachable")
        return self.inner.snapshot(room)

    def history(self, room: RoomId, after: int = 0) -> Sequence[Entry]:
        return self.inner.history(room, after)

    def open_rooms(self) -> Sequence[RoomId]:
        return self.inner.open_rooms()

    def outage(self) -> Millis:
        return self.inner.outage()

    def set_outage(self, began: Millis) -> None:
        self.inner.set_outage(began)

    def quarantined(self) -> Mapping[RoomId, str]:
        return self.inner.quarantined()

    def closed(self, limit: int) -> Sequence[RoomId]:
        return self.inner.closed(limit)

    def unarchived_count(self) -> int:
        return self.inner.unarchived_count()

    def mark_archived(self, room: RoomId) -> None:
        self.inner.mark_archived(room)

    def reclaim(self, now: Millis) -> bool:
        return self.inner.reclaim(now)

    def heartbeat(self, now: Millis) -> None:
        self.inner.heartbeat(now)

    def last_heartbeat(self) -> Millis:
        return self.inner.last_heartbeat()

    def secret(self, proposed: bytes = b"") -> bytes:
        return self.inner.secret(proposed)

    def import_secret(self, secret: bytes) -> None:
        self.inner.import_secret(secret)

    def close(self) -> None:
        self.inner.close()
