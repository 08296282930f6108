"""One contract for every archive of the registry."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.history.archive_interface import (
    SEARCH_LIMIT,
    Archive,
    FinishedGame,
    GameFilter,
    GameResult,
    Opponents,
    PackedMatch,
)
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives import archive_queries, archive_tables
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, ARCHIVES, open_archive
from tests.support.databases.postgres import postgres

A, B = RoomId("a"), RoomId("b")
GAME = FinishedGame(
    A, 1, "chess", "club night", True, Millis(1_000), Millis(5_000),
    ("Ada", "Bo"), ("", ""), (Seat(0),), "mate", 31,
)  # fmt: skip
BODY = b"\x00 any bytes \xff"


def packed(*games: FinishedGame, persons: tuple[str, ...] = ("p1", "p2")) -> list[PackedMatch]:
    return [PackedMatch(game, persons, BODY) for game in games]


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """Return the URL of a real PostgreSQL server."""
    with postgres() as address:
        yield address


@pytest.fixture(params=list(ARCHIVES))
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return the URL of an empty archive; one named by a URL needs a fixture of its name."""
    if request.param == "sqlite":
        yield ""
        return
    import psycopg

    url = request.getfixturevalue(request.param)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    yield url


@pytest.fixture
def archive(address: str, tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, address)
    yield opened
    opened.close()


def records(room: RoomId, count: int = 3) -> list[Entry]:
    return [
        Entry(room, version, Millis(version), bytes([version, 0, 255])) for version in range(1, count + 1)
    ]


def found(archive: Archive, **wanted: object) -> list[tuple[str, int]]:
    return [(game.room, game.match) for game in archive.search(GameFilter(**wanted))]  # type: ignore[arg-type] # fields of the filter


def test_an_archived_room_is_read_unchanged(archive: Archive) -> None:
    archive.store(A, records(A), packed(GAME))
    assert list(archive.history(A)) == records(A)
    assert archive.match(A, 1) == BODY
    assert list(archive.match_numbers(A)) == [1]
    assert list(archive.search(GameFilter())) == [GAME]


def test_a_room_that_was_not_archived_has_no_history(archive: Archive) -> None:
    archive.store(B, records(B), packed(replace(GAME, room=B)))
    assert list(archive.history(A)) == []
    assert list(archive.match_numbers(A)) == []
    assert archive.match(A, 1) is None
    assert archive.match(B, 2) is None


def test_the_matches_of_a_room_are_listed_in_order(archive: Archive) -> None:
    archive.store(A, records(A), packed(*(replace(GAME, match=number) for number in (10, 2, 9))))
    assert list(archive.match_numbers(A)) == [2, 9, 10]


def test_storing_a_room_again_changes_nothing(archive: Archive) -> None:
    archive.store(A, records(A), packed(GAME))
    archive.store(A, records(A), packed(GAME))
    archive.store(A, records(A, 1), packed(replace(GAME, game="gomoku")))
    assert list(archive.history(A)) == records(A)
    assert archive.match(A, 1) == BODY
    assert list(archive.search(GameFilter())) == [GAME]


def test_matches_of_an_open_room_are_stored_and_listed_when_it_is_closed(archive: Archive) -> None:
    archive.store(A, (), packed(GAME))
    archive.store(A, (), packed(replace(GAME, match=2)))
    assert list(archive.match_numbers(A)) == [1, 2]
    assert archive.match(A, 1) == BODY
    assert list(archive.rooms()) == [A]
    assert list(archive.history(A)) == []
    assert list(archive.search(GameFilter())) == []
    archive.store(A, records(A), packed(GAME, replace(GAME, match=2)))
    assert list(archive.rooms()) == [A]
    assert list(archive.history(A)) == records(A)
    assert found(archive) == [(A, 2), (A, 1)]


