"""`POST /api/game/start` and `GET /api/mahjong/rules`: how older mahjong clients begin a game."""

import asyncio
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.clients.legacy_support import LegacySupport
from qipai.kernel.ids import RoomId, Seat

from .dialect import GAME
from .start_request import PREFIX, BadBody, start_of, started, switches

START: Final = "/api/game/start"
RULES: Final = "/api/mahjong/rules"
_MAX_BODY: Final = 16_384
_PATIENCE: Final = 10.0
"""Seconds a body has to arrive."""
_BUSY: Final = {"error": "the server cannot do this now, try again"}


def routes(support: LegacySupport) -> list[BaseRoute]:
    """Return both paths."""
    hall = support.services

    async def start(request: Request) -> Response:
        try:
            async with asyncio.timeout(_PATIENCE):
                body = await _body(request)
        except TimeoutError:
            return JSONResponse({"error": "too slow", "field": "body"}, 408)
        except ClientDisconnect:
            return JSONResponse({"error": "incomplete", "field": "body"}, 400)
        if body is None:
            return JSONResponse({"error": f"longer than {_MAX_BODY} bytes", "field": "body"}, 413)
        try:
            wanted = start_of(body)
        except BadBody as bad:
            return JSONResponse({"error": bad.text, "field": bad.field}, 422)
        if hall.hall.draining:
            return JSONResponse(_BUSY, 503)
        durable: asyncio.Future[RoomId | None] = asyncio.get_running_loop().create_future()

        def tell(room: RoomId | None) -> None:
            if not durable.done():
                durable.set_result(room)

        now = hall.hall.now()
        support.game_starter.start(GAME, wanted.options, wanted.table, wanted.bots, PREFIX, now, tell)
        room = await durable
        if room is None:
            return JSONResponse(_BUSY, 503)
        seats = (
            [] if wanted.table.legacy.open_seats else [seat for seat in range(4) if seat not in wanted.bots]
        )
        tokens = {str(seat + 1): hall.identity.seat_token(room, Seat(seat)) for seat in seats}
        return JSONResponse(started(room, wanted, tokens))

    async def rules(request: Request) -> Response:
        return JSONResponse(switches())

    return [Route(START, start, methods=["POST"]), Route(RULES, rules)]


async def _body(request: Request) -> bytes | None:
    """Return the body, or None if it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MAX_BODY:
            return None
    return body
