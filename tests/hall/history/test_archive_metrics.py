"""What the metrics say of the archive: rated matches, and since when nothing was archived."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archiver import Archiver
from qipai.hall.internal_errors import Database, InternalErrors
from qipai.hall.journal.store_interface import Snapshot, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.commands import Close, Resign, TableRules
from qipai.kernel.ids import SYSTEM, Millis
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support.comparison.chess_games import RATED, UNRATED, WHITE
from tests.support.journal_writer import NOON, JournalWriter, snapshot_of

LATER = NOON + 10_000_000


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, "")
    yield opened
    opened.close()


class Clocked:
    """An archiver with a clock that is set by hand."""

    def __init__(self, store: MemoryStore, archive: Archive) -> None:
        self.time = LATER
        self.errors = InternalErrors()
        self.tasks = BackgroundTasks(self.errors.task_failed)
        self.alarms = Alarms(self.now)
        self.archiver = Archiver(GAMES, store, archive, self.alarms, self.tasks, self.errors, self.now)

    def now(self) -> Millis:
        return Millis(self.time)

    async def close(self) -> None:
        self.alarms.close()
        await self.tasks.close()


def closed(store: MemoryStore, room: str, table: TableRules) -> None:
    """Put a closed room with a match that counts, if the table is rated, into the store."""
    writer = JournalWriter("chess", table=table, room=room)
    writer.take_seats("Ada", "Bo")
    for _ in range(6):
        writer.play(writer.game.rules.legal(writer.room.state, writer.acting)[0])
    writer.do(WHITE, Resign())
    writer.do(SYSTEM, Close())
    snapshot = Snapshot(
        writer.room.id, writer.room.version, False, snapshot_of(writer.room), writer.room.code
    )
    store.append(writer.entries, [snapshot])


def test_each_rated_match_is_counted_once(archive: Archive) -> None:
    store = MemoryStore()
    closed(store, "rated1", RATED)
    closed(store, "casual1", UNRATED)

    async def rounds() -> None:
        made = Clocked(store, archive)
        assert made.archiver.run_round() == 2
        assert made.archiver.rated == 1
        assert made.archiver.run_round() == 0
        assert made.archiver.rated == 1
        await made.close()

    asyncio.run(rounds())


def test_the_age_of_the_last_round_grows_while_the_archive_fails(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rounds() -> None:
        made = Clocked(MemoryStore(), archive)
        assert made.archiver.round_age == 0
        made.time += 30_000
        assert made.archiver.round_age == 30
        made.archiver.start()
        await settled(lambda: made.archiver.round_age == 0)

        def fails() -> None:
            raise StoreError("out of reach")

        with monkeypatch.context() as patched:
            patched.setattr(archive, "check", fails)
            made.time += 70_000
            made.archiver.start()
            await settled(lambda: made.errors.unavailable[Database.ARCHIVE] > 0)
            assert made.archiver.round_age == 70
        made.archiver.start()
        await settled(lambda: made.archiver.round_age == 0)
        await made.close()

    asyncio.run(rounds())


async def settled(found: object) -> None:
    """Wait until this is true."""
    assert callable(found)
    for _ in range(6_000):
        if found():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")
