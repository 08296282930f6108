"""What is different for a host of rooms where other workers have the same ones."""

from collections.abc import Callable
from typing import Protocol

from qipai.hall.connections.connection import Connection
from qipai.hall.journal.store_interface import Saved
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId

Retry = Callable[[], None]
"""Does a command anew that lost a race, or came before its table was known well enough."""


class Replication(Protocol):
    """What is different where other workers have the same rooms."""

    def opened(self, live: LiveRoom) -> None:
        """A room was opened here."""

    def forgot(self, live: LiveRoom) -> None:
        """A room is no longer here."""

    def wait(self, live: LiveRoom, again: Retry, sorry: Retry) -> None:
        """Read what others did to the room, and do it then; `sorry` if that cannot be."""

    def failed(self, live: LiveRoom) -> None:
        """A record was not taken; read the room again before long, whoever asks for it."""

    def reach(self, key: str, then: Callable[[LiveRoom | None], None], sorry: Retry) -> None:
        """Find a room that others may know."""

    def announce(self, live: LiveRoom, connection: Connection) -> None:
        """Say what a peer is known by to the workers that will hear that it has sat down."""

    def recall(self, live: LiveRoom, then: Callable[[Saved | None], None]) -> None:
        """Read a room as it is written."""

    def send_room_message(self, room: RoomId, body: bytes) -> None:
        """Send a message to the observers of the room on other workers."""

    def exclusively(self, name: str, work: Retry) -> None:
        """Work while no other worker does work of this name, and let what it stages be written first."""
