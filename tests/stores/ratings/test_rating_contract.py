"""One contract for the ratings of every archive of the registry."""

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import Account
from qipai.hall.history.archive_interface import Archive, FinishedGame, PackedMatch
from qipai.hall.journal.store_interface import Entry
from qipai.hall.ratings.rating_interface import CURVE_LIMIT, LEADERS_LIMIT
from qipai.kernel.ids import Millis, Person, RoomId, Seat
from qipai.ratings.match_rating import rate
from qipai.ratings.rating_replay import RatingReplay, differences
from qipai.ratings.rating_values import (
    DAY,
    NEW,
    SAME_PLAYERS_A_DAY,
    AllRatings,
    RatedMatch,
    Rating,
    RatingChange,
)
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import ARCHIVES, open_archive
from qipai.stores.ratings import rating_tables
from qipai.stores.ratings.sql_ratings import SqlRatings
from tests.support.databases.postgres import postgres

A, B = RoomId("a"), RoomId("b")
ADA, BO, CY, DI = (Person(name) for name in ("p1", "p2", "p3", "p4"))
NOON = Millis(20_000 * DAY + DAY // 2)
MATCH = RatedMatch(A, 1, "chess-blitz", NOON, (ADA, BO), (1, 2))


def packed(match: RatedMatch) -> PackedMatch:
    """Return a match for the archive; its body and listing are of no interest here."""
    game = FinishedGame(
        match.room, match.match, "chess", "", True, Millis(match.ended - 1), match.ended,
        ("Ada", "Bo"), ("", ""), (Seat(0),), "mate", 31,
    )  # fmt: skip
    return PackedMatch(game, match.persons, b"body", match)


def store(archive: Archive, *matches: RatedMatch) -> None:
    for match in matches:
        archive.store(match.room, (), [packed(match)])


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=list(ARCHIVES))
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return ""
    import psycopg

    url: str = request.getfixturevalue(request.param)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    return url


@pytest.fixture
def archive(address: str, tmp_path: Path) -> Iterator[Archive]:
    with closing(open_archive(tmp_path, address)) as opened:
        yield opened


def test_a_match_is_rated_when_it_is_stored(archive: Archive) -> None:
    store(archive, MATCH)
    winner, loser = rate((1, 2), NOON, (NEW, NEW))
    assert archive.ratings.ratings(ADA) == {"chess-blitz": winner}
    assert archive.ratings.ratings(BO) == {"chess-blitz": loser}
    assert archive.ratings.ratings(CY) == {}
    assert list(archive.ratings.changes(A, 1)) == [
        RatingChange(1, A, 1, 0, ADA, "chess-blitz", NOON, 1500.0, winner.rating, winner.deviation),
        RatingChange(1, A, 1, 1, BO, "chess-blitz", NOON, 1500.0, loser.rating, loser.deviation),
    ]
    assert list(archive.ratings.changes(A, 2)) == []


def test_the_ratings_of_a_deleted_account_go_with_it(archive: Archive, address: str, tmp_path: Path) -> None:
    store(archive, MATCH)
    bo = archive.ratings.ratings(BO)
    with closing(open_accounts(tmp_path, address, lambda: Millis(NOON))) as accounts:
        accounts.register(Account(ADA, "Ada", "ada", Millis(1)), "hash", [])
        accounts.delete_account(ADA, Millis(NOON + 1))
    assert archive.ratings.ratings(ADA) == {}
    assert archive.ratings.ratings(BO) == bo
    assert [each.person for each in archive.ratings.sequence()] == ["", ADA]


def test_storing_a_match_again_rates_it_once(archive: Archive) -> None:
    store(archive, MATCH)
    before = archive.ratings.all()
    store(archive, MATCH, replace(MATCH, ranks=(2, 1)))
    archive.store(A, [Entry(A, 1, Millis(1), b"{}")], [packed(MATCH)])  # The room is closed.
    assert archive.ratings.all() == before
    assert before[0] == 1


def test_a_match_that_is_not_rated_changes_no_rating(archive: Archive) -> None:
    archive.store(A, (), [replace(packed(MATCH), rated=None)])
    assert archive.ratings.all() == (0, AllRatings({}, {}))
    assert list(archive.ratings.sequence()) == []


