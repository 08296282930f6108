"""The parts of the hall that differ between one worker and several on a shared store."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.group_commit import BatchWriter, StoreWriter
from qipai.hall.journal.store_interface import Entry, Snapshot, Store, StoreError
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.rooms.command_executor import CommandExecutor

from .bus_interface import Bus, Nickname, SharedCounters
from .replicas import Replicas
from .replication_interface import Replication
from .single_worker import SingleWorker
from .worker_messages import WorkerListener, WorkerMessages


class ClusterMode(NamedTuple):
    """How batches are written, what counts for all workers, and how rooms are replicated."""

    writer: BatchWriter
    counters: SharedCounters
    replication: Callable[[CommandExecutor], Replication]
    start_messages: Callable[[CommandExecutor, RoomListFeed, WorkerListener], object]
    """Exchanges spectator counts and the messages of client support with other workers."""
    worker: str
    broadcast: Callable[[bytes], None]


class LocalCounters:
    """Counters of a single worker: what its parts count themselves is all there is."""

    def spend(self, key: str, most: int, window: int, done: Callable[[bool | StoreError], None]) -> None:
        """Grant it: the caller counts what is spent on this worker."""
        done(True)

    def name(
        self,
        game: str,
        whose: str,
        name: str,
        wanted: str,
        number: int,
        done: Callable[[Nickname | StoreError], None],
    ) -> None:
        """Grant it: the caller chose a name that is free on this worker."""
        done(Nickname(name, number))

    def unname(self, game: str, whose: str, name: str) -> None:
        """Nothing: only the caller knows the name."""


class BusWriter:
    """Writes batches over the bus."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> asyncio.Future[None]:
        """Write a batch."""
        return self._bus.append(entries, snapshots)

    def shut_down(self) -> None:
        """Nothing: the bus belongs to the composition root."""


def cluster_mode(
    store: Store,
    bus: Bus | None,
    errors: InternalErrors,
    tasks: BackgroundTasks,
    loaded_at_start: frozenset[str],
) -> ClusterMode:
    """Return the parts for a worker alone on its store, or for one of several on a bus.

    A worker alone loads the rooms of the games in `loaded_at_start` before it answers.
    """
    if bus is None:
        return ClusterMode(
            StoreWriter(store),
            LocalCounters(),
            partial(SingleWorker, store=store, errors=errors, tasks=tasks, loaded_at_start=loaded_at_start),
            lambda _executor, _room_list, _listener: None,
            "",
            lambda _message: None,
        )
    return ClusterMode(
        BusWriter(bus),
        bus.counters,
        partial(Replicas, bus=bus, store=store, errors=errors, tasks=tasks),
        partial(WorkerMessages, bus),
        bus.worker,
        bus.broadcast,
    )
