"""Games of a person, their results and those of two persons, in every archive of the registry."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.history import archive_interface
from qipai.hall.history.archive_interface import (
    Archive,
    FinishedGame,
    GameFilter,
    GameResult,
    HeadToHead,
    Opponents,
    PackedMatch,
    PersonSummary,
    ResultCount,
    is_wanted,
)
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives import archive_queries
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, ARCHIVES, open_archive
from tests.formats.kept_databases import open_kept_archive
from tests.formats.kept_files import HERE
from tests.support.databases.postgres import postgres

ADA, BO, CY = "p-ada", "p-bo", "p-cy"
NAMES = {ADA: "Ada", BO: "Bo", CY: "Cy", "": "Easy"}
WON, LOST, DRAWN = GameResult.WON, GameResult.LOST, GameResult.DRAWN


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=list(ARCHIVES))
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archive]:
    url = "" if request.param == "sqlite" else request.getfixturevalue(request.param)
    if url:
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("drop schema public cascade")
            connection.execute("create schema public")
    with closing(open_archive(tmp_path, url)) as opened:
        yield opened


def game(number: int, seated: tuple[str, ...], winners: tuple[int, ...], **more: Any) -> FinishedGame:
    """Return a game that ended at its number; a seat without a person is a bot's."""
    bots = tuple("" if person else "easy" for person in seated)
    names = tuple(NAMES[person] for person in seated)
    return replace(
        FinishedGame(
            RoomId(f"r{number}"), 1, "chess", "", True, Millis(0), Millis(number), names, bots,
            tuple(map(Seat, winners)), "mate", 31, seated, "plain",
        ),
        **more,
    )  # fmt: skip


GAMES = (
    game(1, (ADA, BO), (0,)),
    game(2, (BO, ADA), (1,), twist="fog"),
    game(3, (ADA, ""), (1,)),
    game(4, (ADA, BO), (), game="gomoku", twist="renju"),
    game(5, (ADA, BO), (0,), public=False),
    game(6, (CY, ADA), (0,)),
    game(7, (BO, CY), (0,)),
    game(8, (ADA, BO, CY, ""), (2,), game="mahjong", twist="16"),
)


def store(archive: Archive, games: tuple[FinishedGame, ...] = GAMES) -> None:
    for each in games:
        persons = tuple(person for person in each.seated if person)
        archive.store(each.room, [Entry(each.room, 1, Millis(1), b"{}")], [PackedMatch(each, persons, b"b")])


FILTERS: tuple[tuple[dict[str, Any], list[int]], ...] = (
    ({}, [8, 6, 5, 4, 3, 2, 1]),
    ({"public_only": True}, [8, 6, 4, 3, 2, 1]),
    ({"game": "chess"}, [6, 5, 3, 2, 1]),
    ({"game": "chess", "twist": "fog"}, [2]),
    ({"result": WON}, [5, 2, 1]),
    ({"result": LOST}, [8, 6, 3]),
    ({"result": DRAWN}, [4]),
    ({"against": Opponents.BOTS}, [3]),
    ({"against": Opponents.PEOPLE, "result": LOST}, [8, 6]),
    ({"opponent": "BO"}, [8, 5, 4, 2, 1]),
    ({"opponent": "Easy"}, []),
    ({"opponent": "% or 1 = 1"}, []),
    ({"opponent_person": CY}, [8, 6]),
    ({"since": Millis(3), "until": Millis(6)}, [5, 4, 3]),
    ({"twist": "fog", "result": LOST}, []),
)


@pytest.mark.parametrize(("wanted", "numbers"), FILTERS, ids=str)
def test_the_games_of_a_person_are_found_by_what_they_were_for_the_person(
    archive: Archive, wanted: dict[str, Any], numbers: list[int]
) -> None:
    store(archive)
    filters = GameFilter(person=ADA, **wanted)
    assert [each.ended for each in archive.search(filters)] == numbers
    assert [each.ended for each in archive.search(replace(filters, limit=1))] == numbers[:1]
    # Games that the archive does not list yet are chosen without it.
    by_hand = [each.ended for each in reversed(GAMES) if ADA in each.seated and is_wanted(each, filters)]
    assert by_hand == numbers


def test_a_summary_counts_results_by_game_and_has_the_streaks(archive: Archive) -> None:
    store(archive)
    counts = (
        ResultCount("chess", "fog", "people", "won", 1),
        ResultCount("chess", "plain", "bots", "lost", 1),
        ResultCount("chess", "plain", "people", "lost", 1),
        ResultCount("chess", "plain", "people", "won", 1),
        ResultCount("gomoku", "renju", "people", "drawn", 1),
        ResultCount("mahjong", "16", "people", "lost", 1),
    )
    assert archive.summary(ADA, public_only=True) == PersonSummary(counts, 2, "lost", 2)
    own = archive.summary(ADA, public_only=False)
    assert sum(count.games for count in own.counts) == 7
    assert (own.longest_wins, own.streak_result, own.streak) == (2, "lost", 2)
    assert archive.summary("nobody", public_only=False) == PersonSummary()


