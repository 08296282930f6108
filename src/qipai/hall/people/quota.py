"""A few of something in some time for each person, wherever he is connected."""

from functools import partial

from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.inbox import Inbox
from qipai.hall.connections.rate_limit import SlidingWindow
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person


class Quota:
    """Counts here, or where there are other workers with a ledger that all of them share.

    While that cannot be reached each worker counts for itself: what is said then is heard here at the most.
    """

    def __init__(
        self, inbox: Inbox, ledger: SharedCounters | None, name: str, most: int, window: int
    ) -> None:
        self._inbox = inbox
        self._ledger = ledger
        self._name = name
        self._most = most
        self._window = window
        self._lines = SlidingWindow(most, window)

    def spend(self, connection: Connection, now: Millis, granted: Retry, refused: Retry) -> None:
        """Count one for the person of a peer, and go on; the peer is heard no further before that."""
        assert connection.person is not None
        if self._ledger is None:
            (granted if self._lines.allow(connection.person, now) else refused)()
        elif self._inbox.defer(connection, partial(self.spend, connection, now, granted, refused)):
            return
        elif self._lines.full(connection.person, now):
            # It was all spent here, so nobody need be asked: a flood stays with this worker.
            refused()
        else:
            self._inbox.wait(connection, partial(self._ask, connection.person, now, granted, refused))

    def _ask(self, person: Person, now: Millis, granted: Retry, refused: Retry, done: Retry) -> None:
        assert self._ledger is not None

        def told(answer: bool | StoreError) -> None:
            if isinstance(answer, StoreError):
                answer = self._lines.allow(person, now)
            elif answer:
                self._lines.add(person, now)
            try:
                (granted if answer else refused)()
            finally:
                done()

        self._ledger.spend(f"{self._name}:{person}", self._most, self._window, told)
