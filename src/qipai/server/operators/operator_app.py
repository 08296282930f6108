"""Serves the requests of operators; for everybody else there is nothing at these paths."""

from collections.abc import Sequence
from typing import Final

from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from qipai.guard.client_address import client_address
from qipai.guard.connection_limits import ConnectionLimits
from qipai.hall.accounts.account_refusals import AccountRefused
from qipai.hall.api_tokens.api_tokens import api_token_key, is_api_token
from qipai.hall.hall import Hall
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.moderation_interface import ActRefused
from qipai.hall.moderation.operator_log_interface import Via
from qipai.hall.moderation.sanction_interface import Role, SanctionKind
from qipai.kernel.ids import Person
from qipai.server.accounts.account_requests import BadRequest, answer, bearer
from qipai.server.accounts.session_cookie import COOKIE
from qipai.socketio.allowed_origins import is_cross_site

from . import (
    bundle_routes,
    comparison_routes,
    health_routes,
    people_routes,
    report_routes,
    sanction_routes,
    server_routes,
)
from .bundle_routes import BundleMaker
from .load_samples import LoadSamples
from .operator_requests import STATUS, Caller, OperatorRoute, OperatorServices

ROUTES: Final[Sequence[OperatorRoute]] = (
    *server_routes.ROUTES,
    *health_routes.ROUTES,
    *report_routes.ROUTES,
    *people_routes.ROUTES,
    *sanction_routes.ROUTES,
    *comparison_routes.ROUTES,
    *bundle_routes.ROUTES,
)
"""All requests of operators and moderators."""
_CALLER: Final = "qipai.caller"


class OperatorApp:
    """Finds out who asks before anything else: without a role, the answer is the 404 of any unknown path."""

    def __init__(self, services: OperatorServices) -> None:
        self._services = services
        self._router = Router([self._route(each) for each in ROUTES], redirect_slashes=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        request = Request(scope, receive)
        caller = await self._caller(request)
        if caller is None:
            raise HTTPException(404)
        if caller.via is Via.PAGE and is_cross_site(request.headers):
            await answer({"error": "cross_site"}, 403)(scope, receive, send)
            return
        scope[_CALLER] = caller
        await self._router(scope, receive, send)

    async def _caller(self, request: Request) -> Caller | None:
        """Return who sends a request, if that is somebody with a role."""
        token = bearer(request)
        try:
            if is_api_token(token):
                via, person = Via.TOKEN, await self._person_of(token, client_address(request.scope))
            else:
                current = await self._services.accounts.current(request.cookies.get(COOKIE, ""))
                via, person = Via.PAGE, None if current is None else current.account.person
        except (StoreError, AccountRefused):
            return None
        role = self._services.hall.moderation.directory.role(person)
        if person is None or role is None or self._is_banned_moderator(person, role):
            return None
        return Caller(person, role, via, client_address(request.scope))

    def _is_banned_moderator(self, person: Person, role: Role) -> bool:
        # A ban of an address does not count: a moderator could shut out an operator of the same network.
        moderation = self._services.hall.moderation
        found = moderation.index.of(person, "", self._services.acts.now())
        return role is Role.MODERATOR and any(each.kind is SanctionKind.BAN for each in found)

    async def _person_of(self, secret: str, address: str) -> Person | None:
        """Return the person of an API token that may use a role; other tokens of operators may not."""
        api_tokens = self._services.hall.account_services.api_tokens
        if api_tokens is None:
            return None
        account = await api_tokens.requester(secret, address)
        key = api_token_key(secret)
        allowed = await self._services.acts.ask(lambda store: store.moderation.is_allowed(key))
        return account.person if allowed else None

    def _route(self, route: OperatorRoute) -> Route:
        async def handle(request: Request) -> Response:
            caller: Caller = request.scope[_CALLER]
            if not caller.role.includes(route.needs):
                return answer({"error": "not_allowed"}, 403)
            try:
                return await route.handle(self._services, request, caller)
            except ActRefused as refused:
                about = {"about": refused.about} if refused.about else {}
                return answer({"error": refused.code.value, **about}, STATUS.get(refused.code, 422))
            except BadRequest as error:
                return answer({"error": "malformed", "about": str(error)}, error.status)
            except StoreError:
                response = answer({"error": "unavailable"}, 503)
                response.headers["retry-after"] = "5"
                return response

        return Route(route.path, handle, methods=[route.method])


def routes(
    hall: Hall,
    limits: ConnectionLimits,
    collectors: Sequence[Collector] = (),
    bundle_command: Sequence[str] = (),
) -> list[BaseRoute]:
    """Return the routes; none without accounts."""
    accounts, acts = hall.account_services.accounts, hall.moderation.acts
    if accounts is None or acts is None:
        return []
    samples, bundles = LoadSamples(collectors), BundleMaker(bundle_command)
    app = OperatorApp(OperatorServices(hall, accounts, acts, limits, samples, bundles))
    return [Route("/api/operator", app), Route("/api/operator/{path:path}", app)]