def test_matches_are_rated_in_the_order_in_which_they_are_stored(archive: Archive) -> None:
    later = replace(MATCH, room=B, ended=Millis(NOON + 5_000))
    store(archive, later, MATCH)
    assert [(each.room, each.match, each.person) for each in archive.ratings.sequence()] == [
        (B, 1, ""),
        (A, 1, ""),
    ]
    assert [each.number for each in archive.ratings.sequence(1)] == [2]
    curve = archive.ratings.curve(ADA, "chess-blitz")
    assert [change.room for change in curve] == [A, B]
    assert curve[0].before == curve[1].after
    assert archive.ratings.ratings(ADA)["chess-blitz"].games == 2


def test_each_category_has_its_own_rating(archive: Archive) -> None:
    store(archive, MATCH, replace(MATCH, match=2, category="chess-dice", ranks=(2, 1)))
    found = archive.ratings.ratings(ADA)
    assert list(found) == ["chess-blitz", "chess-dice"]
    assert found["chess-blitz"].rating > 1500 > found["chess-dice"].rating
    assert archive.ratings.curve(ADA, "chess-rapid") == []


def test_the_same_players_are_rated_ten_times_a_day(archive: Archive) -> None:
    half = SAME_PLAYERS_A_DAY // 2
    for number in range(SAME_PLAYERS_A_DAY + 2):
        category, persons = ("chess-blitz", (ADA, BO)) if number < half else ("chess-rapid", (BO, ADA))
        store(archive, replace(MATCH, match=number + 1, category=category, persons=persons))
    assert {each: rating.games for each, rating in archive.ratings.ratings(ADA).items()} == {
        "chess-blitz": half,
        "chess-rapid": half,
    }
    store(archive, replace(MATCH, room=B, persons=(ADA, CY)))
    assert archive.ratings.ratings(ADA)["chess-blitz"].games == half + 1, "another pair"
    store(archive, replace(MATCH, room=B, match=2, ended=Millis(20_001 * DAY)))
    assert archive.ratings.ratings(ADA)["chess-blitz"].games == half + 2, "the next day"
    last = len(archive.ratings.sequence())
    assert last == SAME_PLAYERS_A_DAY + 4, "matches beyond the limit have their place in the sequence"


def test_four_players_are_rated_together(archive: Archive) -> None:
    four = replace(MATCH, category="mahjong-16", persons=(ADA, BO, CY, DI), ranks=(3, 1, 4, 2))
    store(archive, four)
    places = {person: archive.ratings.ratings(person)["mahjong-16"].rating for person in four.persons}
    assert sorted(places, key=lambda person: -places[person]) == [BO, DI, ADA, CY]
    # Any two of them have not played as a pair.
    for number in range(SAME_PLAYERS_A_DAY):
        store(archive, replace(MATCH, room=B, match=number + 1))
    assert archive.ratings.ratings(ADA)["chess-blitz"].games == SAME_PLAYERS_A_DAY


