"""`GET /api/games`: searches finished games, and returns their replays and game records.

`GET /api/my-games` returns the games of the guest whose token is sent, or of the account that is signed in,
also those that are not public.
"""

import asyncio
import gzip
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.guard.client_address import client_address
from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.history.finished_games import TooManyFromAddress, TooManyRequests
from qipai.hall.history.game_files import FoundFile
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import RoomId

from .accounts.session_cookie import COOKIE

PATH: Final = "/api/games/{room}/{match}"
_MAX_ROOM: Final = 64
_MAX_DIGITS: Final = 9
_MAX_SEAT: Final = 8
_MAX_NAME: Final = 100
_FIELDS: Final = frozenset({"player", "game", "since", "until", "after", "limit"})
"""Query parameters. Games of unlisted rooms are not part of any result."""
_LISTED: Final = (
    "room", "match", "game", "title", "public", "began", "ended", "names", "bots", "winners", "reason",
    "moves",
)  # fmt: skip
"""What is sent of a listed game: not who its persons are."""
_MY_FIELDS: Final = frozenset({"after", "limit"})
_NO_TOKEN: Final = {"error": "authorization: expected 'Bearer' and the token of a welcome"}
_COMPACT: Final = "compact"
_NOT_FOUND: Final = {"error": "no such finished game"}
_BUSY: Final = {"error": "the server cannot do this now, try again"}
_ARCHIVE_DOWN: Final = {"error": "the archive does not answer, try again in a minute"}
_BUSY_SECONDS: Final = "2"
_ARCHIVE_SECONDS: Final = "60"
"""When to try again, as the server does itself (`Retry-After`)."""
_TYPES: Final = {
    "pgn": "application/vnd.chess-pgn",
    "sgf": "application/x-go-sgf",
    "json": "application/json",
}


def routes(hall: Hall) -> list[BaseRoute]:
    """Return the routes."""
    games = hall.finished_games

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
            filters = _filter(request.query_params)
        except (ValueError, msgspec.ValidationError) as error:
            return JSONResponse({"error": str(error)}, 400)
        try:
            found = await games.search(filters, address=client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        body = msgspec.json.encode({"games": [_listed(game) for game in found]})
        return Response(body, media_type="application/json", headers={"cache-control": "no-cache"})

    async def search_own(request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_token = scheme.lower() == "bearer" and token.isascii()
        try:
            person = await hall.admission.person_of(
                token if is_token else "", request.cookies.get(COOKIE, "")
            )
        except StoreError as error:
            return unavailable(error)
        if person is None:
            return JSONResponse(_NO_TOKEN, 401, headers={"cache-control": "no-store"})
        try:
            filters = replace(_filter(request.query_params, _MY_FIELDS), person=person)
        except (ValueError, msgspec.ValidationError) as error:
            return JSONResponse({"error": str(error)}, 400)
        try:
            found = await games.search_own(filters, address=client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        own = [
            {
                **_listed(game),
                "seat": game.seated.index(person) if person in game.seated else None,
            }
            for game in found
        ]
        body = msgspec.json.encode({"games": own})
        return Response(body, media_type="application/json", headers={"cache-control": "no-store"})

    return [
        Route("/api/games", search),
        Route("/api/my-games", search_own),
        Route(PATH, replay),
        Route(f"{PATH}/record", record),
    ]


def _listed(game: FinishedGame) -> dict[str, Any]:
    return {field: getattr(game, field) for field in _LISTED}


def _filter(query: Mapping[str, str], fields: frozenset[str] = _FIELDS) -> GameFilter:
    """Return the filter of a query, or raise `ValueError`."""
    if unknown := set(query) - fields:
        raise ValueError(f"unknown parameter {min(unknown)!r}; known are {', '.join(sorted(fields))}")
    wanted: dict[str, Any] = dict(query)
    if "after" in wanted:
        ended, _, game = wanted["after"].partition("-")
        room, _, match = game.rpartition("-")
        if not room:
            raise ValueError("after: expected the ended-room-match of a game")
        wanted["after"] = (ended, room, match)
    filters = msgspec.convert(wanted, GameFilter, strict=False)
    numbers = (filters.since, filters.until, *(filters.after[::2] if filters.after else ()))
    if any(number is not None and not 0 <= number < 2**53 for number in numbers):
        raise ValueError("times are milliseconds since 1970")
    if len(filters.player) > _MAX_NAME or "\0" in "".join(query.values()):
        raise ValueError("player: too long, or not text")
    return filters


def game_of(request: Request) -> tuple[RoomId, int]:
    """Return room and match of a path, or raise 404 if they cannot exist."""
    room: str = request.path_params["room"]
    match: str = request.path_params["match"]
    if len(room) > _MAX_ROOM or len(match) > _MAX_DIGITS or not (match.isascii() and match.isdigit()):
        raise HTTPException(404)
    return RoomId(room), int(match)


def unavailable(error: Exception) -> Response:
    """Return the refusal of a request that the server cannot answer now."""
    busy = isinstance(error, TooManyRequests)
    return JSONResponse(
        _BUSY if busy else _ARCHIVE_DOWN,
        429 if isinstance(error, TooManyFromAddress) else 503,
        headers={"cache-control": "no-store", "retry-after": _BUSY_SECONDS if busy else _ARCHIVE_SECONDS},
    )


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
