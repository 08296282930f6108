"""Memory of a gomoku table over Socket.IO after joining and after many moves, beside a relay."""

import asyncio
import time
from typing import Final

from msgspec import Struct

from bench import process_usage
from bench.failure import Failure
from bench.load.counters import LoadCounters
from bench.load.gomoku_players import GomokuPlayer, create_tables
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server
from bench.statistics import median

JOINED_LIMIT: Final = 50.0
PLAYED_LIMIT: Final = 100.0
WARM_UP: Final = 50
"""Tables before the first measurement, so that what is loaded once is not counted."""
PLAY_LIMIT: Final = 300.0


class TableMemory(Struct):
    """Resident bytes per table."""

    server: str
    tables: int
    joined: float
    played: float


async def memory(scale: Scale, report: Report) -> list[Row]:
    """Compare the memory per table of Qipai and the relay."""
    reference_runs, qipai_runs = [], []
    for _ in range(scale.repeats):
        with reference_server("socketio", "whole") as server:
            reference_runs.append(await _measure(server, scale))
        with qipai_server() as server:
            qipai_runs.append(await _measure(server, scale))
        report.add_run("gomoku-memory", reference_runs[-1])
        report.add_run("gomoku-memory", qipai_runs[-1])
    return [
        memory_row(
            "gomoku-memory (joined)",
            JOINED_LIMIT,
            [run.joined for run in qipai_runs],
            [run.joined for run in reference_runs],
        ),
        memory_row(
            f"gomoku-memory ({scale.stones} moves)",
            PLAYED_LIMIT,
            [run.played for run in qipai_runs],
            [run.played for run in reference_runs],
        ),
    ]


def memory_row(name: str, limit: float, qipai_runs: list[float], reference_runs: list[float]) -> Row:
    """Return the row of kilobytes per table."""
    qipai, reference = median(qipai_runs) / 1024, median(reference_runs) / 1024
    note = f"{min(qipai_runs) / 1024:.0f} to {max(qipai_runs) / 1024:.0f} kB"
    note += f", reference {min(reference_runs) / 1024:.0f} to {max(reference_runs) / 1024:.0f} kB"
    met = qipai <= limit and qipai <= reference
    return Row(name, "kB", f"<= {limit:.0f} kB, <= 1.0 x", qipai, reference, qipai / reference, met, note)


async def _measure(server: Server, scale: Scale) -> TableMemory:
    counters = LoadCounters()
    for player in await create_tables(server, WARM_UP, counters, "early"):
        player.close()
    await asyncio.sleep(scale.settle)
    before = process_usage.memory(server.pid).rss
    players = await create_tables(server, scale.tables, counters)
    try:
        await asyncio.sleep(scale.settle)
        joined = process_usage.memory(server.pid).rss
        await _play(players, scale.stones // 2)
        await asyncio.sleep(scale.settle)
        played = process_usage.memory(server.pid).rss
    finally:
        for player in players:
            player.close()
        await asyncio.sleep(0.1)
    if counters.refusals or counters.lost_connections:
        raise Failure(f"{server.name} refused a frame or closed a connection")
    return TableMemory(
        server.name, scale.tables, (joined - before) / scale.tables, (played - before) / scale.tables
    )


async def _play(players: list[GomokuPlayer], frames: int) -> None:
    """Let both players of every table send so many frames, or one less if the other has no more turn."""
    for player in players:
        player.most_frames = frames
        player.start()
    deadline = time.monotonic() + PLAY_LIMIT
    while any(max(player.sent for player in player.pair) < frames for player in players):
        if time.monotonic() > deadline:
            raise Failure("not all tables made their moves in time")
        await asyncio.sleep(0.2)
