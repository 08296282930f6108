"""The Dialect interface: decodes frames to intents, encodes notices to frames."""

from collections.abc import Hashable, Sequence
from typing import Protocol

from msgspec import Struct

from qipai.kernel import commands
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.refusals import Refusal

from .intents import Intent
from .notices import Notice

# Intents that dialects have and native frames cannot ask for


class PlayDecoded(Struct, frozen=True):
    """Make a move that the dialect has read already; otherwise as `Play`."""

    room: RoomId
    move: commands.Play
    nonce: Nonce = NO_NONCE
    at_version: int = 0


class CloseRoom(Struct, frozen=True):
    """Leave the table and end it for everybody; a running game is abandoned."""

    room: RoomId


class RefuseFrame(Struct, frozen=True):
    """The dialect itself found a frame wrong: refuse it, with the nonce, when its turn comes."""

    code: Refusal
    nonce: str = ""


class SwitchDialect(Struct, frozen=True):
    """The frame belongs to another dialect, and so does its peer from now on; that one hears it."""

    dialect: "Dialect"
    frame: bytes


class LegacyIntent(Struct, frozen=True):
    """Base of intents that the package `clients` adds and handles."""


AnyIntent = PlayDecoded | Intent | CloseRoom | RefuseFrame | SwitchDialect | LegacyIntent


# Notices that some dialects need and native clients never hear


class SeatHeld(Struct, frozen=True):
    """Which connection holds a seat now, by its handle; `new`: its person has only just sat down."""

    room: RoomId
    seat: Seat
    handle: str
    new: bool = False


class LegacyNotice(Struct, frozen=True):
    """Base of notices that the package `clients` adds; native clients never receive them."""


AnyNotice = Notice | SeatHeld | LegacyNotice


class Dialect(Protocol):
    """A wire protocol without a socket, one object per connection.

    Connections whose dialects have the same `voice` get the same bytes for the same notice; one
    that remembers what it was told has none, and is told everything itself. Only such a one wishes.
    """

    pending_intents: Sequence[AnyIntent]
    """What the last notices made the dialect want; whoever told it takes them away and does them."""

    @property
    def encoding_key(self) -> Hashable | None: ...

    @property
    def reconnect_grace(self) -> Millis:
        """Return how long a cut connection that is at a table is waited for in silence."""

    @property
    def hides_disconnects(self) -> bool:
        """Tell whether others hear nothing of a cut while the connection is waited for."""

    @property
    def sees_hidden(self) -> bool:
        """Tell whether its clients hide secrets themselves, and so must be told them."""

    @property
    def lobby_chat(self) -> str:
        """Return where its people talk while they are at no table; empty: nowhere."""

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return what the frame asks for, or raise `Malformed`."""

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames that tell this."""

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return what is done when the peer is gone for good."""