def test_storing_a_game_again_counts_it_once(archive: Archive) -> None:
    store(archive)
    before = archive.summary(ADA, public_only=False)
    store(archive)
    assert archive.summary(ADA, public_only=False) == before


def test_a_person_who_sat_down_later_has_the_game_without_a_result(archive: Archive) -> None:
    late = game(1, (ADA, BO), (0,))
    archive.store(
        late.room, [Entry(late.room, 1, Millis(1), b"{}")], [PackedMatch(late, (ADA, BO, CY), b"b")]
    )
    assert archive.summary(CY, public_only=True) == PersonSummary((ResultCount("chess", "plain", "", "", 1),))
    assert list(archive.search(GameFilter(person=CY))) == [late]
    assert list(archive.search(GameFilter(person=CY, result=LOST))) == []
    assert archive.head_to_head(CY, ADA, public_only=True) == HeadToHead()


def test_two_persons_are_compared_by_the_games_in_which_one_of_them_won(archive: Archive) -> None:
    store(archive)
    # In the last game somebody else won, so it is drawn between the two.
    assert archive.head_to_head(ADA, BO, public_only=True) == HeadToHead(
        2, 0, 2, ("drawn", "drawn", "won", "won")
    )
    assert archive.head_to_head(BO, ADA, public_only=False) == HeadToHead(
        0, 3, 2, ("drawn", "lost", "drawn", "lost", "lost")
    )
    assert archive.head_to_head(ADA, CY, public_only=True) == HeadToHead(0, 2, 0, ("lost", "lost"))
    assert archive.head_to_head(ADA, "nobody", public_only=True) == HeadToHead()


def test_only_the_last_games_are_counted(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    assert archive_interface.MOST_COUNTED >= 1_000
    monkeypatch.setattr(archive_queries, "MOST_COUNTED", 3)
    store(archive)
    counted = archive.summary(ADA, public_only=False).counts
    assert {(count.game, count.result) for count in counted} == {
        ("chess", "won"), ("chess", "lost"), ("mahjong", "lost"),
    }  # fmt: skip


def test_results_are_added_to_an_archive_of_the_schema_before_also_beside_a_damaged_listing(
    tmp_path: Path,
) -> None:
    with closing(open_archive(tmp_path, "")) as archive:
        store(archive)
        before = archive.summary(ADA, public_only=False)
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection, connection:
        for column in ("public", "game", "twist", "against", "result"):
            connection.execute(f"alter table game_persons drop column {column}")
        connection.execute("update archive_meta set value = '5' where key = 'schema'")
    shutil.copy(tmp_path / ARCHIVE_FILE, tmp_path / "sound.db")
    with closing(open_archive(tmp_path, "")) as archive:
        assert archive.summary(ADA, public_only=False) == before
        assert archive.head_to_head(ADA, BO, public_only=True).won == 2
    shutil.move(tmp_path / "sound.db", tmp_path / ARCHIVE_FILE)
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection, connection:
        connection.execute("update finished_games set checksum = checksum + 1 where room = 'r6'")
    with closing(open_archive(tmp_path, "")) as archive:
        # The row stays, since the name of a deleted account is removed by it.
        counts = archive.summary(ADA, public_only=False).counts
        assert ResultCount("chess", "", "", "", 1) in counts
        assert sum(count.games for count in counts) == 7


@pytest.mark.parametrize("schema", [4, 5])
def test_an_archive_of_an_earlier_schema_has_the_results_of_its_persons(tmp_path: Path, schema: int) -> None:
    with open_kept_archive(HERE / f"archive-{schema}", tmp_path) as migrated:
        listed = migrated.search(GameFilter())
        persons = {person for each in listed for person in each.seated if person}
        assert persons
        for person in persons:
            own = migrated.search(GameFilter(person=person))
            counts = migrated.summary(person, public_only=False).counts
            assert sum(count.games for count in counts) == len(own)
            assert {count.game for count in counts} == {each.game for each in own}
            assert {count.twist for count in counts} == {""}, "matches of that time have no twist"
            for result in GameResult:
                wanted = GameFilter(person=person, result=result)
                by_hand = [each for each in own if is_wanted(each, wanted)]
                assert list(migrated.search(wanted)) == by_hand
