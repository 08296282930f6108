"""People: searched, shown with everything that concerns an operator, renamed, and given roles."""

from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.operator_log_interface import LogFilter
from qipai.hall.moderation.report_interface import ReportFilter
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Person
from qipai.server.accounts.account_requests import answer, body

from .operator_requests import (
    Caller,
    Line,
    OperatorRoute,
    OperatorServices,
    query_of,
)
from .people_search import PeopleSearch
from .report_routes import json_of

PATH: Final = "/api/operator/people"
ROLES: Final = "/api/operator/roles"
_MAX_PERSON: Final = 64
_LAST: Final = 20
"""Reports and entries that are shown of a person."""


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A name, a former name, a person or the name of a guest."""

    q: Line


class GivenName(Struct, forbid_unknown_fields=True):
    """The new name of an account."""

    name: Line
    reason: Line


class GivenRole(Struct, forbid_unknown_fields=True):
    """The role of an account, by its person or its name; an empty role takes it away."""

    role: Role | None
    person: Line = ""
    account: Line = ""
    reason: Line = ""


async def search(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return the persons who have, or had, a name like this."""
    wanted: Wanted = query_of(request, Wanted)
    found = await PeopleSearch(services.hall, services.acts).find(wanted.q, caller.address)
    json, hall, now = json_of(services), services.hall, services.acts.now()
    return answer(
        {
            "people": [
                {
                    **(json.person(person, names[0] if names else "") or {}),
                    "names": names,
                    "online": person in hall.persons,
                    "sanctions": [
                        json.sanction(each, now) for each in hall.moderation.index.of(person, "", now)
                    ],
                }
                for person, names in found.items()
            ]
        }
    )


async def show(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return a person with connections, tables, sanctions, reports and entries."""
    hall, now = services.hall, services.acts.now()
    person = Person(request.path_params["person"][:_MAX_PERSON])
    sanctions, about, by, log = await services.acts.ask(
        lambda store: (
            store.moderation.sanctions_of(person),
            store.moderation.reports(ReportFilter(about=person, limit=_LAST)),
            store.moderation.reports(ReportFilter(by=person, limit=_LAST)),
            store.moderation.log(LogFilter(person=person, limit=_LAST)),
        )
    )
    connections = [each for each in hall.connections if each.person == person]
    account = hall.account_services.directory.account(person)
    names = {each.name for each in connections} | {each.by_name for each in by}
    names |= {each.about_name for each in about} | {each.name for each in sanctions}
    json = json_of(services)
    shown = json.person(person, next((each.name for each in connections), max(names, default="")))
    if account is None and not (names or sanctions or about or by):
        raise ActRefused(ActRefusal.NO_SUCH_PERSON)
    addresses = {each.address for each in connections if each.address}
    return answer(
        {
            **(shown or {}),
            "created": None if account is None else account.created,
            "renamed": None if account is None else account.renamed,
            "names": sorted(filter(None, names)),
            "online": person in hall.persons,
            "connections": [
                {
                    "address": each.address,
                    "client": type(each.dialect).__name__.lower(),
                    "rooms": sorted(each.rooms),
                }
                for each in connections
            ],
            "same_address": [
                json.person(other.person, other.name)
                for other in hall.connections
                if other.address in addresses and other.person is not None and other.person != person
            ],
            "tables": sorted(hall.executor.seat_index.get(person, ())),
            "sanctions": [json.sanction(each, now) for each in sanctions],
            "reports_about": [json.report(each) for each in about],
            "reports_by": [json.report(each) for each in by],
            "log": [json.entry(each) for each in log],
        }
    )


async def rename(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Give an account another name."""
    wanted: GivenName = await body(request, GivenName)
    person = request.path_params["person"][:_MAX_PERSON]
    entry = await services.acts.rename(caller.actor, person, wanted.name, wanted.reason)
    return answer({"entry": json_of(services).entry(entry)})


async def list_roles(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return everybody with a role."""
    json = json_of(services)
    return answer(
        {"roles": [json.person(person) for person in sorted(services.hall.moderation.directory.roles)]}
    )


async def set_role(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Give an account a role, or take it away."""
    wanted: GivenRole = await body(request, GivenRole)
    entry = await services.acts.set_role(
        caller.actor, wanted.person, wanted.account, wanted.role, wanted.reason
    )
    return answer({"entry": json_of(services).entry(entry)})


ROUTES: Final = (
    OperatorRoute(
        "GET",
        PATH,
        search,
        Role.MODERATOR,
        "Persons by name, former name, person id, or name of a guest.",
        query=("q",),
    ),
    OperatorRoute(
        "GET",
        f"{PATH}/{{person}}",
        show,
        Role.MODERATOR,
        "A person with connections to this worker, tables, sanctions, reports and entries of the log.",
    ),
    OperatorRoute(
        "POST", f"{PATH}/{{person}}/rename", rename, Role.OPERATOR, "Give an account another name.", GivenName
    ),
    OperatorRoute("GET", ROLES, list_roles, Role.MODERATOR, "Everybody with a role."),
    OperatorRoute(
        "POST", ROLES, set_role, Role.OPERATOR, "Give an account a role; null takes it away.", GivenRole
    ),
)
