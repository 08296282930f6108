"""The rows of identities at OpenID Connect providers."""

from collections.abc import Sequence

from qipai.hall.accounts.account_interface import LastWayToSignIn
from qipai.hall.accounts.openid.openid_interface import IdentityTaken, ProviderIdentity
from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query, SqlDatabase

from .account_tables import has_way_to_sign_in, lock
from .passkey_rows import use_challenge


class SqlOpenId:
    """Implements `OpenIdStore`."""

    def __init__(self, database: SqlDatabase, now: Now) -> None:
        self._database = database
        self._now = now

    def person(self, key: bytes) -> Person | None:
        """Return the person of an identity."""
        rows = self._database.transaction(
            lambda query: query("select person from provider_identities where key = ?", (key,))
        )
        return Person(rows[0][0]) if rows else None

    def identities(self, person: Person) -> Sequence[ProviderIdentity]:
        """Return the identities of a person."""
        rows = self._database.transaction(
            lambda query: query(
                "select key, issuer, person, linked from provider_identities where person = ?",
                (person,),
            )
        )
        return [ProviderIdentity(bytes(key), *rest) for key, *rest in rows]

    def link(self, identity: ProviderIdentity) -> None:
        """Store an identity of an account, or raise `IdentityTaken`."""

        def work(query: Query) -> None:
            if not lock(query, identity.person):
                raise IdentityTaken("the account was deleted")
            add(query, identity)

        self._database.transaction(work)

    def unlink(self, person: Person, issuer: str) -> bool:
        """Delete the identity of a person at a provider, or raise `LastWayToSignIn`."""

        def work(query: Query) -> bool:
            # Of two ways that are removed at once, one is found to be the last.
            lock(query, person)
            delete = "delete from provider_identities where person = ? and issuer = ? returning person"
            removed = query(delete, (person, issuer))
            if removed and not has_way_to_sign_in(query, person):
                raise LastWayToSignIn("the account has no password and no passkey")
            return bool(removed)

        return self._database.transaction(work)

    def use_state(self, key: bytes, expires: Millis) -> None:
        """Store that an attempt was used, or raise `ChallengeUsed`."""
        self._database.transaction(lambda query: use_challenge(query, key, expires, self._now()))


def add(query: Query, identity: ProviderIdentity) -> None:
    """Add an identity of an account, or raise `IdentityTaken`."""
    stored = query(
        "insert into provider_identities (key, issuer, person, linked) values (?, ?, ?, ?) "
        "on conflict do nothing returning person",
        (identity.key, identity.issuer, identity.person, identity.linked),
    )
    if not stored:
        raise IdentityTaken("the identity or the account is linked already")
