"""The parts of a worker that know accounts, built together."""

from collections.abc import Iterable
from secrets import token_bytes

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.names import Names
from qipai.hall.rooms.command_executor import CommandExecutor

from .account_changes import AccountChanges
from .account_directory import AccountDirectory
from .account_interface import AccountStore
from .accounts import Accounts


class AccountServices:
    """Accounts, the names they own, and what a worker learns of their changes; without a store all are empty.

    Sessions outlive the process, so their times are those of the system.
    """

    def __init__(
        self,
        store: AccountStore | None,
        counters: SharedCounters,
        connections: Iterable[Connection],
        executor: CommandExecutor,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        secret: bytes,
    ) -> None:
        self.directory = AccountDirectory()
        self.names = Names(executor.games, self.directory.owner)
        self.accounts: Accounts | None = None
        self._changes: AccountChanges | None = None
        if store is not None:
            self.accounts = Accounts(store, self.names, counters, wall_clock, token_bytes, secret)
            self._changes = AccountChanges(
                self.accounts, self.directory, connections, executor, tasks, incidents
            )
            self.accounts.change_listeners.append(self._changes.read)

    def start(self) -> None:
        """Load the accounts, and learn of their changes from now on."""
        if self._changes is not None:
            self._changes.read()

    def close(self) -> None:
        """Finish what is being stored, and close the database."""
        if self.accounts is not None:
            self.accounts.close()
