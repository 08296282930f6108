"""Makes acts known to a worker: reads the log every second, and at once after an act on this worker."""

from typing import Final, Protocol

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Now, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis

from .moderation_interface import ModerationChanges, ModerationState
from .operator_acts import Ask
from .operator_directory import OperatorDirectory
from .sanction_index import SanctionIndex

PAUSE: Final = 1_000
"""Milliseconds between two looks at the log, which all workers share."""
COUNT_PAUSE: Final = 10_000
"""Milliseconds between two counts of the open reports, for the metrics."""
DAY: Final = 24 * 60 * 60 * 1000
REPORTS_KEPT: Final = 365 * DAY
"""Milliseconds after which a report is deleted that was closed."""
NETWORKS_KEPT: Final = 365 * DAY
"""Milliseconds after the end of a sanction in which its network is known."""
_ALARM: Final = "moderation"


class Enforcement(Protocol):
    """What a worker does about acts."""

    def loaded(self) -> None:
        """Everything is known now that was done before the start."""

    def changed(self, changes: ModerationChanges) -> None:
        """These acts were done; index and directory know them already."""


class ModerationReader:
    """Keeps the sanctions, roles and settings of a worker as those of the database."""

    def __init__(
        self,
        ask: Ask,
        index: SanctionIndex,
        directory: OperatorDirectory,
        enforcement: Enforcement,
        alarms: Alarms,
        alarm_clock: Now,
        wall_clock: Now,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
    ) -> None:
        self._ask = ask
        self._index = index
        self._directory = directory
        self._enforcement = enforcement
        self._alarms = alarms
        self._alarm_clock = alarm_clock
        self._now = wall_clock
        self._tasks = tasks
        self._incidents = incidents
        self._last: int | None = None
        """The number of the last entry that this worker knows; None before the first look."""
        self._forget_at = Millis(0)
        self._reading = False
        self._again = False
        self.open_reports = 0
        """Reports that were open a moment ago."""
        self._count_at = Millis(0)

    def read(self) -> None:
        """Read what was done, and set the alarm for the next time."""
        if self._reading:
            self._again = True
            return
        self._reading = True
        self._tasks.run(self._read())

    async def _read(self) -> None:
        try:
            with FailureIsolation(self._failed):
                await self._read_entries()
        finally:
            self._reading = False
        pause, self._again = 0 if self._again else PAUSE, False
        self._alarms.set(_ALARM, Millis(self._alarm_clock() + pause), self.read)

    async def _read_entries(self) -> None:
        now = self._now()
        if self._last is None:
            state = await self._ask(lambda store: store.moderation.state(now))
            self._last = state.last
            self._load(state, now)
        last = self._last
        changes = await self._ask(lambda store: store.moderation.changes(last))
        if changes.entries:
            self._last = changes.entries[-1].number
            self._apply(changes, now)
        if now >= self._count_at:
            self._count_at = Millis(now + COUNT_PAUSE)
            self.open_reports = await self._ask(lambda store: store.moderation.open_reports())
        if now >= self._forget_at:
            self._forget_at = Millis(now + DAY)
            self._index.forget_ended(now)
            await self._ask(
                lambda store: store.moderation.forget(Millis(now - REPORTS_KEPT), Millis(now - NETWORKS_KEPT))
            )

    def _load(self, state: ModerationState, now: Millis) -> None:
        self._index.load(state.sanctions, now)
        self._directory.load(state)
        self._enforcement.loaded()

    def _apply(self, changes: ModerationChanges, now: Millis) -> None:
        for sanction in changes.sanctions:
            self._index.put(sanction, now)
        for person, role in changes.roles.items():
            self._directory.set_role(person, role)
        self._directory.set_values(changes.settings)
        self._enforcement.changed(changes)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, StoreError):
            self._incidents.accounts_unavailable(error)
        else:
            self._incidents.task_failed(error)
