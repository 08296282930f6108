"""Heartbeats of this server in the store, and whether the store answers, for `/ready` and metrics."""

from typing import Final

from qipai.hall.cluster.replication_interface import ClusterListeners
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.journal.store_interface import Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis

from .internal_errors import InternalErrors

HEARTBEAT: Final = 1_000
TIMEOUT: Final = 3_000
"""Milliseconds without a successful heartbeat after which the store counts as down."""
FAILURE_HOLD: Final = 5_000
"""Milliseconds after a failed batch for which a local store counts as down."""


class StoreHealth:
    """Writes heartbeats of a single server; with several workers the bus does, and reports who is alive."""

    def __init__(
        self,
        store: Store,
        journal: GroupCommit,
        alarms: Alarms,
        internal_errors: InternalErrors,
        now: Now,
        cluster: ClusterListeners,
    ) -> None:
        self._store = store
        self._journal = journal
        self._alarms = alarms
        self._internal_errors = internal_errors
        self._now = now
        self._last_heartbeat: Millis | None = None
        self._failures = 0
        self._failed_at: Millis | None = None
        self.workers = 1
        """How many workers are alive on this store, this one included."""
        cluster.workers.append(self._workers_changed)

    @property
    def up(self) -> bool:
        """Tell whether the store answers and takes records."""
        now = self._now()
        failing = self._failed_at is not None and now - self._failed_at < FAILURE_HOLD
        return self._last_heartbeat is not None and now - self._last_heartbeat < TIMEOUT and not failing

    def heartbeat(self) -> None:
        """Write a heartbeat now and every second."""
        now = self._now()
        if self._journal.failures > self._failures:
            # A full disk stops records, but not the heartbeats of every store.
            self._failures, self._failed_at = self._journal.failures, now
        try:
            self._store.heartbeat(now)
            self._last_heartbeat = now
        except StoreError as error:
            self._internal_errors.store_unavailable(error)
        self._alarms.set("heartbeat", Millis(now + HEARTBEAT), self.heartbeat)

    def _workers_changed(self, workers: frozenset[str]) -> None:
        # An empty set means that the worker was cut off, and tells nothing about the others.
        if workers:
            self.workers = len(workers)
            self._last_heartbeat = self._now()
