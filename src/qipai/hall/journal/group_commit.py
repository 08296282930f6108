"""Group commit: writes all records of one event-loop turn at once, then runs their effects."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from qipai.kernel.ids import RoomId

from .store_interface import Conflict, Entry, Snapshot, Store, StoreError

Effect = Callable[[StoreError | None], None]
"""Called after its batch: with None once it is durable, or with what went wrong."""

MAX_BATCH: Final = 10_000
NO_ROOM: Final = RoomId("")


class BatchWriter(Protocol):
    """Writes batches, one at a time."""

    def append(
        self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]
    ) -> "asyncio.Future[None] | None":
        """Write a batch: at once (None, or `StoreError` is raised), or by the end of the future."""

    def shut_down(self) -> None:
        """Release what is needed for writing."""


class StoreWriter:
    """Writes to a store of this process: at once, or in a thread while the store waits for a disk."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(1, "journal")

    def append(
        self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]
    ) -> "asyncio.Future[None] | None":
        """Write a batch."""
        if self._store.slow:
            loop = asyncio.get_running_loop()
            return loop.run_in_executor(self._threads, self._store.append, entries, snapshots)
        self._store.append(entries, snapshots)
        return None

    def shut_down(self) -> None:
        """Stop the thread."""
        self._threads.shutdown()


class GroupCommit:
    """Stages records and runs their effects only when the store has them.

    An effect belongs to one room, or to none: a lost race concerns only its own room.
    """

    def __init__(self, writer: BatchWriter) -> None:
        self._writer = writer
        self._entries: list[Entry] = []
        self._snapshots: list[Snapshot] = []
        self._effects: list[Effect] = []
        self._owners: list[RoomId] = []
        self._scheduled = False
        self._writing: asyncio.Future[None] | None = None
        self.full = False
        """Whether the store is so far behind that new commands must be refused."""
        self.batches = 0
        self.records = 0
        self.failures = 0
        """Batches with an unknown outcome."""

    def stage(self, entry: Entry, snapshot: Snapshot | None, effect: Effect) -> None:
        """Add a record to the present batch."""
        self._entries.append(entry)
        if snapshot is not None:
            self._snapshots.append(snapshot)
        self._effects.append(effect)
        self._owners.append(entry.room)
        if not self._scheduled:
            self._schedule()
            self.full = len(self._entries) >= MAX_BATCH

    def after(self, effect: Effect, room: RoomId = NO_ROOM) -> None:
        """Run an effect once everything staged so far is durable."""
        if self._effects or self._writing is not None:
            self._effects.append(effect)
            self._owners.append(room)
            if not self._scheduled:
                self._schedule()
        else:
            effect(None)

    def after_batch(self, effect: Effect, room: RoomId = NO_ROOM) -> None:
        """As `after`, but never before the remaining effects of a batch that is being released."""
        if self._effects or self._writing is not None:
            self.after(effect, room)
        else:
            asyncio.get_running_loop().call_soon(effect, None)

    async def flush(self) -> None:
        """Return when nothing is staged any more."""
        while self._effects or self._writing is not None:
            if self._writing is not None:
                await asyncio.wait([self._writing])
                await asyncio.sleep(0)
            else:
                self.write()

    async def close(self) -> None:
        """Write what is left and stop."""
        await self.flush()
        self._writer.shut_down()

    async def written(self) -> bool:
        """Return when everything staged so far is written or lost; tell whether it is written."""
        if not self._effects and self._writing is None:
            return True
        settled: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.after(lambda failure: None if settled.done() else settled.set_result(failure is None))
        return await settled

    def _schedule(self) -> None:
        if self._writing is None:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self.write)

    def write(self) -> None:
        """Write the present batch now, if there is one."""
        self._scheduled = False
        if self._writing is not None or not self._effects:
            return
        entries, snapshots, effects, owners = self._entries, self._snapshots, self._effects, self._owners
        self._entries, self._snapshots, self._effects, self._owners = [], [], [], []
        self.full = False
        self.batches += 1
        self.records += len(entries)
        failure: StoreError | None = None
        if entries:
            try:
                writing = self._writer.append(entries, snapshots)
            except StoreError as error:
                failure = error
                self.failures += not isinstance(error, Conflict)
            else:
                if writing is not None:
                    self._writing = writing
                    writing.add_done_callback(lambda done: self._written(done, effects, owners))
                    return
        self._release(effects, failure, owners)

    def _written(self, done: "asyncio.Future[None]", effects: list[Effect], owners: list[RoomId]) -> None:
        self._writing = None
        error = done.exception()
        failure = error if error is None or isinstance(error, StoreError) else StoreError(str(error))
        # Records staged meanwhile rest on those that were just lost.
        if isinstance(failure, Conflict):
            self._withdraw(failure.rooms, effects, owners)
        elif failure is not None:
            self.failures += 1
            effects, owners = effects + self._effects, owners + self._owners
            self._entries, self._snapshots, self._effects, self._owners = [], [], [], []
            self.full = False
        try:
            self._release(effects, failure, owners)
        finally:
            if self._effects and not self._scheduled:
                self._schedule()

    def _withdraw(self, rooms: frozenset[RoomId], effects: list[Effect], owners: list[RoomId]) -> None:
        """Move the staged effects of these rooms behind those of the batch that lost the race."""
        staged = list(zip(self._effects, self._owners, strict=True))
        effects += [effect for effect, owner in staged if owner in rooms]
        owners += [owner for owner in self._owners if owner in rooms]
        self._effects = [effect for effect, owner in staged if owner not in rooms]
        self._owners = [owner for owner in self._owners if owner not in rooms]
        self._entries = [entry for entry in self._entries if entry.room not in rooms]
        self._snapshots = [shot for shot in self._snapshots if shot.room not in rooms]

    def _release(self, effects: list[Effect], failure: StoreError | None, owners: list[RoomId]) -> None:
        lost = failure.rooms if isinstance(failure, Conflict) else None
        for count, effect in enumerate(effects, 1):
            try:
                effect(failure if lost is None or owners[count - 1] in lost else None)
            except BaseException:
                # A failure in one room does not concern the others: their effects run in the next turn.
                asyncio.get_running_loop().call_soon(self._release, effects[count:], failure, owners[count:])
                raise
