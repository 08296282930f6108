"""Makes changes of accounts known to a worker: new names at tables, devices that were signed out."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.connections.connection import SIGNED_OUT, Connection
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.commands import TakeSeat
from qipai.kernel.ids import SYSTEM, Millis, Person
from qipai.kernel.seats import seat_of

from .account_directory import AccountDirectory
from .account_interface import Account, AccountStore
from .accounts import DAY, Accounts

PAUSE: Final = 1_000
"""Milliseconds between two looks at the log of changes, which all workers share."""
_ALARM: Final = "accounts"


class AccountChanges:
    """Reads the log of changes every second, and at once after a change on this worker."""

    def __init__(
        self,
        accounts: Accounts,
        directory: AccountDirectory,
        connections: Iterable[Connection],
        executor: CommandExecutor,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
    ) -> None:
        self._accounts = accounts
        self._directory = directory
        self._connections = connections
        self._executor = executor
        self._tasks = tasks
        self._incidents = incidents
        self._last: int | None = None
        """The number of the last change that this worker knows; None before the accounts are loaded."""
        self._forget_at = Millis(0)
        self._reading = False
        self._again = False

    def read(self) -> None:
        """Read what has changed, and set the alarm for the next time."""
        if self._reading:
            self._again = True
            return
        self._reading = True
        self._tasks.run(self._read())

    async def _read(self) -> None:
        try:
            with FailureIsolation(self._failed):
                await self._read_changes()
        finally:
            self._reading = False
        pause, self._again = 0 if self._again else PAUSE, False
        self._executor.alarms.set(_ALARM, Millis(self._executor.now() + pause), self.read)

    async def _read_changes(self) -> None:
        after = self._last = await self._load() if self._last is None else self._last
        changes = await self._accounts.ask(lambda store: store.changes(after))
        for person in dict.fromkeys(change.person for change in changes):
            account, sessions = await self._accounts.ask(
                partial(_read_account, person=person, now=self._accounts.now())
            )
            self._apply(person, account, sessions)
        if changes:
            self._last = changes[-1].number
        now = self._accounts.now()
        if now >= self._forget_at:
            self._forget_at = Millis(now + DAY)
            await self._accounts.ask(lambda store: store.forget(now, Millis(now - DAY)))

    async def _load(self) -> int:
        last, accounts = await self._accounts.ask(lambda store: store.accounts())
        self._directory.load(accounts)
        self._close_guests()
        return last

    def _apply(self, person: Person, account: Account | None, sessions: frozenset[bytes]) -> None:
        if account is None:
            return
        self._directory.put(account)
        for connection in tuple(self._connections):
            if connection.person == person and connection.session_key not in sessions:
                connection.outbox.close(SIGNED_OUT, "this device was signed out")
            elif connection.person == person:
                connection.name = account.name
        self._rename_seats(account)

    def _close_guests(self) -> None:
        """Close connections that came with the guest token of an account before the accounts were loaded."""
        for connection in tuple(self._connections):
            person = connection.person
            if person is not None and not connection.session_key and self._directory.account(person):
                connection.outbox.close(SIGNED_OUT, "this device was signed out")

    def _rename_seats(self, account: Account) -> None:
        for room in tuple(self._executor.seat_index.get(account.person, ())):
            live = self._executor.live_rooms.get(room)
            if live is not None and seat_of(live.latest.seats, account.person) is not None:
                take = TakeSeat(account.person, account.name)
                self._executor.submit(live, SYSTEM, take, self._executor.now())

    def _failed(self, error: Exception) -> None:
        if isinstance(error, StoreError):
            self._incidents.accounts_unavailable(error)
        else:
            self._incidents.task_failed(error)


def _read_account(
    store: AccountStore, person: Person, now: Millis
) -> tuple[Account | None, frozenset[bytes]]:
    sessions = frozenset(session.key for session in store.sessions(person, now))
    return store.account(person), sessions
