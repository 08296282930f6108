"""`GET /api/ratings/NAME`, `/api/leaderboards`, the same with a category, `/api/games/ROOM/MATCH/ratings`."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.guard.client_address import client_address
from qipai.hall.hall import Hall
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.ratings.rating_interface import BUCKET
from qipai.ratings.rating_values import PROVISIONAL_DEVIATION, Rating

from .finished_games_api import PATH, game_of
from .game_searches import unavailable

_MAX_NAME: Final = 100
_FRESH: Final = {"cache-control": "no-cache"}
_NO_ACCOUNT: Final = {"error": "no account has this name"}
_NO_CATEGORY: Final = {"error": "no such category"}


def routes(hall: Hall) -> list[BaseRoute]:
    """Return the routes."""
    ratings = hall.ratings
    categories = [name for game in hall.executor.games.values() for name in game.rating_categories]

    async def of_account(request: Request) -> Response:
        name: str = request.path_params["name"]
        person = ratings.person(name) if len(name) <= _MAX_NAME else None
        if person is None:
            return JSONResponse(_NO_ACCOUNT, 404, _FRESH)
        try:
            found = await ratings.histories(person, client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        listed = [
            {
                "category": category,
                **_rating(rating),
                "change": _round(curve[0].after - curve[0].before) if curve else 0.0,
                "curve": [(each.ended, _round(each.after)) for each in reversed(curve)],
            }
            for category, rating, curve in found
        ]
        return JSONResponse({"name": ratings.name(person), "ratings": listed}, headers=_FRESH)

    async def leaderboards(request: Request) -> Response:
        try:
            ranked = await ratings.ranked(client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        listed = [{"category": name, "players": ranked.get(name, 0)} for name in categories]
        return JSONResponse({"categories": listed}, headers=_FRESH)

    async def leaderboard(request: Request) -> Response:
        category: str = request.path_params["category"]
        if category not in categories:
            return JSONResponse(_NO_CATEGORY, 404, _FRESH)
        try:
            first, distribution = await ratings.leaders(category, client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        players = [
            {"name": name, **_rating(rating)} for person, rating in first if (name := ratings.name(person))
        ]
        return JSONResponse(
            {"category": category, "players": players, **_distribution(distribution)}, headers=_FRESH
        )

    async def of_match(request: Request) -> Response:
        room, match = game_of(request)
        try:
            changes = await ratings.changes(room, match, client_address(request.scope))
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)
        listed = [
            {
                "seat": each.seat,
                "name": ratings.name(each.person),
                "before": _round(each.before),
                "after": _round(each.after),
                "change": _round(each.after - each.before),
                "deviation": _round(each.deviation),
                "provisional": each.deviation > PROVISIONAL_DEVIATION,
            }
            for each in changes
        ]
        category = changes[0].category if changes else ""
        return JSONResponse({"category": category, "changes": listed}, headers=_FRESH)

    return [
        Route("/api/ratings/{name}", of_account),
        Route("/api/leaderboards", leaderboards),
        Route("/api/leaderboards/{category}", leaderboard),
        Route(f"{PATH}/ratings", of_match),
    ]


def _rating(rating: Rating) -> dict[str, Any]:
    return {
        "rating": _round(rating.rating),
        "deviation": _round(rating.deviation),
        "provisional": rating.provisional,
        "games": rating.games,
        "last": rating.last,
    }


def _distribution(found: Mapping[int, int]) -> dict[str, Any]:
    """Return the buckets from the lowest on: the rating at which each begins, and its players."""
    return {"bucket": BUCKET, "distribution": sorted(found.items())}


def _round(points: float) -> float:
    return round(points, 1)
