"""A worker knows the ratings of all persons, also those that other workers changed."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import pack
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.ratings.rating_directory import _ALARM, READ_PAUSE, RatingDirectory
from qipai.hall.ratings.ratings import RunInThread
from qipai.kernel.ids import Person, RoomId
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import HallSimulation
from tests.support.rated_matches import rated

ADA, BO, CY = Person("p1"), Person("p2"), Person("p3")
ENDED = 1_800_000_000_000
BLITZ = "chess-blitz"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with closing(open_archive(tmp_path, "")) as opened:
        yield opened


def play(archive: Archive, room: str, *persons: Person) -> None:
    archive.store(RoomId(room), (), [pack(rated(room, persons, (1, 2), ENDED))])


class Worker:
    """A directory whose looks are made one by one; `error` is what the next one fails with."""

    def __init__(self, archive: Archive | None, simulation: HallSimulation) -> None:
        hall = simulation.hall
        self.error: Exception | None = None
        self.incidents = InternalErrors()
        self.pauses: list[int] = []
        self._archive = archive
        self._simulation = simulation
        self._run: RunInThread = hall.finished_games.in_thread
        self.directory = RatingDirectory(archive, self.run, hall.alarms, hall.tasks, self.incidents, hall.now)

    def run(self, work, address):  # type: ignore[no-untyped-def] # as the original
        if self.error is not None:
            raise self.error
        return self._run(work, address)

    def look(self) -> None:
        async def look() -> None:
            assert self._archive is not None
            await self.directory._look(self._archive)

        self._simulation.loop.run_until_complete(look())

    def points(self, person: Person, category: str = BLITZ) -> float:
        return self.directory.rating(person, category)


def test_all_ratings_are_read_at_the_start_and_changes_later(archive: Archive) -> None:
    play(archive, "a", ADA, BO)
    with HallSimulation() as simulation:
        worker = Worker(archive, simulation)
        assert worker.points(ADA) == 1500
        worker.look()
        for _ in range(2):
            for person in (ADA, BO):
                assert worker.points(person) == archive.ratings.ratings(person)[BLITZ].rating
            assert worker.points(CY) == worker.points(ADA, "chess-rapid") == 1500
            worker.look()
        play(archive, "b", BO, ADA)  # On another worker.
        play(archive, "c", CY, ADA)
        before = worker.points(ADA)
        worker.look()
        assert worker.points(ADA) == archive.ratings.ratings(ADA)[BLITZ].rating < before
        assert worker.points(CY) == archive.ratings.ratings(CY)[BLITZ].rating > 1500


def test_erased_ratings_are_forgotten(archive: Archive) -> None:
    play(archive, "a", ADA, BO)
    with HallSimulation() as simulation:
        worker = Worker(archive, simulation)
        worker.look()
        archive.ratings.erase(ADA)
        worker.look()
        assert worker.points(ADA) == 1500
        assert worker.points(BO) < 1500


@pytest.mark.parametrize("error", [StoreError("away"), TooManyRequests(), ValueError("a fault")])
def test_a_look_that_fails_is_made_again(archive: Archive, error: Exception) -> None:
    play(archive, "a", ADA, BO)
    with HallSimulation() as simulation:
        worker = Worker(archive, simulation)
        worker.error = error
        worker.look()
        assert worker.incidents.count == isinstance(error, ValueError)
        assert worker.points(ADA) == 1500
        worker.error = None
        worker.look()
        assert worker.points(ADA) > 1500


def test_the_next_look_is_a_few_seconds_later(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    with HallSimulation() as simulation:
        worker, now = Worker(archive, simulation), simulation.hall.now
        set_alarms: dict[object, int] = {}
        monkeypatch.setattr(
            simulation.hall.alarms, "set", lambda key, at, _do: set_alarms.update({key: at - now()})
        )
        worker.look()
        assert set_alarms[_ALARM] == READ_PAUSE


def test_without_an_archive_everybody_is_a_new_player() -> None:
    hall = Hall(GAMES, MemoryStore())
    hall.history.rating_directory.start()
    assert hall.history.rating_directory.rating(ADA, BLITZ) == 1500
