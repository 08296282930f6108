"""Encodes and decodes Socket.IO 5 packets: type, namespace, id, JSON, attachments.

Protocol: https://socket.io/docs/v4/socket-io-protocol/.
"""

import json
import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from .engineio_packets import Malformed

Event = tuple[Any, ...]
"""The name of an event and its arguments; shared, and must not be changed."""

MAX_ATTACHMENTS: Final = 10
MAX_CACHED: Final = 64
MAX_DEPTH: Final = 64
RESERVED_EVENTS: Final = frozenset(
    {"connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"}
)
MAIN_NAMESPACE: Final = "/"


class PacketType(IntEnum):
    """Types of packets."""

    CONNECT = 0
    DISCONNECT = 1
    EVENT = 2
    ACK = 3
    CONNECT_ERROR = 4
    BINARY_EVENT = 5
    BINARY_ACK = 6


class SocketIOPacket(Struct):
    """A packet; `raw` is its JSON, `data` the decoded value; `attachment_count` binary messages follow."""

    type: PacketType
    namespace: str = MAIN_NAMESPACE
    id: int | None = None
    attachment_count: int = 0
    raw: bytes = b""
    data: Any = None


OFFSET_START: Final = b',"'
"""What the end of an event with an offset starts with."""


class EncodedEvent(Struct, frozen=True, gc=False):
    """An event ready for any number of receivers; `offset` is its position in the stream of events."""

    offset: int
    text: bytes
    attachments: tuple[bytes, ...] = ()

    @property
    def size(self) -> int:
        """Return how many bytes the event takes in a buffer."""
        return len(self.text) + sum(map(len, self.attachments))


def format_offset(offset: int) -> str:
    """Return an offset as clients receive it: in hex, with at least four digits."""
    return f"{offset >> 12:x}{offset & 0xFFF:03x}"


def offset_ending(offset: str) -> bytes:
    """Return the last bytes of the event with this offset."""
    return b',"%s"]' % offset.encode(errors="replace")


def offset_of(event: EncodedEvent) -> str:
    """Return the offset of an event as its client received it."""
    return event.text[event.text.rindex(OFFSET_START) + 2 : -2].decode()


_PACKET_PATTERN: Final = re.compile(rb"([0-6])(?:(\d{1,4})-)?(?:(/[^,]*)(?:,|\Z))?(\d{1,15})?", re.ASCII)
_decode_array: Final = msgspec.json.Decoder(tuple[Any, ...]).decode
_decode_json: Final = msgspec.json.Decoder().decode
_encode_json: Final = msgspec.json.Encoder().encode


def decode_packet(text: bytes) -> SocketIOPacket:
    """Return the packet of a text without Engine.IO's packet type, or raise `Malformed`."""
    match = _PACKET_PATTERN.match(text)
    if match is None:
        raise Malformed("no packet")
    digit, attachment_count, namespace, ack_id = match.groups()
    packet = SocketIOPacket(
        type=PacketType(int(digit)),
        namespace=MAIN_NAMESPACE if namespace is None else _decode_namespace(namespace),
        id=None if ack_id is None else int(ack_id),
        attachment_count=int(attachment_count or 0),
        raw=text[match.end() :],
    )
    try:
        _check_packet(packet, has_attachment_count=attachment_count is not None)
    except Malformed:
        # Only the JSON can be repaired.
        packet.raw = repair_json(packet.raw)
        _check_packet(packet, has_attachment_count=attachment_count is not None)
    return packet


def decode_event(raw: bytes) -> Event:
    """Return the name and the arguments of an event, or raise `Malformed`."""
    return _decode_event_cached(raw) if len(raw) <= MAX_CACHED else _decode_event(raw)


