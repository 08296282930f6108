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
    """Make a move that the dialect has decoded; otherwise as `Play`."""

    room: RoomId
    move: commands.Play
    nonce: Nonce = NO_NONCE
    at_version: int = 0


class CloseRoom(Struct, frozen=True):
    """Leave the room and close it for everybody; a running game is abandoned."""

    room: RoomId


class RefuseFrame(Struct, frozen=True):
    """The dialect rejects a frame: refuse it, with the nonce, once all earlier commands are durable."""

    code: Refusal
    nonce: str = ""


class SwitchDialect(Struct, frozen=True):
    """The connection uses another dialect from now on, which decodes the frame again."""

    dialect: "Dialect"
    frame: bytes


class LegacyIntent(Struct, frozen=True):
    """Base of intents that the package `clients` adds and handles."""


AnyIntent = PlayDecoded | Intent | CloseRoom | RefuseFrame | SwitchDialect | LegacyIntent


# Notices that native clients never receive


class SeatHeld(Struct, frozen=True):
    """Which connection holds a seat, by its handle; `new`: its person has just taken the seat."""

    room: RoomId
    seat: Seat
    handle: str
    new: bool = False


class LegacyNotice(Struct, frozen=True):
    """Base of notices that the package `clients` adds; native clients never receive them."""


AnyNotice = Notice | SeatHeld | LegacyNotice


class Dialect(Protocol):
    """A wire protocol without a socket, one object per connection.

    Connections whose dialects have the same `encoding_key` receive the same bytes for the same notice. A
    dialect with state has no key: every notice is encoded for it alone. Only such a dialect has pending intents.
    """

    pending_intents: Sequence[AnyIntent]
    """Intents that the last notices caused; the caller of `encode` removes and runs them."""

    @property
    def encoding_key(self) -> Hashable | None:
        """Return the key of connections that share encoded frames; None if the dialect has state."""

    @property
    def reconnect_grace(self) -> Millis:
        """Return how long a room waits for a connection without transport before players are told."""

    @property
    def hides_disconnects(self) -> bool:
        """Tell whether players are told of a lost transport only after the grace period."""

    @property
    def sees_hidden(self) -> bool:
        """Tell whether its clients hide secrets themselves, and so must receive them."""

    @property
    def lobby_chat(self) -> str:
        """Return the lobby chat of its clients; empty for none."""

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents of the frame, or raise `Malformed`."""

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames of the notice."""

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return the intents that run when the connection is closed."""