def test_no_search_finds_a_match_without_a_move(archive: Archive) -> None:
    archive.store(A, records(A), packed(replace(GAME, moves=0), replace(GAME, match=2)))
    assert found(archive) == found(archive, player="ada") == found(archive, person="p1") == [(A, 2)]
    assert archive.match(A, 1) == BODY, "its link still works"


def test_a_person_finds_the_own_games_also_those_that_are_not_public(archive: Archive) -> None:
    private = replace(GAME, room=B, public=False, game="gomoku", ended=Millis(6_000), seated=("p1", ""))
    archive.store(A, records(A), packed(GAME))
    archive.store(B, records(B), packed(private, persons=("p1",)))
    assert list(archive.search(GameFilter(person="p1"))) == [private, GAME]
    assert found(archive, person="p2") == [(A, 1)]
    assert found(archive, person="p1", game="gomoku") == [(B, 1)]
    assert found(archive, person="p1", limit=1) == [(B, 1)]
    assert found(archive, person="p1", after=(Millis(6_000), B, 1)) == [(A, 1)]
    assert found(archive, person="p3") == []
    assert found(archive) == [(A, 1)]


def test_an_archived_room_is_there_after_a_restart(address: str, tmp_path: Path) -> None:
    before = open_archive(tmp_path, address)
    before.store(A, records(A), packed(GAME))
    before.close()
    after = open_archive(tmp_path, address)
    assert list(after.search(GameFilter())) == [GAME]
    assert after.match(A, 1) == BODY
    assert list(after.history(A)) == records(A)
    after.close()


def test_two_servers_may_use_one_archive(address: str, tmp_path: Path) -> None:
    one, two = open_archive(tmp_path, address), open_archive(tmp_path, address)
    one.store(A, records(A), packed(GAME))
    two.store(A, records(A), packed(GAME))
    two.store(B, records(B), packed(replace(GAME, room=B)))
    assert {game.room for game in one.search(GameFilter())} == {A, B}
    one.close()
    two.close()


def test_games_are_found_by_player_game_and_date(archive: Archive) -> None:
    second = replace(GAME, match=2, game="gomoku", names=("Cy", "Ada"), ended=Millis(9_000))
    other = replace(GAME, room=B, names=("Bo", "Cy"), ended=Millis(7_000))
    archive.store(A, records(A), packed(GAME, second))
    archive.store(B, records(B), packed(other))
    assert found(archive) == [(A, 2), (B, 1), (A, 1)]
    assert found(archive, player="ada") == [(A, 2), (A, 1)]
    assert found(archive, player="CY", game="chess") == [(B, 1)]
    assert found(archive, game="gomoku") == [(A, 2)]
    assert found(archive, since=Millis(7_000)) == [(A, 2), (B, 1)]
    assert found(archive, until=Millis(7_000)) == [(A, 1)]
    assert found(archive, player="Ada", since=Millis(6_000), until=Millis(9_001)) == [(A, 2)]
    assert found(archive, player="Ad") == []
    assert found(archive, player="' or 1 = 1 --") == []
    assert found(archive, player="%") == []


def test_every_archived_room_is_listed(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_tables, "PAGE_ROWS", 3)
    rooms = [RoomId(f"r{number}") for number in range(7)]
    for room in rooms:
        archive.store(room, records(room), [])
    assert sorted(archive.rooms()) == rooms


def test_a_game_is_not_found_by_the_name_of_a_bot(archive: Archive) -> None:
    archive.store(A, records(A), packed(replace(GAME, bots=("", "easy"))))
    assert found(archive, player="Bo") == []
    assert found(archive, player="Ada") == [(A, 1)]


def test_a_game_that_is_not_public_is_not_listed(archive: Archive) -> None:
    archive.store(A, records(A), packed(replace(GAME, public=False)))
    assert found(archive) == []
    assert found(archive, player="Ada") == []
    assert archive.match(A, 1) == BODY
    assert list(archive.history(A)) == records(A)


