"""The rows of the log of acts: appended with the act that they record."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.operator_log_interface import Act, LogEntry, LogFilter, Via, needed_role
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.stores.sql.sql_database import Query

from .moderation_tables import LOG, next_number

_COLUMNS: Final = (
    "number, at, by_person, via, act, reason, by_user, person, name, network, room, report, sanction, "
    "invitation, old_value, new_value, undoes"
)
_SELECT: Final = (
    f"select {', '.join(f'l.{column}' for column in _COLUMNS.split(', '))}, "  # noqa: S608 - our columns
    "coalesce(u.number, 0) from operator_log l left join operator_log u on u.undoes = l.number"
)
Entries = Sequence[LogEntry]


def begin(query: Query, entry: LogEntry) -> LogEntry:
    """Return the entry with its number, once no other act is going on; or raise `ActRefused`."""
    numbered = replace(entry, number=next_number(query, LOG))
    _refuse_if_not_allowed(query, numbered)
    if entry.undoes and query("select 1 from operator_log where undoes = ?", (entry.undoes,)):
        raise ActRefused(ActRefusal.ALREADY_UNDONE)
    return numbered


def append(query: Query, entry: LogEntry) -> LogEntry:
    """Append an entry that `begin` has returned."""
    query(
        f"insert into operator_log ({_COLUMNS}) values ({', '.join('?' * 17)})",  # noqa: S608 - our columns
        (
            entry.number,
            entry.at,
            entry.by,
            entry.via.value,
            entry.act.value,
            entry.reason,
            entry.user,
            entry.person,
            entry.name,
            entry.network,
            entry.room,
            entry.report,
            entry.sanction,
            entry.invitation,
            entry.before,
            entry.after,
            entry.undoes,
        ),
    )
    return entry


def role_of(query: Query, person: str) -> Role | None:
    """Return the role of a person."""
    rows = query("select role from operator_roles where person = ?", (person,))
    return Role(rows[0][0]) if rows else None


def entry_of(query: Query, number: int) -> LogEntry | None:
    """Return an entry."""
    rows = query(f"{_SELECT} where l.number = ?", (number,))
    return _entry(rows[0]) if rows else None


def after(query: Query, number: int) -> Entries:
    """Return the entries after a number, in their order."""
    return [_entry(row) for row in query(f"{_SELECT} where l.number > ? order by l.number", (number,))]


def found(query: Query, wanted: LogFilter) -> Entries:
    """Return entries, the latest first."""
    conditions: list[tuple[str, object]] = []
    if wanted.before is not None:
        conditions.append(("l.number < ?", wanted.before))
    if wanted.act is not None:
        conditions.append(("l.act = ?", wanted.act.value))
    if wanted.by is not None:
        conditions.append(("l.by_person = ?", wanted.by))
    if wanted.person is not None:
        conditions.append(("l.person = ?", wanted.person))
    if wanted.network:
        conditions.append(("l.network = ?", wanted.network))
    if wanted.report:
        conditions.append(("l.report = ?", wanted.report))
    where = " and ".join(condition for condition, _ in conditions) or "1 = 1"
    rows = query(
        f"{_SELECT} where {where} order by l.number desc limit ?",
        (*(value for _, value in conditions), wanted.limit),
    )
    return [_entry(row) for row in rows]


def forget_person(query: Query, person: Person) -> None:
    """Remove the names of a person from the log; the acts remain."""
    query("update operator_log set name = '' where person = ? and name <> ''", (person,))
    query(
        "update operator_log set old_value = '', new_value = '' where person = ? and act = ?",
        (person, Act.RENAME.value),
    )


def _refuse_if_not_allowed(query: Query, entry: LogEntry) -> None:
    if entry.via is Via.COMMAND:
        return
    role, needed = role_of(query, entry.by), needed_role(entry)
    if entry.act in (Act.IMPOSE, Act.RESTORE) and entry.person and role_of(query, entry.person) is not None:
        needed = Role.OPERATOR
    if role is None or not role.includes(needed):
        raise ActRefused(ActRefusal.NOT_ALLOWED)


def _entry(row: Sequence[Any]) -> LogEntry:
    number, at, by, via, act, reason, user, person, name, network, room, *rest = row
    return LogEntry(
        number,
        Millis(at),
        Person(by),
        Via(via),
        Act(act),
        reason,
        user,
        Person(person),
        name,
        network,
        RoomId(room),
        *rest,
    )
