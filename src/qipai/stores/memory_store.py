"""A journal that lives as long as the process."""

from collections.abc import Sequence
from secrets import token_bytes

from qipai.hall.journal.store_interface import Conflict, Entry, Saved, Snapshot
from qipai.kernel.ids import Millis, RoomId


class MemoryStore:
    """For tests and for tables that need not outlive the server."""

    slow = False

    def __init__(self) -> None:
        self._entries: dict[RoomId, list[Entry]] = {}
        self._snapshots: dict[RoomId, Snapshot] = {}
        self._closed: dict[RoomId, None] = {}
        self._beat = Millis(0)
        self._secret = token_bytes(32)

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Take the rooms whose records follow; raise `Conflict` with the others."""
        heads: dict[RoomId, int] = {}
        lost: set[RoomId] = set()
        for entry in entries:
            last = heads.get(entry.room, len(self._entries.get(entry.room, ())))
            if entry.version != last + 1:
                lost.add(entry.room)
            heads[entry.room] = entry.version
        for entry in entries:
            if entry.room not in lost:
                self._entries.setdefault(entry.room, []).append(entry)
                self._beat = max(self._beat, entry.at)
        for snapshot in snapshots:
            if snapshot.room not in lost:
                self._snapshots[snapshot.room] = snapshot
                if not snapshot.live:
                    self._closed[snapshot.room] = None
        if lost:
            raise Conflict(lost)

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written."""
        snapshot = self._snapshots.get(room)
        if snapshot is None:
            return None
        return Saved(snapshot, tuple(self._entries[room][snapshot.version :]))

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of the room."""
        return tuple(self._entries.get(room, ()))

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that were not closed."""
        return [room for room, snapshot in self._snapshots.items() if snapshot.live]

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return some rooms that were closed and not yet shelved."""
        return list(self._closed)[:limit]

    def unarchived_count(self) -> int:
        """Return how many these are."""
        return len(self._closed)

    def mark_archived(self, room: RoomId) -> None:
        """Forget the records of a room."""
        if room in self._closed:
            del self._closed[room], self._entries[room], self._snapshots[room]

    def heartbeat(self, now: Millis) -> None:
        """Remember that the server is alive."""
        self._beat = max(self._beat, now)

    def last_heartbeat(self) -> Millis:
        """Return the last sign of life."""
        return self._beat

    def secret(self) -> bytes:
        """Return the signing key."""
        return self._secret

    def import_secret(self, secret: bytes) -> None:
        """Sign with another key."""
        self._secret = secret

    def close(self) -> None:
        """Release nothing."""
