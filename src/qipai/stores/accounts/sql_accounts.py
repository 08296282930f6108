"""Accounts in a SQL database."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from qipai.hall.accounts.account_copy_interface import TableRows
from qipai.hall.accounts.account_interface import (
    Account,
    AlreadyRegistered,
    Change,
    NameTaken,
    Passkey,
    RegistrationRefused,
    RemoveNames,
    Session,
)
from qipai.hall.accounts.openid.openid_interface import ProviderIdentity
from qipai.hall.journal.store_interface import Now
from qipai.hall.moderation.moderation_interface import Registrations
from qipai.kernel.ids import Millis, Person
from qipai.stores.moderation import moderation_names, server_rows
from qipai.stores.moderation.sql_moderation import SqlModeration
from qipai.stores.ratings import rating_tables
from qipai.stores.sql.sql_database import NotUnique, Query, SqlDatabase

from . import account_rows_copying, name_rows, openid_rows, passkey_rows
from .account_tables import PERSON_COLUMNS, lock, log_change, set_recovery_keys
from .name_removal import remove_next
from .openid_rows import SqlOpenId
from .sign_in_link_rows import SqlSignInLinks
from .sql_api_tokens import SqlApiTokens, forget_api_tokens
from .sql_relations import SqlRelations

_ACCOUNT: Final = (
    "a.person, a.name, a.skeleton, a.created, a.renamed, "
    "(select count(*) from bot_accounts b where b.person = a.person)"
)
_SELECT_ACCOUNT: Final = f"select {_ACCOUNT} from accounts a where a.person = ?"  # noqa: S608 - nothing of others
_SESSION: Final = "s.id, s.key, s.person, s.device, s.created, s.used, s.expires"


class SqlAccounts:
    """Implements `AccountStore`. `now` dates the changes; `has_archive`: the database has finished games."""

    def __init__(self, database: SqlDatabase, now: Now, *, has_archive: bool) -> None:
        self._database = database
        self._now = now
        self._has_archive = has_archive
        self.sign_in_links = SqlSignInLinks(database, now)
        self.openid = SqlOpenId(database, now)
        self.moderation = SqlModeration(database)
        self.relations = SqlRelations(database, now)
        self.api_tokens = SqlApiTokens(database, now)

    def register(
        self,
        account: Account,
        password_hash: str,
        recovery_keys: Sequence[bytes],
        passkey: Passkey | None = None,
        invitation: bytes = b"",
        identity: ProviderIdentity | None = None,
    ) -> None:
        """Store a new account, or raise what `AccountStore` says."""

        def work(query: Query) -> None:
            known = "select person from accounts union all select person from deleted_persons"
            if query(f"select 1 from ({known}) known where person = ?", (account.person,)):  # noqa: S608
                raise AlreadyRegistered("this person has an account")
            if not server_rows.may_register(query, invitation, self._now()):
                raise RegistrationRefused(closed=server_rows.registrations(query) is Registrations.CLOSED)
            name_rows.refuse_reserved(query, account.skeleton, self._now())
            query(
                "insert into accounts (person, name, skeleton, created, password) values (?, ?, ?, ?, ?)",
                (account.person, account.name, account.skeleton, account.created, password_hash),
            )
            set_recovery_keys(query, account.person, recovery_keys)
            if passkey is not None:
                passkey_rows.add(query, passkey)
            if identity is not None:
                openid_rows.add(query, identity)
            self._log(query, account.person)

        self._unique(work)

    def account(self, person: Person) -> Account | None:
        """Return the account of a person."""
        rows = self._rows(_SELECT_ACCOUNT, person)
        return _account(rows[0]) if rows else None

    def find(self, skeleton: str) -> tuple[Account, str] | None:
        """Return the account with a name like this, and the hash of its password."""
        rows = self._rows(
            f"select {_ACCOUNT}, a.password from accounts a where a.skeleton = ?",  # noqa: S608
            skeleton,
        )
        return (_account(rows[0][:-1]), rows[0][-1]) if rows else None

    def accounts(self) -> tuple[int, Sequence[Account]]:
        """Return all accounts, and the number of the last change that they contain."""

        def work(query: Query) -> tuple[int, Sequence[Account]]:
            # Read first: a change that is logged in between is read again later.
            ((last,),) = query("select last from account_counter", ())
            return last, [_account(row) for row in query(f"select {_ACCOUNT} from accounts a", ())]  # noqa: S608

        return self._database.transaction(work)

    def rename(self, account: Account, free_after: Millis) -> None:
        """Store another name of an account, or raise `NameTaken`; the old one is reserved until then."""

        def work(query: Query) -> None:
            name_rows.rename(query, account.person, account.name, account.skeleton, free_after, self._now())
            query("update accounts set renamed = ? where person = ?", (account.renamed, account.person))

        self._unique(work)

    def set_password(self, person: Person, password_hash: str) -> None:
        """Replace the hash of the password."""
        self._rows("update accounts set password = ? where person = ?", password_hash, person)

    def set_recovery_keys(self, person: Person, keys: Sequence[bytes]) -> None:
        """Replace the hashes of all recovery codes; nothing is stored if the account does not exist."""

        def work(query: Query) -> None:
            if lock(query, person):
                set_recovery_keys(query, person, keys)

        self._database.transaction(work)

    def use_recovery_key(self, person: Person, key: bytes) -> bool:
        """Delete the hash of a recovery code; tell whether it was there."""
        return bool(
            self._rows("delete from recovery_keys where person = ? and key = ? returning person", person, key)
        )

    def recovery_keys_left(self, person: Person) -> int:
        """Return how many recovery codes are left."""
        ((count,),) = self._rows("select count(*) from recovery_keys where person = ?", person)
        return int(count)

    def password_hash(self, person: Person) -> str:
        """Return the hash of the password of a person; empty without one."""
        rows = self._rows("select password from accounts where person = ?", person)
        return str(rows[0][0]) if rows else ""

    def passkeys(self, person: Person) -> Sequence[Passkey]:
        """Return the passkeys of a person, the oldest first."""
        return self._database.transaction(partial(passkey_rows.passkeys, person=person))

    def passkey(self, number: bytes) -> tuple[Passkey, Account] | None:
        """Return a passkey and its account."""

        def work(query: Query) -> tuple[Passkey, Account] | None:
            found = passkey_rows.passkey(query, number)
            rows = [] if found is None else query(_SELECT_ACCOUNT, (found.person,))
            return None if found is None or not rows else (found, _account(rows[0]))

        return self._database.transaction(work)

    def add_passkey(self, passkey: Passkey, challenge: bytes, expires: Millis) -> None:
        """Store a passkey and that its challenge is used, or raise `PasskeyTaken` or `ChallengeUsed`."""

        def work(query: Query) -> None:
            passkey_rows.use_challenge(query, challenge, expires, self._now())
            passkey_rows.add(query, passkey)

        self._database.transaction(work)

    def use_passkey(self, passkey: Passkey, challenge: bytes, expires: Millis) -> None:
        """Store the counter of a passkey, when it was used, and that its challenge is; or `ChallengeUsed`."""

        def work(query: Query) -> None:
            passkey_rows.use_challenge(query, challenge, expires, self._now())
            passkey_rows.use(query, passkey)

        self._database.transaction(work)

    def remove_passkey(self, person: Person, number: bytes) -> bool:
        """Delete a passkey of a person, or raise `LastWayToSignIn`; tell whether it was there."""
        return self._database.transaction(partial(passkey_rows.remove, person=person, number=number))

    def start_session(self, session: Session) -> None:
        """Store a session; nothing is stored if the account does not exist."""

        def work(query: Query) -> None:
            if lock(query, session.person):
                query(
                    "insert into sessions (key, id, person, device, created, used, expires) "
                    "values (?, ?, ?, ?, ?, ?, ?)",
                    (
                        session.key,
                        session.id,
                        session.person,
                        session.device,
                        session.created,
                        session.used,
                        session.expires,
                    ),
                )

        self._database.transaction(work)

    def session(self, key: bytes, now: Millis) -> tuple[Session, Account] | None:
        """Return a session that has not expired, and its account."""
        rows = self._rows(
            f"select {_SESSION}, {_ACCOUNT} from sessions s join accounts a on a.person = s.person "  # noqa: S608
            "where s.key = ? and s.expires > ?",
            key,
            now,
        )
        return (_session(rows[0][:7]), _account(rows[0][7:])) if rows else None

    def use_session(self, key: bytes, used: Millis, expires: Millis) -> None:
        """Store when a session was used, and when it expires."""
        self._rows("update sessions set used = ?, expires = ? where key = ?", used, expires, key)

    def sessions(self, person: Person, now: Millis) -> Sequence[Session]:
        """Return the sessions of a person that have not expired, the one used last first."""
        rows = self._rows(
            f"select {_SESSION} from sessions s where s.person = ? and s.expires > ? "  # noqa: S608
            "order by s.used desc, s.id",
            person,
            now,
        )
        return [_session(row) for row in rows]

    def end_session(self, person: Person, session: str) -> bool:
        """Delete a session of a person by its id; tell whether it was there."""

        def work(query: Query) -> bool:
            ended = query(
                "delete from sessions where person = ? and id = ? returning person", (person, session)
            )
            if ended:
                self._log(query, person)
            return bool(ended)

        return self._database.transaction(work)

    def end_sessions(self, person: Person, kept: bytes = b"") -> None:
        """Delete all sessions of a person, except the one with this key."""

        def work(query: Query) -> None:
            query("delete from sessions where person = ? and key <> ?", (person, kept))
            self._log(query, person)

        self._database.transaction(work)

    def delete_account(self, person: Person, reserved_until: Millis) -> None:
        """Delete an account with everything of it; its name is reserved until then, without the person."""

        def work(query: Query) -> None:
            if not lock(query, person):
                return
            rows = query("select skeleton from accounts where person = ?", (person,))
            for table, column in PERSON_COLUMNS:
                query(f"delete from {table} where {column} = ?", (person,))  # noqa: S608 - the names are ours
            if self._has_archive:
                rating_tables.erase(query, person)
            moderation_names.forget_person(query, person)
            query("delete from reserved_names where skeleton = ?", rows[0])
            query("insert into reserved_names values (?, ?)", (*rows[0], reserved_until))
            query("insert into deleted_persons values (?)", (person,))
            self._log(query, person)

        self._database.transaction(work)

    def deleted_persons(self) -> Sequence[Person]:
        """Return the persons whose accounts were deleted."""
        return [Person(person) for (person,) in self._rows("select person from deleted_persons")]

    def remove_next_name(self, remove_names: RemoveNames) -> bool:
        """Remove the name of a deleted account from one finished game; tell whether there was one."""

        def work(query: Query) -> bool:
            person = remove_next(query, remove_names)
            if person is not None:
                # Workers forget what they keep of finished games.
                self._log(query, person)
            return person is not None

        return self._has_archive and self._database.transaction(work)

    def changes(self, after: int) -> Sequence[Change]:
        """Return the changes after a number, in their order."""
        rows = self._rows(
            "select number, person from account_changes where number > ? order by number", after
        )
        return [Change(number, Person(person)) for number, person in rows]

    def forget(self, now: Millis, changes_before: Millis) -> None:
        """Delete what has expired, and changes before a time."""

        def work(query: Query) -> None:
            query("delete from sessions where expires <= ?", (now,))
            query("delete from reserved_names where until <= ?", (now,))
            query("delete from sign_in_links where expires <= ?", (now,))
            passkey_rows.forget_challenges(query, now)
            forget_api_tokens(query, now)
            query("delete from account_changes where at < ?", (changes_before,))

        self._database.transaction(work)

    def rows(self) -> Sequence[TableRows]:
        """Return everything that is stored, also of moderation, in parts."""
        columns_of = self._database.columns_of
        return self._database.transaction(lambda query: account_rows_copying.read(query, columns_of))

    def write_rows(self, part: TableRows) -> None:
        """Store a part that `rows` of another database has returned."""
        columns_of = self._database.columns_of
        self._database.transaction(lambda query: account_rows_copying.write(query, part, columns_of))

    def is_empty(self) -> bool:
        """Tell whether there are neither accounts nor acts of operators."""
        return self._database.transaction(account_rows_copying.is_empty)

    def close(self) -> None:
        """Release the database."""
        self._database.close()

    def _rows(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        return self._database.transaction(lambda query: query(sql, values))

    def _unique(self, work: Callable[[Query], None]) -> None:
        try:
            self._database.transaction(work)
        except NotUnique as error:
            # The person is checked before; a person who registers twice at once gets this answer too.
            raise NameTaken("another account has this name") from error

    def _log(self, query: Query, person: Person) -> None:
        log_change(query, person, self._now())


def _account(row: Sequence[Any]) -> Account:
    person, name, skeleton, created, renamed, bots = row
    return Account(person, name, skeleton, created, renamed, bool(bots))


def _session(row: Sequence[Any]) -> Session:
    number, key, *rest = row
    return Session(number, bytes(key), *rest)
