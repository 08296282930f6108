"""Format of the export file: written from one store, read into another.

The file is gzip-compressed text with one JSON object per line: a header, the rooms of the store, the rooms
of the archive, the sequence of rated matches, the rows of accounts and moderation, and an end that counts the
rooms. Ratings follow from the sequence, so they are computed again at the import.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.hall.accounts.account_copy_interface import TableRows
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import pack, unpack
from qipai.hall.history.rating_rebuild import rate_again
from qipai.hall.journal.snapshot_format import read_header
from qipai.hall.journal.store_interface import Damaged, Entry, Snapshot, Store, StoreError
from qipai.kernel.codec import Malformed
from qipai.kernel.ids import Code, Millis, RoomId
from qipai.ratings.rating_values import SequenceEntry

from .journal_reader import CommandError

FORMAT: Final = 6
"""What this release writes. It reads every format from `OLDEST_FORMAT` on."""
OLDEST_FORMAT: Final = 3
PlainLine = dict[str, Any]
"""A line as plain JSON values."""


def _unchanged(line: PlainLine) -> PlainLine:
    return line


MIGRATIONS: Final[Mapping[int, Callable[[PlainLine], PlainLine]]] = MappingProxyType(
    {
        3: _unchanged,  # 4 may contain archived matches of format 2, which an earlier release could not name.
        5: _unchanged,  # 6 may contain the rows of accounts and moderation.
        4: _unchanged,  # 5 may contain the sequence of rated matches; before, no match was rated.
    }
)
"""Turns a line of each format before `FORMAT` into a line of the next. Records, snapshots and archived
matches in it have format numbers of their own."""
ALL_ROOMS: Final = 2**31 - 1
ENTRIES_OF_LINE: Final = 1_000
"""Rated matches in one line."""


class ExportHeader(Struct, frozen=True, tag_field="line", tag="qipai"):
    """First line; its `secret` signs tokens, so the file must be kept secret."""

    format: int
    secret: bytes
    last_heartbeat: Millis
    outage: Millis = Millis(0)
    """When the outage began that has not ended for all rooms; 0 if there is none."""


class StoredRoom(Struct, frozen=True, tag_field="line", tag="room"):
    """Room of the store, open or not yet archived: its records and its last snapshot."""

    room: RoomId
    live: bool
    code: Code
    version: int
    snapshot: bytes
    records: tuple[Entry, ...]


class ArchivedRoom(Struct, frozen=True, tag_field="line", tag="archived"):
    """Room of the archive, with its archived matches, each with a format number of its own."""

    room: RoomId
    records: tuple[Entry, ...]
    matches: tuple[bytes, ...]


class RatedMatches(Struct, frozen=True, tag_field="line", tag="rated"):
    """A part of the sequence in which the archive took rated matches."""

    entries: tuple[SequenceEntry, ...]


class ExportEnd(Struct, frozen=True, tag_field="line", tag="end"):
    """Last line: how many rooms of each kind precede it."""

    rooms: int
    archived: int


class _FormatNumber(Struct, tag_field="line", tag="qipai"):
    """What the first line has in every format."""

    format: int


ExportLine = ExportHeader | StoredRoom | ArchivedRoom | RatedMatches | TableRows | ExportEnd
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(ExportLine).decode
_decode_plain: Final = msgspec.json.Decoder(PlainLine).decode
_decode_start: Final = msgspec.json.Decoder(_FormatNumber).decode


def _refuse(damage: str) -> None:
    raise StoreError(damage)


def write(
    store: Store,
    archive: Archive | None,
    target: Path,
    left_out: Callable[[str], None] = _refuse,
    accounts: AccountStore | None = None,
) -> ExportEnd:
    """Write all rooms and accounts into a new file, or raise `CommandError` and leave no file.

    `left_out` is called with a line for each damaged room.
    """
    try:
        handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as error:
        raise CommandError(f"{target}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file, gzip.open(file, "wb", compresslevel=6) as compressed:
            end = ExportEnd(0, 0)
            for line in _export(store, archive, accounts, left_out):
                compressed.write(_encode(line) + b"\n")
                if isinstance(line, ExportEnd):
                    end = line
            return end
    except (StoreError, OSError, Malformed, msgspec.MsgspecError) as error:
        target.unlink(missing_ok=True)
        raise CommandError(f"{target}: {error}") from error


def read(
    store: Store, archive: Archive | None, source: Path, accounts: AccountStore | None = None
) -> ExportEnd:
    """Import all rooms and accounts into an empty store, or raise `CommandError` and change nothing."""
    try:
        _check(source)
        if store.open_rooms() or store.closed(1):
            raise CommandError("the store already has tables: import into an empty store")
        if accounts is not None and not accounts.is_empty():
            raise CommandError("the archive already has accounts: import into an empty one")
        with gzip.open(source, "rb") as compressed:
            for line in _read_lines(compressed, source):
                _import(line, store, archive, accounts)
                if isinstance(line, ExportEnd):
                    return line
    except (StoreError, OSError) as error:
        raise CommandError(f"{source}: {error}") from error
    raise AssertionError  # `_check` has found the end.


def _stored_room(store: Store, room: RoomId) -> StoredRoom | None:
    saved = store.load(room)
    if saved is None:
        return None
    snapshot = saved.snapshot
    code = read_header(snapshot.body).code
    records = tuple(store.history(room))
    return StoredRoom(room, snapshot.live, code, snapshot.version, snapshot.body, records)


def _export(
    store: Store, archive: Archive | None, accounts: AccountStore | None, left_out: Callable[[str], None]
) -> Iterator[ExportLine]:
    # A store without `outage` takes the earlier time: it must not charge the rooms that were not loaded.
    outage = store.outage()
    yield ExportHeader(FORMAT, store.secret(), outage or store.last_heartbeat(), outage)
    rooms = archived = 0
    for room in (*store.open_rooms(), *store.closed(ALL_ROOMS)):
        try:
            line = _stored_room(store, room)
        except (Damaged, Malformed) as error:
            left_out(f"table {error}")
            continue
        if line is not None:
            yield line
            rooms += 1
    if archive is not None:
        for room in archive.rooms():
            try:
                bodies = (archive.match(room, number) for number in archive.match_numbers(room))
                matches = tuple(body for body in bodies if body is not None)
                yield ArchivedRoom(room, tuple(archive.history(room)), matches)
                archived += 1
            except Damaged as error:
                left_out(f"archived table {error}")
        sequence = archive.ratings.sequence()
        for first in range(0, len(sequence), ENTRIES_OF_LINE):
            yield RatedMatches(tuple(sequence[first : first + ENTRIES_OF_LINE]))
    if accounts is not None:
        yield from accounts.rows()
    yield ExportEnd(rooms, archived)


def _import(line: ExportLine, store: Store, archive: Archive | None, accounts: AccountStore | None) -> None:
    match line:
        case ExportHeader():
            store.import_secret(line.secret)
            store.heartbeat(line.last_heartbeat)
            store.set_outage(line.outage)
        case StoredRoom():
            snapshot = Snapshot(line.room, line.version, line.live, line.snapshot, line.code)
            store.append(line.records, [snapshot])
        case ArchivedRoom() if archive is not None:
            # They are rated below: rooms are in another order than that in which they were rated.
            matches = [replace(pack(unpack(body)), rated=None) for body in line.matches]
            archive.store(line.room, line.records, matches)
        case RatedMatches() if archive is not None:
            rate_again(archive, line.entries)
        case TableRows() if accounts is not None:
            accounts.write_rows(line)
        case _:
            pass


def _check(source: Path) -> None:
    """Raise `CommandError` unless the file is complete: a partial import would be useless."""
    rooms = archived = 0
    last: ExportLine | None = None
    with gzip.open(source, "rb") as compressed:
        for number, line in enumerate(_read_lines(compressed, source)):
            if (number == 0) != isinstance(line, ExportHeader) or isinstance(last, ExportEnd):
                raise CommandError(f"{source}: not an export of a Qipai server")
            rooms += isinstance(line, StoredRoom)
            if isinstance(line, ArchivedRoom):
                archived += 1
                for body in line.matches:
                    unpack(body)
            last = line
    if not isinstance(last, ExportEnd) or (last.rooms, last.archived) != (rooms, archived):
        raise CommandError(f"{source}: not complete")


def _read_lines(compressed: Iterable[bytes] | BinaryIO, source: Path) -> Iterator[ExportLine]:
    found = FORMAT
    try:
        for number, text in enumerate(compressed):
            if number == 0:
                found = _decode_start(text).format
                _check_format(found, source)
            yield _decode(text if found == FORMAT else _migrated(text, found))
    except (EOFError, gzip.BadGzipFile, zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CommandError(f"{source}: {error}") from error


def _migrated(text: bytes, found: int) -> bytes:
    """Return a line of an earlier format in the present one."""
    line = _decode_plain(text)
    try:
        for number in range(found, FORMAT):
            line = MIGRATIONS[number](line)
    except (KeyError, TypeError, ValueError) as error:
        raise msgspec.ValidationError(f"a line is not of format {found}: {error!r}") from error
    return _encode(line)


def _check_format(found: int, source: Path) -> None:
    if found < OLDEST_FORMAT:
        raise CommandError(
            f"{source}: has format {found}, which an earlier release wrote; this server reads formats "
            f"from {OLDEST_FORMAT} on, so keep the file and that release together"
        )
    if found > FORMAT:
        raise CommandError(
            f"{source}: written by a newer release: format {found}, this server reads up to {FORMAT}"
        )
