"""`python -m tests.formats.write` keeps files of new formats and schemas, and changes no existing file."""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from qipai.cli import export_format
from qipai.games.game_registry import GAMES
from qipai.games.gomoku import state as gomoku_state
from qipai.hall.history import archived_match
from qipai.hall.journal.format_numbers import JOURNAL_FORMAT
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.stores import sqlite_schema
from qipai.stores.archives import archive_tables
from qipai.stores.redis import redis_store

from .kept_databases import write_archive, write_redis, write_sqlite
from .kept_files import (
    GOMOKU,
    HERE,
    JOURNAL,
    STORED_ENUMS,
    WORDS,
    KeptBody,
    KeptRoom,
    final_views,
    write_kept,
)
from .kept_matches import write_matches
from .kept_rooms import History, gomoku_histories, histories
from .kept_servers import write_export

SNAPSHOTS = 3


class Kind(NamedTuple):
    """A kind of kept files: the numbers that must be kept, and what writes the files of the present one."""

    name: str
    oldest: int
    present: int
    write: Callable[[Path], None]


def write(parent: Path = HERE) -> list[Path]:
    """Write the files of every present number that is not kept yet, and return their folders."""
    missing = [kind for kind in KINDS if not (parent / f"{kind.name}-{kind.present}").exists()]
    return [_write_kind(kind, parent) for kind in missing]


def _write_kind(kind: Kind, parent: Path) -> Path:
    with tempfile.TemporaryDirectory(dir=parent) as unfinished:
        folder = Path(unfinished) / f"{kind.name}-{kind.present}"
        folder.mkdir()
        kind.write(folder)
        return Path(shutil.move(folder, parent / folder.name))


def write_gomoku(folder: Path) -> None:
    """Write rooms of gomoku by its present rules."""
    for name, history in gomoku_histories():
        write_kept(folder / f"{name}.json.gz", kept_room(history))


def write_journal(folder: Path) -> None:
    """Write the rooms and the words of the present journal format."""
    for name, history in histories():
        write_kept(folder / f"{name}.json.gz", kept_room(history))
    words = {enum.__name__: [member.value for member in enum] for enum in STORED_ENUMS}
    (folder / WORDS).write_bytes(msgspec.json.format(encode(words), indent=1) + b"\n")


def kept_room(history: History) -> KeptRoom:
    """Return what is kept of a room."""
    entries, rooms = history
    last = rooms[-1]
    game = GAMES[last.game]
    chosen = [*rooms[:: max(1, len(rooms) // (SNAPSHOTS - 1))], last]
    views = final_views(game, last)
    return KeptRoom(
        last.id,
        tuple(KeptBody(entry.version, entry.at, msgspec.Raw(entry.body)) for entry in entries),
        tuple(
            KeptBody(room.version, room.at, msgspec.Raw(encode_snapshot(room, game.rules_number)))
            for room in chosen
        ),
        {viewer: msgspec.Raw(encode(seen)) for viewer, seen in views.items()},
    )


KINDS: Final = (
    Kind(JOURNAL, 1, JOURNAL_FORMAT, write_journal),
    Kind(GOMOKU, 2, gomoku_state.RULES_NUMBER, write_gomoku),
    Kind("match", 1, archived_match.FORMAT, write_matches),
    Kind("export", export_format.OLDEST_FORMAT, export_format.FORMAT, write_export),
    Kind("sqlite", sqlite_schema.SCHEMA.oldest, sqlite_schema.SCHEMA.number, write_sqlite),
    Kind("redis", redis_store.SCHEMA.oldest, redis_store.SCHEMA.number, write_redis),
    Kind("archive", archive_tables.SCHEMA.oldest, archive_tables.SCHEMA.number, write_archive),
)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{folder}\n" for folder in write()) or "every present number is kept already\n")
