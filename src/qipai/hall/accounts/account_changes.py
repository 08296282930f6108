"""Makes changes of accounts known to a worker: new names at tables, devices that were signed out."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from qipai.hall.api_tokens.api_token_limits import ApiTokenLimits
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.connections.connection import SIGNED_OUT, Connection
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.relations.blocked_players import BlockedPlayerNotices
from qipai.hall.relations.relation_directory import RelationDirectory
from qipai.hall.relations.relation_interface import Known
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.commands import TakeSeat
from qipai.kernel.ids import SYSTEM, Millis, Person
from qipai.kernel.packing.person_names import DELETED_PLAYER
from qipai.kernel.seats import seat_of

from .account_directory import AccountDirectory
from .account_interface import Account, AccountStore
from .accounts import DAY, Accounts
from .match_names import remove_names

PAUSE: Final = 1_000
"""Milliseconds between two looks at the log of changes, which all workers share."""
NAMES_PAUSE: Final = 600_000
"""Milliseconds until finished games are searched again for names of deleted accounts: more are archived."""
NAMES_AT_ONCE: Final = 2
"""Finished games whose names are removed each second: tables go on meanwhile."""
_ALARM: Final = "accounts"


class AccountChanges:
    """Reads the log of changes every second, and at once after a change on this worker."""

    def __init__(
        self,
        accounts: Accounts,
        directory: AccountDirectory,
        relations: RelationDirectory,
        blocked_players: BlockedPlayerNotices,
        connections: Iterable[Connection],
        executor: CommandExecutor,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        listeners: Iterable[Callable[[Person], None]],
        token_limits: ApiTokenLimits,
    ) -> None:
        self._accounts = accounts
        self._directory = directory
        self._relations = relations
        self._blocked_players = blocked_players
        self._listeners = listeners
        self._connections = connections
        self._executor = executor
        self._tasks = tasks
        self._incidents = incidents
        self._token_limits = token_limits
        self._last: int | None = None
        """The number of the last change that this worker knows; None before the accounts are loaded."""
        self._forget_at = Millis(0)
        self._remove_names_at = Millis(0)
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
            account, sessions, known = await self._accounts.ask(
                partial(_read_account, person=person, now=self._accounts.now())
            )
            self._relations.put(person, known)
            self._apply(person, account, sessions)
            self._blocked_players.account_changed(person)
            for listener in self._listeners:
                listener(person)
        if any(self._directory.account(change.person) is None for change in changes):
            self._remove_names_at = Millis(0)
        if changes:
            self._last = changes[-1].number
        now = self._accounts.now()
        for connection in self._token_limits.expired(now):
            connection.outbox.close(SIGNED_OUT, "this API token has expired")
        await self._remove_names(now)
        if now >= self._forget_at:
            self._forget_at = Millis(now + DAY)
            await self._accounts.ask(lambda store: store.forget(now, Millis(now - DAY)))

    async def _remove_names(self, now: Millis) -> None:
        """Remove the names of deleted accounts from finished games, a few each second while there are any."""
        if now < self._remove_names_at:
            return
        self._remove_names_at = Millis(now + NAMES_PAUSE)
        for _ in range(NAMES_AT_ONCE):
            if not await self._accounts.ask(lambda store: store.remove_next_name(remove_names)):
                return
        self._remove_names_at = now

    async def _load(self) -> int:
        last, accounts = await self._accounts.ask(lambda store: store.accounts())
        deleted = await self._accounts.ask(lambda store: store.deleted_persons())
        known = await self._accounts.ask(lambda store: store.relations.all_known())
        # In one turn: nobody learns that an invisible account is online, because it is not known as such yet.
        self._relations.load(known)
        self._directory.load(accounts, deleted)
        self._blocked_players.refresh()
        self._close_guests()
        return last

    def _apply(self, person: Person, account: Account | None, sessions: frozenset[bytes]) -> None:
        if account is None:
            self._directory.delete(person)
            for connection in tuple(self._connections):
                if connection.person == person:
                    connection.outbox.close(SIGNED_OUT, "this account was deleted")
            self._rename_seats(person, DELETED_PLAYER)
            return
        self._directory.put(account)
        for connection in tuple(self._connections):
            if connection.person == person and connection.session_key not in sessions:
                what = "API token was revoked" if connection.bot else "device was signed out"
                connection.outbox.close(SIGNED_OUT, f"this {what}")
            elif connection.person == person:
                connection.name = account.name
        self._rename_seats(account.person, account.name)

    def _close_guests(self) -> None:
        """Close connections that came with the guest token of an account before the accounts were loaded."""
        for connection in tuple(self._connections):
            person = connection.person
            if person is not None and not connection.session_key and self._directory.account(person):
                connection.outbox.close(SIGNED_OUT, "this device was signed out")

    def _rename_seats(self, person: Person, name: str) -> None:
        for room in tuple(self._executor.seat_index.get(person, ())):
            live = self._executor.live_rooms.get(room)
            if live is not None and seat_of(live.latest.seats, person) is not None:
                take = TakeSeat(person, name)
                self._executor.submit(live, SYSTEM, take, self._executor.now())

    def _failed(self, error: Exception) -> None:
        if isinstance(error, StoreError):
            self._incidents.accounts_unavailable(error)
        else:
            self._incidents.task_failed(error)


def _read_account(
    store: AccountStore, person: Person, now: Millis
) -> tuple[Account | None, frozenset[bytes], Known]:
    sessions = [session.key for session in store.sessions(person, now)]
    tokens = [token.key for token in store.api_tokens.of(person, now)]
    return store.account(person), frozenset((*sessions, *tokens)), store.relations.known(person)
