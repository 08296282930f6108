"""Changes what is stored in a SQLite journal and corrects its checksum, as a dishonest operator could."""

import sqlite3
from contextlib import closing
from pathlib import Path

from qipai.stores.checksums import group_checksum
from qipai.stores.sqlite_schema import room_checksum
from qipai.stores.store_registry import JOURNAL_FILE


def change_seed(data: Path) -> None:
    """Change the first entropy of the first group, which is the seed of a game."""
    with closing(sqlite3.connect(data / JOURNAL_FILE)) as file:
        group, at, records = file.execute("select group_id, written_at, records from journal").fetchone()
        start = records.index(b'"entropy":"') + len(b'"entropy":"')
        other = b"A" if records[start : start + 1] != b"A" else b"B"
        changed = records[:start] + other + records[start + 1 :]
        file.execute(
            "update journal set records = ?, checksum = ? where group_id = ?",
            (changed, group_checksum(group, at, changed), group),
        )
        file.commit()


def change_snapshot(data: Path, room: str, body: bytes) -> None:
    """Replace the snapshot of a room."""
    with closing(sqlite3.connect(data / JOURNAL_FILE)) as file:
        (version,) = file.execute("select snapshot_version from rooms where room = ?", (room,)).fetchone()
        file.execute(
            "update rooms set snapshot = ?, snapshot_checksum = ? where room = ?",
            (body, room_checksum(room, version, body), room),
        )
        file.commit()
