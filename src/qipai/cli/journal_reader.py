"""Reads the journal and the archive of a room for the commands, also while the server runs."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import msgspec

from qipai.games.game_registry import GAMES
from qipai.hall.journal.room_rebuilding import retrace
from qipai.hall.journal.store_interface import Entry, Snapshot, StoreError
from qipai.kernel.ids import RoomId
from qipai.kernel.room import Advanced
from qipai.settings import Settings
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.store_registry import open_reader


class CommandError(Exception):
    """The command cannot be carried out; the text says why."""


def read_history(settings: Settings, room: str) -> tuple[Snapshot | None, Sequence[Entry]]:
    """Return the last snapshot of a room, if the store has it, and every record, or raise `CommandError`."""
    room_id, folder = RoomId(room), Path(settings.data)
    try:
        with open_reader(settings.store, folder) as store:
            saved, entries = store.load(room_id), list(store.history(room_id))
        if not entries and (settings.archive or (folder / ARCHIVE_FILE).is_file()):
            with closing(open_archive(folder, settings.archive)) as archive:
                return None, archive.history(room_id) or _raise_not_found(room)
    except StoreError as error:
        raise CommandError(str(error)) from error
    return None if saved is None else saved.snapshot, entries or _raise_not_found(room)


def replay_steps(entries: Sequence[Entry]) -> Iterator[Advanced]:
    """Yield the step of each record, or raise `CommandError` at the first that is not valid."""
    try:
        yield from retrace(GAMES, entries)
    except (StoreError, msgspec.MsgspecError) as error:
        raise CommandError(str(error)) from error


def _raise_not_found(room: str) -> NoReturn:
    raise CommandError(f"room {room} is neither in the journal nor in the archive")
