"""Engine.IO 4 packets, and how long polling joins several of them into one payload."""

from binascii import Error as NotBase64
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

OPEN: Final = b"0"
CLOSE: Final = b"1"
PING: Final = b"2"
PONG: Final = b"3"
MESSAGE: Final = b"4"
UPGRADE: Final = b"5"
NOOP: Final = b"6"
PROBE: Final = b"2probe"
PROBED: Final = b"3probe"
_SEPARATOR: Final = b"\x1e"
_BINARY: Final = b"b"


class Malformed(Exception):
    """The peer does not speak this protocol; its connection is closed."""


class BinaryMessage(Struct, frozen=True):
    """A binary message; every other packet is bytes that begin with the digit of its kind."""

    body: bytes


Packet = bytes | BinaryMessage


def join(packets: Iterable[Packet]) -> bytes:
    """Return the payload of a poll."""
    return _SEPARATOR.join(
        _BINARY + b2a_base64(packet.body, newline=False) if isinstance(packet, BinaryMessage) else packet
        for packet in packets
    )


def split(payload: bytes) -> list[Packet]:
    """Return the packets of a posted payload, or raise `Malformed`."""
    return [_packet(part) for part in payload.split(_SEPARATOR)]


def _packet(part: bytes) -> Packet:
    if not part.startswith(_BINARY):
        return part
    try:
        return BinaryMessage(a2b_base64(part[1:], strict_mode=True))
    except NotBase64:
        raise Malformed("not base64") from None
