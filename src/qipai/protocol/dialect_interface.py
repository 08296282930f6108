"""The Dialect interface: decodes frames to intents, encodes notices to frames."""

from collections.abc import Hashable, Sequence
from typing import Protocol

from msgspec import Struct

from qipai.kernel import commands
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.refusals import Refusal

from .intents import Intent
from .notices import Notice

# Intents that only dialects create; no native frame decodes to them


class PlayDecoded(Struct, frozen=True):
    """Make a move that the dialect has already decoded; otherwise as `Play`."""

    room: RoomId
    move: commands.Play
    nonce: Nonce = NO_NONCE
    at_version: int = 0


class CloseRoom(Struct, frozen=True):
    """Leave the room and close it for all; a running game is abandoned."""

    room: RoomId


class RefuseFrame(Struct, frozen=True):
    """Refuse a frame that the dialect found invalid, in order with the other intents of the connection."""

    code: Refusal
    nonce: str = ""


class SwitchDialect(Struct, frozen=True):
    """Give the connection another dialect, which decodes this frame and all later ones."""

    dialect: "Dialect"
    frame: bytes


class LegacyIntent(Struct, frozen=True):
    """Base of intents that the package `clients` adds and handles."""


AnyIntent = PlayDecoded | Intent | CloseRoom | RefuseFrame | SwitchDialect | LegacyIntent


# Notices that only some dialects need; native clients never receive them


class SeatHeld(Struct, frozen=True):
    """The connection that holds a seat now, by its handle; `new`: the person has just taken the seat."""

    room: RoomId
    seat: Seat
    handle: str
    new: bool = False


class LegacyNotice(Struct, frozen=True):
    """Base of notices that the package `clients` adds; native clients never receive them."""


AnyNotice = Notice | SeatHeld | LegacyNotice


class Dialect(Protocol):
    """A wire protocol without a socket, one object per connection.

    Connections whose dialects have the same `encoding_key` share the encoded frames of a notice. A dialect
    that keeps state about its notices has the key None: it encodes every notice itself, and only such a
    dialect has pending intents.
    """

    pending_intents: Sequence[AnyIntent]
    """Intents caused by the last notices; the caller of `encode` takes them and carries them out."""

    @property
    def encoding_key(self) -> Hashable | None:
        """Return the key of connections that share encoded frames; None if the dialect has state."""

    @property
    def reconnect_grace(self) -> Millis:
        """Return how long a lost connection may be absent before its player counts as disconnected."""

    @property
    def hides_disconnects(self) -> bool:
        """Tell whether other players are not notified of a disconnect during the grace period."""

    @property
    def sees_hidden(self) -> bool:
        """Tell whether its clients hide secret information themselves, and so must receive it."""

    @property
    def lobby_chat(self) -> str:
        """Return the name of the lobby chat for connections outside rooms; empty for none."""

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents of this frame, or raise `Malformed`."""

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames of this notice; empty if the dialect has none for it."""

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return the intents to carry out when the connection has ended for good."""
