"""Measures a lobby in which many clients receive the list while others change it."""

import asyncio
import time
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from bench import process_usage
from bench.failure import Failure
from bench.report import Row
from bench.servers import Server
from bench.statistics import median

CPU_LIMIT: Final = 10.0
CHANGES: Final = 100.0
"""Changes of the list per second."""
HOSTS: Final = 50
"""Clients that make the changes."""


class Subscriber(Protocol):
    """Counts the lists that it receives."""

    lists: int

    def close(self) -> None: ...


class Reader(Protocol):
    """Counts the changed tables in the lists."""

    changes: int


class Changer(Protocol):
    """Changes one table of the list, and counts its changes."""

    changed: int

    def change(self) -> None: ...

    def close(self) -> None: ...


class LobbyMeasurement(Struct):
    """CPU share of the server; changes made and received, and lists received, per second."""

    subscribers: int
    seconds: float
    share: float
    generator: float
    made: float
    received: float
    lists: float


async def measure_lobby(
    server: Server,
    subscribers: Sequence[Subscriber],
    readers: Sequence[Reader],
    hosts: Sequence[Changer],
    warm: float,
    seconds: float,
) -> LobbyMeasurement:
    """Let the hosts change the list, measure the server, and close all clients.

    The readers are those subscribers that decode the lists.
    """
    try:
        await _change_list(hosts, warm)
        started, own_before = time.perf_counter(), time.process_time()
        cpu_before = process_usage.cpu(server.pid)
        lists_before = [client.lists for client in subscribers]
        changes_before = [client.changes for client in readers]
        changed = sum(client.changed for client in hosts)
        await _change_list(hosts, seconds)
        elapsed = time.perf_counter() - started
        cpu, own_cpu = process_usage.cpu(server.pid) - cpu_before, time.process_time() - own_before
        lists_each = [client.lists - before for client, before in zip(subscribers, lists_before, strict=True)]
        changes_each = [
            client.changes - before for client, before in zip(readers, changes_before, strict=True)
        ]
        lists, received = median(lists_each) / elapsed, median(changes_each) / elapsed
        if not received:
            raise Failure("no client received a change")
        made = (sum(client.changed for client in hosts) - changed) / elapsed
        return LobbyMeasurement(
            len(subscribers), elapsed, cpu / elapsed, own_cpu / elapsed, made, received, lists
        )
    finally:
        for subscriber in subscribers:
            subscriber.close()
        for host in hosts:
            host.close()


async def _change_list(hosts: Sequence[Changer], seconds: float) -> None:
    started = time.perf_counter()
    for number in range(int(seconds * CHANGES)):
        await asyncio.sleep(max(0.0, started + number / CHANGES - time.perf_counter()))
        hosts[number % len(hosts)].change()
    await asyncio.sleep(max(0.0, started + seconds - time.perf_counter()))


def lobby_row(name: str, runs: Sequence[LobbyMeasurement]) -> Row:
    """Return the row of the CPU share of the server."""
    share = median([run.share for run in runs]) * 100
    last = runs[-1]
    note = f"{last.made:.0f} changes made, {last.received:.0f} received in {last.lists:.0f} lists per second"
    return Row(name, "% CPU", f"< {CPU_LIMIT:.0f} %", share, met=share < CPU_LIMIT, note=note)
