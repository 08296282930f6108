"""Lets pairs of players play as fast as the server answers, and measures it."""

import asyncio
import time
from collections.abc import Sequence
from typing import Final, Protocol

from bench.failure import Failure
from bench.servers import Server

from .counters import LoadCounters
from .measurement import Measurement, measure
from .pacing import Pacing

TURN_LIMIT: Final = 10.0
"""Seconds after a measurement in which every player must have had a turn."""


class TablePlayer(Protocol):
    """A player that counts its frames and can leave."""

    sent: int

    def close(self) -> None: ...


async def play_tables(
    server: Server,
    counters: LoadCounters,
    pacing: Pacing,
    pairs: Sequence[tuple[TablePlayer, TablePlayer]],
    warm: float,
    seconds: float,
) -> Measurement:
    """Play, measure after the warm-up, and close every player; every player must have had a turn."""
    players = [player for pair in pairs for player in pair]
    try:
        pacing.start()
        await asyncio.sleep(warm)
        before = [player.sent for player in players]
        measurement = await measure(server, counters, players, seconds)
        deadline = time.monotonic() + TURN_LIMIT
        while stuck := sum(player.sent == count for player, count in zip(players, before, strict=True)):
            if time.monotonic() > deadline:
                raise Failure(f"{server.name} left {stuck} players without a turn")
            await asyncio.sleep(0.1)
        return measurement
    finally:
        pacing.stop()
        for player in players:
            player.close()
        await asyncio.sleep(0.05)