def test_a_curve_has_the_last_changes(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    assert CURVE_LIMIT == 500
    monkeypatch.setattr("qipai.stores.ratings.sql_ratings.CURVE_LIMIT", 3)
    for number in range(5):
        store(archive, replace(MATCH, match=number + 1))
    assert [change.match for change in archive.ratings.curve(ADA, "chess-blitz")] == [5, 4, 3]


def known(rating: float, deviation: float = 60.0, last: Millis = NOON) -> Rating:
    return Rating(rating, deviation, 0.06, 30, last)


def test_leaders_are_active_and_not_provisional(archive: Archive) -> None:
    ratings = {
        (ADA, "chess-blitz"): known(1810),
        (BO, "chess-blitz"): known(1849.9, 110.0),
        (CY, "chess-blitz"): known(2000, 110.1),
        (DI, "chess-blitz"): known(2100, last=Millis(NOON - 1)),
        (Person("p5"), "chess-blitz"): known(1795),
        (Person("p6"), "chess-rapid"): known(2200),
    }
    assert archive.ratings.replace(0, AllRatings(ratings, {}))
    leaders = archive.ratings.leaders("chess-blitz", NOON)
    assert [(person, each.rating) for person, each in leaders.first] == [
        (BO, 1849.9),
        (ADA, 1810),
        ("p5", 1795),
    ]
    assert leaders.distribution == {1750: 1, 1800: 2}
    nobody = archive.ratings.leaders("gomoku-free", NOON)
    assert (list(nobody.first), nobody.distribution) == ([], {})


def test_a_leaderboard_has_a_hundred_places(archive: Archive) -> None:
    everybody = {(Person(f"p{number}"), "chess-blitz"): known(1000 + number) for number in range(150)}
    archive.ratings.replace(0, AllRatings(everybody, {}))
    leaders = archive.ratings.leaders("chess-blitz", NOON)
    assert [each.rating for _, each in leaders.first] == list(range(1149, 1049, -1))
    assert len(leaders.first) == LEADERS_LIMIT
    assert leaders.distribution == {1000: 50, 1050: 50, 1100: 50}


def test_a_rating_is_counted_from_the_beginning_of_its_bucket_on(archive: Archive) -> None:
    found = (-60.0, -50.0, -0.1, 0.0, 49.9, 50.0, 1774.9, 1775.0, 1775.1, 1799.9, 1800.0)
    everybody = {(Person(f"p{number}"), "chess-blitz"): known(each) for number, each in enumerate(found)}
    archive.ratings.replace(0, AllRatings(everybody, {}))
    leaders = archive.ratings.leaders("chess-blitz", NOON)
    assert leaders.distribution == {-100: 1, -50: 2, 0: 2, 50: 1, 1750: 4, 1800: 1}


def test_no_more_rows_are_read_for_a_leaderboard_with_more_players() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in rating_tables.CREATE_TABLES:
            connection.execute(statement.format(keyed=""))
        for number in range(1000):
            row = rating_tables.rating_row(f"p{number}", "chess-blitz", known(1500 + number % 100))
            connection.execute(rating_tables.INSERT_RATING, row)
        read: list[int] = []

        def query(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
            rows = connection.execute(sql, values).fetchall()
            read.append(len(rows))
            return rows

        leaders = SqlRatings(query, lambda work: work(query)).leaders("chess-blitz", NOON)
    assert leaders.distribution == {1500: 500, 1550: 500}
    assert sorted(read) == [2, LEADERS_LIMIT]


def test_the_ratings_of_an_account_are_erased_for_good(archive: Archive) -> None:
    store(archive, MATCH)
    bo = archive.ratings.ratings(BO)
    archive.ratings.erase(ADA)
    archive.ratings.erase(ADA)
    assert archive.ratings.ratings(ADA) == {}
    assert archive.ratings.curve(ADA, "chess-blitz") == []
    assert [change.person for change in archive.ratings.changes(A, 1)] == [BO]
    store(archive, replace(MATCH, match=2))  # It was running when the account was deleted.
    assert archive.ratings.ratings(ADA) == {}
    assert archive.ratings.ratings(BO) == bo
    assert [each.person for each in archive.ratings.sequence()] == ["", ADA, ""]


def test_a_replay_that_lacks_the_last_match_replaces_nothing(archive: Archive) -> None:
    store(archive, MATCH)
    before = archive.ratings.all()
    assert not archive.ratings.replace(0, AllRatings({}, {}))
    assert archive.ratings.all() == before
    assert archive.ratings.replace(1, AllRatings({}, {}))
    assert archive.ratings.all() == (1, AllRatings({}, {}))


def test_workers_that_store_at_once_rate_every_match_once(address: str, tmp_path: Path) -> None:
    matches = [
        replace(
            MATCH,
            room=RoomId(f"r{number}"),
            persons=((ADA, BO), (BO, CY), (CY, DI))[number % 3],
            ranks=((1, 2), (2, 1), (1, 1))[number % 7 % 3],
        )
        for number in range(24)
    ]
    by_key = {(match.room, match.match): match for match in matches}
    with closing(open_archive(tmp_path, address)) as one, closing(open_archive(tmp_path, address)) as two:
        with ThreadPoolExecutor(4) as threads:
            jobs = [
                threads.submit(store, archive, match)
                for number, match in enumerate(matches)
                for archive in ((one, two), (two, one))[number % 2]
            ]
            for job in jobs:
                job.result()
        entries = one.ratings.sequence()
        assert [each.number for each in entries] == list(range(1, 25))
        replay = RatingReplay()
        for each in entries:
            replay.apply(each.number, by_key[each.room, each.match])
        assert two.ratings.all() == (24, replay.result)
        assert list(differences(one.ratings.all()[1], replay.result)) == []
