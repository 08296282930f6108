"""Sanctions: listed, imposed and lifted. Tables: shown and closed."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.operator_acts import NewSanction
from qipai.hall.moderation.sanction_interface import Role, SanctionKind
from qipai.server.accounts.account_requests import answer, body

from .operator_requests import (
    MOST_AT_ONCE,
    ActReason,
    Caller,
    Line,
    OperatorRoute,
    OperatorServices,
    Time,
    number_of,
    query_of,
)
from .report_routes import json_of
from .reported_table import find_table, table_json

PATH: Final = "/api/operator/sanctions"
TABLES: Final = "/api/operator/tables"


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """`in_force`: only those in force now."""

    in_force: bool = False
    before: Time | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST_AT_ONCE)] = 50


class SanctionRequest(Struct, forbid_unknown_fields=True):
    """Who is meant: one of `person`, `account` (a name) and `network`. `ends`: null for good.

    `with_addresses`: a ban includes the addresses from which the person is connected.
    """

    kind: SanctionKind
    reason: Line
    person: Line = ""
    account: Line = ""
    network: Line = ""
    ends: Time | None = None
    with_addresses: bool = False


async def list_sanctions(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return sanctions, the latest first."""
    wanted: Wanted = query_of(request, Wanted)
    now = services.acts.now()
    at = now if wanted.in_force else None
    found = await services.acts.ask(
        lambda store: store.moderation.sanctions(wanted.before, wanted.limit, in_force_at=at)
    )
    json = json_of(services)
    return answer(
        {
            "sanctions": [json.sanction(each, now) for each in found],
            "next": found[-1].id if len(found) == wanted.limit else None,
        }
    )


async def impose(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Impose a sanction."""
    wanted: SanctionRequest = await body(request, SanctionRequest)
    if sum(map(bool, (wanted.person, wanted.account, wanted.network))) != 1:
        raise ActRefused(ActRefusal.NO_SUCH_PERSON, "name a person, an account or a network")
    new = NewSanction(
        wanted.kind,
        wanted.reason,
        wanted.ends,  # type: ignore[arg-type]
        wanted.person,
        wanted.account,
        wanted.network,
        wanted.with_addresses,
    )
    entry = await services.acts.impose(caller.actor, new, caller.address)
    return answer({"entry": json_of(services).entry(entry)})


async def lift(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """End a sanction."""
    wanted: ActReason = await body(request, ActReason)
    entry = await services.acts.lift(caller.actor, number_of(request), wanted.reason)
    return answer({"entry": json_of(services).entry(entry)})


async def show_table(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return an open table by id or code."""
    live = await find_table(services.hall, request.path_params["room"])
    if live is None:
        raise ActRefused(ActRefusal.NO_SUCH_TABLE)
    return answer(table_json(live))


async def close_table(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Close a table."""
    wanted: ActReason = await body(request, ActReason)
    live = await find_table(services.hall, request.path_params["room"])
    if live is None:
        raise ActRefused(ActRefusal.NO_SUCH_TABLE)
    entry = await services.acts.close_table(caller.actor, live.durable.id, wanted.reason)
    return answer({"entry": json_of(services).entry(entry)})


ROUTES: Final = (
    OperatorRoute(
        "GET",
        PATH,
        list_sanctions,
        Role.MODERATOR,
        "Sanctions, the latest first.",
        query=("in_force", "before", "limit"),
    ),
    OperatorRoute(
        "POST",
        PATH,
        impose,
        Role.MODERATOR,
        "Warn, mute, forbid rated play or ban. Ranges of addresses need an operator.",
        SanctionRequest,
    ),
    OperatorRoute("POST", f"{PATH}/{{number:int}}/lift", lift, Role.MODERATOR, "End a sanction.", ActReason),
    OperatorRoute(
        "GET",
        f"{TABLES}/{{room}}",
        show_table,
        Role.MODERATOR,
        "An open table by id or code, with persons and chat.",
    ),
    OperatorRoute(
        "POST", f"{TABLES}/{{room}}/close", close_table, Role.MODERATOR, "Close a table for all.", ActReason
    ),
)
