"""`GET /api/games`: searches finished games, and returns their replays and game records."""

import asyncio
import gzip
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.guard.client_address import client_address
from qipai.hall.hall import Hall
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.history.game_files import FoundFile
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import RoomId

from .game_searches import listed, read_filter, unavailable

PATH: Final = "/api/games/{room}/{match}"
_MAX_ROOM: Final = 64
_MAX_DIGITS: Final = 9
_MAX_SEAT: Final = 8
_FIELDS: Final = frozenset({"player", "game", "since", "until", "after", "limit"})
"""Query parameters. Games of unlisted rooms are not part of any result."""
_COMPACT: Final = "compact"
_NOT_FOUND: Final = {"error": "no such finished game"}
_TYPES: Final = {
    "pgn": "application/vnd.chess-pgn",
    "sgf": "application/x-go-sgf",
    "json": "application/json",
}


def routes(hall: Hall) -> list[BaseRoute]:
    """Return the routes."""
    games, accounts = hall.finished_games, hall.account_services.directory

    async def replay(request: Request) -> Response:
        room, match = game_of(request)
        seat = request.query_params.get("seat", "")[:_MAX_SEAT]
        form = request.query_params.get("form", "")
        if form not in ("", _COMPACT):
            return JSONResponse({"error": f"form: expected {_COMPACT!r} or nothing"}, 400)
        try:
            found = await games.replay(
                room, match, seat, compact=form == _COMPACT, address=client_address(request.scope)
            )
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        return _missing() if found is None else await _answer(request, found)

    async def record(request: Request) -> Response:
        room, match = game_of(request)
        try:
            found = await games.record(room, match, address=client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        if found is None:
            return _missing()
        answer = await _answer(request, found)
        answer.headers["content-disposition"] = f'attachment; filename="{found.name}"'
        return answer

    async def search(request: Request) -> Response:
        try:
            filters = read_filter(request.query_params, _FIELDS)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 400)
        try:
            found = await games.search(filters, address=client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        body = msgspec.json.encode({"games": [listed(game, accounts) for game in found]})
        return Response(body, media_type="application/json", headers={"cache-control": "no-cache"})

    return [
        Route("/api/games", search),
        Route(PATH, replay),
        Route(f"{PATH}/record", record),
    ]


def game_of(request: Request) -> tuple[RoomId, int]:
    """Return room and match of a path, or raise 404 if they cannot exist."""
    room: str = request.path_params["room"]
    match: str = request.path_params["match"]
    if len(room) > _MAX_ROOM or len(match) > _MAX_DIGITS or not (match.isascii() and match.isdigit()):
        raise HTTPException(404)
    return RoomId(room), int(match)


def _missing() -> Response:
    # A running game may be finished soon.
    return JSONResponse(_NOT_FOUND, 404, headers={"cache-control": "no-store"})


async def _answer(request: Request, found: FoundFile) -> Response:
    media = _TYPES.get(found.name.rpartition(".")[2], "text/plain")
    headers = {"cache-control": "public, max-age=86400", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(found.body, media_type=media, headers=headers)
    plain = await asyncio.to_thread(gzip.decompress, found.body)
    return Response(plain, media_type=media, headers=headers)
