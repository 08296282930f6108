"""Socket.IO 5 packets inside Engine.IO messages: a kind, a namespace, an id, JSON and attachments."""

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
"""A name and its arguments; not to be changed, others may be given the same."""

MAX_ATTACHMENTS: Final = 10
SHORT: Final = 64
MAX_DEPTH: Final = 64
RESERVED: Final = frozenset(
    {"connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"}
)
MAIN: Final = "/"


class Kind(IntEnum):
    """What a packet is for."""

    CONNECT = 0
    DISCONNECT = 1
    EVENT = 2
    ACK = 3
    CONNECT_ERROR = 4
    BINARY_EVENT = 5
    BINARY_ACK = 6


class Message(Struct):
    """A packet; `raw` is its JSON, `value` what that says. Attachments are still to come."""

    kind: Kind
    namespace: str = MAIN
    id: int | None = None
    attachments: int = 0
    raw: bytes = b""
    value: Any = None


class EncodedEvent(Struct, frozen=True, gc=False):
    """An event ready for any number of receivers; `offset`, in hex, is what a client returns with."""

    offset: int
    text: bytes
    blobs: tuple[bytes, ...] = ()

    @property
    def size(self) -> int:
        """Return how many bytes are kept for somebody who might come back."""
        return len(self.text) + sum(map(len, self.blobs))


def spelled(offset: int) -> str:
    """Return an offset as clients know it: in hex, the last three digits always there."""
    return f"{offset >> 12:x}{offset & 0xFFF:03x}"


def ending(offset: str) -> bytes:
    """Return how the text of the event with this offset ends."""
    return b',"%s"]' % offset.encode(errors="replace")


def offset_of(event: EncodedEvent) -> str:
    """Return the offset of an event as its client knows it."""
    return event.text[event.text.rindex(b',"') + 2 : -2].decode()


_SHAPE: Final = re.compile(rb"([0-6])(?:(\d{1,4})-)?(?:(/[^,]*)(?:,|\Z))?(\d{1,15})?", re.ASCII)
_events: Final = msgspec.json.Decoder(tuple[Any, ...]).decode
_values: Final = msgspec.json.Decoder().decode
_json: Final = msgspec.json.Encoder().encode


def read(text: bytes) -> Message:
    """Return the packet that this text (without Engine.IO's own digit) says, or raise `Malformed`."""
    found = _SHAPE.match(text)
    if found is None:
        raise Malformed("no packet")
    digit, count, namespace, number = found.groups()
    message = Message(
        kind=Kind(int(digit)),
        namespace=MAIN if namespace is None else _name(namespace),
        id=None if number is None else int(number),
        attachments=int(count or 0),
        raw=text[found.end() :],
    )
    try:
        _check(message, counted=count is not None)
    except Malformed:
        # Only JSON can be mended.
        message.raw = mended(message.raw)
        _check(message, counted=count is not None)
    return message


def event(raw: bytes) -> Event:
    """Return the name and the arguments of an event, or raise `Malformed`."""
    return _event_again(raw) if len(raw) <= SHORT else _event(raw)


