"""`POST /api/game/start` and `GET /api/mahjong/rules` for the older mahjong client."""

import asyncio
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.clients.legacy_support import LegacySupport
from qipai.guard.client_address import client_address
from qipai.kernel.ids import RoomId, Seat
from qipai.socketio.allowed_origins import AllowedOrigins

from .dialect import GAME
from .rest_start_request import GAME_ID_PREFIX, InvalidBody, house_rule_list, parse_start, start_reply

START: Final = "/api/game/start"
RULES: Final = "/api/mahjong/rules"
_MAX_BODY: Final = 16_384
_BODY_TIMEOUT: Final = 10.0
"""Seconds a body has to arrive."""
_TOO_MANY: Final = {"error": "too many games from this address, try again in a minute"}
_UNAVAILABLE: Final = {"error": "the server cannot do this now, try again"}


def routes(support: LegacySupport, origins: AllowedOrigins) -> list[BaseRoute]:
    """Return the two routes."""
    services = support.services

    async def start(request: Request) -> Response:
        if _is_foreign_form(request, origins):
            return JSONResponse({"error": "send JSON as application/json", "field": "body"}, 415)
        try:
            async with asyncio.timeout(_BODY_TIMEOUT):
                body = await _read_body(request)
        except TimeoutError:
            return JSONResponse({"error": "too slow", "field": "body"}, 408)
        except ClientDisconnect:
            return JSONResponse({"error": "incomplete", "field": "body"}, 400)
        if body is None:
            return JSONResponse({"error": f"longer than {_MAX_BODY} bytes", "field": "body"}, 413)
        try:
            game_start = parse_start(body)
        except InvalidBody as invalid:
            return JSONResponse({"error": invalid.text, "field": invalid.field}, 422)
        if services.hall.draining:
            return JSONResponse(_UNAVAILABLE, 503)
        now, address = services.hall.now(), client_address(request.scope)
        if (ban := services.sanctions.ban_of_address(address)) is not None:
            return JSONResponse({"error": f"you are banned: {ban.reason}", "code": "banned"}, 403)
        if not await services.address_limits.may_open_room(address, now):
            return JSONResponse(_TOO_MANY, 429, headers={"retry-after": "60"})
        durable: asyncio.Future[RoomId | None] = asyncio.get_running_loop().create_future()

        def on_durable(room: RoomId | None) -> None:
            if not durable.done():
                durable.set_result(room)

        support.game_starter.start(
            GAME,
            game_start.options,
            game_start.table,
            game_start.bots,
            GAME_ID_PREFIX,
            now,
            on_durable,
            address,
        )
        room = await durable
        if room is None:
            return JSONResponse(_UNAVAILABLE, 503)
        seats = (
            []
            if game_start.table.legacy.open_seats
            else [seat for seat in range(4) if seat not in game_start.bots]
        )
        tokens = {str(seat + 1): services.identity.seat_token(room, Seat(seat)) for seat in seats}
        return JSONResponse(start_reply(room, game_start, tokens))

    async def rules(request: Request) -> Response:
        return JSONResponse(house_rule_list())

    return [Route(START, start, methods=["POST"]), Route(RULES, rules)]


def _is_foreign_form(request: Request, origins: AllowedOrigins) -> bool:
    """Tell whether a page of another site may have sent this: browsers ask before they send JSON."""
    headers = request.headers
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind != "application/json" and not origins.allows(headers.get("origin"), headers.get("host", ""))


async def _read_body(request: Request) -> bytes | None:
    """Return the body, or None if it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MAX_BODY:
            return None
    return body
