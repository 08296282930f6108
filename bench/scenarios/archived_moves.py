"""Size of the data folder after many finished games, and what a server on it takes to start and to search."""

import asyncio
import time
from pathlib import Path
from typing import Final

from msgspec import Struct

from bench.failure import Failure
from bench.load.chess_games import play_games
from bench.load.http_client import get, metric
from bench.load.qtchess_players import PLIES
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import qipai_server
from bench.statistics import median
from qipai.kernel.ids import Millis
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE

SIZE_LIMIT: Final = 60.0
START_LIMIT: Final = 1.0
SEARCH_LIMIT: Final = 50.0
ARCHIVE_LIMIT: Final = 900.0
TABLES: Final = 250
"""Games that are played at the same time."""
SEARCHES: Final = 20
LATER: Final = 2 * 24 * 3600 * 1000
"""Milliseconds after which the journal keeps nothing of an archived room."""


class Archived(Struct):
    """Bytes of the data folder, seconds until a server on it answers, and seconds of each search."""

    games: int
    moves: int
    journal_and_archive: int
    start: float
    searches: list[float]


async def archived_moves(scale: Scale, report: Report) -> list[Row]:
    """Play whole games of chess, wait until they are archived, and measure the data folder."""
    run = await _measure(scale.archived_moves)
    report.add_run("archived-moves", run)
    return archived_rows(run)


def archived_rows(run: Archived) -> list[Row]:
    """Return the rows of size, start and search."""
    size, search = run.journal_and_archive / run.moves, median(run.searches) * 1000
    note = f"{run.moves:,} moves in {run.games:,} games"
    return [
        Row("archived-moves (size)", "B", "<= 60 B", size, met=size <= SIZE_LIMIT, note=f"per move, {note}"),
        Row("archived-moves (start)", "s", "<= 1 s", run.start, met=run.start <= START_LIMIT, note=note),
        Row("archived-moves (search)", "ms", "<= 50 ms", search, met=search <= SEARCH_LIMIT, note=note),
    ]


async def _measure(moves: int) -> Archived:
    with qipai_server() as server:
        games = await play_games(server, moves, min(TABLES, moves // PLIES))
        await _wait_until_archived(server.port)
        server.stop()
        empty_journal(server.data / JOURNAL_FILE)
        size = sum(file.stat().st_size for file in server.data.rglob("*") if file.is_file())
        server.start()
        start = server.wait_until_healthy()
        searches = [(await get(server.port, "/api/games?game=chess"))[1] for _ in range(SEARCHES)]
        return Archived(games, games * PLIES, size, start, searches)


async def _wait_until_archived(port: int) -> None:
    """Wait until no closed room is left in two rounds of the archiver."""
    deadline, quiet = time.monotonic() + ARCHIVE_LIMIT, 0
    while quiet < 2:
        await asyncio.sleep(5.5)
        quiet = quiet + 1 if await metric(port, "qipai_rooms_unarchived") == 0 else 0
        if time.monotonic() > deadline:
            raise Failure("the games were not archived in time")


def empty_journal(path: Path) -> None:
    """Delete what archived rooms left in the journal, as the server does in the days after."""
    store = SqliteStore(path)
    try:
        later = Millis(time.time_ns() // 1_000_000 + LATER)
        store.heartbeat(Millis(later - LATER))
        while store.reclaim(later):
            pass
    finally:
        store.close()
