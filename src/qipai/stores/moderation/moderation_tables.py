"""The tables of moderation."""

from typing import Final

from qipai.hall.journal.store_interface import StoreError
from qipai.stores.schema_number import Schema
from qipai.stores.sql.sql_database import Query, Tables

NAMES: Final = (
    "moderation_counters", "operator_roles", "operator_tokens", "operator_log", "sanctions", "reports",
    "report_persons", "invitations", "server_settings",
)  # fmt: skip
"""All tables, except that with the number of their schema."""
LOG: Final = "log"
REPORT: Final = "report"


def next_number(query: Query, counter: str) -> int:
    """Return the next number of a counter, which stays locked until the transaction ends.

    So no entry becomes visible after one with a later number.
    """
    ((number,),) = query(
        "update moderation_counters set last = last + 1 where name = ? returning last", (counter,)
    )
    return int(number)


def last_number(query: Query, counter: str) -> int:
    """Return the last number of a counter."""
    rows = query("select last from moderation_counters where name = ?", (counter,))
    if len(rows) != 1:
        raise StoreError(f"moderation_counters has no row {counter!r}")
    return int(rows[0][0])


def _unchanged(_query: Query) -> None:
    """Migrate schema 1, without tokens of operators: their table is created as in a new database."""


TABLES: Final = Tables(
    "moderation_schema",
    Schema[Query](number=2, oldest=1, migrations={1: _unchanged}),
    (
        "create table if not exists moderation_counters (name text primary key, last bigint not null)",
        """insert into moderation_counters select 'log', 0
            where not exists (select 1 from moderation_counters where name = 'log')""",
        """insert into moderation_counters select 'report', 0
            where not exists (select 1 from moderation_counters where name = 'report')""",
        "create table if not exists operator_roles (person text primary key, role text not null)",
        "create table if not exists operator_tokens (key {bytes} primary key, person text not null)",
        """create table if not exists operator_log (
            number bigint primary key, at bigint not null, by_person text not null, via text not null,
            act text not null, reason text not null, by_user text not null, person text not null,
            name text not null, network text not null, room text not null, report bigint not null,
            sanction bigint not null, invitation bigint not null, old_value text not null,
            new_value text not null, undoes bigint not null)""",
        "create index if not exists operator_log_of_person on operator_log (person, number)",
        "create index if not exists operator_log_by_person on operator_log (by_person, number)",
        "create index if not exists operator_log_undoes on operator_log (undoes)",
        """create table if not exists sanctions (
            id bigint primary key, kind text not null, person text not null, network text not null,
            name text not null, skeleton text not null, reason text not null, made bigint not null,
            ends bigint, lifted bigint, with_addresses integer not null)""",
        "create index if not exists sanctions_of_person on sanctions (person, id)",
        "create index if not exists sanctions_by_name on sanctions (skeleton)",
        """create table if not exists reports (
            id bigint primary key, kind text not null, state text not null, at bigint not null,
            by_person text not null, about text not null, room text not null, sanction bigint not null,
            nonce text not null, assigned text not null, note text not null, closed bigint,
            content text not null)""",
        "create index if not exists reports_by_state on reports (state, id)",
        "create index if not exists reports_by_person on reports (by_person, nonce)",
        "create index if not exists reports_about on reports (about, id)",
        "create index if not exists reports_of_room on reports (room, id)",
        "create index if not exists reports_of_sanction on reports (sanction)",
        """create table if not exists report_persons (
            person text not null, report bigint not null, name text not null, skeleton text not null,
            primary key (person, report))""",
        "create index if not exists report_persons_by_name on report_persons (skeleton)",
        "create index if not exists report_persons_of_report on report_persons (report)",
        """create table if not exists invitations (
            id bigint primary key, key {bytes} not null unique, note text not null, made bigint not null,
            ends bigint, uses bigint not null, used bigint not null, revoked bigint)""",
        "create table if not exists server_settings (name text primary key, content text not null)",
    ),
)
