"""Measures the CPU time and the delays of a server under load."""

import asyncio
import time
from collections.abc import Sequence
from statistics import median
from typing import Final, Protocol

from msgspec import Struct

from bench import process_usage
from bench.failure import Failure
from bench.servers import Server
from bench.statistics import percentile

from .counters import LoadCounters

MOST_FRAMES: Final = 50
"""Frames per second that a server accepts from one connection."""

NOISY: Final = 0.1
"""Share of the time in which other processes ran, from which on a measurement is noisy."""


class Sender(Protocol):
    """Counts the frames it sends."""

    sent: int


class Measurement(Struct):
    """Times in seconds; `most_frames` is what the busiest player sent per second.

    `kernel_per_move` is the part of `cpu_per_move` that was spent in the kernel. `waited` is the time in
    which the server was ready but other processes ran.
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


def noise(measurements: Sequence[Measurement]) -> str:
    """Return a warning if other processes ran for more than a tenth of the time."""
    waited = median([measurement.waited / measurement.seconds for measurement in measurements])
    return f", noisy: other processes ran {waited:.0%} of the time" if waited > NOISY else ""


async def measure(
    server: Server, counters: LoadCounters, players: Sequence[Sender], seconds: float, *, timing: bool = False
) -> Measurement:
    """Measure for some seconds; raise `Failure` if the server refused a frame or closed a connection."""
    del counters.delays[:]
    counters.timing = timing
    sent_before = [player.sent for player in players]
    started, moves_before = time.perf_counter(), counters.moves
    cpu_before, own_before = process_usage.cpu(server.pid), time.process_time()
    kernel_before, waited_before = process_usage.kernel(server.pid), process_usage.waited(server.pid)
    await asyncio.sleep(seconds)
    elapsed, moves = time.perf_counter() - started, counters.moves - moves_before
    cpu, own_cpu = process_usage.cpu(server.pid) - cpu_before, time.process_time() - own_before
    counters.timing = False
    most = max(player.sent - before for player, before in zip(players, sent_before, strict=True)) / elapsed
    # The first frame has no gap before it, which matters in a short measurement.
    check_load(server, counters, moves, most - 1 / elapsed)
    return Measurement(
        server=server.name,
        tables=len(players) // 2,
        seconds=elapsed,
        moves=moves,
        rate=moves / elapsed,
        cpu=cpu,
        cpu_per_move=cpu / moves,
        kernel_per_move=(process_usage.kernel(server.pid) - kernel_before) / moves,
        generator_per_move=own_cpu / moves,
        most_frames=most,
        waited=process_usage.waited(server.pid) - waited_before,
        p50=percentile(counters.delays, 0.50),
        p99=percentile(counters.delays, 0.99),
    )


def check_load(server: Server, counters: LoadCounters, moves: int, most: float) -> None:
    """Raise `Failure` if the load was not as planned."""
    if counters.refusals:
        raise Failure(f"{server.name} refused {len(counters.refusals)} frames: {counters.refusals[0]}")
    if counters.lost_connections:
        raise server.failure(f"closed {counters.lost_connections} connections")
    if not moves:
        raise server.failure("accepted no move")
    if most > MOST_FRAMES:
        raise Failure(f"a player sent {most:.1f} frames per second")
