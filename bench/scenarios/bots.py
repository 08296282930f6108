"""Games against the hard gomoku bot: how long its answers take, and whether they delay other moves."""

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from msgspec import Struct

from bench.load.bot_games import BotGame
from bench.load.measurement import Measurement, noise
from bench.load.native_tables import NativeTables, create_many
from bench.load.pacing import FixedRate
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import qipai_server
from bench.statistics import median, percentile

BOT: Final = "hard"
RATE: Final = 1000.0
"""Moves per second of the others."""


class BotRun(Struct):
    """Waits in seconds; the moves of others without and with games against bots."""

    games: int
    waits: list[float]
    alone: Measurement
    beside: Measurement


async def bots(scale: Scale, report: Report) -> list[Row]:
    """Measure the wait for an answer of the bot, and the delay of other moves without and with bots."""
    runs = []
    for _ in range(scale.repeats):
        runs.append(await _measure(scale))
        report.add_run("bots", runs[-1])
    return bot_rows(runs)


def bot_rows(runs: list[BotRun]) -> list[Row]:
    """Return the rows of the waits, and that of the other moves."""
    rows = []
    for name, share in (("median", 0.5), ("p99", 0.99)):
        waits = [percentile(sorted(run.waits), share) for run in runs]
        note = f"{runs[0].games} games, {min(waits):.1f} to {max(waits):.1f} s, "
        note += f"{sum(len(run.waits) for run in runs)} answers"
        rows.append(Row(f"bots (answer, {name})", "s", "", median(waits), note=note))
    beside, alone = (
        median([run.p99 * 1000 for run in found])
        for found in ([run.beside for run in runs], [run.alone for run in runs])
    )
    note = "reference: without bots" + noise([run.beside for run in runs])
    rows.append(Row("bots (other moves, p99)", "ms", "", beside, alone, beside / alone, note=note))
    return rows


async def _measure(scale: Scale) -> BotRun:
    spawning = multiprocessing.get_context("spawn")
    with qipai_server() as server, ProcessPoolExecutor(1, spawning) as thinking:
        async with NativeTables(server) as tables:
            await tables.fill(scale.tables)
            tables.set_pacing(FixedRate(RATE))
            alone = await tables.play(scale.warm, scale.seconds, timing=True)

            async def game(number: int) -> BotGame:
                client = BotGame(server.port, tables.counters, thinking, number)
                await client.connect()
                return client

            games = await create_many(scale.bot_games, game)
            tables.set_pacing(FixedRate(RATE))
            async with asyncio.TaskGroup() as group:
                playing = [group.create_task(each.play(BOT)) for each in games]
                beside = await tables.play(scale.bot_seconds / 4, scale.bot_seconds, timing=True)
                for task in playing:
                    task.cancel()
            for each in games:
                each.close()
            return BotRun(len(games), [wait for each in games for wait in each.waits], alone, beside)
