"""Encodes and decodes Engine.IO 4 packets and polling payloads.

Protocol: https://socket.io/docs/v4/engine-io-protocol/.
"""

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
PING_PROBE: Final = b"2probe"
PONG_PROBE: Final = b"3probe"
MAX_POSTED_PACKETS: Final = 1_000
"""Packets of a posted payload: all of them are handled in one turn of the event loop."""
_RECORD_SEPARATOR: Final = b"\x1e"
_BINARY_PREFIX: Final = b"b"


class Malformed(Exception):
    """A client violates the protocol; its session is closed."""


class BinaryMessage(Struct, frozen=True):
    """A binary message; every other packet is bytes that start with the digit of its type."""

    body: bytes


Packet = bytes | BinaryMessage


def encode_payload(packets: Iterable[Packet]) -> bytes:
    """Return the payload of a poll response: packets separated by U+001E, binary ones in base64."""
    return _RECORD_SEPARATOR.join(
        _BINARY_PREFIX + b2a_base64(packet.body, newline=False)
        if isinstance(packet, BinaryMessage)
        else packet
        for packet in packets
    )


def decode_payload(payload: bytes) -> list[Packet]:
    """Return the packets of a posted payload, or raise `Malformed`."""
    if payload.count(_RECORD_SEPARATOR) >= MAX_POSTED_PACKETS:
        raise Malformed("too many packets")
    return [_decode_packet(part) for part in payload.split(_RECORD_SEPARATOR)]


def _decode_packet(part: bytes) -> Packet:
    if not part.startswith(_BINARY_PREFIX):
        return part
    try:
        return BinaryMessage(a2b_base64(part[1:], strict_mode=True))
    except NotBase64:
        raise Malformed("not base64") from None
