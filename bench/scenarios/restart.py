"""A crash under load: how long until everybody plays on."""

import asyncio
import time
from typing import Final

from msgspec import Struct
from picows import WSError

from bench.failure import Failure
from bench.figures import middle
from bench.load.floor import Floor, crowd
from bench.load.notices import Done, Happened, Shown
from bench.load.pace import Steady
from bench.load.player import Player
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import ours

SERVING: Final = 2.0
RESUMED: Final = 10.0
PATIENCE: Final = 60.0
RATE: Final = 4000.0


class Restart(Struct):
    """Seconds from the start of the new process."""

    tables: int
    serving: float
    resumed: float
    behind: int
    moves_after: int


async def restart(scale: Scale, report: Report) -> list[Row]:
    """Kill the server while tables play, start it on the same data, and bring everybody back."""
    runs = []
    for _ in range(scale.repeats):
        runs.append(await _crash(scale))
        report.keep("restart", runs[-1])
    serving, resumed = middle([run.serving for run in runs]), middle([run.resumed for run in runs])
    note = f"{runs[-1].tables} tables"
    return [
        Row("restart (serving)", "s", f"<= {SERVING:.0f} s", serving, met=serving <= SERVING, note=note),
        Row("restart (resumed)", "s", f"<= {RESUMED:.0f} s", resumed, met=resumed <= RESUMED, note=note),
    ]


async def _crash(scale: Scale) -> Restart:
    with ours() as server:
        async with Floor(server) as floor:
            await floor.fill(scale.living)
            floor.set_pace(Steady(RATE))
            floor.pace.start()
            await asyncio.sleep(scale.seconds)
            server.kill()
            floor.pace.stop()
            await asyncio.sleep(0.1)
            seen = [player.version for player in floor.players]
            began = time.perf_counter()
            server.start()
            health = asyncio.create_task(asyncio.to_thread(server.healthy))
            players = list(floor.players)
            await crowd(len(players), lambda number: _return(players[number], began))
            resumed = time.perf_counter() - began
            serving = await health
            behind = sum(player.version < before for player, before in zip(players, seen, strict=True))
            if behind:
                raise Failure(f"{behind} players had seen more than the server remembers")
            floor.tally.lost = 0
            floor.set_pace(Steady(RATE))
            after = await floor.play(0.2, 1.0)
            return Restart(scale.living, serving, resumed, behind, after.moves)


async def _return(player: Player, began: float) -> None:
    frame = b'{"type":"resume","room":"%b","version":%d}'
    while time.perf_counter() - began < PATIENCE:
        try:
            await player.connect()
            await player.ask(frame % (player.room, player.version), Shown, Happened, Done)
        except (OSError, Failure, TimeoutError, WSError):
            await asyncio.sleep(0.1)
        else:
            return
    raise Failure(f"a player did not come back within {PATIENCE:.0f} s")
