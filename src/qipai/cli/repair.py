"""`qipai repair`: rebuilds a damaged journal and a damaged archive from what is sound in them."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from qipai.hall.history.archived_match import pack, unpack
from qipai.hall.history.rating_rebuild import rate_again
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Person
from qipai.ratings.rating_values import RatedMatch, SequenceEntry
from qipai.settings import Settings
from qipai.stores.accounts.account_copying import copy_accounts
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from qipai.stores.archives.archive_repair import sound_rooms, sound_sequence
from qipai.stores.archives.sqlite_archive import SqliteArchive
from qipai.stores.sqlite_files import (
    REBUILDING,
    SIDE_FILES,
    find_damage,
    reading,
    replace_file,
    unfinished,
)
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE, refuse_lost_files

from .deep_check import check_archive, check_log, check_rooms
from .journal_reader import CommandError


def repair(settings: Settings) -> int:
    """Repair both files of a stopped server; return 1 if tables are set aside or steps are lost."""
    folder = Path(settings.data)
    if settings.store != "sqlite":
        raise CommandError("`qipai repair` is for a SQLite journal and its archive")
    try:
        refuse_lost_files(folder)
        faults = check_log(folder / JOURNAL_FILE)
        with closing(SqliteStore(folder / JOURNAL_FILE)) as store:
            faults += check_rooms(store, deep=False)
            # Also if the archive cannot be repaired: an open store does not know what its log lacked.
            for fault in faults:
                print(fault)
            _repair_archive(folder / ARCHIVE_FILE)
    except StoreError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    return 1 if faults else 0


def _repair_archive(path: Path) -> None:
    if not path.is_file() or not _is_damaged(path):
        return
    new = unfinished(path, REBUILDING)
    _remove(new)
    try:
        with closing(SqliteArchive(new)):
            copy_accounts(path, new)
    except StoreError:
        _remove(new)
        raise
    rooms = matches = 0
    rated: list[RatedMatch] = []
    with closing(SqliteArchive(new)) as archive:
        for found in sound_rooms(path):
            packed = []
            for body in found.bodies:
                try:
                    packed.append(pack(unpack(body)))
                except StoreError:
                    continue  # Written without a checksum by an earlier release, and damaged.
            rated += (match.rated for match in packed if match.rated is not None)
            archive.store(found.room, found.history, [replace(match, rated=None) for match in packed])
            rooms, matches = rooms + 1, matches + len(packed)
        rate_again(archive, sound_sequence(path))
        # Matches whose entries are damaged come last, in the order in which they ended.
        rated.sort(key=lambda match: (match.ended, match.room, match.match))
        rate_again(archive, (SequenceEntry(0, each.room, each.match, Person("")) for each in rated))
    aside = replace_file(path, new, "damaged", datetime.now(UTC).strftime("%Y%m%d-%H%M%S"))
    print(f"{path} has {rooms} tables with {matches} matches; the damaged file is {aside}")


def _remove(file: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _is_damaged(path: Path) -> bool:
    try:
        with reading(path) as connection:
            if find_damage(connection):
                return True  # An index that is damaged may hide rows without an error.
        with closing(SqliteArchive(path, update_schema=False)) as archive:
            return any(check_archive(archive))
    except StoreError:
        return True
