"""Comparisons for operators: one at a time, off the event loop, limited in number, of archived matches."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.comparison import comparisons as module
from qipai.hall.comparison.comparisons import MOST_WAITING, Comparisons, NotCompared
from qipai.hall.comparison.game_comparison import Comparison
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.finished_games import FinishedGames
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support import uci
from tests.support.comparison.chess_games import ROOM, UNRATED, archived, store

KEY = (ROOM, 1)
MOVES = ("e2e4", "e7e5", "g1f3")


@asynccontextmanager
async def desk(folder: Path, engine: str, failures: list[Exception]) -> AsyncIterator[Comparisons]:
    """Yield comparisons over the archive of a folder."""
    archive: Archive = open_archive(folder, "")
    finished = FinishedGames(GAMES, MemoryStore(), lambda: Millis(2**41), archive)
    tasks = BackgroundTasks(failures.append)
    try:
        yield Comparisons(GAMES, archive, finished, tasks, engine)
    finally:
        await tasks.close()
        finished.close()
        archive.close()


async def result(made: Comparisons, *, unrated: bool = False) -> Comparison:
    """Ask until the comparison is there."""
    for _ in range(600):
        found = await made.compare(KEY, unrated=unrated)
        if isinstance(found, Comparison):
            return found
        assert found is NotCompared.COMPUTING
        await asyncio.sleep(0.1)
    raise AssertionError("no comparison within a minute")


@pytest.mark.slow
def test_a_rated_match_is_computed_once_and_kept(tmp_path: Path) -> None:
    store(tmp_path, archived(MOVES))
    failures: list[Exception] = []

    async def ask() -> None:
        async with desk(tmp_path, uci.program(tmp_path, "good"), failures) as made:
            assert await made.compare(KEY, unrated=False) is NotCompared.COMPUTING
            found = await result(made)
            assert found.engine == "fake"
            assert [(side.seat, side.moves) for side in found.sides] == [(0, 2), (1, 1)]
            assert await made.compare(KEY, unrated=False) is found

    asyncio.run(ask())
    assert len(uci.started(tmp_path)) == 1
    assert uci.all_ended(uci.started(tmp_path))
    assert failures == []


@pytest.mark.slow
def test_an_unrated_match_is_compared_only_if_that_is_asked_for(tmp_path: Path) -> None:
    store(tmp_path, archived(MOVES, UNRATED))

    async def ask() -> None:
        async with desk(tmp_path, uci.program(tmp_path, "good"), []) as made:
            assert await made.compare(KEY, unrated=False) is NotCompared.NOT_RATED
            await result(made, unrated=True)
            assert await made.compare(KEY, unrated=False) is NotCompared.NOT_RATED

    asyncio.run(ask())


def test_matches_that_are_not_archived_and_twists_are_refused(tmp_path: Path) -> None:
    store(tmp_path, archived(()))

    async def ask() -> None:
        async with desk(tmp_path, "", []) as made:
            assert await made.compare((RoomId("other"), 1), unrated=True) is NotCompared.UNKNOWN
            assert await made.compare((ROOM, 2), unrated=True) is NotCompared.UNKNOWN
            assert await made.compare(KEY, unrated=True) is NotCompared.NOT_COMPARABLE

    asyncio.run(ask())


@pytest.mark.slow
def test_only_so_many_matches_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, archived(MOVES))

    async def ask() -> None:
        async with desk(tmp_path, uci.program(tmp_path, "good"), []) as made:
            found = module.find_comparable(GAMES, open_archive(tmp_path, ""), KEY)
            monkeypatch.setattr(module, "find_comparable", lambda *_: found)
            keys = [(RoomId(f"room{number}"), 1) for number in range(MOST_WAITING + 1)]
            answers = [await made.compare(key, unrated=False) for key in keys]
            assert answers == [NotCompared.COMPUTING] * MOST_WAITING + [NotCompared.BUSY]
            assert await made.compare(keys[0], unrated=False) is not NotCompared.BUSY

    asyncio.run(ask())


@pytest.mark.slow
def test_a_failure_is_reported_and_the_match_is_compared_when_it_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(tmp_path, archived(MOVES))
    failures: list[Exception] = []

    async def ask() -> None:
        async with desk(tmp_path, uci.program(tmp_path, "good"), failures) as made:
            with monkeypatch.context() as patched:
                patched.setattr(module, "compare_game", partial(int, "no number"))
                assert await made.compare(KEY, unrated=False) is NotCompared.COMPUTING
                for _ in range(600):
                    if failures:
                        break
                    await asyncio.sleep(0.1)
            await result(made)

    asyncio.run(ask())
    assert len(failures) == 1


@pytest.mark.slow
def test_the_event_loop_goes_on_while_a_match_is_compared(tmp_path: Path) -> None:
    store(tmp_path, archived(MOVES))

    async def ask() -> None:
        async with desk(tmp_path, uci.program(tmp_path, "hangs"), []) as made:
            assert await made.compare(KEY, unrated=False) is NotCompared.COMPUTING
            for _ in range(600):
                if uci.started(tmp_path):
                    break
                await asyncio.sleep(0.1)
            assert await made.compare(KEY, unrated=False) is NotCompared.COMPUTING
            for process in uci.started(tmp_path):
                # What it waits for: the comparison then goes on with our own search.
                os.kill(process, signal.SIGKILL)
            assert (await result(made)).nodes == GAMES["chess"].comparison.own_nodes  # type: ignore[union-attr]

    asyncio.run(ask())
