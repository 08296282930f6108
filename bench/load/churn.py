"""A lobby full of people who look at the list while others change it."""

import asyncio
import time
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from bench import probe
from bench.failure import Failure
from bench.figures import middle
from bench.report import Row
from bench.servers import Server

LIMIT: Final = 10.0
CHANGES: Final = 100.0
"""Changes of the list that are made each second."""
HOSTS: Final = 50
"""How many people make them."""


class Follower(Protocol):
    """Counts the lists it hears."""

    news: int

    def close(self) -> None: ...


class Reader(Protocol):
    """Counts the changes of tables in the lists."""

    changes: int


class Changer(Protocol):
    """Makes the list differ by one table, and counts how often."""

    changed: int

    def change(self) -> None: ...

    def close(self) -> None: ...


class Busy(Struct):
    """How busy the server was, and what a watcher heard each second."""

    watchers: int
    seconds: float
    share: float
    generator: float
    made: float
    heard: float
    news: float


async def busy(
    server: Server,
    guests: Sequence[Follower],
    readers: Sequence[Reader],
    hosts: Sequence[Changer],
    warm: float,
    seconds: float,
) -> Busy:
    """Let the hosts change the list, and measure what that costs the server; everybody leaves afterwards.

    The readers are those guests who read the lists.
    """
    try:
        await _churn(hosts, warm)
        cpu, own, began = probe.cpu(server.pid), time.process_time(), time.perf_counter()
        lists, changes = [client.news for client in guests], [client.changes for client in readers]
        changed = sum(client.changed for client in hosts)
        await _churn(hosts, seconds)
        took = time.perf_counter() - began
        spent, spent_here = probe.cpu(server.pid) - cpu, time.process_time() - own
        news = middle([client.news - then for client, then in zip(guests, lists, strict=True)]) / took
        heard = middle([client.changes - then for client, then in zip(readers, changes, strict=True)]) / took
        if not heard:
            raise Failure("nobody in the lobby heard of anything")
        made = (sum(client.changed for client in hosts) - changed) / took
        return Busy(len(guests), took, spent / took, spent_here / took, made, heard, news)
    finally:
        for guest in guests:
            guest.close()
        for host in hosts:
            host.close()


async def _churn(hosts: Sequence[Changer], seconds: float) -> None:
    began = time.perf_counter()
    for number in range(int(seconds * CHANGES)):
        await asyncio.sleep(max(0.0, began + number / CHANGES - time.perf_counter()))
        hosts[number % len(hosts)].change()
    await asyncio.sleep(max(0.0, began + seconds - time.perf_counter()))


def row(name: str, runs: Sequence[Busy]) -> Row:
    """Return the row of how busy the server was."""
    share = middle([run.share for run in runs]) * 100
    note = (
        f"{runs[-1].made:.0f} changes made, {runs[-1].heard:.0f} heard in {runs[-1].news:.0f} lists a second"
    )
    return Row(name, "% CPU", f"< {LIMIT:.0f} %", share, met=share < LIMIT, note=note)
