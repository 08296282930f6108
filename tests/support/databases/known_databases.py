"""Databases whose every room and page is known, to be damaged."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive, GameFilter
from qipai.hall.history.archived_match import pack
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.commands import Close, Resign
from qipai.kernel.ids import SYSTEM, RoomId, Seat
from qipai.kernel.room import Phase
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.sqlite_files import SIDE_FILES
from qipai.stores.sqlite_log import ARCHIVE_PAGE_BYTES
from qipai.stores.sqlite_pages import PageFile
from qipai.stores.sqlite_reader import JournalReader, sound_group
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.journal_writer import JournalWriter, snapshot_of

GAMES_PLAYED = ("tictactoe", "gomoku", "chess", "mahjong")
OPEN, CLOSED, ARCHIVED = 24, 6, 6
RECORDS_PER_GROUP = 3
SNAPSHOT_EVERY = 16


class KnownJournal(NamedTuple):
    """A journal: every room that a server reads, and the pages that are needed for it and that name it.

    `archived`: rooms that it no longer reads, as they were when they closed.
    """

    body: bytes
    rooms: dict[RoomId, bytes]
    archived: dict[RoomId, bytes]
    needed: dict[RoomId, set[int]]
    naming: dict[RoomId, set[int]]
    secret: bytes
    crashed: dict[str, bytes]
    """The file, its write-ahead log and the index of the log, as a crash left them."""


def played(number: int, *, close: bool) -> JournalWriter:
    """Return a room in mid-game, or one that was closed after its game."""
    table = JournalWriter(GAMES_PLAYED[number % len(GAMES_PLAYED)], seed=number, room=f"room{number:08d}")
    table.take_seats(*("Ada", "Bo", "Cy", "Di")[: len(table.room.seats)])
    table.play_on(most=4 + 3 * (number % 13))
    if close:
        if table.room.result is None:
            table.do(Seat(0), Resign())
        table.do(SYSTEM, Close())
    return table


def write_journal(data: Path, *, crash: bool) -> KnownJournal:
    """Write a journal; after a crash its last check point is old."""
    tables = [played(number, close=number >= OPEN) for number in range(OPEN + CLOSED + ARCHIVED)]
    path = data / JOURNAL_FILE
    store = SqliteStore(path)
    secret = store.secret()
    for group in groups(tables):
        store.append(group, list(snapshots(tables, group)))
    for table in tables[OPEN + CLOSED :]:
        store.mark_archived(table.room.id)
    # What is in the log and what in the file would depend on when a thread runs.
    assert store._log._copying is None, "a journal this long is copied into the file"
    copies = {suffix: path.with_name(path.name + suffix).read_bytes() for suffix in ("", *SIDE_FILES)}
    store.close()
    if crash:
        for suffix in SIDE_FILES:
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        for suffix, body in copies.items():
            path.with_name(path.name + suffix).write_bytes(body)
        with closing(sqlite3.connect(path)) as connection:  # As SQLite does from time to time.
            connection.execute("pragma wal_checkpoint(truncate)").fetchall()
    rooms, archived = (
        {table.room.id: snapshot_of(table.room) for table in some}
        for some in (tables[: OPEN + CLOSED], tables[OPEN + CLOSED :])
    )
    return KnownJournal(path.read_bytes(), rooms, archived, *_pages(path, rooms), secret, copies)


def groups(tables: Sequence[JournalWriter]) -> Iterator[list[Entry]]:
    """Yield the records of all rooms in groups of several rooms."""
    queues = [list(table.entries) for table in tables]
    while queues:
        chosen = queues[:RECORDS_PER_GROUP]
        yield [queue.pop(0) for queue in chosen]
        queues = [queue for queue in (*queues[RECORDS_PER_GROUP:], *chosen) if queue]


def snapshots(tables: Sequence[JournalWriter], group: Sequence[Entry]) -> Iterator[Snapshot]:
    """Yield a snapshot of each room that has a certain version or is closed."""
    by_room = {table.room.id: table for table in tables}
    for entry in group:
        room = by_room[entry.room].rooms[entry.version - 1]
        closed = room.phase is Phase.CLOSED
        if entry.version % SNAPSHOT_EVERY == 1 or closed:
            yield Snapshot(entry.room, entry.version, not closed, snapshot_of(room))


def _pages(path: Path, rooms: dict[RoomId, bytes]) -> tuple[dict[RoomId, set[int]], dict[RoomId, set[int]]]:
    needed: dict[RoomId, set[int]] = {room: set() for room in rooms}
    naming: dict[RoomId, set[int]] = {room: set() for room in rooms}
    pages_of_group: dict[int, tuple[int, ...]] = {}
    for row in PageFile(path).rows():
        if row.rowid is not None and len(row.values) == 4:
            pages_of_group[row.rowid] = row.pages
            for record in sound_group(row.rowid, *row.values[1:]) or ():
                naming.get(record.room, set()).update(row.pages)
        elif row.rowid is None and row.values[0] in needed:
            naming[row.values[0]].update(row.pages[:1])
            if len(row.values) == 9:
                needed[row.values[0]].update(row.pages)
    with closing(sqlite3.connect(path)) as connection:
        reader = JournalReader(connection)
        for room in rooms:
            saved = reader.load(room)
            assert saved is not None
            version, group = reader.head(room)
            while version > saved.snapshot.version:
                needed[room].update(pages_of_group[group])
                records = reader.group_records(group, room)
                version, group = records[0].version - 1, records[0].previous_group
    return needed, naming


def write_archive(data: Path) -> dict[tuple[RoomId, int], bytes]:
    """Write an archive, and return the body of each match."""
    bodies: dict[tuple[RoomId, int], bytes] = {}
    with closing(open_archive(data, "")) as archive:
        for number in range(16):
            table = played(number, close=True)
            matches = [pack(match) for match in archive_matches(GAMES, table.entries)]
            archive.store(table.room.id, table.entries, matches)
            bodies.update({(match.game.room, match.game.match): match.body for match in matches})
    assert len(bodies) == 16
    return bodies


def archive_pages(path: Path) -> dict[tuple[RoomId, int], set[int]]:
    """Return the pages that the body of each match of an archive is on."""
    return {
        (RoomId(row.values[0]), row.values[1]): set(row.pages)
        for row in PageFile(path, ARCHIVE_PAGE_BYTES).rows()
        if row.rowid is not None and len(row.values) == 4 and isinstance(row.values[2], bytes)
    }


def listed(archive: Archive) -> set[tuple[RoomId, int]]:
    """Return every game that a search finds."""
    return {(game.room, game.match) for game in archive.search(GameFilter(limit=100))}
