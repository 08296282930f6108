"""Checksums of stored rows: damage is noticed when a row is read.

A checksum covers the keys of a row and what it holds, so a row under another key is noticed too.
"""

from typing import Final
from zlib import crc32

_FACTOR: Final = 0x9E3779B1
"""Mixes numbers into the start value of a CRC: a large prime, as Knuth proposes for hashing."""
_MASK: Final = 0xFFFFFFFF


def checksum(key: str, body: bytes = b"") -> int:
    """Return the CRC-32 of a row: its keys and numbers as a text, and its body."""
    return crc32(body, crc32(key.encode("utf-8", "surrogatepass")))


def group_checksum(group: int, written_at: int, records: bytes) -> int:
    """Return the checksum of a group of the journal; made for the move path."""
    return crc32(records, group * _FACTOR + written_at & _MASK)


def head_checksum(room: str, is_open: object, last_group: int, version: int, archived_at: int | None) -> int:
    """Return the checksum of the head of a room; a check point writes many."""
    state = -1 if archived_at is None else archived_at
    numbers = ((last_group * _FACTOR + version) * _FACTOR + state) * _FACTOR + bool(is_open)
    return crc32(room.encode("utf-8", "surrogatepass"), numbers & _MASK)


def record_checksum(room: str, version: int, at: int, body: bytes) -> int:
    """Return the checksum of one record of a room; made for the move path."""
    return crc32(body, crc32(room.encode(), version * _FACTOR + at & _MASK))


def snapshot_checksum(room: str, version: int, live: bool, body: bytes) -> int:
    """Return the checksum of a snapshot."""
    return checksum(f"{room} {version} {int(live)}", body)
