"""The journal of an archived room as it is stored, apart from what stores read and write.

A field that is added needs a default value. Any other change is a change of the schema of the archive. The
records in it have format numbers of their own.
"""

import zlib
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from qipai.hall.journal.store_interface import Damaged, Entry
from qipai.kernel.ids import Millis, RoomId


class StoredEntry(Struct, frozen=True):
    """One journal record."""

    room: str
    version: int
    at: int
    body: bytes


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(tuple[StoredEntry, ...]).decode


def pack_history(history: Sequence[Entry]) -> bytes:
    """Return a history as compressed bytes."""
    stored = tuple(StoredEntry(each.room, each.version, each.at, each.body) for each in history)
    return zlib.compress(_encode(stored))


def unpack_history(packed: bytes) -> Sequence[Entry]:
    """Return the history of compressed bytes, or raise `Damaged`."""
    try:
        stored = _decode(zlib.decompress(packed))
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Damaged(f"the journal of an archived table is damaged: {error}") from error
    return tuple(Entry(RoomId(each.room), each.version, Millis(each.at), each.body) for each in stored)
