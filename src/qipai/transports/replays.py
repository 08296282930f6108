"""`GET /api/games/{room}/{match}`: finished games, to look at again or to keep."""

import asyncio
import gzip
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.hall.library import Busy, Found
from qipai.hall.ports import StoreError
from qipai.hall.reception import Reception
from qipai.kernel.names import RoomId

PATH: Final = "/api/games/{room}/{match:int}"
_MAX_ROOM: Final = 64
_MAX_SEAT: Final = 8
_NONE: Final = {"error": "no finished game here that can be seen"}
_LATER: Final = {"error": "the server cannot do this now, try again"}
_TYPES: Final = {
    "pgn": "application/vnd.chess-pgn",
    "sgf": "application/x-go-sgf",
    "json": "application/json",
}


def routes(reception: Reception) -> list[BaseRoute]:
    """Return both paths."""
    library = reception.library

    async def replay(request: Request) -> Response:
        room, match = _asked(request)
        seat = request.query_params.get("seat", "")[:_MAX_SEAT]
        try:
            found = await library.replay(room, match, seat)
        except (Busy, StoreError):
            return JSONResponse(_LATER, 503)
        return _missing() if found is None else await _answer(request, found)

    async def record(request: Request) -> Response:
        room, match = _asked(request)
        try:
            found = await library.record(room, match)
        except (Busy, StoreError):
            return JSONResponse(_LATER, 503)
        if found is None:
            return _missing()
        answer = await _answer(request, found)
        answer.headers["content-disposition"] = f'attachment; filename="{found.name}"'
        return answer

    return [Route(PATH, replay), Route(f"{PATH}/record", record)]


def _asked(request: Request) -> tuple[RoomId, int]:
    room: str = request.path_params["room"]
    match: int = request.path_params["match"]
    return RoomId(room[:_MAX_ROOM]), match


def _missing() -> Response:
    # One that is not over yet may be soon.
    return JSONResponse(_NONE, 404, headers={"cache-control": "no-store"})


async def _answer(request: Request, found: Found) -> Response:
    media = _TYPES[found.name.rsplit(".", 1)[1]]
    headers = {"cache-control": "public, max-age=86400", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(found.body, media_type=media, headers=headers)
    plain = await asyncio.to_thread(gzip.decompress, found.body)
    return Response(plain, media_type=media, headers=headers)
