"""Group commit: whatever happens in one turn of the event loop is written at once, then spoken."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from qipai.hall.cluster.bus_interface import Bus
from qipai.kernel.ids import RoomId

from .store_interface import Conflict, Entry, Snapshot, Store, StoreError

Effect = Callable[[StoreError | None], None]
"""Called after its batch: with None once it is durable, or with what went wrong."""

MAX_BATCH: Final = 10_000
NO_ROOM: Final = RoomId("")


class GroupCommit:
    """Stages records and lets their effects go only when the store has them.

    An effect belongs to a room, or to none: a race that was lost concerns its own room only.
    """

    def __init__(self, store: Store, bus: Bus | None = None) -> None:
        self._store = store
        self._bus = bus
        self._entries: list[Entry] = []
        self._snapshots: list[Snapshot] = []
        self._effects: list[Effect] = []
        self._owners: list[RoomId] = []
        self._scheduled = False
        self._writing: asyncio.Future[None] | None = None
        self._pool = ThreadPoolExecutor(1, "journal") if store.slow and bus is None else None
        self.full = False
        """Whether the store is so far behind that new commands must be turned away."""
        self.batches = 0
        self.records = 0
        self.failures = 0
        """Groups of which nobody knows whether they were written."""

    def stage(self, entry: Entry, snapshot: Snapshot | None, effect: Effect) -> None:
        """Take a record into the present group."""
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
        if self._pool is not None:
            self._pool.shutdown()

    def _schedule(self) -> None:
        if self._writing is None:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self.write)

    def write(self) -> None:
        """Write the present group now, if there is one."""
        self._scheduled = False
        if self._writing is not None or not self._effects:
            return
        entries, snapshots, effects, owners = self._entries, self._snapshots, self._effects, self._owners
        self._entries, self._snapshots, self._effects, self._owners = [], [], [], []
        self.full = False
        self.batches += 1
        self.records += len(entries)
        if entries and (self._bus is not None or self._pool is not None):
            self._writing = self._begin(entries, snapshots)
            self._writing.add_done_callback(lambda done: self._written(done, effects, owners))
            return
        failure: StoreError | None = None
        if entries:
            try:
                self._store.append(entries, snapshots)
            except StoreError as error:
                failure = error
                self.failures += not isinstance(error, Conflict)
        self._release(effects, failure, owners)

    def _begin(self, entries: list[Entry], snapshots: list[Snapshot]) -> "asyncio.Future[None]":
        if self._bus is not None:
            return self._bus.append(entries, snapshots)
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._pool, self._store.append, entries, snapshots)

    def _written(self, done: "asyncio.Future[None]", effects: list[Effect], owners: list[RoomId]) -> None:
        self._writing = None
        error = done.exception()
        failure = error if error is None or isinstance(error, StoreError) else StoreError(str(error))
        # What was staged meanwhile stands on what has just been lost.
        if isinstance(failure, Conflict):
            self._withdraw(failure.rooms, effects, owners)
        elif failure is not None:
            self.failures += 1
            effects, owners = effects + self._effects, owners + self._owners
            self._entries, self._snapshots, self._effects, self._owners = [], [], [], []
            self.full = False
        self._release(effects, failure, owners)
        if self._effects and not self._scheduled:
            self._schedule()

    def _withdraw(self, rooms: frozenset[RoomId], effects: list[Effect], owners: list[RoomId]) -> None:
        """Move what is staged of these rooms behind the effects of the group in which they lost."""
        staged = list(zip(self._effects, self._owners, strict=True))
        effects += [effect for effect, owner in staged if owner in rooms]
        owners += [owner for owner in self._owners if owner in rooms]
        self._effects = [effect for effect, owner in staged if owner not in rooms]
        self._owners = [owner for owner in self._owners if owner not in rooms]
        self._entries = [entry for entry in self._entries if entry.room not in rooms]
        self._snapshots = [shot for shot in self._snapshots if shot.room not in rooms]

    def _release(self, effects: list[Effect], failure: StoreError | None, owners: list[RoomId]) -> None:
        lost = failure.rooms if isinstance(failure, Conflict) else None
        for done, effect in enumerate(effects, 1):
            try:
                effect(failure if lost is None or owners[done - 1] in lost else None)
            except BaseException:
                # One table's trouble is not the others': they are told in the next turn of the loop.
                asyncio.get_running_loop().call_soon(self._release, effects[done:], failure, owners[done:])
                raise
