"""API tokens and bot accounts in a SQL database."""

from collections.abc import Sequence
from typing import Any, Final

from qipai.hall.api_tokens.api_token_interface import ApiToken, TooManyApiTokens
from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query, SqlDatabase

from .account_tables import lock, log_change

_COLUMNS: Final = "id, key, person, name, created, used, expires"
_IN_FORCE: Final = "(expires is null or expires > ?)"


class SqlApiTokens:
    """Implements `ApiTokenStore`. `now` dates the changes."""

    def __init__(self, database: SqlDatabase, now: Now) -> None:
        self._database = database
        self._now = now

    def add(self, token: ApiToken, most: int) -> bool:
        """Store a token, or raise `TooManyApiTokens`; tell whether the account exists."""

        def work(query: Query) -> bool:
            # The account is locked, so that of two tokens at once the second counts the first.
            if not lock(query, token.person):
                return False
            counting = f"select count(*) from api_tokens where person = ? and {_IN_FORCE}"  # noqa: S608
            ((count,),) = query(counting, (token.person, token.created))
            if count >= most:
                raise TooManyApiTokens("the account has as many API tokens as it may have")
            query(
                f"insert into api_tokens ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                (token.id, token.key, token.person, token.name, token.created, token.used, token.expires),
            )
            return True

        return self._database.transaction(work)

    def find(self, key: bytes, now: Millis) -> ApiToken | None:
        """Return a token that has not expired."""
        rows = self._rows(f"select {_COLUMNS} from api_tokens where key = ? and {_IN_FORCE}", key, now)  # noqa: S608
        return _token(rows[0]) if rows else None

    def of(self, person: Person, now: Millis) -> Sequence[ApiToken]:
        """Return the tokens of a person that have not expired, the newest first."""
        rows = self._rows(
            f"select {_COLUMNS} from api_tokens where person = ? and {_IN_FORCE} "  # noqa: S608
            "order by created desc, id",
            person,
            now,
        )
        return [_token(row) for row in rows]

    def use(self, key: bytes, used: Millis) -> None:
        """Store when a token was used."""
        self._rows("update api_tokens set used = ? where key = ?", used, key)

    def revoke(self, person: Person, token: str) -> bool:
        """Delete a token of a person by its id; tell whether it was there."""

        def work(query: Query) -> bool:
            gone = query("delete from api_tokens where person = ? and id = ? returning id", (person, token))
            if gone:
                log_change(query, person, self._now())
            return bool(gone)

        return self._database.transaction(work)

    def make_bot(self, person: Person, since: Millis) -> None:
        """Make an account a bot account, for good."""

        def work(query: Query) -> None:
            made = "insert into bot_accounts values (?, ?) on conflict do nothing returning person"
            if lock(query, person) and query(made, (person, since)):
                log_change(query, person, self._now())

        self._database.transaction(work)

    def _rows(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        return self._database.transaction(lambda query: query(sql, values))


def forget_api_tokens(query: Query, now: Millis) -> None:
    """Delete tokens that have expired."""
    query("delete from api_tokens where expires <= ?", (now,))


def _token(row: Sequence[Any]) -> ApiToken:
    number, key, person, *rest = row
    return ApiToken(number, bytes(key), Person(person), *rest)
