"""Tells the connections of an account whom it has blocked: the page hides what they write."""

from collections.abc import Callable, Iterable
from weakref import WeakKeyDictionary

from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.connections.connection import Connection
from qipai.kernel.ids import Person
from qipai.protocol.notices import BlockedPlayers

from .relation_directory import RelationDirectory


class BlockedPlayerNotices:
    """Sends names, because chat lines have no persons. An account's name belongs to nobody else."""

    def __init__(
        self,
        directory: AccountDirectory,
        relations: RelationDirectory,
        accounts_online: Callable[[], Iterable[Connection]],
    ) -> None:
        self._directory = directory
        self._relations = relations
        self._accounts_online = accounts_online
        self._sent: WeakKeyDictionary[Connection, tuple[str, ...]] = WeakKeyDictionary()

    def welcomed(self, connection: Connection) -> None:
        """Send the names to a connection that was admitted."""
        self._sent.pop(connection, None)
        self._send(connection)

    def refresh(self) -> None:
        """Send the names to those who were admitted before the accounts were loaded."""
        for connection in self._accounts_online():
            self._send(connection)

    def account_changed(self, person: Person) -> None:
        """Send the names to those who have blocked others or this account, which may have another name."""
        for connection in self._accounts_online():
            own = connection.person
            if own is not None and (own == person or person in self._relations.blocked(own)):
                self._send(connection)

    def _send(self, connection: Connection) -> None:
        assert connection.person is not None
        blocked = (self._directory.account(each) for each in self._relations.blocked(connection.person))
        names = tuple(sorted(account.name for account in blocked if account is not None))
        if names != self._sent.get(connection, ()):
            self._sent[connection] = names
            connection.send_notice(BlockedPlayers(names))
