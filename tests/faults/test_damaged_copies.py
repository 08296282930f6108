"""Damaged copies of a database: no table comes back different, those on sound pages are served, others named.

`make test` tries a sample of copies, `make soak` a thousand.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from qipai.cli.main import main
from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.room_rebuilding import restore
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import RoomId
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.sqlite_log import ARCHIVE_PAGE_BYTES
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.databases.damage import PAGE, Damage, damage
from tests.support.databases.known_databases import (
    KnownJournal,
    archive_pages,
    listed,
    write_archive,
    write_journal,
)
from tests.support.journal_writer import snapshot_of
from tests.support.server import free_port

COPIES = int(os.environ.get("QIPAI_DAMAGED_COPIES", "150"))
"""Copies in all: two fifths are journals of a stopped server, as many of one that crashed, the rest are
archives."""
LEAST_PAGES = 12
"""A file that was cut to less than this may have nothing left to serve."""


def served(store: SqliteStore) -> tuple[dict[RoomId, bytes], dict[RoomId, str]]:
    """Return the rooms that a server would serve or archive, and those that it would set aside."""
    rooms: dict[RoomId, bytes] = {}
    aside = {**store.quarantined()}
    for room in (*store.open_rooms(), *store.closed(999)):
        try:
            saved = store.load(room)
            assert saved is not None
            rooms[room] = snapshot_of(restore(GAMES, saved)[1])
        except StoreError as error:
            aside[room] = str(error)
    return rooms, aside


def open_damaged(path: Path, made: Damage) -> SqliteStore | None:
    """Open a damaged journal as a server does; None if too little of it is left."""
    try:
        return SqliteStore(path)
    except StoreError as error:
        if "\n" in str(error) or len(made.body) >= LEAST_PAGES * PAGE:
            raise
        return None


def check_journal(known: KnownJournal, made: Damage, path: Path, *, crash: bool) -> str:
    """Check what a server makes of a damaged journal; return whether it serves all rooms, some, or none."""
    path.write_bytes(made.body)
    store = open_damaged(path, made)
    if store is None:
        return "none"
    with closing(store):
        rooms, aside = served(store)
    for room, body in rooms.items():
        assert body == known.rooms[room], f"{made.what}: {room} is different"
    for room in known.rooms.keys() - rooms.keys() - aside.keys():
        assert known.naming[room] <= made.pages, f"{made.what}: {room} is lost, and not named"
    undamaged = {room for room in known.rooms if not known.needed[room] & made.pages}
    wrongly_aside = {room: aside.get(room) for room in undamaged - rooms.keys()}
    # After a crash and with the last steps damaged, nobody can tell whose last steps are lost.
    if not (crash and all("last steps may be lost" in str(reason) for reason in wrongly_aside.values())):
        assert not wrongly_aside, made.what
    return "all" if known.rooms.keys() <= rooms.keys() else "some" if rooms else "none"


@contextmanager
def folder_in(parent: Path) -> Iterator[Path]:
    folder = parent / "copy"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.parametrize("crash", [False, True], ids=["stopped", "crashed"])
def test_no_damage_of_a_journal_changes_a_table_or_hides_a_sound_one(tmp_path: Path, *, crash: bool) -> None:
    known = write_journal(tmp_path, crash=crash)
    results: Counter[str] = Counter()
    for seed in range(COPIES * 2 // 5):
        with folder_in(tmp_path) as folder:
            made = damage(known.body, seed)
            results[check_journal(known, made, folder / JOURNAL_FILE, crash=crash)] += 1
    print(f"tables served: {dict(results)}")
    assert results["all"] > COPIES // 10
    assert results["none"] < COPIES // 10


@pytest.mark.slow
def test_no_damage_of_a_write_ahead_log_changes_a_table_without_a_word(tmp_path: Path) -> None:
    known = write_journal(tmp_path, crash=True)
    results: Counter[str] = Counter()
    for seed in range(COPIES * 2 // 5):
        made = damage(known.crashed["-wal"], 11_000 + seed)
        with folder_in(tmp_path) as folder:
            for suffix, body in {**known.crashed, "-wal": made.body}.items():
                (folder / (JOURNAL_FILE + suffix)).write_bytes(body)
            with capture_logs() as lines, closing(SqliteStore(folder / JOURNAL_FILE)) as store:
                rooms, aside = served(store)
            events = {line["event"] for line in lines}
            if made.what.startswith("cut"):
                assert "journal cut short" in events, made.what
                continue  # As after a power failure: all tables are as they were a moment before.
            assert events == ({"journal repaired"} if made.body != known.crashed["-wal"] else set())
            # A room whose mark as archived is lost is archived again, which changes nothing.
            all_rooms = known.rooms | known.archived
            for room, body in rooms.items():
                assert body == all_rooms[room], f"{made.what}: {room} is different"
            assert known.rooms.keys() <= rooms.keys() | aside.keys(), made.what
        results["all" if known.rooms.keys() <= rooms.keys() else "some" if rooms else "none"] += 1
    print(f"tables served: {dict(results)}")
    assert results["all"] > COPIES // 10


def check_archive(archive: Archive, bodies: dict[tuple[RoomId, int], bytes], what: str) -> tuple[int, bool]:
    """Check what can be read of a damaged archive; return how many matches, and whether all are listed."""
    sound = 0
    for (room, number), body in bodies.items():
        try:
            found = archive.match(room, number)
            archive.history(room)
        except StoreError:
            continue
        assert found in (None, body), f"{what}: {room} is different"
        sound += found is not None
    try:
        games = listed(archive)
    except StoreError:
        return sound, False
    assert games <= bodies.keys(), what
    return sound, games == bodies.keys()


@pytest.mark.slow
def test_no_damage_of_an_archive_changes_a_match_or_stops_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = write_archive(tmp_path)
    whole, pages = (tmp_path / ARCHIVE_FILE).read_bytes(), archive_pages(tmp_path / ARCHIVE_FILE)
    assert pages.keys() == bodies.keys()
    results: Counter[str] = Counter()
    for seed in range(COPIES // 5):
        with folder_in(tmp_path) as folder:
            made = damage(whole, 7_000 + seed, ARCHIVE_PAGE_BYTES)
            (folder / ARCHIVE_FILE).write_bytes(made.body)
            SqliteStore(folder / JOURNAL_FILE).close()
            before = "unreadable"
            try:
                with closing(open_archive(folder, "")) as archive:
                    count, complete = check_archive(archive, bodies, made.what)
                    before = "all" if complete and count == len(bodies) else "some"
            except StoreError:
                pass
            results[before] += 1
            monkeypatch.setenv("QIPAI_DATA", str(folder))
            if main(["repair"]) == 2:
                continue  # Of a newer release, as far as anybody can tell.
            with closing(open_archive(folder, "")) as archive:
                after, _ = check_archive(archive, bodies, f"repaired {made.what}")
                assert after >= sum(made.pages.isdisjoint(each) for each in pages.values()), made.what
    print(f"archives: {dict(results)}")


COMMANDS = (
    ["doctor"],
    ["doctor", "--deep"],
    ["replay", "room00000003"],
    ["verify", "room00000003"],
    ["record", "room00000003"],
    ["verify", "room00000030"],
    ["backup", "copy.db"],
    ["export", "all.gz"],
    ["repair"],
    ["doctor", "--deep"],
    ["restore", "copy.db"],
)


@pytest.mark.slow
def test_no_command_fails_with_a_traceback_on_a_damaged_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = write_journal(tmp_path, crash=False)
    write_archive(tmp_path)
    archive = (tmp_path / ARCHIVE_FILE).read_bytes()
    monkeypatch.setenv("PORT", str(free_port()))
    codes: Counter[tuple[str, int]] = Counter()
    for seed in range(COPIES // 5):
        with folder_in(tmp_path) as folder:
            monkeypatch.chdir(folder)
            monkeypatch.setenv("QIPAI_DATA", str(folder))
            (folder / JOURNAL_FILE).write_bytes(damage(known.body, 3_000 + seed).body)
            (folder / ARCHIVE_FILE).write_bytes(damage(archive, 5_000 + seed, ARCHIVE_PAGE_BYTES).body)
            for command in COMMANDS:
                code = main(command)
                codes[" ".join(command), code] += 1
                if code == 2:
                    (line,) = capsys.readouterr().err.splitlines()[-1:]
                    assert line.startswith("qipai: ")
            monkeypatch.chdir(tmp_path)
    print(dict(codes))
