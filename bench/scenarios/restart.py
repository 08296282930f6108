"""A crash under load: how long until all clients have resumed."""

import asyncio
import time
from typing import Final

from msgspec import Struct
from picows import WSError

from bench.failure import Failure
from bench.load.native_player import Player
from bench.load.native_tables import NativeTables, create_many
from bench.load.notices import FullRoom, RoomEvents, Unchanged
from bench.load.pacing import FixedRate
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import qipai_server
from bench.statistics import median

SERVING_LIMIT: Final = 2.0
RESUMED_LIMIT: Final = 10.0
RESUME_TIMEOUT: Final = 60.0
RATE: Final = 4000.0


class Restart(Struct):
    """Times in seconds since the start of the new process; `behind` counts players that lost a step."""

    tables: int
    serving: float
    resumed: float
    behind: int
    moves_after: int


async def restart(scale: Scale, report: Report) -> list[Row]:
    """Kill the server while tables play, start it on the same data, and resume all players."""
    runs = []
    for _ in range(scale.repeats):
        runs.append(await _crash(scale))
        report.add_run("restart", runs[-1])
    serving, resumed = median([run.serving for run in runs]), median([run.resumed for run in runs])
    note = f"{runs[-1].tables} tables"
    return [
        Row(
            "restart (serving)",
            "s",
            f"<= {SERVING_LIMIT:.0f} s",
            serving,
            met=serving <= SERVING_LIMIT,
            note=note,
        ),
        Row(
            "restart (resumed)",
            "s",
            f"<= {RESUMED_LIMIT:.0f} s",
            resumed,
            met=resumed <= RESUMED_LIMIT,
            note=note,
        ),
    ]


async def _crash(scale: Scale) -> Restart:
    with qipai_server() as server:
        async with NativeTables(server) as tables:
            await tables.fill(scale.restart_tables)
            tables.set_pacing(FixedRate(RATE))
            tables.pacing.start()
            await asyncio.sleep(scale.seconds)
            server.kill()
            tables.pacing.stop()
            await asyncio.sleep(0.1)
            versions = [player.version for player in tables.players]
            started = time.perf_counter()
            server.start()
            health = asyncio.create_task(asyncio.to_thread(server.wait_until_healthy))
            players = list(tables.players)
            await create_many(len(players), lambda number: _resume(players[number], started))
            resumed = time.perf_counter() - started
            serving = await health
            behind = sum(player.version < before for player, before in zip(players, versions, strict=True))
            if behind:
                raise Failure(f"{behind} players had received steps that the server has lost")
            tables.counters.lost_connections = 0
            tables.set_pacing(FixedRate(RATE))
            after = await tables.play(0.2, 1.0)
            return Restart(scale.restart_tables, serving, resumed, behind, after.moves)


async def _resume(player: Player, started: float) -> None:
    frame = b'{"type":"resume","room":"%b","version":%d}'
    while time.perf_counter() - started < RESUME_TIMEOUT:
        try:
            await player.connect()
            await player.ask(frame % (player.room, player.version), FullRoom, RoomEvents, Unchanged)
        except (OSError, Failure, TimeoutError, WSError):
            await asyncio.sleep(0.1)
        else:
            return
    raise Failure(f"a player did not resume within {RESUME_TIMEOUT:.0f} s")
