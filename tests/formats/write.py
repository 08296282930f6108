"""`python -m tests.formats.write` keeps files of a new journal format; existing files are never changed."""

import shutil
import sys
import tempfile
from pathlib import Path

import msgspec

from qipai.cli import export_format
from qipai.games.game_registry import GAMES
from qipai.hall.history.archiver import Archiver
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.kernel.ids import RoomId
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import HallSimulation, NativeClient

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


def write_export(target: Path) -> None:
    """Write the export of a server with a running game, a closed room and an archived game."""
    store = MemoryStore()
    archive = open_archive(target.parent, "")
    with HallSimulation(store) as simulation:
        ada, bo = NativeClient(simulation), NativeClient(simulation)
        ada.hello(name="Ada")
        bo.hello(name="Bo")
        finished = RoomId(ada.ask("open", game="gomoku", nonce="finished")[-1]["room"]["id"])
        bo.ask("join", room=finished)
        ada.ask("resign", room=finished, nonce="resign")
        for client in (ada, bo):
            client.ask("leave", room=finished)
        hall = simulation.hall
        Archiver(GAMES, store, archive, hall.alarms, hall.tasks, hall.internal_errors, hall.now).run_round()
        table = {"clock": {"main": [60_000]}, "title": "Club night"}
        running = ada.ask("open", game="tictactoe", nonce="running", table=table, seat=0)[-1]["room"]["id"]
        bo.ask("join", room=running)
        for client in (ada, bo):  # The game decides which of them moves first.
            client.ask("play", room=running, move={"do": "mark", "cell": 4}, nonce="move")
        closed = ada.ask("open", game="chess", nonce="closed")[-1]["room"]["id"]
        ada.ask("leave", room=closed)
    export_format.write(store, archive, target)
    archive.close()
    for file in target.parent.glob("*.db*"):
        file.unlink()


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{write()}\n")
    except FileExistsError as error:
        sys.exit(str(error))