def _event(raw: bytes) -> Event:
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        _bounded(raw)
    try:
        said = _events(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Malformed("an event is a JSON array") from None
    if not said or type(said[0]) is not str or said[0] in RESERVED:
        raise Malformed("not the name of an event")
    return said


_event_again: Final = lru_cache(1024)(_event)
"""Short events come again and again; what was read once need not be read twice."""


def mended(raw: bytes) -> bytes:
    """Return JSON that others write and we do not read in a form that we do, or raise `Malformed`.

    JavaScript writes half of a surrogate pair when a text was cut inside an emoji, and numbers may
    be larger than any of ours.
    """
    _bounded(raw)
    try:
        return _json(_whole(json.loads(raw.decode(), parse_constant=_constant)))
    except (ValueError, RecursionError):
        raise Malformed("not JSON") from None


def _whole(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case dict():
            return {_whole(key): _whole(inner) for key, inner in value.items()}
        case list():
            return [_whole(inner) for inner in value]
    return value


def _constant(name: str) -> None:
    raise ValueError(name)


def _name(raw: bytes) -> str:
    try:
        return raw.decode().partition("?")[0]
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None


def _check(message: Message, *, counted: bool) -> None:
    binary = message.kind in {Kind.BINARY_EVENT, Kind.BINARY_ACK}
    if binary is not counted or (binary and not 0 < message.attachments <= MAX_ATTACHMENTS):
        raise Malformed("attachments do not fit the packet")
    match message.kind:
        case Kind.CONNECT:
            message.value = _value(message.raw) if message.raw else {}
            if message.id is not None or not isinstance(message.value, dict):
                raise Malformed("a connect packet carries an object")
        case Kind.DISCONNECT:
            if message.raw or message.id is not None:
                raise Malformed("a disconnect packet carries nothing")
        case Kind.EVENT | Kind.BINARY_EVENT:
            message.value = event(message.raw)
        case Kind.ACK | Kind.BINARY_ACK:
            message.value = _value(message.raw)
            if message.id is None or not isinstance(message.value, list):
                raise Malformed("an acknowledgement carries an id and an array")
        case Kind.CONNECT_ERROR:
            raise Malformed("only servers refuse connections")


def _value(raw: bytes) -> Any:
    _bounded(raw)
    try:
        return _values(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Malformed("not JSON") from None


def _bounded(raw: bytes) -> None:
    if _depth(raw) > MAX_DEPTH:
        raise Malformed("nested too deep")


# Binary values travel beside the JSON, which holds a numbered placeholder for each


def filled(value: Any, blobs: Sequence[bytes]) -> Any:
    """Return the value with every placeholder replaced by its attachment, or raise `Malformed`."""
    match value:
        case {"_placeholder": True}:
            number = value.get("num")
            if type(number) is not int or not 0 <= number < len(blobs):
                raise Malformed("no such attachment")
            return blobs[number]
        case dict():
            return {key: filled(inner, blobs) for key, inner in value.items()}
        case list() | tuple():
            return type(value)(filled(inner, blobs) for inner in value)
    return value


def _emptied(value: Any, blobs: list[bytes]) -> Any:
    match value:
        case bytes() | bytearray() | memoryview():
            blobs.append(bytes(value))
            return {"_placeholder": True, "num": len(blobs) - 1}
        case dict():
            return {key: _emptied(inner, blobs) for key, inner in value.items()}
        case list() | tuple():
            return [_emptied(inner, blobs) for inner in value]
    return value


def write(
    kind: Kind, value: Any, namespace: str = MAIN, number: int | None = None
) -> tuple[bytes, tuple[bytes, ...]]:
    """Return an event or an acknowledgement as an Engine.IO message and its attachments."""
    blobs: list[bytes] = []
    emptied = _emptied(value, blobs)
    if blobs:
        kind = Kind.BINARY_EVENT if kind is Kind.EVENT else Kind.BINARY_ACK
    head = f"4{kind.value}"
    if blobs:
        head += f"{len(blobs)}-"
    return _headed(head, namespace, number) + _json(emptied), tuple(blobs)


def head(kind: Kind, namespace: str) -> bytes:
    """Return the beginning of every packet of this kind without attachments and id."""
    return _headed(f"4{kind.value}", namespace, None)


def control(kind: Kind, namespace: str, value: Any = None) -> bytes:
    """Return a packet that is no event."""
    return head(kind, namespace) + (b"" if value is None else _json(value))


def _headed(text: str, namespace: str, number: int | None) -> bytes:
    if namespace != MAIN:
        text += f"{namespace},"
    if number is not None:
        text += str(number)
    return text.encode()


def _depth(frame: bytes) -> int:
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
