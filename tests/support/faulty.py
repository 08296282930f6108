"""Stores that fail when told to."""

from collections.abc import Sequence

from qipai.hall.journal.store_interface import Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.memory_store import MemoryStore


class Faulty:
    """A memory that loses batches before or after they took effect, and may be out of reach."""

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
            raise StoreError("lost before it was written")
        if self.fail_close and any(b'"do":"close"' in entry.body for entry in entries):
            self.fail_close -= 1
            raise StoreError("lost before it was written")
        self.inner.append(entries, snapshots)
        if self.fail_after:
            self.fail_after -= 1
            raise StoreError("lost after it was written")

    def load(self, room: RoomId) -> Saved | None:
        if self.unreachable:
            raise StoreError("out of reach")
        return self.inner.load(room)

    def history(self, room: RoomId) -> Sequence[Entry]:
        return self.inner.history(room)

    def living(self) -> Sequence[RoomId]:
        return self.inner.living()

    def closed(self, limit: int) -> Sequence[RoomId]:
        return self.inner.closed(limit)

    def unshelved(self) -> int:
        return self.inner.unshelved()

    def shelve(self, room: RoomId) -> None:
        self.inner.shelve(room)

    def beat(self, now: Millis) -> None:
        self.inner.beat(now)

    def last_beat(self) -> Millis:
        return self.inner.last_beat()

    def secret(self) -> bytes:
        return self.inner.secret()

    def adopt(self, secret: bytes) -> None:
        self.inner.adopt(secret)

    def close(self) -> None:
        self.inner.close()
