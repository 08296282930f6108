"""Where kept files are, and what is kept of a journal format: rooms with snapshots and final views, words.

A folder is named by the kind of what it keeps and by its format or schema number, such as `journal-1`.
"""

import gzip
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from qipai.games.game import Game
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.chat_lines import Phrase
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.room_view import view

HERE: Final = Path(__file__).parent
JOURNAL: Final = "journal"
GOMOKU: Final = "gomoku"
"""Rooms of gomoku with opening rules, kept by its rules number; those of rules 1 are with the journal."""
WORDS: Final = "words.json"
STORED_ENUMS: Final = (OfferKind, Phase, Phrase)
"""The enums whose values are stored as words."""


class KeptBody(Struct, frozen=True):
    """A record or a snapshot as it was stored."""

    version: int
    at: Millis
    body: Raw


class KeptRoom(Struct, frozen=True):
    """The whole journal of a room, snapshots of it, and what each viewer saw at the end."""

    room: RoomId
    records: tuple[KeptBody, ...]
    snapshots: tuple[KeptBody, ...]
    views: dict[str, Raw]

    def entries(self) -> list[Entry]:
        """Return the records as a store returns them."""
        return [Entry(self.room, kept.version, kept.at, bytes(kept.body)) for kept in self.records]

    def stored_snapshots(self) -> list[Snapshot]:
        """Return the snapshots as a store returns them."""
        return [Snapshot(self.room, kept.version, True, bytes(kept.body)) for kept in self.snapshots]


def folders_of(kind: str, parent: Path = HERE) -> list[Path]:
    """Return the folders of a kind of kept files, one for each number."""
    return sorted(parent.glob(f"{kind}-*/"), key=lambda folder: int(folder.name.rpartition("-")[2]))


def files_of(kind: str, pattern: str, parent: Path = HERE) -> list[Path]:
    """Return the kept files of a kind, of every number."""
    return [path for folder in folders_of(kind, parent) for path in sorted(folder.glob(pattern))]


def room_files(parent: Path = HERE) -> list[Path]:
    """Return the kept rooms of every format, and of every rules number of gomoku."""
    return files_of(JOURNAL, "*.json.gz", parent) + files_of(GOMOKU, "*.json.gz", parent)


def file_name(path: Path) -> str:
    """Return the name of a kept file with its folder."""
    return f"{path.parent.name}/{path.name}"


def read_kept(path: Path) -> KeptRoom:
    """Return a kept room."""
    return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=KeptRoom)


def write_kept(path: Path, room: KeptRoom) -> None:
    """Write a kept room."""
    path.write_bytes(gzip.compress(encode(room), 9, mtime=0))


def final_views(game: Game, room: AnyRoom) -> dict[str, Any]:
    """Return the room as each viewer sees it."""
    viewers = (SPECTATOR, *map(Seat, range(game.rules.seats)))
    return {str(viewer): view(game.rules, room, viewer, room.at) for viewer in viewers}


def assert_shown(then: Any, now: Any, where: str) -> None:
    """Check that a value is the same as when it was kept; an object may have new fields."""
    if isinstance(then, dict):
        assert isinstance(now, dict), where
        for field, value in then.items():
            assert field in now, f"{where}.{field}"
            assert_shown(value, now[field], f"{where}.{field}")
    else:
        assert now == then, where
