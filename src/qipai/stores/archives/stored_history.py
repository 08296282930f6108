"""The journal of an archived room as it is stored, apart from what stores read and write.

It is an array with a row for each record: room, version, time, and the JSON of the record as a value, or as
bytes if its text would not come back as it was. A change is a change of the schema of the archive. The
records in it have format numbers of their own.
"""

import zlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.hall.journal.store_interface import Damaged, Entry
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.packing.columns import NotPacked, is_packed, pack_value, unpack_value

NAMES: Final = (
    "do", "actor", "format", "rules", "nonce", "lag", "move", "uci", "x", "y", "cell", "tile", "id", "code",
    "game", "options", "table", "clock", "main", "increment", "title", "entropy", "person", "name", "bot",
)  # fmt: skip
"""Names that most records contain. A journal contains their places in it, so it is changed only with the
schema."""


class _EarlierEntry(Struct, frozen=True):
    """One journal record of schema 3 and before."""

    room: str
    version: int
    at: int
    body: bytes


_Row = tuple[str, int, int, Any]
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder().decode
_decode_earlier: Final = msgspec.msgpack.Decoder(tuple[_EarlierEntry, ...]).decode


def pack_history(history: Sequence[Entry]) -> bytes:
    """Return a history as compressed bytes."""
    rows = [[each.room, each.version, each.at, _plain(each.body)] for each in history]
    return pack_value(rows, NAMES)


def unpack_history(packed: bytes) -> Sequence[Entry]:
    """Return the history of compressed bytes, or raise `Damaged`."""
    try:
        if is_packed(packed):
            rows = msgspec.convert(unpack_value(packed, NAMES), list[_Row])
            return tuple(_entry(*row) for row in rows)
        stored = _decode_earlier(zlib.decompress(packed))
    except (NotPacked, zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Damaged(f"the journal of an archived table is damaged: {error}") from error
    return tuple(_entry(each.room, each.version, each.at, each.body) for each in stored)


def _entry(room: str, version: int, at: int, body: Any) -> Entry:
    text = body if isinstance(body, bytes) else _encode(body)
    return Entry(RoomId(room), version, Millis(at), text)


def _plain(body: bytes) -> Any:
    """Return the value of a JSON text, or the text if another text would be made of the value."""
    try:
        value = _decode(body)
        return value if _encode(value) == body else body
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return body
