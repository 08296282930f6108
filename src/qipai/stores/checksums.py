"""Checksums of stored rows: damage is noticed when a row is read.

A checksum covers the keys of a row and what it holds, so a row under another key is noticed too.
"""

from zlib import crc32


def checksum(key: str, body: bytes = b"") -> int:
    """Return the CRC-32 of a row: its keys and numbers as a text, and its body."""
    return crc32(body, crc32(key.encode("utf-8", "surrogatepass")))


def group_checksum(group: int, written_at: int, records: bytes) -> int:
    """Return the checksum of a group of the journal."""
    return crc32(records, crc32(b"%d %d" % (group, written_at)))


def record_checksum(room: str, version: int, at: int, body: bytes) -> int:
    """Return the checksum of one record of a room."""
    return checksum(f"{room} {version} {at}", body)


def snapshot_checksum(room: str, version: int, live: bool, body: bytes) -> int:
    """Return the checksum of a snapshot."""
    return checksum(f"{room} {version} {int(live)}", body)
