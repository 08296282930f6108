"""How far a worker has heard of all tables, and how it learns of those that it has not heard of."""

from collections.abc import Callable
from typing import Any, Final

from qipai.hall.cluster.bus_interface import BusListener
from qipai.hall.journal.store_interface import Saved, StoreError
from qipai.kernel.ids import RoomId

RECENT: Final = 60
"""Seconds: what was read before a worker listens may be a moment old."""

Load = Callable[[RoomId, Callable[[Saved | StoreError | None], None]], None]


class SnapshotFeed:
    """`last` is the newest entry of the stream `tables` of which all that came before is known."""

    def __init__(self, load: Load) -> None:
        self.last = ""
        self.listener: BusListener
        self._load = load

    def begin(self, now: int) -> None:
        """Begin a while before this second."""
        self.last = f"{(now - RECENT) * 1000}-0"

    def learn(self, raw: list[Any], then: Callable[[bool], None]) -> None:
        """Read the tables that were written and not heard of, and then go on."""
        newest = {fields[1]: int(fields[3]) for _, fields in raw}
        rooms = [RoomId(room.decode()) for room, version in newest.items() if self._news(room, version)]
        before = self.last
        if raw:
            self.last = max(before, raw[-1][0].decode(), key=_order)
        left = len(rooms)

        def loaded(saved: Saved | StoreError | None) -> None:
            nonlocal left
            if isinstance(saved, Saved):
                self.listener.shown(saved.snapshot)
            elif saved is not None:
                self.last = before
            left -= 1
            if not left:
                then(True)

        for room in rooms:
            self._load(room, loaded)
        if not rooms:
            then(True)

    def _news(self, room: bytes, version: int) -> bool:
        return self.listener.behind(RoomId(room.decode()), version)


def _order(key: str) -> tuple[int, int]:
    millis, _, count = key.partition("-")
    return int(millis), int(count)
