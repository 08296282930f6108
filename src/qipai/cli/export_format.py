"""Everything of a server as one file, out of one store and into another: `qipai export`, `qipai import`."""

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archiver import list_games
from qipai.hall.journal.room_rebuilding import JournalError
from qipai.hall.journal.store_interface import Entry, Snapshot, Store, StoreError
from qipai.kernel.ids import Code, Millis, RoomId

from .journal_reader import Failure

FORMAT: Final = 1
ALL: Final = 2**31 - 1


class Head(Struct, frozen=True, tag_field="line", tag="qipai"):
    """The first line. It holds the key that tokens are signed with, so the file is secret."""

    format: int
    secret: bytes
    beat: Millis


class Living(Struct, frozen=True, tag_field="line", tag="room"):
    """A room that is open, or waits for the archive: its records, and the last snapshot among them."""

    room: RoomId
    live: bool
    code: Code
    version: int
    snapshot: bytes
    records: tuple[Entry, ...]


class Kept(Struct, frozen=True, tag_field="line", tag="kept"):
    """A room of the archive."""

    room: RoomId
    records: tuple[Entry, ...]


class Tail(Struct, frozen=True, tag_field="line", tag="end"):
    """The last line: how many rooms there are before it."""

    rooms: int
    kept: int


Line = Head | Living | Kept | Tail
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Line).decode


class _Coded(Struct):
    code: Code


def write(store: Store, archive: Archive | None, target: Path) -> Tail:
    """Write everything into a new file, or raise `Failure` and leave none."""
    try:
        handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as error:
        raise Failure(f"{target}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file, gzip.open(file, "wb", compresslevel=6) as packed:
            tail = Tail(0, 0)
            for line in _lines(store, archive):
                packed.write(_encode(line) + b"\n")
                if isinstance(line, Tail):
                    tail = line
            return tail
    except (StoreError, OSError, msgspec.MsgspecError) as error:
        target.unlink(missing_ok=True)
        raise Failure(f"{target}: {error}") from error


def read(store: Store, archive: Archive | None, source: Path) -> Tail:
    """Take everything in, or raise `Failure`; a store that has rooms of its own is left as it is."""
    try:
        _check(source)
        if store.open_rooms() or store.closed(1):
            raise Failure("the store has tables of its own; everything must go into an empty one")
        with gzip.open(source, "rb") as packed:
            for line in _read(packed, source):
                _take(line, store, archive)
                if isinstance(line, Tail):
                    return line
    except (StoreError, OSError) as error:
        raise Failure(f"{source}: {error}") from error
    raise AssertionError  # It was checked that there is a last line.


def _lines(store: Store, archive: Archive | None) -> Iterator[Line]:
    yield Head(FORMAT, store.secret(), store.last_heartbeat())
    rooms = kept = 0
    for room in (*store.open_rooms(), *store.closed(ALL)):
        saved = store.load(room)
        if saved is not None:
            shot = saved.snapshot
            code = msgspec.json.decode(shot.body, type=_Coded).code
            yield Living(room, shot.live, code, shot.version, shot.body, tuple(store.history(room)))
            rooms += 1
    for room in () if archive is None else archive.rooms():
        yield Kept(room, tuple(archive.history(room)) if archive is not None else ())
        kept += 1
    yield Tail(rooms, kept)


def _take(line: Line, store: Store, archive: Archive | None) -> None:
    match line:
        case Head():
            store.import_secret(line.secret)
            store.heartbeat(line.beat)
        case Living():
            shot = Snapshot(line.room, line.version, line.live, line.snapshot, line.code)
            store.append(line.records, [shot])
        case Kept() if archive is not None:
            try:
                games = list_games(GAMES, line.records)
            except JournalError:
                games = []  # It is kept as it was kept before: without a list.
            archive.keep(line.room, line.records, games)
        case _:
            pass


def _check(source: Path) -> None:
    """Raise `Failure` unless the whole file can be read: half a server must not move in."""
    rooms = kept = 0
    last: Line | None = None
    with gzip.open(source, "rb") as packed:
        for number, line in enumerate(_read(packed, source)):
            if (number == 0) != isinstance(line, Head) or isinstance(last, Tail):
                raise Failure(f"{source}: is not an export of a Qipai server")
            if isinstance(line, Head) and line.format != FORMAT:
                raise Failure(f"{source}: has format {line.format}, this program knows {FORMAT}")
            rooms += isinstance(line, Living)
            kept += isinstance(line, Kept)
            last = line
    if not isinstance(last, Tail) or (last.rooms, last.kept) != (rooms, kept):
        raise Failure(f"{source}: is not complete")


def _read(packed: Iterable[bytes] | BinaryIO, source: Path) -> Iterator[Line]:
    try:
        for text in packed:
            yield _decode(text)
    except (EOFError, gzip.BadGzipFile, zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Failure(f"{source}: {error}") from error
