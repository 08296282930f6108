"""`GET /api/sanctions` and `POST /api/appeals`: what somebody is told of sanctions, and the answer to it."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from qipai.guard.client_address import client_address
from qipai.hall.hall import Hall
from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.sanction_interface import SanctionKind
from qipai.server.accounts.account_requests import answer, body, guarded

from .people_api import person_of

STATUS = {
    ActRefusal.NO_SUCH_SANCTION: 404,
    ActRefusal.APPEAL_OPEN: 409,
    ActRefusal.RATE_LIMITED: 429,
    ActRefusal.NO_REASON: 422,
}


class Appeal(Struct, forbid_unknown_fields=True):
    """Why a sanction should be lifted."""

    sanction: Annotated[int, Meta(ge=1, lt=2**53)]
    text: Annotated[str, Meta(max_length=4_000)]


def routes(hall: Hall) -> list[BaseRoute]:
    """Return the routes; none without accounts."""
    appeals = hall.moderation.appeals
    if appeals is None:
        return []

    async def show(request: Request) -> Response:
        found = appeals.sanctions_of(await person_of(hall, request), client_address(request.scope))
        return answer(
            {
                "sanctions": [
                    {
                        "id": each.id,
                        "kind": each.kind.value,
                        "reason": each.reason,
                        "made": each.made,
                        "ends": each.ends,
                        "may_appeal": each.kind is not SanctionKind.WARNING,
                    }
                    for each in found
                ]
            }
        )

    async def write(request: Request) -> Response:
        wanted: Appeal = await body(request, Appeal)
        person, address = await person_of(hall, request), client_address(request.scope)
        await appeals.appeal(person, address, wanted.sanction, wanted.text)
        return answer({})

    return [
        Route("/api/sanctions", guarded(_refusing(show))),
        Route("/api/appeals", guarded(_refusing(write)), methods=["POST"]),
    ]


def _refusing(handle: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def refusing(request: Request) -> Response:
        try:
            return await handle(request)
        except ActRefused as refused:
            return answer({"error": refused.code.value}, STATUS.get(refused.code, 422))

    return refusing
