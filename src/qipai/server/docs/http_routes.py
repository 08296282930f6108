"""All HTTP routes that the documents describe, except those of the older clients."""

from collections.abc import Mapping
from typing import Final

from qipai.protocol.http_route import HttpRoute
from qipai.protocol.replay_json import Replay
from qipai.server.people.appeals_api import Appeal

from . import account_routes, operator_routes
from .answers import (
    AccountRatings,
    Done,
    GameList,
    HeadToHeadResults,
    Leaderboard,
    MatchRatings,
    PersonGameList,
    Profile,
    RankedCategories,
)
from .operator_answers import ToldSanctions

_MATCH: Final = "/api/games/{room}/{match}"
_PAGES: Final = ("game", "since", "until", "after", "limit")
_OF_PERSON: Final = ("twist", "result", "against", "opponent")
_BUSY: Final[Mapping[int, tuple[str, ...]]] = {
    429: ("four requests of your address wait",),
    503: ("busy, or the archive does not answer",),
}
_BAD_FILTER: Final[Mapping[int, tuple[str, ...]]] = {400: ("an unknown or malformed parameter",)}
_NO_ACCOUNT: Final[Mapping[int, tuple[str, ...]]] = {404: ("no account has this name",)}
_NO_GAME: Final[Mapping[int, tuple[str, ...]]] = {404: ("no such match, or it is not over for spectators",)}
_NOBODY: Final[Mapping[int, tuple[str, ...]]] = {401: ("neither a session nor a valid token",)}

_SERVER: Final = (
    HttpRoute("/", "The web client.", "text/html"),
    HttpRoute("/health", "Whether the server runs: 200 `ok`, or 503 `stopping`."),
    HttpRoute(
        "/ready", "Whether the server takes requests: 200 `ready`, or 503 `stopping` or `store out of reach`."
    ),
    HttpRoute("/games", "The games, each with the package that it comes from and its version."),
    HttpRoute("/metrics", "Metrics for Prometheus.", "text/plain"),
)
_DOCUMENTS: Final = (
    HttpRoute("/docs", "This page.", "text/html"),
    HttpRoute("/docs/openapi.json", "The HTTP side as OpenAPI 3.1."),
    HttpRoute("/docs/asyncapi.json", "The WebSocket side as AsyncAPI 3.0."),
)
GAMES: Final = (
    HttpRoute(
        "/api/games",
        "Finished public games, the latest first. `player` is a full name.",
        query=("player", *_PAGES),
        answer=GameList,
        refusals={**_BAD_FILTER, **_BUSY},
    ),
    HttpRoute(
        _MATCH,
        "The replay of a finished game. `seat`: a seat number, `watch` or `all`. `form`: `compact`.",
        query=("seat", "form"),
        answer=Replay,
        refusals={**_BAD_FILTER, **_NO_GAME, **_BUSY},
    ),
    HttpRoute(
        f"{_MATCH}/record",
        "The game record in the notation of its game.",
        "text/plain",
        refusals={**_NO_GAME, **_BUSY},
    ),
    HttpRoute(
        f"{_MATCH}/ratings",
        "What a rated game changed: `before`, `after` and `change` of each seat; none if it did not count.",
        answer=MatchRatings,
        refusals=_BUSY,
    ),
    HttpRoute(
        "/api/mahjong/score",
        "Score a win of mahjong. The body is what `qipai mahjong score` reads.",
        method="POST",
        refusals={
            408: ("`too_slow`",),
            413: ("`too_long`",),
            422: ("a malformed hand; the answer names the field",),
        },
    ),
)
PEOPLE: Final = (
    HttpRoute(
        "/api/sanctions",
        "The sanctions in force for you and your address. Guests send their token as `Bearer`.",
        answer=ToldSanctions,
    ),
    HttpRoute(
        "/api/appeals",
        "Appeal against a sanction: one open appeal each, five a day.",
        method="POST",
        request=Appeal,
        answer=Done,
        refusals={
            404: ("`no_such_sanction`",),
            409: ("`appeal_open`",),
            422: ("`no_reason`",),
            429: ("`rate_limited`",),
        },
    ),
    HttpRoute(
        "/api/my-games",
        "Your finished games, with the same filters. Guests and programs send `authorization: Bearer`.",
        query=(*_PAGES, *_OF_PERSON),
        answer=PersonGameList,
        refusals={**_BAD_FILTER, **_NOBODY, **_BUSY},
    ),
    HttpRoute(
        "/api/my-games/download",
        "All of them in their notations, in a ZIP file.",
        "application/zip",
        refusals={**_NOBODY, **_BUSY},
    ),
    HttpRoute(
        "/api/people/{name}",
        "The profile of an account: results by game, twist and kind of opponents, and streaks.",
        answer=Profile,
        refusals={**_NO_ACCOUNT, **_BUSY},
    ),
    HttpRoute(
        "/api/people/{name}/games",
        "Its finished games, by `game`, `twist`, `result`, `against`, `opponent`, `since`, `until`.",
        query=(*_PAGES, *_OF_PERSON),
        answer=PersonGameList,
        refusals={**_BAD_FILTER, **_NO_ACCOUNT, **_BUSY},
    ),
    HttpRoute(
        "/api/people/{name}/head-to-head",
        "Your results against an account, or those of the account `with`.",
        query=("with",),
        answer=HeadToHeadResults,
        refusals={
            401: ("neither a session nor a valid token, or twice the same account",),
            **_NO_ACCOUNT,
            **_BUSY,
        },
    ),
    HttpRoute(
        "/api/ratings/{name}",
        "The ratings of an account in all categories, with their curves: pairs of time and rating.",
        answer=AccountRatings,
        refusals={**_NO_ACCOUNT, **_BUSY},
    ),
    HttpRoute(
        "/api/leaderboards",
        "All categories, and how many players the leaderboard of each counts.",
        answer=RankedCategories,
        refusals=_BUSY,
    ),
    HttpRoute(
        "/api/leaderboards/{category}",
        "The hundred best players of a category, and how many players each bucket of ratings has.",
        answer=Leaderboard,
        refusals={404: ("no such category",), **_BUSY},
    ),
)
ROUTES: Final = (*_SERVER, *GAMES, *PEOPLE, *account_routes.ROUTES, *operator_routes.ROUTES, *_DOCUMENTS)
SECTIONS: Final[Mapping[str, tuple[HttpRoute, ...]]] = {
    "Finished games": GAMES,
    "People and ratings": PEOPLE,
    "Your account": account_routes.ROUTES,
    "Operators": operator_routes.ROUTES,
}
"""The routes that the page of the protocol describes, by section."""
