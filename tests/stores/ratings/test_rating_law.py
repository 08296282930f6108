"""For any history the ratings are those of a replay: repeated deliveries, several workers, and crashes."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import ArchivedMatch, pack
from qipai.hall.history.rating_rebuild import compare, rebuild
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.ratings import rating_replay
from qipai.ratings.rating_values import DAY, SAME_PLAYERS_A_DAY
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.archives.sql_archive import SqlArchive
from qipai.stores.sql.sql_database import Query
from tests.support.databases.postgres import postgres
from tests.support.rated_matches import rated

PERSONS = ("p1", "p2", "p3", "p4", "p5")
NOON = 20_000 * DAY + DAY // 2
WORKERS = 3


class Crash(Enum):
    """When a worker loses the database: before it writes, in the middle, or when all is written."""

    BEFORE = 0
    DURING = 1
    AFTER = 2


@contextmanager
def crashing(archive: Archive, crash: Crash | None, statements: int) -> Iterator[None]:
    """Let the next transaction of a worker fail."""
    assert isinstance(archive, SqlArchive)
    run = archive._transaction

    def transaction(work: Callable[[Query], Any]) -> Any:
        def interrupted(query: Query) -> Any:
            left = statements

            def counted(sql: str, values: Any) -> Any:
                nonlocal left
                left -= 1
                if crash is Crash.DURING and left < 0:
                    raise StoreError("killed in the middle")
                return query(sql, values)

            return work(counted)

        if crash is Crash.BEFORE:
            raise StoreError("killed before it wrote")
        result = run(interrupted)
        if crash is Crash.AFTER:
            raise StoreError("killed before it knew")
        return result

    archive._transaction = transaction  # type: ignore[method-assign] # the worker dies here
    try:
        yield
    except StoreError:
        if crash is None:
            raise
    finally:
        archive._transaction = run  # type: ignore[method-assign] # the worker starts again


@st.composite
def archived(draw: st.DrawFn, number: int) -> ArchivedMatch:
    """Return a match of one of a few players; most count, and some do not."""
    seats = draw(st.sampled_from((2, 2, 2, 4)))
    persons = tuple(draw(st.permutations(PERSONS))[:seats])
    ranks = tuple(draw(st.integers(1, seats)) for _ in range(seats))
    minutes = draw(st.integers(-3 * 24 * 60, 3 * 24 * 60))
    categories = ("mahjong-16",) if seats == 4 else ("chess-blitz", "gomoku-free")
    changes: dict[str, Any] = draw(
        st.sampled_from(({}, {}, {}, {}, {"table": {}}, {"reason": "aborted"}, {"seat_moves": (1,) * seats}))
    )
    category = draw(st.sampled_from(categories))
    return rated(
        f"r{number // 2}",
        persons,
        ranks,
        NOON + minutes * 60_000,
        match=1 + number % 2,
        category=category,
        **changes,
    )


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[int, ArchivedMatch | str, Crash | None, int, bool]]:
    """Return deliveries: worker, match or person to erase, crash and when, and whether the room closes."""
    matches = [draw(archived(number)) for number in range(draw(st.integers(1, 8)))]
    wanted = st.one_of(*[st.sampled_from(matches)] * 4, st.sampled_from(PERSONS))
    crashes = st.sampled_from((None, None, *Crash))
    step = st.tuples(st.integers(0, WORKERS - 1), wanted, crashes, st.integers(0, 12), st.booleans())
    return draw(st.lists(step, min_size=1, max_size=20))


def deliver(archive: Archive, wanted: ArchivedMatch | str, *, closed: bool) -> None:
    if isinstance(wanted, str):
        archive.ratings.erase(Person(wanted))
        return
    room = RoomId(wanted.room)
    archive.store(room, [Entry(room, 1, Millis(1), b"{}")] if closed else (), [pack(wanted)])


def check_history(folder: Path, url: str, history: list[Any]) -> None:
    with ExitStack() as opened:
        # So that short histories reach the limit of a day.
        opened.enter_context(patch.object(rating_replay, "SAME_PLAYERS_A_DAY", 2))
        workers = [opened.enter_context(closing(open_archive(folder, url))) for _ in range(WORKERS)]
        for worker, wanted, crash, statements, closed in history:
            with crashing(workers[worker], crash, statements):
                deliver(workers[worker], wanted, closed=closed)
            assert compare(workers[0]) == []
        for worker, wanted, _, _, closed in history:  # Every delivery is made in the end.
            deliver(workers[worker], wanted, closed=closed)
        stored = workers[0].ratings.all()
        entries = workers[0].ratings.sequence()
        assert len({each[1:] for each in entries}) == len(entries)
        assert rebuild(workers[1]) == (stored[0], [])
        assert workers[2].ratings.all() == stored


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories())
def test_in_sqlite_the_ratings_of_any_history_are_those_of_a_replay(history: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        check_history(Path(folder), "", history)


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with postgres() as address:
        yield address


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories())
def test_in_postgresql_the_ratings_of_any_history_are_those_of_a_replay(
    postgresql: str, history: list[Any]
) -> None:
    import psycopg

    with psycopg.connect(postgresql, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    with TemporaryDirectory() as folder:
        check_history(Path(folder), postgresql, history)


def test_the_limit_of_a_day_holds_in_a_replay(tmp_path: Path) -> None:
    with closing(open_archive(tmp_path, "")) as archive:
        for number in range(SAME_PLAYERS_A_DAY + 3):
            match = rated("r", ("p1", "p2"), (1, 2), NOON + number, match=number + 1)
            archive.store(RoomId("r"), (), [pack(match)])
        assert archive.ratings.ratings(Person("p1"))["chess-blitz"].games == SAME_PLAYERS_A_DAY
        assert rebuild(archive) == (SAME_PLAYERS_A_DAY + 3, [])
