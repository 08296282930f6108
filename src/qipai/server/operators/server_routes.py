"""The server: announcement, registrations, invitations, the log of acts, and how the server is doing."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.moderation.moderation_interface import Invitation, Registrations
from qipai.hall.moderation.operator_log_interface import Act, LogEntry, LogFilter
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Millis, Person
from qipai.server.accounts.account_requests import answer, body

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
from .report_routes import json_of

ROOT: Final = "/api/operator"
_MOST_USES: Final = 10_000
_PART: Final = 1_000
"""Entries that are read at once."""


class AnnouncementText(Struct, forbid_unknown_fields=True):
    """What all pages show until `ends`; an empty text ends it."""

    text: LongText
    ends: Time | None = None
    reason: Line = ""


class RegistrationMode(Struct, forbid_unknown_fields=True):
    """Who may create an account."""

    registrations: Registrations
    reason: Line = ""


class InvitationRequest(Struct, forbid_unknown_fields=True):
    """An invitation code for so many accounts; `note` says for whom."""

    uses: Annotated[int, Meta(ge=1, le=_MOST_USES)] = 1
    ends: Time | None = None
    note: Line = ""


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Entries before a number, of one act, by or about somebody."""

    before: Time | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST_AT_ONCE)] = 50
    act: Act | None = None
    by: Line | None = None
    person: Line | None = None
    network: Line = ""


async def overview(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return who asks and may do what, and the settings of the server."""
    moderation = services.hall.moderation
    shown = moderation.directory.announcement_at(services.acts.now())
    open_count = await services.acts.ask(lambda store: store.moderation.open_reports())
    return answer(
        {
            **(json_of(services).person(caller.person) or {}),
            "registrations": moderation.directory.registrations.value,
            "announcement": None if shown is None else {"text": shown.text, "ends": shown.ends},
            "open_reports": open_count,
            "sanctions_in_force": len(moderation.index),
        }
    )


async def announce(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Show a text on all pages, or end that."""
    wanted: AnnouncementText = await body(request, AnnouncementText)
    entry = await services.acts.announce(caller.actor, wanted.text, _millis(wanted.ends), wanted.reason)
    return answer({"entry": json_of(services).entry(entry)})


async def set_registrations(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Set who may create an account."""
    wanted: RegistrationMode = await body(request, RegistrationMode)
    entry = await services.acts.set_registrations(caller.actor, wanted.registrations, wanted.reason)
    return answer({"entry": json_of(services).entry(entry)})


async def list_invitations(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return all invitations; their codes are not known any more."""
    found = await services.acts.ask(lambda store: store.moderation.invitations())
    return answer({"invitations": [_invitation(each) for each in found]})


async def invite(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Make an invitation code, which is shown only in this answer."""
    wanted: InvitationRequest = await body(request, InvitationRequest)
    entry, code = await services.acts.invite(caller.actor, wanted.uses, _millis(wanted.ends), wanted.note)
    return answer({"code": code, "entry": json_of(services).entry(entry)})


async def revoke(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """End an invitation."""
    wanted: ActReason = await body(request, ActReason)
    entry = await services.acts.revoke(caller.actor, number_of(request), wanted.reason)
    return answer({"entry": json_of(services).entry(entry)})


async def show_log(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return entries of the log, the latest first."""
    filters = _filter(query_of(request, Wanted))
    found = await services.acts.ask(lambda store: store.moderation.log(filters))
    json = json_of(services)
    return answer(
        {
            "entries": [json.entry(each) for each in found],
            "next": found[-1].number if len(found) == filters.limit else None,
        }
    )


async def export_log(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return all entries as JSON lines, the latest first."""
    json, lines = json_of(services), list[bytes]()
    wanted: LogFilter | None = LogFilter(limit=_PART)
    while wanted is not None:
        found = await services.acts.ask(partial(_log, wanted=wanted))
        lines += [msgspec.json.encode(json.entry(each)) for each in found]
        wanted = LogFilter(before=found[-1].number, limit=_PART) if len(found) == _PART else None
    headers = {
        "cache-control": "no-store",
        "content-disposition": 'attachment; filename="qipai-operator-log.jsonl"',
    }
    return Response(b"".join(line + b"\n" for line in lines), media_type="application/jsonl", headers=headers)


async def undo(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Undo an act."""
    wanted: ActReason = await body(request, ActReason)
    entry = await services.acts.undo(caller.actor, number_of(request), wanted.reason)
    return answer({"entry": json_of(services).entry(entry)})


def _log(store: AccountStore, wanted: LogFilter) -> Sequence[LogEntry]:
    return store.moderation.log(wanted)


def _filter(wanted: Wanted) -> LogFilter:
    return LogFilter(
        wanted.before,
        wanted.limit,
        wanted.act,
        None if wanted.by is None else Person(wanted.by),
        None if wanted.person is None else Person(wanted.person),
        wanted.network,
    )


def _millis(time: int | None) -> Millis | None:
    return None if time is None else Millis(time)


def _invitation(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": invitation.id,
        "note": invitation.note,
        "made": invitation.made,
        "ends": invitation.ends,
        "uses": invitation.uses,
        "used": invitation.used,
        "revoked": invitation.revoked,
    }


ROUTES: Final = (
    OperatorRoute("GET", ROOT, overview, Role.MODERATOR, "Who you are, and the settings of the server."),
    OperatorRoute(
        "POST", f"{ROOT}/announcement", announce, Role.OPERATOR, "Show a text on all pages.", AnnouncementText
    ),
    OperatorRoute(
        "POST",
        f"{ROOT}/registrations",
        set_registrations,
        Role.OPERATOR,
        "Set who may create an account.",
        RegistrationMode,
    ),
    OperatorRoute("GET", f"{ROOT}/invitations", list_invitations, Role.OPERATOR, "All invitations."),
    OperatorRoute(
        "POST",
        f"{ROOT}/invitations",
        invite,
        Role.OPERATOR,
        "Make an invitation; only this answer has its `code`.",
        InvitationRequest,
    ),
    OperatorRoute(
        "POST",
        f"{ROOT}/invitations/{{number:int}}/revoke",
        revoke,
        Role.OPERATOR,
        "End an invitation.",
        ActReason,
    ),
    OperatorRoute(
        "GET",
        f"{ROOT}/log",
        show_log,
        Role.MODERATOR,
        "What operators and moderators did, the latest first; `next` is the `before` of more.",
        query=("before", "limit", "act", "by", "person", "network"),
    ),
    OperatorRoute("GET", f"{ROOT}/log/export", export_log, Role.OPERATOR, "The whole log as JSON lines."),
    OperatorRoute(
        "POST",
        f"{ROOT}/log/{{number:int}}/undo",
        undo,
        Role.MODERATOR,
        "Undo an act; your role must include the act that undoes it.",
        ActReason,
    ),
)
