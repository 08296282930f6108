"""One seat of a socket: hears what its player may know, and passes it on to the socket's dialect."""

from collections.abc import Sequence
from typing import Protocol

from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.protocol.dialect_interface import AnyIntent, AnyNotice


class Listener(Protocol):
    """A socket's dialect, to whom its seats report."""

    pending_intents: Sequence[AnyIntent]

    def told(self, viewer: Seat, notice: AnyNotice, room: RoomId | None = None) -> Sequence[bytes]:
        """Return what the client is told of what one of its seats has heard."""


class SeatDialect:
    """Says what the socket's dialect makes of a notice; wishes are that one's."""

    __slots__ = ("_main", "_room", "_seat")

    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = False
    lobby_chat = ""
    encoding_key = None

    def __init__(self, main: Listener, room: RoomId, seat: Seat) -> None:
        self._main = main
        self._room = room
        self._seat = seat

    @property
    def pending_intents(self) -> Sequence[AnyIntent]:
        """Return what the socket's dialect wants."""
        return self._main.pending_intents

    @pending_intents.setter
    def pending_intents(self, wishes: Sequence[AnyIntent]) -> None:
        self._main.pending_intents = wishes

    def decode(self, _frame: bytes) -> Sequence[AnyIntent]:
        """Hear nothing: frames are the socket's."""
        return ()

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return what the client is told of this."""
        return self._main.told(self._seat, notice, self._room)

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Wish nothing: the seat is kept for a while."""
        return ()