def _decode_event(raw: bytes) -> Event:
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        _check_depth(raw)
    try:
        event = _decode_array(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Malformed("an event is a JSON array") from None
    if not event or type(event[0]) is not str or event[0] in RESERVED_EVENTS:
        raise Malformed("not the name of an event")
    return event


_decode_event_cached: Final = lru_cache(1024)(_decode_event)
"""Short events are frequent and often equal."""


def repair_json(raw: bytes) -> bytes:
    """Return JSON that msgspec does not accept in a form that it does, or raise `Malformed`.

    JavaScript sends a lone surrogate when a text is cut inside an emoji, and numbers larger than 64 bits.
    """
    _check_depth(raw)
    try:
        return _encode_json(_replace_surrogates(json.loads(raw.decode(), parse_constant=_refuse_constant)))
    except (ValueError, RecursionError):
        raise Malformed("not JSON") from None


def _replace_surrogates(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case dict():
            return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
        case list():
            return [_replace_surrogates(item) for item in value]
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _decode_namespace(raw: bytes) -> str:
    try:
        return raw.decode().partition("?")[0]
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None


def _check_packet(packet: SocketIOPacket, *, has_attachment_count: bool) -> None:
    binary = packet.type in {PacketType.BINARY_EVENT, PacketType.BINARY_ACK}
    if binary is not has_attachment_count or (binary and not 0 < packet.attachment_count <= MAX_ATTACHMENTS):
        raise Malformed("attachments do not fit the packet")
    match packet.type:
        case PacketType.CONNECT:
            packet.data = _decode_value(packet.raw) if packet.raw else {}
            if packet.id is not None or not isinstance(packet.data, dict):
                raise Malformed("a connect packet carries an object")
        case PacketType.DISCONNECT:
            if packet.raw or packet.id is not None:
                raise Malformed("a disconnect packet carries nothing")
        case PacketType.EVENT | PacketType.BINARY_EVENT:
            packet.data = decode_event(packet.raw)
        case PacketType.ACK | PacketType.BINARY_ACK:
            packet.data = _decode_value(packet.raw)
            if packet.id is None or not isinstance(packet.data, list):
                raise Malformed("an acknowledgement carries an id and an array")
        case PacketType.CONNECT_ERROR:
            raise Malformed("only servers refuse connections")


def _decode_value(raw: bytes) -> Any:
    _check_depth(raw)
    try:
        return _decode_json(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Malformed("not JSON") from None


def _check_depth(raw: bytes) -> None:
    if _nesting_depth(raw) > MAX_DEPTH:
        raise Malformed("nested too deep")


# Binary values follow as attachments; the JSON has a numbered placeholder for each


def insert_attachments(data: Any, attachments: Sequence[bytes]) -> Any:
    """Return the data with every placeholder replaced by its attachment, or raise `Malformed`."""
    match data:
        case {"_placeholder": True}:
            index = data.get("num")
            if type(index) is not int or not 0 <= index < len(attachments):
                raise Malformed("no such attachment")
            return attachments[index]
        case dict():
            return {key: insert_attachments(item, attachments) for key, item in data.items()}
        case list() | tuple():
            return type(data)(insert_attachments(item, attachments) for item in data)
    return data


def _extract_attachments(data: Any, attachments: list[bytes]) -> Any:
    match data:
        case bytes() | bytearray() | memoryview():
            attachments.append(bytes(data))
            return {"_placeholder": True, "num": len(attachments) - 1}
        case dict():
            return {key: _extract_attachments(item, attachments) for key, item in data.items()}
        case list() | tuple():
            return [_extract_attachments(item, attachments) for item in data]
    return data


def encode_packet(
    packet_type: PacketType, data: Any, namespace: str = MAIN_NAMESPACE, ack_id: int | None = None
) -> tuple[bytes, tuple[bytes, ...]]:
    """Return an event or an acknowledgement as an Engine.IO message and its attachments."""
    attachments: list[bytes] = []
    placeholders = _extract_attachments(data, attachments)
    if attachments:
        packet_type = PacketType.BINARY_EVENT if packet_type is PacketType.EVENT else PacketType.BINARY_ACK
    head = f"4{packet_type.value}"
    if attachments:
        head += f"{len(attachments)}-"
    return _build_head(head, namespace, ack_id) + _encode_json(placeholders), tuple(attachments)


def packet_head(packet_type: PacketType, namespace: str) -> bytes:
    """Return the start of every packet of this type without attachments and id."""
    return _build_head(f"4{packet_type.value}", namespace, None)


def encode_control(packet_type: PacketType, namespace: str, data: Any = None) -> bytes:
    """Return a packet that is neither an event nor an acknowledgement."""
    return packet_head(packet_type, namespace) + (b"" if data is None else _encode_json(data))


def _build_head(head: str, namespace: str, ack_id: int | None) -> bytes:
    if namespace != MAIN_NAMESPACE:
        head += f"{namespace},"
    if ack_id is not None:
        head += str(ack_id)
    return head.encode()


def _nesting_depth(frame: bytes) -> int:
    """Return how deep brackets outside strings are nested."""
    deepest = level = 0
    quoted = escaped = False
    for byte in frame:
        if quoted:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                quoted = False
        elif byte == 0x22:
            quoted = True
        elif byte in b"[{":
            level += 1
            deepest = max(deepest, level)
        elif byte in b"]}":
            level -= 1
    return deepest
