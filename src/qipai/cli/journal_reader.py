"""Reads a room from the journal or from the archive for the commands, also while the server runs."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch, unpack
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.journal.room_rebuilding import retrace
from qipai.hall.journal.store_interface import Entry, Snapshot, StoreError
from qipai.kernel.ids import RoomId
from qipai.kernel.room import Advanced
from qipai.settings import Settings
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.store_registry import open_reader


class CommandError(Exception):
    """The command cannot be carried out; the text says why."""


class FoundRoom(NamedTuple):
    """A room with every record. One of the journal has its last snapshot, one of the archive its matches."""

    entries: Sequence[Entry]
    snapshot: Snapshot | None = None
    archived: Sequence[ArchivedMatch] = ()

    def matches(self) -> Iterator[ArchivedMatch]:
        """Yield every finished match, or raise `CommandError` where the journal is not valid."""
        try:
            yield from self.archived or archive_matches(GAMES, self.entries)
        except StoreError as error:
            raise CommandError(str(error)) from error


def find_room(settings: Settings, room: str) -> FoundRoom:
    """Return a room of the journal or else of the archive, or raise `CommandError`."""
    room_id, folder = RoomId(room), Path(settings.data)
    try:
        with open_reader(settings.store, folder) as store:
            saved, entries = store.load(room_id), list(store.history(room_id))
        if entries:
            return FoundRoom(entries, None if saved is None else saved.snapshot)
        if settings.archive or (folder / ARCHIVE_FILE).is_file():
            with closing(open_archive(folder, settings.archive, update_schema=False)) as archive:
                bodies = (archive.match(room_id, number) for number in archive.match_numbers(room_id))
                found = FoundRoom(
                    archive.history(room_id), archived=[unpack(body) for body in bodies if body is not None]
                )
            if found.entries:
                return found
    except StoreError as error:
        raise CommandError(str(error)) from error
    raise CommandError(f"room {room} is neither in the journal nor in the archive")


def replay_steps(entries: Sequence[Entry]) -> Iterator[Advanced]:
    """Yield the step of each record, or raise `CommandError` at the first that is not valid."""
    try:
        yield from retrace(GAMES, entries)
    except (StoreError, msgspec.MsgspecError) as error:
        raise CommandError(str(error)) from error
