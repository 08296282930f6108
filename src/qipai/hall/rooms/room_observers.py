"""What code outside the hall observes of rooms: spectators by name, arrivals, messages of other workers."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from qipai.hall.connections.connection import Connection
from qipai.kernel.ids import Seat
from qipai.protocol.dialect_interface import AnyNotice

from .live_room import LiveRoom


class RoomObserver(Protocol):
    """An extension of the hall that observes rooms."""

    def spectators_changed(
        self, live: LiveRoom, joined: str = "", left: str = "", skip: Connection | None = None
    ) -> None:
        """Spectators are others than before; `skip` needs no notice of it."""

    def arrival_notices(
        self, live: LiveRoom, connection: Connection, seat: Seat | None
    ) -> Sequence[AnyNotice]:
        """Return what an arriving connection receives before the room itself."""

    def room_message(self, live: LiveRoom, body: bytes) -> None:
        """Another worker sent a message about the room, with `Replication.send_room_message`."""


class RoomObservers:
    """Passes what happens in rooms on to every observer, in the order of registration."""

    def __init__(self) -> None:
        self._observers: list[RoomObserver] = []

    def add(self, observer: RoomObserver) -> None:
        """Notify the observer from now on."""
        self._observers.append(observer)

    def spectators_changed(
        self, live: LiveRoom, joined: str = "", left: str = "", skip: Connection | None = None
    ) -> None:
        """Pass on that spectators changed."""
        for observer in self._observers:
            observer.spectators_changed(live, joined, left, skip)

    def arrival_notices(
        self, live: LiveRoom, connection: Connection, seat: Seat | None
    ) -> Iterator[AnyNotice]:
        """Yield what an arriving connection receives before the room itself."""
        for observer in self._observers:
            yield from observer.arrival_notices(live, connection, seat)

    def room_message(self, live: LiveRoom, body: bytes) -> None:
        """Pass on a message of another worker."""
        for observer in self._observers:
            observer.room_message(live, body)
