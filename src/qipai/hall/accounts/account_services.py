"""The parts of a worker that know accounts and their relations, built together."""

from collections.abc import Callable, Iterable
from secrets import token_bytes
from typing import Final

from qipai.hall.api_tokens.api_token_limits import ApiTokenLimits
from qipai.hall.api_tokens.api_token_settings import ApiTokenSettings
from qipai.hall.api_tokens.api_tokens import ApiTokens
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.cluster.cluster_mode import ClusterMode
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.names import Names
from qipai.hall.people.signing_keys import SigningKeys
from qipai.hall.relations.blocked_players import BlockedPlayerNotices
from qipai.hall.relations.online_accounts import OnlineAccounts
from qipai.hall.relations.relation_directory import RelationDirectory
from qipai.hall.relations.relations import Relations
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.ids import Person

from .account_changes import AccountChanges
from .account_directory import AccountDirectory
from .account_interface import Account, AccountStore
from .accounts import Accounts

_MAX_NAME: Final = 100


class AccountServices:
    """Accounts, the names they own, and what a worker learns of their changes; without a store all are empty.

    Sessions outlive the process, so their times are those of the system.
    """

    def __init__(
        self,
        store: AccountStore | None,
        mode: ClusterMode,
        connections: Iterable[Connection],
        executor: CommandExecutor,
        room_list: RoomListFeed,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        keys: SigningKeys,
        token_settings: ApiTokenSettings = ApiTokenSettings(),  # noqa: B008 - it is frozen
    ) -> None:
        self.directory = AccountDirectory()
        self.names = Names(executor.games, self.directory.owner)
        self.known_relations = RelationDirectory()
        self.online = OnlineAccounts(
            executor, room_list.is_listed, self.known_relations, mode.worker, mode.broadcast
        )
        self.blocked_players = BlockedPlayerNotices(
            self.directory, self.known_relations, self.online.all_connections
        )
        self.welcome_listeners: list[Callable[[Connection], None]] = [self.blocked_players.welcomed]
        """Called after the connection of an account was welcomed."""
        self.change_listeners: list[Callable[[Person], None]] = []
        """Called with each person whose account or relations have changed."""
        self.accounts: Accounts | None = None
        self.relations: Relations | None = None
        self.api_tokens: ApiTokens | None = None
        self.token_limits = ApiTokenLimits(token_settings, mode.counters)
        self._changes: AccountChanges | None = None
        if store is not None:
            self.accounts = Accounts(store, self.names, mode.counters, wall_clock, token_bytes, keys)
            self.relations = Relations(
                self.accounts, self.directory.account, self.known_relations, self.online, mode.counters
            )
            self.api_tokens = ApiTokens(self.accounts, self.token_limits, token_bytes)
            self._changes = AccountChanges(
                self.accounts,
                self.directory,
                self.known_relations,
                self.blocked_players,
                connections,
                executor,
                tasks,
                incidents,
                self.change_listeners,
                self.token_limits,
            )
            self.accounts.change_listeners.append(self._changes.read)

    def find(self, name: str) -> Account | None:
        """Return the account with a name like this."""
        owner = self.directory.owner(self.names.skeleton(name)) if len(name) <= _MAX_NAME else None
        return None if owner is None else self.directory.account(owner)

    def start(self) -> None:
        """Load the accounts, and learn of their changes from now on."""
        if self._changes is not None:
            self._changes.read()

    def close(self) -> None:
        """Finish what is being stored, and close the database."""
        if self.accounts is not None:
            self.accounts.close()