@pytest.mark.parametrize("player", ["", "Ada"])
def test_pages_have_every_game_once(archive: Archive, player: str) -> None:
    rooms = [RoomId(f"r{number:02}") for number in range(25)]
    for number, room in enumerate(rooms):
        # Many games end at the same time.
        archive.store(room, records(room), packed(replace(GAME, room=room, ended=Millis(number // 10))))
    listed: list[RoomId] = []
    after = None
    while page := archive.search(GameFilter(player=player, after=after, limit=7)):
        listed += [game.room for game in page]
        after = (page[-1].ended, page[-1].room, page[-1].match)
    assert listed == rooms[::-1]


def test_names_of_any_script_and_of_symbols_are_found(archive: Archive) -> None:
    archive.store(A, records(A), packed(replace(GAME, names=("小明 ✿", "☺☺"))))
    assert found(archive, player="小明") == [(A, 1)]
    assert found(archive, player="☺☺") == [(A, 1)]


def test_a_search_returns_at_most_the_limit(archive: Archive) -> None:
    games = [replace(GAME, match=match) for match in range(1, SEARCH_LIMIT + 5)]
    archive.store(A, records(A), packed(*games))
    assert len(archive.search(GameFilter(limit=SEARCH_LIMIT))) == SEARCH_LIMIT
    assert len(archive.search(GameFilter(limit=1))) == 1


def test_a_lost_connection_to_the_database_is_replaced(postgresql: str, tmp_path: Path) -> None:
    import psycopg

    archive = open_archive(tmp_path, postgresql)
    archive.store(A, records(A), packed(GAME))
    with psycopg.connect(postgresql, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where pid <> pg_backend_pid() and datname = current_database()"
        )
    assert list(archive.history(A)) == records(A)
    archive.close()


def test_after_a_failed_connection_the_next_calls_fail_at_once(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    from qipai.stores.sql import postgres_database

    tries = []
    real_connect = psycopg.connect

    def connect(*arguments: object, **options: object) -> object:
        tries.append(arguments)
        if len(tries) == 1:
            raise psycopg.OperationalError("no server")
        return real_connect(*arguments, **options)  # type: ignore[arg-type] # passed on

    now = 100.0
    monkeypatch.setattr(postgres_database, "monotonic", lambda: now)
    monkeypatch.setattr(psycopg, "connect", connect)
    archive = open_archive(tmp_path, postgresql)
    for _ in range(3):
        with pytest.raises(StoreError, match="no server"):
            archive.check()
    assert len(tries) == 1
    now += postgres_database.RETRY_AFTER
    archive.check()
    archive.close()


def test_an_archive_that_cannot_be_reached_is_an_error_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="postgresql://"):
        open_archive(tmp_path, "mysql://nowhere")
    with pytest.raises(StoreError, match="invalid PostgreSQL URL") as invalid:
        open_archive(tmp_path, "postgresql://me:hush@nowhere?colour=red")
    assert "hush" not in str(invalid.value)
    unreachable = open_archive(tmp_path, "postgresql://127.0.0.1:1/nothing")
    with pytest.raises(StoreError, match="PostgreSQL"):
        unreachable.check()
    with pytest.raises(StoreError, match="PostgreSQL"):
        unreachable.search(GameFilter())
    unreachable.close()
    with pytest.raises(StoreError):
        open_archive(tmp_path / "missing", "")
    (tmp_path / ARCHIVE_FILE).write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError):
        open_archive(tmp_path, "")


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    open_archive(tmp_path, "").close()
    assert (tmp_path / ARCHIVE_FILE).stat().st_mode & 0o077 == 0


FILTERS = [
    {},
    {"player": "Ada"},
    {"game": "chess"},
    {"player": "Ada", "game": "chess"},
    {"since": Millis(1), "until": Millis(9)},
    {"after": (Millis(5), A, 1)},
    {"player": "Ada", "game": "chess", "since": Millis(1), "after": (Millis(5), A, 1)},
    {"person": "p1", "public_only": True},
    {"person": "p1", "game": "chess", "twist": "fog", "result": GameResult.WON, "against": Opponents.PEOPLE},
    {"person": "p1", "opponent": "Bo", "after": (Millis(5), A, 1)},
    {"person": "p1", "opponent_person": "p2", "since": Millis(1)},
]


@pytest.mark.parametrize("wanted", FILTERS, ids=str)
def test_every_search_in_sqlite_reads_only_rows_of_an_index(tmp_path: Path, wanted: dict[str, Any]) -> None:
    open_archive(tmp_path, "").close()
    sql, values = archive_queries.search_query(GameFilter(**wanted))
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        rows = connection.execute(f"explain query plan {sql}", values).fetchall()
    plan = [row[3] for row in rows]
    plan = [line for line in plan if not line.startswith("CORRELATED SCALAR SUBQUERY")]
    # "SCAN" reads a whole table, "TEMP B-TREE" sorts.
    assert all(re.match(r"SEARCH \w USING (INDEX|COVERING INDEX|PRIMARY KEY)", line) for line in plan), plan


@pytest.mark.parametrize("wanted", FILTERS, ids=str)
def test_every_search_in_postgresql_can_read_rows_of_an_index_in_order(
    postgresql: str, tmp_path: Path, wanted: dict[str, Any]
) -> None:
    import psycopg

    archive = open_archive(tmp_path, postgresql)
    archive.check()
    archive.close()
    sql, values = archive_queries.search_query(GameFilter(**wanted))
    with psycopg.connect(postgresql) as connection:
        # A few rows are read faster without an index.
        for method in ("seqscan", "bitmapscan", "hashjoin", "mergejoin"):
            connection.execute(f"set local enable_{method} = off".encode())
        rows = connection.execute(f"explain {sql}".replace("?", "%s").encode(), values).fetchall()
    plan = "\n".join(row[0] for row in rows)
    assert "Index" in plan
    assert "Sort" not in plan
    assert "Seq Scan" not in plan


def test_the_persons_of_a_match_are_indexed(tmp_path: Path) -> None:
    archive = open_archive(tmp_path, "")
    archive.store(A, records(A), packed(GAME, persons=("p1", "p2", "p3")))
    archive.close()
    sql = "select room, match from game_persons where person = ? order by ended desc"
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        assert connection.execute(sql, ("p3",)).fetchall() == [(A, 1)]
        (plan,) = connection.execute(f"explain query plan {sql}", ("p3",)).fetchall()
    assert plan[3].startswith("SEARCH game_persons USING PRIMARY KEY")


def test_an_archive_of_the_version_before_is_refused_and_not_changed(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        connection.execute("create table archived_rooms (room text primary key, history blob not null)")
    with pytest.raises(StoreError, match=r"archive\.db has schema 1; this server reads schemas 2 to 6"):
        open_archive(tmp_path, "")
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        tables = connection.execute("select name from sqlite_master where type = 'table'").fetchall()
    assert tables == [("archived_rooms",)]


def test_an_archive_of_a_later_version_is_refused(tmp_path: Path) -> None:
    open_archive(tmp_path, "").close()
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        connection.execute("update archive_meta set value = '7' where key = 'schema'")
        connection.commit()
    with pytest.raises(StoreError, match="has schema 7"):
        open_archive(tmp_path, "")


def test_a_postgresql_archive_of_another_version_is_refused(postgresql: str, tmp_path: Path) -> None:
    import psycopg

    with psycopg.connect(postgresql, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
        connection.execute("create table archived_rooms (room text primary key, history bytea not null)")
        archive = open_archive(tmp_path, postgresql)
        for _ in range(2):
            with pytest.raises(StoreError, match="has schema 1; this server reads schemas 2 to 6"):
                archive.check()
        archive.close()
        connection.execute("drop table archived_rooms")
