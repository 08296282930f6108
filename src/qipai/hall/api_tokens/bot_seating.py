"""Where bot accounts may sit: never at a rated table, and at a public one only where a bot account sits.

So people meet them only by choice: they sit down at the table of a bot, or send it the link of theirs.
"""

from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.accounts.account_interface import Account
from qipai.hall.connections.connection import Connection
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import Millis
from qipai.kernel.refusals import Refusal
from qipai.kernel.seats import Seats

from .api_token_limits import ApiTokenLimits


class BotSeating:
    """Tells why a connection may not take a seat, if a program plays for its account."""

    def __init__(self, accounts: AccountDirectory, limits: ApiTokenLimits) -> None:
        self._accounts = accounts
        self._limits = limits

    def open_refusal(self, connection: Connection, table: TableRules) -> Refusal | None:
        """Return why the connection may not open this table."""
        if connection.bot:
            return Refusal.NO_BOTS if table.rated else None
        return self._needs_token(connection)

    def join_refusal(self, connection: Connection, table: TableRules, seats: Seats) -> Refusal | None:
        """Return why the connection may not take a seat at this table."""
        if not connection.bot:
            return self._needs_token(connection)
        closed = table.rated or (table.public and not has_bot_account(seats))
        return Refusal.NO_BOTS if closed else None

    def people_only_refusal(self, connection: Connection) -> Refusal | None:
        """Return why the connection may not do what is only for people."""
        return Refusal.NO_BOTS if connection.bot else self._needs_token(connection)

    def may_take_seat(self, connection: Connection, held: int) -> bool:
        """Tell whether a person with so many seats may take one more, as far as API tokens are limited."""
        return self._limits.may_take_seat(connection, held)

    async def may_open_table(self, connection: Connection, now: Millis) -> bool:
        """Count a new table; tell whether the person may open it, as far as API tokens are limited."""
        return await self._limits.may_open_table(connection, now)

    def _needs_token(self, connection: Connection) -> Refusal | None:
        account = None if connection.person is None else self._accounts.account(connection.person)
        return Refusal.API_TOKEN_NEEDED if account is not None and account.bot else None


def challenge_refusal(connection: Connection, other: Account, *, rated: bool) -> Refusal | None:
    """Return why a connection cannot challenge an account: programs neither invite people nor play rated."""
    closed = (connection.bot and not other.bot) or (rated and other.bot)
    return Refusal.NO_BOTS if closed else None


def has_bot_account(seats: Seats) -> bool:
    """Tell whether a bot account has one of these seats."""
    return any(taken is not None and taken.bot_account for taken in seats)
