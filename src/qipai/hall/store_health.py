"""Signs of life: this server's, for the store; and the store's, for whoever watches over the server."""

from typing import Final

from qipai.hall.cluster.replicas import Replicas
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.journal.store_interface import Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis

from .internal_errors import InternalErrors

BEAT: Final = 1_000
SILENCE: Final = 3_000
"""Milliseconds without a beat that the store took, after which it counts as out of reach."""
DOUBT: Final = 5_000
"""Milliseconds that a group which could not be written is held against a store of our own."""


class StoreHealth:
    """Beats where the server is alone; among several workers the bus does, and tells whom it met."""

    def __init__(
        self,
        store: Store,
        journal: GroupCommit,
        alarms: Alarms,
        incidents: InternalErrors,
        now: Now,
        circle: Replicas | None = None,
    ) -> None:
        self._store = store
        self._journal = journal
        self._alarms = alarms
        self._incidents = incidents
        self._now = now
        self._taken: Millis | None = None
        self._failures = 0
        self._doubted: Millis | None = None
        self.workers = 1
        """How many are alive on this store, this one included, as far as is known."""
        if circle is not None:
            circle.crewed.append(self._met)

    @property
    def up(self) -> bool:
        """Tell whether the store is in reach and takes what is written."""
        now = self._now()
        doubtful = self._doubted is not None and now - self._doubted < DOUBT
        return self._taken is not None and now - self._taken < SILENCE and not doubtful

    def beat(self) -> None:
        """Say now and every second that this server is alive."""
        now = self._now()
        if self._journal.failures > self._failures:
            # Not every store has beats that a full disk would stop.
            self._failures, self._doubted = self._journal.failures, now
        try:
            self._store.heartbeat(now)
            self._taken = now
        except StoreError as error:
            self._incidents.store_broke(error)
        self._alarms.set("beat", Millis(now + BEAT), self.beat)

    def _met(self, workers: frozenset[str]) -> None:
        # With nobody it only means that everybody has to be met anew.
        if workers:
            self.workers = len(workers)
            self._taken = self._now()
