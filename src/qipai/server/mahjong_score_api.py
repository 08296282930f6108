"""`POST /api/mahjong/score`: scores a win given as JSON."""

import asyncio
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.games.mahjong.hands.hand_notation import MalformedHand
from qipai.games.mahjong.scoring.score_request import error_json, score_json

PATH: Final = "/api/mahjong/score"
_MAX_BODY: Final = 16_384
_BODY_TIMEOUT: Final = 10.0
"""Seconds for the body to arrive."""


async def score(request: Request) -> Response:
    """Score one win as `qipai mahjong score` does; 422 names the field that is malformed."""
    body = b""
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            async for part in request.stream():
                body += part
                if len(body) > _MAX_BODY:
                    return JSONResponse({"error": "too_long"}, 413)
    except TimeoutError:
        return JSONResponse({"error": "too_slow"}, 408)
    except ClientDisconnect:
        return JSONResponse({"error": "incomplete"}, 400)
    try:
        return JSONResponse(score_json(body))
    except MalformedHand as error:
        return JSONResponse(error_json(error), 422)


def routes() -> list[BaseRoute]:
    """Return the route."""
    return [Route(PATH, score, methods=["POST"])]
