"""The tables of accounts."""

from collections.abc import Sequence
from typing import Final

from qipai.kernel.ids import Millis, Person
from qipai.stores.schema_number import Schema
from qipai.stores.sql.sql_database import Query, Tables

PERSON_COLUMNS: Final = (
    ("recovery_keys", "person"),
    ("sessions", "person"),
    ("passkeys", "person"),
    ("sign_in_links", "person"),
    ("provider_identities", "person"),
    ("operator_roles", "person"),
    ("operator_tokens", "person"),
    ("follows", "person"),
    ("follows", "followed"),
    ("blocks", "person"),
    ("blocks", "blocked"),
    ("account_privacy", "person"),
    ("api_tokens", "person"),
    ("bot_accounts", "person"),
    ("accounts", "person"),
)
"""Tables with rows of a person, and the column with the person: these rows go with the account."""
NAMES: Final = (
    "accounts", "reserved_names", "recovery_keys", "sessions", "passkeys", "used_challenges",
    "sign_in_links", "provider_identities", "follows", "blocks", "account_privacy", "api_tokens",
    "bot_accounts",
    "deleted_persons", "account_counter", "account_changes",
)  # fmt: skip
"""All tables, except that with the number of their schema."""


def lock(query: Query, person: Person) -> bool:
    """Keep an account from being deleted until the transaction ends; tell whether it exists."""
    return bool(query("update accounts set person = person where person = ? returning 1", (person,)))


def set_recovery_keys(query: Query, person: Person, keys: Sequence[bytes]) -> None:
    """Replace the hashes of all recovery codes of a person."""
    query("delete from recovery_keys where person = ?", (person,))
    for key in keys:
        query("insert into recovery_keys values (?, ?)", (person, key))


def has_way_to_sign_in(query: Query, person: Person) -> bool:
    """Tell whether a person has a password, a passkey or an identity at a provider."""
    return bool(
        query(
            "select 1 from accounts where person = ? and password <> '' "
            "union all select 1 from passkeys where person = ? "
            "union all select 1 from provider_identities where person = ?",
            (person, person, person),
        )
    )


def log_change(query: Query, person: Person, now: Millis) -> None:
    """Log that workers must read an account and its sessions again."""
    query("update account_counter set last = last + 1", ())
    query("insert into account_changes select last, ?, ? from account_counter", (person, now))


def _unchanged(_query: Query) -> None:
    """Migrate a schema that lacks whole tables: they are created as in a new database.

    Schema 1 had no passkeys and deletions, schema 2 no links to sign in, schema 3 no relations, schema 4 no
    API tokens and no bot accounts, schema 5 no identities at providers.
    """


TABLES: Final = Tables(
    "account_schema",
    Schema[Query](number=6, oldest=1, migrations=dict.fromkeys(range(1, 6), _unchanged)),
    (
        """create table if not exists accounts (
            person text primary key, name text not null, skeleton text not null unique,
            created bigint not null, renamed bigint, password text not null)""",
        "create table if not exists reserved_names (skeleton text primary key, until bigint not null)",
        """create table if not exists recovery_keys (
            person text not null, key {bytes} not null, primary key (person, key))""",
        """create table if not exists sessions (
            key {bytes} primary key, id text not null, person text not null, device text not null,
            created bigint not null, used bigint not null, expires bigint not null)""",
        "create index if not exists sessions_of_person on sessions (person, used)",
        "create index if not exists sessions_by_end on sessions (expires)",
        """create table if not exists passkeys (
            id {bytes} primary key, person text not null, public_key {bytes} not null,
            sign_count bigint not null, device text not null, created bigint not null,
            used bigint not null)""",
        "create index if not exists passkeys_of_person on passkeys (person, created)",
        """create table if not exists used_challenges (
            key {bytes} primary key, expires bigint not null)""",
        """create table if not exists sign_in_links (
            person text primary key, key {bytes} not null unique, expires bigint not null)""",
        """create table if not exists follows (
            person text not null, followed text not null, since bigint not null,
            primary key (person, followed))""",
        "create index if not exists followers on follows (followed)",
        """create table if not exists blocks (
            person text not null, blocked text not null, since bigint not null,
            primary key (person, blocked))""",
        "create index if not exists blockers on blocks (blocked)",
        """create table if not exists account_privacy (
            person text primary key, invisible integer not null, challenges_from text not null)""",
        """create table if not exists api_tokens (
            key {bytes} primary key, id text not null, person text not null, name text not null,
            created bigint not null, used bigint, expires bigint)""",
        "create index if not exists api_tokens_of_person on api_tokens (person, created)",
        "create table if not exists bot_accounts (person text primary key, since bigint not null)",
        """create table if not exists provider_identities (
            key {bytes} primary key, issuer text not null, person text not null, linked bigint not null,
            unique (person, issuer))""",
        "create table if not exists deleted_persons (person text primary key)",
        # A row of its own, and no sequence: it stays locked until a transaction ends, so that no change
        # becomes visible after a change with a later number.
        "create table if not exists account_counter (last bigint not null)",
        """insert into account_counter select 0
            where not exists (select 1 from account_counter)""",
        """create table if not exists account_changes (
            number bigint primary key, person text not null, at bigint not null)""",
    ),
)
