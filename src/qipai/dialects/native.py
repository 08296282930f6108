"""The protocol of our own page and of bots: intents and notices, written as JSON."""

from collections.abc import Sequence
from typing import Final

import msgspec

from qipai.kernel.codec import read
from qipai.kernel.talk import Intent, Notice

_decode: Final = msgspec.json.Decoder(Intent).decode
_encode: Final = msgspec.json.Encoder().encode


class Native:
    """Holds nothing: every native connection speaks with the same voice."""

    __slots__ = ()

    voice = "native"

    def hear(self, frame: bytes) -> Sequence[Intent]:
        """Return the one intent of this frame."""
        return (read(_decode, frame),)

    def say(self, notice: Notice) -> Sequence[bytes]:
        """Return the one frame of this notice."""
        return (_encode(notice),)
