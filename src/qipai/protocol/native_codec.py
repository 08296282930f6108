"""The native dialect: intents and notices as JSON, for the web page and for bots."""

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
    """The fields of a frame that are decoded even if the rest is invalid."""

    room: Annotated[str, msgspec.Meta(max_length=32)] = ""
    nonce: Annotated[str, msgspec.Meta(max_length=32)] = ""


_decode_header: Final = msgspec.json.Decoder(FrameHeader).decode


class Native:
    """The native dialect. It has no state, so all native connections share encoded frames."""

    __slots__ = ()

    encoding_key = "native"
    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = False
    lobby_chat = ""
    pending_intents: Sequence[AnyIntent] = ()

    def decode(self, frame: bytes) -> Sequence[Intent]:
        """Return the one intent of the frame."""
        try:
            return (decode_frame(_decode, frame),)
        except Malformed as error:
            raise _with_header(error, frame) from None

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the one frame of this notice; empty for a legacy notice."""
        if type(notice) is RoomEvents or not isinstance(notice, _NOT_NATIVE):
            return (_encode(notice),)
        return ()

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return nothing: the client may reconnect."""
        return ()


def _with_header(error: Malformed, frame: bytes) -> Malformed:
    """Return the error with room and nonce of the frame, so that the client can match the refusal."""
    try:
        header = decode_frame(_decode_header, frame)
    except Malformed:
        return error
    return Malformed(str(error), header.room, header.nonce)
