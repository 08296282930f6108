"""Store in memory, for tests and servers that persist nothing."""

from collections.abc import Mapping, Sequence
from secrets import token_bytes

from qipai.hall.journal.store_interface import Conflict, Entry, Saved, Snapshot
from qipai.kernel.ids import Millis, RoomId


class MemoryStore:
    """Store that ends with the process."""

    slow = False

    def __init__(self) -> None:
        self._entries: dict[RoomId, list[Entry]] = {}
        self._snapshots: dict[RoomId, Snapshot] = {}
        self._unarchived: dict[RoomId, None] = {}
        self._last_heartbeat = Millis(0)
        self._outage = Millis(0)
        self._secret = b""

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write the rooms whose versions are consecutive; raise `Conflict` with the others."""
        last_versions: dict[RoomId, int] = {}
        conflicts: set[RoomId] = set()
        for entry in entries:
            last = last_versions.get(entry.room, len(self._entries.get(entry.room, ())))
            if entry.version != last + 1:
                conflicts.add(entry.room)
            last_versions[entry.room] = entry.version
        for entry in entries:
            if entry.room not in conflicts:
                self._entries.setdefault(entry.room, []).append(entry)
                self._last_heartbeat = max(self._last_heartbeat, entry.at)
        for snapshot in snapshots:
            if snapshot.room not in conflicts:
                self._snapshots[snapshot.room] = snapshot
                if not snapshot.live:
                    self._unarchived[snapshot.room] = None
        if conflicts:
            raise Conflict(conflicts)

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None."""
        snapshot = self._snapshots.get(room)
        if snapshot is None:
            return None
        return Saved(snapshot, tuple(self._entries[room][snapshot.version :]))

    def snapshot(self, room: RoomId) -> Snapshot | None:
        """Return the last snapshot of the room."""
        return self._snapshots.get(room)

    def history(self, room: RoomId, after: int = 0) -> Sequence[Entry]:
        """Return the records of the room after a version, oldest first."""
        return tuple(self._entries.get(room, ())[after:])

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that are not closed."""
        return [room for room, snapshot in self._snapshots.items() if snapshot.live]

    def quarantined(self) -> Mapping[RoomId, str]:
        """Return nothing: memory is not damaged."""
        return {}

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return up to `limit` rooms that are closed and not archived."""
        return list(self._unarchived)[:limit]

    def unarchived_count(self) -> int:
        """Return the number of rooms that are closed and not archived."""
        return len(self._unarchived)

    def mark_archived(self, room: RoomId) -> None:
        """Delete a closed room."""
        if room in self._unarchived:
            del self._unarchived[room], self._entries[room], self._snapshots[room]

    def reclaim(self, now: Millis) -> bool:
        """Do nothing: an archived room is deleted at once."""
        return False

    def heartbeat(self, now: Millis) -> None:
        """Record that the server is alive."""
        self._last_heartbeat = max(self._last_heartbeat, now)

    def last_heartbeat(self) -> Millis:
        """Return the time of the last heartbeat or record."""
        return self._last_heartbeat

    def outage(self) -> Millis:
        """Return when the outage began that has not ended for all rooms yet, or 0."""
        return self._outage

    def set_outage(self, began: Millis) -> None:
        """Record when an outage began; 0 once it has ended for all rooms."""
        self._outage = began

    def secret(self, proposed: bytes = b"") -> bytes:
        """Return the key that signs tokens; the first call creates it."""
        self._secret = self._secret or proposed or token_bytes(32)
        return self._secret

    def import_secret(self, secret: bytes) -> None:
        """Replace the key that signs tokens."""
        self._secret = secret

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
