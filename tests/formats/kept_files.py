"""What is kept of a journal format: rooms with snapshots and final views, an export file, stored words."""

import gzip
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from qipai.games.game import Game
from qipai.hall.journal.format_numbers import JOURNAL_FORMAT
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.chat_lines import Phrase
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.room_view import view

HERE: Final = Path(__file__).parent
EXPORT: Final = "export.gz"
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


def folder_of(number: int, parent: Path = HERE) -> Path:
    """Return the folder of a format."""
    return parent / f"format-{number}"


def kept_formats(parent: Path = HERE) -> list[int]:
    """Return the formats that are kept."""
    return sorted(int(folder.name.removeprefix("format-")) for folder in parent.glob("format-*"))


def room_files(parent: Path = HERE) -> list[Path]:
    """Return the kept rooms of every format."""
    return sorted(parent.glob("format-*/*.json.gz"))


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


def new_folder(parent: Path = HERE) -> Path:
    """Return the folder of the present format, which must not exist: kept files are never changed."""
    folder = folder_of(JOURNAL_FORMAT, parent)
    if folder.exists():
        raise FileExistsError(f"{folder.name} is kept as it is: raise JOURNAL_FORMAT for another format")
    return folder
