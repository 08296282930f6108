"""One contract for every archive; the list below must be the registry."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.history.archive_interface import MOST, Archive, FinishedGame, GameFilter
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives import archive_rows
from qipai.stores.archives.archive_registry import ARCHIVES, FILE, open_archive
from tests.support.postgres import postgres

CASES = ["sqlite", "postgresql"]
A, B = RoomId("a"), RoomId("b")
GAME = FinishedGame(
    A, 1, "chess", "club night", True, Millis(1_000), Millis(5_000),
    ("Ada", "Bo"), ("", ""), (Seat(0),), "mate", 31,
)  # fmt: skip


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL server."""
    with postgres(tmp_path_factory) as address:
        yield address


@pytest.fixture(params=CASES)
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty archive."""
    if request.param == "sqlite":
        yield ""
        return
    import psycopg

    url = request.getfixturevalue("database")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop table if exists histories, games, players")
    yield url


@pytest.fixture
def archive(address: str, tmp_path: Path) -> Iterator[Archive]:
    made = open_archive(tmp_path, address)
    yield made
    made.close()


def records(room: RoomId, count: int = 3) -> list[Entry]:
    return [
        Entry(room, version, Millis(version), bytes([version, 0, 255])) for version in range(1, count + 1)
    ]


def matches(archive: Archive, **wish: object) -> list[tuple[str, int]]:
    return [(game.room, game.match) for game in archive.search(GameFilter(**wish))]  # type: ignore[arg-type] # as given


def test_every_registered_archive_is_under_contract() -> None:
    assert set(CASES) == set(ARCHIVES)


def test_a_kept_room_is_read_as_it_was(archive: Archive) -> None:
    archive.keep(A, records(A), [GAME])
    assert list(archive.history(A)) == records(A)
    assert list(archive.search(GameFilter())) == [GAME]


def test_a_room_that_was_not_kept_is_not_there(archive: Archive) -> None:
    assert list(archive.history(A)) == []
    assert list(archive.search(GameFilter())) == []


def test_keeping_a_room_again_changes_nothing(archive: Archive) -> None:
    archive.keep(A, records(A), [GAME])
    archive.keep(A, records(A), [GAME])
    archive.keep(A, records(A, 1), [replace(GAME, game="gomoku")])
    assert list(archive.history(A)) == records(A)
    assert list(archive.search(GameFilter())) == [GAME]


def test_what_is_kept_is_there_after_a_new_start(address: str, tmp_path: Path) -> None:
    before = open_archive(tmp_path, address)
    before.keep(A, records(A), [GAME])
    before.close()
    after = open_archive(tmp_path, address)
    assert list(after.search(GameFilter())) == [GAME]
    assert list(after.history(A)) == records(A)
    after.close()


def test_two_servers_may_use_one_archive(address: str, tmp_path: Path) -> None:
    one, two = open_archive(tmp_path, address), open_archive(tmp_path, address)
    one.keep(A, records(A), [GAME])
    two.keep(A, records(A), [GAME])
    two.keep(B, records(B), [replace(GAME, room=B)])
    assert {game.room for game in one.search(GameFilter())} == {A, B}
    one.close()
    two.close()


def test_games_are_found_by_player_game_and_date(archive: Archive) -> None:
    second = replace(GAME, match=2, game="gomoku", names=("Cy", "Ada"), ended=Millis(9_000))
    other = replace(GAME, room=B, names=("Bo", "Cy"), ended=Millis(7_000))
    archive.keep(A, records(A), [GAME, second])
    archive.keep(B, records(B), [other])
    assert matches(archive) == [(A, 2), (B, 1), (A, 1)]
    assert matches(archive, player="ada") == [(A, 2), (A, 1)]
    assert matches(archive, player="CY", game="chess") == [(B, 1)]
    assert matches(archive, game="gomoku") == [(A, 2)]
    assert matches(archive, since=Millis(7_000)) == [(A, 2), (B, 1)]
    assert matches(archive, until=Millis(7_000)) == [(A, 1)]
    assert matches(archive, player="Ada", since=Millis(6_000), until=Millis(9_001)) == [(A, 2)]
    assert matches(archive, player="Ad") == []
    assert matches(archive, player="' or 1 = 1 --") == []
    assert matches(archive, player="%") == []


def test_every_kept_room_is_counted(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_rows, "PAGE", 3)
    rooms = [RoomId(f"r{number}") for number in range(7)]
    for room in rooms:
        archive.keep(room, records(room), [])
    assert sorted(archive.rooms()) == rooms


def test_a_bot_is_no_player(archive: Archive) -> None:
    archive.keep(A, records(A), [replace(GAME, bots=("", "easy"))])
    assert matches(archive, player="Bo") == []
    assert matches(archive, player="Ada") == [(A, 1)]


def test_a_game_that_only_its_link_leads_to_is_not_listed(archive: Archive) -> None:
    archive.keep(A, records(A), [replace(GAME, public=False)])
    assert matches(archive) == []
    assert matches(archive, player="Ada") == []
    assert matches(archive, unlisted=True) == [(A, 1)]
    assert list(archive.history(A)) == records(A)


@pytest.mark.parametrize("player", ["", "Ada"])
def test_pages_follow_each_other_without_a_gap_or_a_double(archive: Archive, player: str) -> None:
    rooms = [RoomId(f"r{number:02}") for number in range(25)]
    for number, room in enumerate(rooms):
        # Many end in the same moment.
        archive.keep(room, records(room), [replace(GAME, room=room, ended=Millis(number // 10))])
    found: list[RoomId] = []
    after = None
    while page := archive.search(GameFilter(player=player, after=after, limit=7)):
        found += [game.room for game in page]
        after = (page[-1].ended, page[-1].room, page[-1].match)
    assert found == rooms[::-1]


def test_names_of_any_script_and_of_signs_are_found(archive: Archive) -> None:
    archive.keep(A, records(A), [replace(GAME, names=("小明 ✿", "☺☺"))])
    assert matches(archive, player="小明") == [(A, 1)]
    assert matches(archive, player="☺☺") == [(A, 1)]


def test_a_search_returns_no_more_than_it_was_asked_for(archive: Archive) -> None:
    games = [replace(GAME, match=match) for match in range(1, MOST + 5)]
    archive.keep(A, records(A), games)
    assert len(archive.search(GameFilter(limit=MOST))) == MOST
    assert len(archive.search(GameFilter(limit=1))) == 1


def test_the_database_may_be_away_for_a_moment(database: str, tmp_path: Path) -> None:
    import psycopg

    archive = open_archive(tmp_path, database)
    archive.keep(A, records(A), [GAME])
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where pid <> pg_backend_pid() and datname = current_database()"
        )
    assert list(archive.history(A)) == records(A)
    archive.close()


def test_a_database_that_was_away_is_not_waited_for_by_each_who_asks(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    from qipai.stores.archives import postgres_archive as ours

    tries = []
    honest = psycopg.connect

    def connect(*words: object, **names: object) -> object:
        tries.append(words)
        if len(tries) == 1:
            raise psycopg.OperationalError("nobody there")
        return honest(*words, **names)  # type: ignore[arg-type] # as given

    now = 100.0
    monkeypatch.setattr(ours, "monotonic", lambda: now)
    monkeypatch.setattr(psycopg, "connect", connect)
    archive = open_archive(tmp_path, database)
    for _ in range(3):
        with pytest.raises(StoreError, match="nobody there"):
            archive.check()
    assert len(tries) == 1
    now += ours.REST
    archive.check()
    archive.close()


def test_an_archive_that_cannot_be_reached_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="postgresql://"):
        open_archive(tmp_path, "mysql://nowhere")
    with pytest.raises(StoreError, match="cannot be read") as unreadable:
        open_archive(tmp_path, "postgresql://me:hush@nowhere?colour=red")
    assert "hush" not in str(unreadable.value)
    nobody = open_archive(tmp_path, "postgresql://127.0.0.1:1/nothing")
    with pytest.raises(StoreError, match="PostgreSQL"):
        nobody.check()
    with pytest.raises(StoreError, match="PostgreSQL"):
        nobody.search(GameFilter())
    nobody.close()
    with pytest.raises(StoreError):
        open_archive(tmp_path / "missing", "")
    (tmp_path / FILE).write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError):
        open_archive(tmp_path, "")


def test_the_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    open_archive(tmp_path, "").close()
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
