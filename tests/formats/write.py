"""`python -m tests.formats.write` keeps files of a new journal format; existing files are never changed."""

import shutil
import sys
import tempfile
from pathlib import Path

import msgspec

from qipai.games.game_registry import GAMES
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot

from .kept_files import (
    EXPORT,
    HERE,
    STORED_ENUMS,
    WORDS,
    KeptBody,
    KeptRoom,
    final_views,
    new_folder,
    write_kept,
)
from .kept_rooms import History, histories
from .kept_servers import write_export

SNAPSHOTS = 3


def write(parent: Path = HERE) -> Path:
    """Write the files of the present format into a new folder, and return it."""
    folder = new_folder(parent)
    unfinished = Path(tempfile.mkdtemp(dir=parent))
    try:
        for name, history in histories():
            write_kept(unfinished / f"{name}.json.gz", kept_room(history))
        words = {enum.__name__: [member.value for member in enum] for enum in STORED_ENUMS}
        (unfinished / WORDS).write_bytes(msgspec.json.format(encode(words), indent=1) + b"\n")
        write_export(unfinished / EXPORT)
        unfinished.chmod(0o755)
        return unfinished.rename(folder)
    except BaseException:
        shutil.rmtree(unfinished)
        raise


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


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{write()}\n")
    except FileExistsError as error:
        sys.exit(str(error))
