"""What a running load costs between two moments."""

import asyncio
import time
from collections.abc import Sequence
from statistics import median
from typing import Final, Protocol

from msgspec import Struct

from bench import probe
from bench.failure import Failure
from bench.figures import percentile
from bench.servers import Server

from .tally import Tally

FRAMES: Final = 50
"""Frames a second that a server grants one peer."""

NOISY: Final = 0.1


class Sender(Protocol):
    """Counts the frames it sends."""

    sent: int


class Window(Struct):
    """Times in seconds; `most_frames` is what the busiest player sent a second.

    `kernel_per_move` is the part of `cpu_per_move` that the kernel took; `waited` is how long other
    processes kept the server from running.
    """

    server: str
    tables: int
    seconds: float
    moves: int
    rate: float
    cpu: float
    cpu_per_move: float
    kernel_per_move: float
    generator_per_move: float
    most_frames: float
    waited: float
    p50: float = 0.0
    p99: float = 0.0


def noise(windows: Sequence[Window]) -> str:
    """Return a warning if others kept the server from running for more than a tenth of the time."""
    kept = median([window.waited / window.seconds for window in windows])
    return f", noisy: kept waiting {kept:.0%} of the time" if kept > NOISY else ""


async def watch(
    server: Server, tally: Tally, players: Sequence[Sender], seconds: float, *, timing: bool = False
) -> Window:
    """Measure for a while; raise `Failure` if the server refused, dropped or ignored anybody."""
    del tally.delays[:]
    tally.timing = timing
    before = [player.sent for player in players]
    began, moves = time.perf_counter(), tally.moves
    cpu, own = probe.cpu(server.pid), time.process_time()
    inside, delayed = probe.kernel(server.pid), probe.waited(server.pid)
    await asyncio.sleep(seconds)
    took, moved = time.perf_counter() - began, tally.moves - moves
    spent, spent_here = probe.cpu(server.pid) - cpu, time.process_time() - own
    tally.timing = False
    most = max(player.sent - then for player, then in zip(players, before, strict=True)) / took
    # The first frame of a window has no gap before it, which tells in short ones.
    check(server, tally, moved, most - 1 / took)
    return Window(
        server=server.name,
        tables=len(players) // 2,
        seconds=took,
        moves=moved,
        rate=moved / took,
        cpu=spent,
        cpu_per_move=spent / moved,
        kernel_per_move=(probe.kernel(server.pid) - inside) / moved,
        generator_per_move=spent_here / moved,
        most_frames=most,
        waited=probe.waited(server.pid) - delayed,
        p50=percentile(tally.delays, 0.50),
        p99=percentile(tally.delays, 0.99),
    )


def check(server: Server, tally: Tally, moved: int, most: float) -> None:
    """Raise `Failure` unless the load went as it should."""
    if tally.refusals:
        raise Failure(f"{server.name} refused {len(tally.refusals)} frames: {tally.refusals[0]}")
    if tally.lost:
        raise server.failure(f"closed {tally.lost} connections")
    if not moved:
        raise server.failure("accepted no move")
    if most > FRAMES:
        raise Failure(f"a player sent {most:.1f} frames a second")
