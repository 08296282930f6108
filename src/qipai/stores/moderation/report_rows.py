"""The rows of reports and appeals. What nobody searches for is one JSON column."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.hall.history.archive_interface import search_name
from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.operator_log_interface import Act, LogEntry
from qipai.hall.moderation.report_interface import (
    Report,
    ReportedLine,
    ReportedSeat,
    ReportFilter,
    ReportKind,
    ReportState,
)
from qipai.kernel.ids import Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.packing.person_names import DELETED_PLAYER
from qipai.stores.sql.sql_database import Query

from .moderation_tables import REPORT, next_number


class _Content(Struct, frozen=True, omit_defaults=True):
    """What is stored of a report beside the columns that are searched."""

    by_name: str
    text: str
    game: str = ""
    version: int = 0
    match: int = 0
    seat: Seat | None = None
    line: ReportedLine | None = None
    about_name: str = ""
    seats: tuple[ReportedSeat, ...] = ()
    chat: tuple[ReportedLine, ...] = ()


_COLUMNS: Final = (
    "id, kind, state, at, by_person, about, room, sanction, nonce, assigned, note, closed, content"
)
_SELECT: Final = f"select {_COLUMNS} from reports"  # noqa: S608 - our columns
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(_Content).decode


def file(query: Query, report: Report, most_open: int) -> int:
    """Store a report and return its number; 0 if too many are open."""
    number = next_number(query, REPORT)
    if report.nonce:
        known = "select id from reports where by_person = ? and nonce = ?"
        for (earlier,) in query(known, (report.by, report.nonce)):
            return int(earlier)
    if report.kind is ReportKind.APPEAL and query(
        "select 1 from reports where sanction = ? and state = ?", (report.sanction, ReportState.OPEN.value)
    ):
        raise ActRefused(ActRefusal.APPEAL_OPEN)
    if count_open(query) >= most_open:
        return 0
    content = _Content(
        report.by_name,
        report.text,
        report.game,
        report.version,
        report.match,
        report.seat,
        report.line,
        report.about_name,
        report.seats,
        report.chat,
    )
    query(
        f"insert into reports ({_COLUMNS}) values ({', '.join('?' * 13)})",  # noqa: S608 - our columns
        (
            number,
            report.kind.value,
            report.state.value,
            report.at,
            report.by,
            report.about,
            report.room,
            report.sanction,
            report.nonce,
            report.assigned,
            report.note,
            report.closed,
            _encode(content).decode(),
        ),
    )
    named = [(report.by, report.by_name), (report.about, report.about_name)]
    named += [(each.person, each.name) for each in report.seats if not each.bot]
    for person, name in {person: name for person, name in named if person and name}.items():
        query(
            "insert into report_persons values (?, ?, ?, ?)",
            (person, number, name, search_name(name)),
        )
    return number


def one(query: Query, number: int) -> Report | None:
    """Return a report."""
    rows = query(f"{_SELECT} where id = ?", (number,))
    return _report(rows[0]) if rows else None


def page(query: Query, wanted: ReportFilter) -> Sequence[Report]:
    """Return reports, the latest first."""
    conditions: list[tuple[str, object]] = []
    if wanted.before is not None:
        conditions.append(("id < ?", wanted.before))
    if wanted.state is not None:
        conditions.append(("state = ?", wanted.state.value))
    if wanted.kind is not None:
        conditions.append(("kind = ?", wanted.kind.value))
    if wanted.assigned is not None:
        conditions.append(("assigned = ?", wanted.assigned))
    if wanted.about is not None:
        conditions.append(("about = ?", wanted.about))
    if wanted.by is not None:
        conditions.append(("by_person = ?", wanted.by))
    if wanted.room:
        conditions.append(("room = ?", wanted.room))
    where = " and ".join(condition for condition, _ in conditions) or "1 = 1"
    rows = query(
        f"{_SELECT} where {where} order by id desc limit ?",
        (*(value for _, value in conditions), wanted.limit),
    )
    return [_report(row) for row in rows]


def count_open(query: Query) -> int:
    """Return how many reports are open."""
    ((count,),) = query("select count(*) from reports where state = ?", (ReportState.OPEN.value,))
    return int(count)


def change(query: Query, entry: LogEntry) -> LogEntry:
    """Change a report as the entry says; return the entry with the value that was replaced."""
    report = one(query, entry.report)
    if report is None:
        raise ActRefused(ActRefusal.NO_SUCH_REPORT)
    if entry.by and entry.by == report.about:
        raise ActRefused(ActRefusal.YOURSELF)
    before: str
    match entry.act:
        case Act.ASSIGN_REPORT:
            before = report.assigned
            query("update reports set assigned = ? where id = ?", (entry.after, report.id))
        case Act.NOTE_REPORT:
            before = report.note
            query("update reports set note = ? where id = ?", (entry.after, report.id))
        case Act.CLOSE_REPORT | Act.REOPEN_REPORT:
            closes = entry.act is Act.CLOSE_REPORT
            state = ReportState.DONE if closes else ReportState.OPEN
            before, entry = report.state.value, replace(entry, after=state.value)
            query(
                "update reports set state = ?, closed = ? where id = ?",
                (state.value, entry.at if closes else None, report.id),
            )
        case _:
            raise AssertionError(entry.act)
    if before == entry.after:
        raise ActRefused(ActRefusal.NOTHING_TO_CHANGE)
    return replace(entry, before=before)


def named(query: Query, skeleton: str, limit: int) -> Sequence[tuple[Person, str]]:
    """Return persons who had a name like this in a report or a sanction."""
    rows = query(
        "select person, name from report_persons where skeleton = ? "
        "union select person, name from sanctions where skeleton = ? and person <> '' limit ?",
        (skeleton, skeleton, limit),
    )
    return [(Person(person), name) for person, name in rows]


def forget_closed(query: Query, before: Millis) -> None:
    """Delete reports that were closed before a time."""
    query("delete from report_persons where report in (select id from reports where closed < ?)", (before,))
    query("delete from reports where closed < ?", (before,))


def forget_person(query: Query, person: Person) -> None:
    """Replace the name of a person in all reports, also beside its chat lines."""
    rows = query("select report, name from report_persons where person = ?", (person,))
    for number, name in rows:
        for (text,) in query("select content from reports where id = ?", (number,)):
            content = _without_name(_decode(text), name)
            query("update reports set content = ? where id = ?", (_encode(content).decode(), number))
    query("delete from report_persons where person = ?", (person,))
    query("update reports set assigned = '' where assigned = ?", (person,))


def _without_name(content: _Content, name: str) -> _Content:
    def other(given: str) -> str:
        return DELETED_PLAYER if given == name else given

    return replace(
        content,
        by_name=other(content.by_name),
        about_name=other(content.about_name),
        line=None if content.line is None else replace(content.line, name=other(content.line.name)),
        seats=tuple(replace(each, name=other(each.name)) for each in content.seats),
        chat=tuple(replace(each, name=other(each.name)) for each in content.chat),
    )


def _report(row: Sequence[Any]) -> Report:
    number, kind, state, at, by, about, room, sanction, nonce, assigned, note, closed, text = row
    content = _decode(text)
    return Report(
        number,
        ReportKind(kind),
        at,
        Person(by),
        content.by_name,
        content.text,
        RoomId(room),
        content.game,
        content.version,
        content.match,
        content.seat,
        content.line,
        Person(about),
        content.about_name,
        content.seats,
        content.chat,
        sanction,
        Nonce(nonce),
        ReportState(state),
        Person(assigned),
        note,
        closed,
    )
