"""The routes of operators, as the documents describe them."""

from typing import Any, Final

from qipai.hall.comparison.game_comparison import Comparison
from qipai.protocol.http_route import JSON, HttpRoute
from qipai.server.operators import (
    bundle_routes,
    comparison_routes,
    health_routes,
    people_routes,
    report_routes,
    sanction_routes,
    server_routes,
)
from qipai.server.operators.operator_app import ROUTES as SERVED
from qipai.server.operators.operator_requests import Handle, OperatorRoute

from . import operator_answers as answers
from .health_answers import ServerHealth

_ANSWERS: Final[dict[Handle, Any]] = {
    server_routes.overview: answers.OperatorOverview,
    server_routes.list_invitations: answers.InvitationList,
    server_routes.invite: answers.InvitationMade,
    server_routes.show_log: answers.EntryList,
    server_routes.export_log: None,
    health_routes.health: ServerHealth,
    report_routes.list_reports: answers.ReportList,
    report_routes.show_report: answers.ReportShown,
    people_routes.search: answers.FoundPeople,
    people_routes.show: answers.PersonShown,
    people_routes.list_roles: answers.RoleList,
    sanction_routes.list_sanctions: answers.SanctionList,
    sanction_routes.show_table: answers.OperatorTable,
    comparison_routes.compare: Comparison,
    bundle_routes.bundle: None,
}
"""The answers of requests that are no acts."""


def _described(route: OperatorRoute) -> HttpRoute:
    media = "application/jsonl" if route.handle is server_routes.export_log else JSON
    act: dict[int, tuple[str, ...]] = {409: ("already so, or undone",), 422: ("a wrong value",)}
    return HttpRoute(
        route.path.replace(":int}", "}"),
        f"{route.summary} For the role {route.needs.value}.",
        media,
        route.method,
        route.query,
        route.body,
        _ANSWERS.get(route.handle, answers.ActDone),
        {
            403: ("`not_allowed`",),
            404: ("you have no role, or there is no such thing",),
            **(act if route.method == "POST" else {}),
        },
    )


ROUTES: Final = tuple(map(_described, SERVED))
