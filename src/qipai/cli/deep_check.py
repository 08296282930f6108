"""Reads every table of a journal and every archived match, and says which are damaged."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import unpack
from qipai.hall.history.rating_rebuild import compare
from qipai.hall.journal.room_rebuilding import restore
from qipai.hall.journal.store_interface import Damaged, Entry, Saved, StoreError
from qipai.kernel.ids import RoomId
from qipai.stores.sqlite_files import find_damage, reading
from qipai.stores.sqlite_log import read_log
from qipai.stores.sqlite_reader import open_journal


class CheckedRooms(Protocol):
    """The part of a store or of a reader that a check reads."""

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None."""

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of the room."""

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that are not closed."""

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return rooms that are closed and not archived."""

    def quarantined(self) -> Mapping[RoomId, str]:
        """Return the rooms that are set aside, and why."""


ALL_ROOMS = 2**31 - 1


def check_rooms(store: CheckedRooms, *, deep: bool = True) -> Iterator[str]:
    """Yield a line for each table that a server would not serve, or with `deep` not archive."""
    for room, reason in store.quarantined().items():
        yield f"table {room} is set aside: {reason}"
    for room in store.open_rooms():
        yield from _check_room(store, room, deep=deep)
    if deep:
        for room in store.closed(ALL_ROOMS):
            yield from _check_room(store, room, deep=True)


def _check_room(store: CheckedRooms, room: RoomId, *, deep: bool) -> Iterator[str]:
    try:
        saved = store.load(room)
        if saved is not None:
            restore(GAMES, saved)
        if deep:
            store.history(room)
    except StoreError as error:
        yield f"table {error}" if str(error).startswith(room) else f"table {room}: {error}"


def check_journal(path: Path, *, deep: bool = True) -> Iterator[str]:
    """Yield a line for everything that is damaged in a SQLite journal, also beside a server."""
    try:
        if deep:
            with reading(path) as connection:
                if damage := find_damage(connection):
                    yield f"{path}: is damaged: {damage}"
                    return
        with open_journal(path) as journal:
            if deep:
                for group in journal.damaged_groups():
                    yield f"{path}: group {group} is damaged"
            yield from check_rooms(journal, deep=deep)
    except StoreError as error:
        yield str(error)


def check_log(path: Path) -> list[str]:
    """Return a line if the log of a stopped server lacks something; opening the store forgets that."""
    try:
        damage = read_log(path).damage
    except OSError:
        return []  # Opening the store says why.
    return [f"{path}: {damage}: the last steps of some tables may be lost"] if damage else []


def check_archive(archive: Archive) -> Iterator[str]:
    """Yield a line for everything that is damaged or missing in an archive."""
    try:
        archive.check()
        for room in archive.rooms():
            yield from _check_archived(archive, room)
        for entry in archive.ratings.sequence():
            if not entry.person and entry.match not in archive.match_numbers(entry.room):
                yield f"rated match {entry.match} of table {entry.room} is missing in the archive"
    except StoreError as error:
        yield str(error)


def check_ratings(archive: Archive) -> Iterator[str]:
    """Yield a line for each rating that does not follow from the matches of an undamaged archive."""
    try:
        yield from compare(archive)
    except StoreError as error:
        yield str(error)


def _check_archived(archive: Archive, room: RoomId) -> Iterator[str]:
    try:
        archive.history(room)
    except Damaged as error:
        yield f"archived table {room}: {error}"
    for number in archive.match_numbers(room):
        try:
            body = archive.match(room, number)
            if body is not None:
                unpack(body)
        except StoreError as error:
            yield f"archived match {number} of table {room}: {error}"
