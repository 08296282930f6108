"""Reads a room from the journal or from the archive for the commands, also while the server runs."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch, unpack
from qipai.hall.history.match_archiving import new_matches
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
    """A room with every record, its last snapshot if it is in the journal, and its matches in the archive."""

    entries: Sequence[Entry]
    snapshot: Snapshot | None = None
    archived: Sequence[ArchivedMatch] = ()
    complete: bool = False
    """Whether the archive has every match that it will ever have of the room."""

    def matches(self) -> Iterator[ArchivedMatch]:
        """Yield every finished match, or raise `CommandError` where the journal is not valid here."""
        yield from self.archived
        if self.archived and self.complete:
            return
        known = {match.match for match in self.archived}
        try:
            yield from new_matches(GAMES, self.entries, known, _left_out)
        except StoreError as error:
            raise CommandError(str(error)) from error


def _left_out(number: int, cause: str) -> None:
    raise CommandError(f"match {number} is not in the archive: {cause}")


def find_room(settings: Settings, room: str) -> FoundRoom:
    """Return a room of the archive or else of the journal, or raise `CommandError`.

    The journal has the records of an archived room for long, and its rules may have changed since.
    """
    room_id, folder = RoomId(room), Path(settings.data)
    archived = FoundRoom(())
    unreachable: StoreError | None = None
    try:
        archived = _find_archived(settings, room_id)
    except StoreError as error:
        unreachable = error
    if archived.complete:
        return archived
    try:
        with open_reader(settings.store, folder) as store:
            saved, entries = store.load(room_id), list(store.history(room_id))
    except StoreError as error:
        raise CommandError(str(error)) from error
    if entries:
        return FoundRoom(entries, None if saved is None else saved.snapshot, archived.archived)
    if unreachable is not None:
        raise CommandError(str(unreachable)) from unreachable
    raise CommandError(f"room {room} is neither in the journal nor in the archive")


def _find_archived(settings: Settings, room: RoomId) -> FoundRoom:
    """Return what the archive has of a room."""
    folder = Path(settings.data)
    if not settings.archive and not (folder / ARCHIVE_FILE).is_file():
        return FoundRoom(())
    with closing(open_archive(folder, settings.archive, update_schema=False)) as archive:
        bodies = (archive.match(room, number) for number in archive.match_numbers(room))
        matches = [unpack(body) for body in bodies if body is not None]
        entries = archive.history(room)
    return FoundRoom(entries, archived=matches, complete=bool(entries))


def replay_steps(entries: Sequence[Entry]) -> Iterator[Advanced]:
    """Yield the step of each record, or raise `CommandError` at the first that is not valid."""
    try:
        yield from retrace(GAMES, entries)
    except (StoreError, msgspec.MsgspecError) as error:
        raise CommandError(str(error)) from error
