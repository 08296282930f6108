"""`POST /api/mahjong/score`: what a win is worth, for clients and pages that show it."""

import asyncio
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.games.mahjong.hands.hand_notation import Malformed
from qipai.games.mahjong.scoring.score_request import judged, refusal

PATH: Final = "/api/mahjong/score"
_MAX_BODY: Final = 16_384
_PATIENCE: Final = 10.0
"""Seconds a question has to arrive."""


async def score(request: Request) -> Response:
    """Answer one question as `qipai mahjong score` does; 422 names the field that cannot be read."""
    body = b""
    try:
        async with asyncio.timeout(_PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > _MAX_BODY:
                    return JSONResponse({"error": "too_long"}, 413)
    except TimeoutError:
        return JSONResponse({"error": "too_slow"}, 408)
    except ClientDisconnect:
        return JSONResponse({"error": "incomplete"}, 400)
    try:
        return JSONResponse(judged(body))
    except Malformed as error:
        return JSONResponse(refusal(error), 422)


def routes() -> list[BaseRoute]:
    """Return the path of the question."""
    return [Route(PATH, score, methods=["POST"])]
