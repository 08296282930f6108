"""Dialect of one seat of a socket; passes its notices to the dialect of the socket."""

from collections.abc import Sequence
from typing import Protocol

from qipai.clients.legacy_messages import ActAs
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.protocol.dialect_interface import AnyIntent, AnyNotice


class SocketDialect(Protocol):
    """The dialect of the socket, as its seats need it."""

    pending_intents: Sequence[AnyIntent]

    def encode_for(self, viewer: Seat, notice: AnyNotice, room: RoomId | None = None) -> Sequence[bytes]:
        """Return the frames that report a notice which one of the socket's seats received."""


class SeatDialect:
    """The dialect of one seat; its intents and frames are those of the socket."""

    __slots__ = ("_room", "_seat", "_socket_dialect")

    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = False
    lobby_chat = ""
    encoding_key = None

    def __init__(self, socket_dialect: SocketDialect, room: RoomId, seat: Seat) -> None:
        self._socket_dialect = socket_dialect
        self._room = room
        self._seat = seat

    @property
    def pending_intents(self) -> Sequence[AnyIntent]:
        """Return the pending intents of the socket's dialect."""
        return self._socket_dialect.pending_intents

    @pending_intents.setter
    def pending_intents(self, intents: Sequence[AnyIntent]) -> None:
        self._socket_dialect.pending_intents = intents

    def decode(self, _frame: bytes) -> Sequence[AnyIntent]:
        """Return no intents: frames belong to the socket."""
        return ()

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames that the socket's dialect makes of a notice of this seat."""
        return self._socket_dialect.encode_for(self._seat, notice, self._room)

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return no intents: the hall keeps the seat for a while."""
        return ()


def act_as(socket_dialect: SocketDialect, room: RoomId, seat: Seat, intent: AnyIntent) -> ActAs:
    """Return the intent of one seat of a socket."""
    return ActAs(f"{room} {seat}", SeatDialect(socket_dialect, room, seat), intent)
