"""Size of the data folder after many finished games, and what a server on it takes to start and to search."""

import asyncio
import time
from contextlib import closing
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
from qipai.hall.history.archive_interface import FinishedGame
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from qipai.stores.archives.archive_tables import search_insertions
from qipai.stores.sqlite_files import connect, transaction
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE

SIZE_LIMIT: Final = 60.0
START_LIMIT: Final = 1.0
SEARCH_LIMIT: Final = 50.0
ARCHIVE_LIMIT: Final = 900.0
TABLES: Final = 250
"""Games that are played at the same time."""
SEARCHES: Final = 20
CACHE_KILOBYTES: Final = 200_000
"""Space for all pages that the listed games change: they are written once."""
FOUND: Final = 20
"""Games on a page of results."""
GAME_NAMES: Final = ("chess", "gomoku", "mahjong", "tictactoe")
NAMES: Final = 1000
"""Players of the listed games."""
FILTERS: Final = ("", "?game=chess", "?player=Player%207", "?player=Player%207&game=chess")
LATER: Final = 2 * 24 * 3600 * 1000
"""Milliseconds after which the journal keeps nothing of an archived room."""


class Archived(Struct):
    """Bytes of the data folder, seconds until a server on it answers, and seconds of each search.

    `listed` games were in the archive when it was searched, `searches` are by filter.
    """

    games: int
    moves: int
    journal_and_archive: int
    start: float
    listed: int
    searches: dict[str, list[float]]


async def archived_moves(scale: Scale, report: Report) -> list[Row]:
    """Play whole games of chess, wait until they are archived, and measure the data folder.

    Then list more games, which nobody played, and search them.
    """
    run = await _measure(scale.archived_moves, scale.listed_games)
    report.add_run("archived-moves", run)
    return archived_rows(run)


def archived_rows(run: Archived) -> list[Row]:
    """Return the rows of size, start and search."""
    size, note = run.journal_and_archive / run.moves, f"{run.moves:,} moves in {run.games:,} games"
    search = max(median(times) for times in run.searches.values()) * 1000
    listed = f"{run.listed:,} games, slowest of {len(run.searches)} filters"
    return [
        Row("archived-moves (size)", "B", "<= 60 B", size, met=size <= SIZE_LIMIT, note=f"per move, {note}"),
        Row("archived-moves (start)", "s", "<= 1 s", run.start, met=run.start <= START_LIMIT, note=note),
        Row("archived-moves (search)", "ms", "<= 50 ms", search, met=search <= SEARCH_LIMIT, note=listed),
    ]


async def _measure(moves: int, listed: int) -> Archived:
    with qipai_server() as server:
        games = await play_games(server, moves, min(TABLES, moves // PLIES))
        await _wait_until_archived(server.port)
        server.stop()
        empty_journal(server.data / JOURNAL_FILE)
        size = sum(file.stat().st_size for file in server.data.rglob("*") if file.is_file())
        server.start()
        start = server.wait_until_healthy()
        server.stop()
        list_games(server.data / ARCHIVE_FILE, listed - games)
        server.start()
        server.wait_until_healthy()
        searches = {each: [await _search(server.port, each) for _ in range(SEARCHES)] for each in FILTERS}
        return Archived(games, games * PLIES, size, start, max(games, listed), searches)


async def _search(port: int, wanted: str) -> float:
    """Return the seconds of a search, which finds a full page."""
    body, seconds = await get(port, f"/api/games{wanted}")
    if body.count(b'"room":') < FOUND:
        raise Failure(f"a search for {wanted!r} found too few games")
    return seconds


async def _wait_until_archived(port: int) -> None:
    """Wait until no closed room is left in two rounds of the archiver."""
    deadline, quiet = time.monotonic() + ARCHIVE_LIMIT, 0
    while quiet < 2:
        await asyncio.sleep(5.5)
        quiet = quiet + 1 if await metric(port, "qipai_rooms_unarchived") == 0 else 0
        if time.monotonic() > deadline:
            raise Failure("the games were not archived in time")


def list_games(path: Path, count: int) -> None:
    """Add games to the lists of an archive, without matches and journals, which a search does not read."""
    now = Millis(time.time_ns() // 1_000_000)
    with closing(connect(path)) as connection, transaction(connection):
        connection.execute(f"pragma cache_size = -{CACHE_KILOBYTES}")
        for number in range(count):
            # Factors without a common divisor: every player has games of every kind, at all times.
            names = (f"Player {number * 7 % NAMES}", f"Player {number * 11 % NAMES}")
            persons = tuple(name.replace(" ", "-") for name in names)
            room, name = f"listed{number * 7919 % 1_000_003:010}", GAME_NAMES[number // 3 % len(GAME_NAMES)]
            began, ended = Millis(now - number * 60_000), Millis(now - number * 60_000 + 30_000)
            game = FinishedGame(
                RoomId(room), 1, name, "", True, began, ended, names, ("", ""), (Seat(0),), "resigned", 40,
                persons,
            )  # fmt: skip
            for statement, values in search_insertions(game, persons):
                connection.execute(statement, values)


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
