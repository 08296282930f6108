"""The rows of sanctions."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from qipai.hall.history.archive_interface import search_name
from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.sanction_interface import Sanction, SanctionKind
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query

_COLUMNS: Final = "id, kind, person, network, name, reason, made, ends, lifted, with_addresses"
_SELECT: Final = f"select {_COLUMNS} from sanctions"  # noqa: S608 - our columns


def add(query: Query, sanction: Sanction) -> None:
    """Store a sanction."""
    query(
        f"insert into sanctions ({_COLUMNS}, skeleton) values ({', '.join('?' * 11)})",  # noqa: S608 - our columns
        (
            sanction.id,
            sanction.kind.value,
            sanction.person,
            sanction.network,
            sanction.name,
            sanction.reason,
            sanction.made,
            sanction.ends,
            sanction.lifted,
            int(sanction.with_addresses),
            search_name(sanction.name) if sanction.name else "",
        ),
    )


def one(query: Query, number: int) -> Sanction | None:
    """Return a sanction."""
    rows = query(f"{_SELECT} where id = ?", (number,))
    return _sanction(rows[0]) if rows else None


def existing(query: Query, number: int) -> Sanction:
    """Return a sanction, or refuse the act."""
    sanction = one(query, number)
    if sanction is None:
        raise ActRefused(ActRefusal.NO_SUCH_SANCTION)
    return sanction


def those(query: Query, numbers: Iterable[int]) -> Sequence[Sanction]:
    """Return the sanctions with these numbers."""
    return [each for number in dict.fromkeys(numbers) if (each := one(query, number)) is not None]


def in_force(query: Query, now: Millis) -> Sequence[Sanction]:
    """Return all sanctions in force."""
    rows = query(f"{_SELECT} where lifted is null and (ends is null or ends > ?)", (now,))
    return [_sanction(row) for row in rows]


def of_person(query: Query, person: Person) -> Sequence[Sanction]:
    """Return all sanctions of a person, the latest first."""
    return [_sanction(row) for row in query(f"{_SELECT} where person = ? order by id desc", (person,))]


def page(query: Query, before: int | None, limit: int, in_force_at: Millis | None) -> Sequence[Sanction]:
    """Return sanctions, the latest first."""
    conditions, values = ["1 = 1"], []
    if before is not None:
        conditions.append("id < ?")
        values.append(before)
    if in_force_at is not None:
        conditions.append("lifted is null and (ends is null or ends > ?)")
        values.append(in_force_at)
    rows = query(f"{_SELECT} where {' and '.join(conditions)} order by id desc limit ?", (*values, limit))
    return [_sanction(row) for row in rows]


def forget_person(query: Query, person: Person) -> None:
    """Remove the name of a person; the sanction remains."""
    query("update sanctions set name = '', skeleton = '' where person = ? and name <> ''", (person,))


def forget_networks(query: Query, before: Millis) -> None:
    """Remove networks of sanctions that ended before a time, also from the log."""
    ended = "network <> '' and (lifted < ? or ends < ?)"
    query(
        f"update operator_log set network = '' where sanction in (select id from sanctions where {ended})",  # noqa: S608
        (before, before),
    )
    query(f"update sanctions set network = '' where {ended}", (before, before))  # noqa: S608 - our text


def _sanction(row: Sequence[Any]) -> Sanction:
    number, kind, person, network, name, reason, made, ends, lifted, with_addresses = row
    return Sanction(
        number,
        SanctionKind(kind),
        Person(person),
        network,
        name,
        reason,
        made,
        ends,
        lifted,
        bool(with_addresses),
    )
