"""A finished game compared with an engine, for operators: figures, no verdict."""

from typing import Final

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.comparison.comparisons import NotCompared
from qipai.hall.comparison.game_comparison import Comparison
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import RoomId
from qipai.server.accounts.account_requests import answer

from .operator_requests import Caller, OperatorRoute, OperatorServices, number_of, query_of

RETRY_SECONDS: Final = 2
"""Seconds after which the figures may be there."""
_STATUS: Final = {
    NotCompared.COMPUTING: 202,
    NotCompared.BUSY: 503,
    NotCompared.UNKNOWN: 404,
    NotCompared.NOT_COMPARABLE: 422,
    NotCompared.NOT_RATED: 422,
}


class EngineQuestion(Struct, forbid_unknown_fields=True):
    """`unrated`: also a game that does not count for ratings."""

    unrated: bool = False


async def compare(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return the figures of a game, or begin to compute them."""
    wanted: EngineQuestion = query_of(request, EngineQuestion)
    key = RoomId(request.path_params["room"]), number_of(request)
    try:
        found = await services.hall.history.comparisons.compare(key, unrated=wanted.unrated)
    except TooManyRequests:
        found = NotCompared.BUSY
    if isinstance(found, Comparison):
        return answer(msgspec.to_builtins(found))
    name = "status" if found is NotCompared.COMPUTING else "error"
    response = answer({name: found.value}, _STATUS[found])
    if found in (NotCompared.COMPUTING, NotCompared.BUSY):
        response.headers["retry-after"] = str(RETRY_SECONDS)
    return response


ROUTES: Final = (
    OperatorRoute(
        "GET",
        "/api/operator/games/{room}/{number:int}/engine",
        compare,
        Role.OPERATOR,
        "Figures of a rated chess game beside an engine, or 202 `computing`. `unrated`: also other games.",
        query=("unrated",),
    ),
)
