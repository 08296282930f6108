"""The rows of links with which people sign in once."""

from collections.abc import Sequence

from qipai.hall.accounts.account_interface import Account, NewProof, SignInLink, SignInLinkUsed
from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query, SqlDatabase

from . import passkey_rows
from .account_tables import lock, log_change, set_recovery_keys


class SqlSignInLinks:
    """Implements `SignInLinkStore`."""

    def __init__(self, database: SqlDatabase, now: Now) -> None:
        self._database = database
        self._now = now

    def issue(self, link: SignInLink) -> bool:
        """Store a link in the place of the former one of the person; tell whether the account exists."""

        def work(query: Query) -> bool:
            if not lock(query, link.person):
                return False
            query("delete from sign_in_links where person = ?", (link.person,))
            query("insert into sign_in_links values (?, ?, ?)", (link.person, link.key, link.expires))
            return True

        return self._database.transaction(work)

    def find(self, key: bytes, now: Millis) -> Account | None:
        """Return the account of a link that was not used and has not expired."""
        rows = self._database.transaction(
            lambda query: query(
                "select a.person, a.name, a.skeleton, a.created, a.renamed "
                "from sign_in_links l join accounts a on a.person = l.person "
                "where l.key = ? and l.expires > ?",
                (key, now),
            )
        )
        return Account(*rows[0]) if rows else None

    def use(self, key: bytes, proof: NewProof, recovery_keys: Sequence[bytes]) -> None:
        """Delete a link, store what it was used for, and end all sessions of the person."""

        def work(query: Query) -> None:
            now = self._now()
            for (person,) in query("select person from sign_in_links where key = ?", (key,)):
                # Taken in the order of a deletion of the account, which deletes the link as well.
                lock(query, Person(person))
            used = "delete from sign_in_links where key = ? and expires > ? returning person"
            rows = query(used, (key, now))
            if not rows:
                raise SignInLinkUsed("the link was used, replaced, or has expired")
            person = Person(rows[0][0])
            if proof.passkey is not None:
                passkey_rows.use_challenge(query, proof.challenge, proof.expires, now)
                passkey_rows.add(query, proof.passkey)
            if proof.password_hash:
                query("update accounts set password = ? where person = ?", (proof.password_hash, person))
            set_recovery_keys(query, person, recovery_keys)
            query("delete from sessions where person = ?", (person,))
            log_change(query, person, now)

        self._database.transaction(work)
