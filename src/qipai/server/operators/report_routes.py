"""Reports and appeals: listed, shown with the table, assigned, annotated, closed and opened again."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.operator_log_interface import Act, LogFilter
from qipai.hall.moderation.report_interface import ReportFilter, ReportKind, ReportState
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Person
from qipai.server.accounts.account_requests import answer, body

from .operator_json import OperatorJson, line_json
from .operator_requests import (
    MOST_AT_ONCE,
    ActReason,
    Caller,
    Line,
    LongText,
    OperatorRoute,
    OperatorServices,
    Time,
    number_of,
    query_of,
)
from .reported_table import reported_table

PATH: Final = "/api/operator/reports"
_NOBODY: Final = "nobody"


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """`assigned`: a person, `me` or `nobody`."""

    state: ReportState | None = None
    kind: ReportKind | None = None
    assigned: Line = ""
    about: Line = ""
    by: Line = ""
    room: Line = ""
    before: Time | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST_AT_ONCE)] = 50


class Assignment(Struct, forbid_unknown_fields=True):
    """Who looks after a report: a person, `me`, or nobody if empty."""

    to: Line


class ReportNote(Struct, forbid_unknown_fields=True):
    """What operators and moderators note about a report; it replaces the note before."""

    note: LongText


async def list_reports(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return reports, the latest first."""
    wanted: Wanted = query_of(request, Wanted)
    filters = ReportFilter(
        wanted.before,
        wanted.limit,
        wanted.state,
        wanted.kind,
        _assigned(wanted.assigned, caller),
        Person(wanted.about) if wanted.about else None,
        Person(wanted.by) if wanted.by else None,
        wanted.room,
    )
    found, open_count = await services.acts.ask(
        lambda store: (store.moderation.reports(filters), store.moderation.open_reports())
    )
    json = json_of(services)
    return answer(
        {
            "reports": [json.report(each) for each in found],
            "open": open_count,
            "next": found[-1].id if len(found) == wanted.limit else None,
        }
    )


async def show_report(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return a report with the table as it was and is, the sanction of an appeal, and what was done."""
    number = number_of(request)
    report, log = await services.acts.ask(
        lambda store: (store.moderation.report(number), store.moderation.log(LogFilter(report=number)))
    )
    if report is None:
        raise ActRefused(ActRefusal.NO_SUCH_REPORT)
    sanction = await services.acts.ask(lambda store: store.moderation.sanction(report.sanction))
    json, now = json_of(services), services.acts.now()
    return answer(
        {
            **json.report(report),
            "seats": [
                {"seat": each.seat, "bot": each.bot, **(json.person(each.person, each.name) or {})}
                for each in report.seats
            ],
            "chat": [line_json(line) for line in report.chat],
            "table": await reported_table(services.hall, report, caller.address),
            "appealed": None if sanction is None else json.sanction(sanction, now),
            "log": [json.entry(each) for each in log],
        }
    )


async def assign(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Assign a report to somebody with a role."""
    wanted: Assignment = await body(request, Assignment)
    to = caller.person if wanted.to == "me" else Person(wanted.to)
    if to and services.hall.moderation.directory.role(to) is None:
        raise ActRefused(ActRefusal.NO_SUCH_PERSON)
    return await _change(services, request, caller, Act.ASSIGN_REPORT, to)


async def annotate(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Replace the note of a report."""
    wanted: ReportNote = await body(request, ReportNote)
    return await _change(services, request, caller, Act.NOTE_REPORT, wanted.note)


async def close(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Close a report."""
    wanted: ActReason = await body(request, ActReason)
    return await _change(services, request, caller, Act.CLOSE_REPORT, reason=wanted.reason)


async def reopen(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Open a report again."""
    wanted: ActReason = await body(request, ActReason)
    return await _change(services, request, caller, Act.REOPEN_REPORT, reason=wanted.reason)


async def _change(
    services: OperatorServices,
    request: Request,
    caller: Caller,
    act: Act,
    value: str = "",
    reason: str = "",
) -> Response:
    number = number_of(request)
    entry = await services.acts.change_report(caller.actor, act, number, value, reason)
    return answer({"entry": json_of(services).entry(entry)})


def json_of(services: OperatorServices) -> OperatorJson:
    """Return what writes values with the present names."""
    return OperatorJson(services.hall.account_services.directory, services.hall.moderation.directory)


def _assigned(text: str, caller: Caller) -> Person | None:
    if not text:
        return None
    return caller.person if text == "me" else Person("") if text == _NOBODY else Person(text)


ROUTES: Final = (
    OperatorRoute(
        "GET",
        PATH,
        list_reports,
        Role.MODERATOR,
        "Reports and appeals, the latest first; `open` counts all open ones, `next` is the `before` of more.",
        query=("state", "kind", "assigned", "about", "by", "room", "before", "limit"),
    ),
    OperatorRoute(
        "GET",
        f"{PATH}/{{number:int}}",
        show_report,
        Role.MODERATOR,
        "A report with seats and chat as they were, the `table` as it is, and what was done about it.",
    ),
    OperatorRoute(
        "POST", f"{PATH}/{{number:int}}/assign", assign, Role.MODERATOR, "Assign a report.", Assignment
    ),
    OperatorRoute(
        "POST",
        f"{PATH}/{{number:int}}/note",
        annotate,
        Role.MODERATOR,
        "Note something.",
        ReportNote,
    ),
    OperatorRoute("POST", f"{PATH}/{{number:int}}/close", close, Role.MODERATOR, "Close it.", ActReason),
    OperatorRoute("POST", f"{PATH}/{{number:int}}/reopen", reopen, Role.MODERATOR, "Open it.", ActReason),
)
