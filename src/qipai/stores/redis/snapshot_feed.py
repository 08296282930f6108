"""Reads the stream of room snapshots from the last entry a worker has seen."""

from collections.abc import Callable
from typing import Any, Final

from qipai.hall.cluster.bus_interface import BusListener
from qipai.hall.journal.store_interface import Damaged, Saved, StoreError
from qipai.kernel.ids import Millis, RoomId

OVERLAP: Final = 60_000
"""Milliseconds before its start from which a worker reads: the rooms it loaded may be a little old."""

LoadRoom = Callable[[RoomId, Callable[[Saved | StoreError | None], None]], None]


class SnapshotFeed:
    """`position` is the newest entry of the stream up to which every snapshot is known."""

    def __init__(self, load: LoadRoom, listener: BusListener, start: Millis) -> None:
        self.position = f"{start - OVERLAP}-0"
        self._load = load
        self._listener = listener

    def read(self, entries: list[Any], then: Callable[[bool], None]) -> None:
        """Load the rooms whose snapshots are newer than known, tell the listener, and call `then(True)`."""
        newest = {fields[1]: int(fields[3]) for _, fields in entries}
        rooms = [RoomId(room.decode()) for room, version in newest.items() if self._is_newer(room, version)]
        before = self.position
        if entries:
            self.position = max(before, entries[-1][0].decode(), key=_order)
        pending = len(rooms)

        def on_loaded(saved: Saved | StoreError | None) -> None:
            nonlocal pending
            if isinstance(saved, Saved):
                self._listener.snapshot_written(saved.snapshot)
            elif saved is not None and not isinstance(saved, Damaged):
                self.position = before  # Read these entries again.
            pending -= 1
            if not pending:
                then(True)

        for room in rooms:
            self._load(room, on_loaded)
        if not rooms:
            then(True)

    def _is_newer(self, room: bytes, version: int) -> bool:
        return self._listener.is_newer(RoomId(room.decode()), version)


def _order(entry_id: str) -> tuple[int, int]:
    millis, _, count = entry_id.partition("-")
    return int(millis), int(count)
