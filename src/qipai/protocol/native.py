"""The protocol of our own page and of bots: intents and notices, written as JSON."""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from qipai.kernel.codec import Malformed, decode_frame
from qipai.kernel.ids import Millis

from .dialect_interface import AnyIntent, AnyNotice, LegacyNotice, SeatHeld
from .intents import Intent
from .notices import RoomEvents

_decode: Final = msgspec.json.Decoder(Intent).decode
_encode: Final = msgspec.json.Encoder().encode
_NOT_NATIVE: Final = SeatHeld | LegacyNotice
"""Notices that native clients never receive."""


class FrameHeader(msgspec.Struct):
    """What of a frame is understood even if the rest of it is not."""

    room: Annotated[str, msgspec.Meta(max_length=32)] = ""
    nonce: Annotated[str, msgspec.Meta(max_length=32)] = ""


_address: Final = msgspec.json.Decoder(FrameHeader).decode


class Native:
    """Holds nothing: every native connection speaks with the same voice."""

    __slots__ = ()

    encoding_key = "native"
    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = False
    lobby_chat = ""
    pending_intents: Sequence[AnyIntent] = ()

    def decode(self, frame: bytes) -> Sequence[Intent]:
        """Return the one intent of this frame."""
        try:
            return (decode_frame(_decode, frame),)
        except Malformed as error:
            raise _returned(error, frame) from None

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the one frame of this notice, if it is meant for native clients."""
        if type(notice) is RoomEvents or not isinstance(notice, _NOT_NATIVE):
            return (_encode(notice),)
        return ()

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Wish nothing: who is gone may come back."""
        return ()


def _returned(error: Malformed, frame: bytes) -> Malformed:
    """Return the error with its address: whoever waits for an answer can then tell that this is it."""
    try:
        meant = decode_frame(_address, frame)
    except Malformed:
        return error
    return Malformed(str(error), meant.room, meant.nonce)
