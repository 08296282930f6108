"""The rows of passkeys and of used challenges."""

from collections.abc import Sequence
from typing import Any, Final

from qipai.hall.accounts.account_interface import ChallengeUsed, LastWayToSignIn, Passkey, PasskeyTaken
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query

from .account_tables import has_way_to_sign_in, lock

_COLUMNS: Final = "id, person, public_key, sign_count, device, created, used"
_KEPT_AFTER_EXPIRY: Final = 600_000
"""Milliseconds: more than the clocks of two workers differ."""


def passkeys(query: Query, person: Person) -> Sequence[Passkey]:
    """Return the passkeys of a person, the oldest first."""
    rows = query(
        f"select {_COLUMNS} from passkeys where person = ? order by created, id",  # noqa: S608
        (person,),
    )
    return [_passkey(row) for row in rows]


def passkey(query: Query, number: bytes) -> Passkey | None:
    """Return a passkey by its id."""
    rows = query(f"select {_COLUMNS} from passkeys where id = ?", (number,))  # noqa: S608
    return _passkey(rows[0]) if rows else None


def add(query: Query, added: Passkey) -> None:
    """Add a passkey of an account, or raise `PasskeyTaken`."""
    stored = lock(query, added.person) and query(
        f"insert into passkeys ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?) "  # noqa: S608
        "on conflict do nothing returning person",
        (
            added.id,
            added.person,
            added.public_key,
            added.sign_count,
            added.device,
            added.created,
            added.used,
        ),
    )
    if not stored:
        raise PasskeyTaken("the passkey is stored already")


def use(query: Query, used: Passkey) -> None:
    """Store the counter of a passkey, which must be above the stored one unless the device does not count."""
    # Another worker may have verified a signature of the same device meanwhile.
    stored = query(
        "update passkeys set sign_count = ?, used = ? "
        "where id = ? and (sign_count < ? or (sign_count = 0 and ? = 0)) returning person",
        (used.sign_count, used.used, used.id, used.sign_count, used.sign_count),
    )
    if not stored:
        raise ChallengeUsed("the passkey has signed since, or was removed")


def remove(query: Query, person: Person, number: bytes) -> bool:
    """Delete a passkey of a person, or raise `LastWayToSignIn`; tell whether it was there."""
    # Of two passkeys that are removed at once, one is found to be the last way.
    lock(query, person)
    removed = query("delete from passkeys where person = ? and id = ? returning person", (person, number))
    if removed and not has_way_to_sign_in(query, person):
        raise LastWayToSignIn("the account has no password and no other passkey")
    return bool(removed)


def use_challenge(query: Query, challenge: bytes, expires: Millis, now: Millis) -> None:
    """Store that a challenge was answered, or raise `ChallengeUsed` if it was before, or has expired."""
    # It may have expired since it was read, and its row is deleted some time after that.
    if expires <= now:
        raise ChallengeUsed("the challenge has expired")
    forget_challenges(query, now)
    stored = query(
        "insert into used_challenges values (?, ?) on conflict do nothing returning expires",
        (challenge, expires),
    )
    if not stored:
        raise ChallengeUsed("the challenge was answered before")


def forget_challenges(query: Query, now: Millis) -> None:
    """Delete used challenges that expired so long ago that every worker refuses them."""
    query("delete from used_challenges where expires <= ?", (now - _KEPT_AFTER_EXPIRY,))


def _passkey(row: Sequence[Any]) -> Passkey:
    number, person, public_key, *rest = row
    return Passkey(bytes(number), Person(person), bytes(public_key), *rest)
