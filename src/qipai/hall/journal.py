"""Group commit: whatever happens in one turn of the event loop is written at once, then spoken."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from .ports import Entry, Snapshot, Store, StoreError

Effect = Callable[[StoreError | None], None]
"""Called after its batch: with None once it is durable, or with what went wrong."""

MAX_BATCH: Final = 10_000


class Journal:
    """Stages records and lets their effects go only when the store has them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: list[Entry] = []
        self._snapshots: list[Snapshot] = []
        self._effects: list[Effect] = []
        self._scheduled = False
        self._writing: asyncio.Future[None] | None = None
        self._pool = ThreadPoolExecutor(1, "journal") if store.slow else None
        self.full = False
        """Whether the store is so far behind that new commands must be turned away."""
        self.batches = 0
        self.records = 0

    def stage(self, entry: Entry, snapshot: Snapshot | None, effect: Effect) -> None:
        """Take a record into the present group."""
        self._entries.append(entry)
        if snapshot is not None:
            self._snapshots.append(snapshot)
        self._effects.append(effect)
        if not self._scheduled:
            self._schedule()
            self.full = len(self._entries) >= MAX_BATCH

    def after(self, effect: Effect) -> None:
        """Run an effect once everything staged so far is durable."""
        if self._effects or self._writing is not None:
            self._effects.append(effect)
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
        entries, snapshots, effects = self._entries, self._snapshots, self._effects
        self._entries, self._snapshots, self._effects = [], [], []
        self.full = False
        self.batches += 1
        self.records += len(entries)
        if self._pool is not None and entries:
            loop = asyncio.get_running_loop()
            self._writing = loop.run_in_executor(self._pool, self._store.append, entries, snapshots)
            self._writing.add_done_callback(lambda done: self._written(done, effects))
            return
        failure: StoreError | None = None
        if entries:
            try:
                self._store.append(entries, snapshots)
            except StoreError as error:
                failure = error
        self._release(effects, failure)

    def _written(self, done: "asyncio.Future[None]", effects: list[Effect]) -> None:
        self._writing = None
        error = done.exception()
        failure = error if error is None or isinstance(error, StoreError) else StoreError(str(error))
        if failure is not None:
            # What was staged meanwhile stands on what has just been lost.
            effects = effects + self._effects
            self._entries, self._snapshots, self._effects = [], [], []
            self.full = False
        self._release(effects, failure)
        if self._effects and not self._scheduled:
            self._schedule()

    def _release(self, effects: list[Effect], failure: StoreError | None) -> None:
        for done, effect in enumerate(effects, 1):
            try:
                effect(failure)
            except BaseException:
                # One table's trouble is not the others': they are told in the next turn of the loop.
                asyncio.get_running_loop().call_soon(self._release, effects[done:], failure)
                raise
