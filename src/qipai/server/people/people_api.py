"""`GET /api/people/NAME`: the profile of an account. `GET /api/my-games`: the games of the asker.

The asker is the account that is signed in or whose API token is sent, or the guest whose token is. Games that
are not public are sent only to their own persons.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.guard.client_address import client_address
from qipai.hall.accounts.account_interface import Account
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.api_tokens.api_tokens import is_api_token
from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Person
from qipai.server.accounts.account_requests import bearer, status_of
from qipai.server.accounts.relation_api import status_fields
from qipai.server.accounts.session_cookie import COOKIE
from qipai.server.game_searches import listed, read_filter, unavailable

from .games_download import download
from .games_zip import GamesDownloads

_FIELDS: Final = frozenset(
    {"game", "twist", "result", "against", "opponent", "since", "until", "after", "limit"}
)
_NO_TOKEN: Final = {"error": "authorization: expected 'Bearer' and the token of a welcome"}
_NOT_FOUND: Final = {"error": "no account has this name"}
_REFUSED: Final = {AccountRefusal.BAD_API_TOKEN: "the API token is not valid"}
_TOO_MANY: Final = "too many requests with API tokens, try again in a minute"
_NO_STORE: Final = {"cache-control": "no-store"}

Handler = Callable[[Request], Awaitable[Response]]


class NoAccount(Exception):
    """No account has the name that was asked for."""


def routes(hall: Hall) -> list[BaseRoute]:
    """Return the routes."""
    games, services = hall.finished_games, hall.account_services
    downloads = GamesDownloads(games, hall.address_refusals)

    def account_of(request: Request) -> Account:
        found = services.find(request.path_params["name"])
        if found is None:
            raise NoAccount
        return found

    def search_filter(request: Request, person: Person) -> GameFilter:
        filters = replace(read_filter(request.query_params, _FIELDS), person=person)
        # Somebody with an account is found under earlier names too.
        opponent = services.find(filters.opponent) if filters.opponent else None
        if opponent is None:
            return filters
        return replace(filters, opponent="", opponent_person=opponent.person)

    async def games_of(request: Request, filters: GameFilter, *, own: bool) -> Response:
        search = games.search_own if own else games.search
        found = await search(filters, address=client_address(request.scope))
        return _answer(
            {
                "games": [
                    {**listed(game, services.directory), "seat": _seat(game, filters.person)}
                    for game in found
                ]
            }
        )

    async def my_games(request: Request) -> Response:
        person = await person_of(hall, request)
        if person is None:
            return JSONResponse(_NO_TOKEN, 401, headers=_NO_STORE)
        return await games_of(request, search_filter(request, person), own=True)

    async def my_download(request: Request) -> Response:
        person = await person_of(hall, request)
        if person is None:
            return JSONResponse(_NO_TOKEN, 401, headers=_NO_STORE)
        return download(downloads, request, person)

    async def profile_games(request: Request) -> Response:
        account = account_of(request)
        own = await person_of(hall, request) == account.person
        filters = search_filter(request, account.person)
        return await games_of(request, replace(filters, public_only=not own), own=own)

    async def profile(request: Request) -> Response:
        account = account_of(request)
        asker = await person_of(hall, request)
        own = asker == account.person
        summary = await games.summary(
            account.person, public_only=not own, address=client_address(request.scope)
        )
        return _answer(
            {
                "name": account.name,
                "created": account.created,
                "bot": account.bot,
                "you": own,
                "results": summary.counts,
                "longest_wins": summary.longest_wins,
                "streak": {"result": summary.streak_result, "games": summary.streak},
                "relation": await relation(asker, account.person),
            }
        )

    async def relation(asker: Person | None, other: Person) -> dict[str, Any] | None:
        """Return the relation of the asker to another account; guests have none."""
        if services.relations is None or asker is None or asker == other:
            return None
        if services.directory.account(asker) is None:
            return None
        found = await services.relations.between(asker, other)
        return {
            "followed": found.followed,
            "blocked": found.blocked,
            "takes_challenges": found.takes_challenges,
            **status_fields(found.status),
        }

    async def compare(request: Request) -> Response:
        """Return the results of the asker, or of another account, against an account."""
        account = account_of(request)
        asker = await person_of(hall, request)
        name = request.query_params.get("with", "")
        other = services.find(name) if name else None
        if name and other is None:
            raise NoAccount
        person = asker if other is None else other.person
        if person is None or person == account.person:
            return JSONResponse(_NO_TOKEN, 401, headers=_NO_STORE)
        found = await games.head_to_head(
            person,
            account.person,
            public_only=asker not in {person, account.person},
            address=client_address(request.scope),
        )
        return _answer(found._asdict())

    return [
        Route("/api/my-games", _guarded(my_games)),
        Route("/api/my-games/download", _guarded(my_download)),
        Route("/api/people/{name}", _guarded(profile)),
        Route("/api/people/{name}/games", _guarded(profile_games)),
        Route("/api/people/{name}/head-to-head", _guarded(compare)),
    ]


async def person_of(hall: Hall, request: Request) -> Person | None:
    """Return the person who sent a request: of an API token, a session, or the token of a guest.

    With an API token the cookie does not count. Raise `AccountRefused` if it is not valid.
    """
    token, api_tokens = bearer(request), hall.account_services.api_tokens
    if not is_api_token(token):
        return await hall.admission.person_of(token, request.cookies.get(COOKIE, ""))
    if api_tokens is None:
        raise AccountRefused(AccountRefusal.BAD_API_TOKEN)
    return (await api_tokens.requester(token, client_address(request.scope))).person


def _guarded(handle: Handler) -> Handler:
    """Return a handler that answers with what is wrong."""

    async def guarded(request: Request) -> Response:
        try:
            return await handle(request)
        except NoAccount:
            return JSONResponse(_NOT_FOUND, 404, headers=_NO_STORE)
        except AccountRefused as refused:
            headers = {**_NO_STORE, **({} if refused.code in _REFUSED else {"retry-after": "60"})}
            text = _REFUSED.get(refused.code, _TOO_MANY)
            return JSONResponse({"error": text}, status_of(refused.code), headers=headers)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 400, headers=_NO_STORE)
        except (TooManyRequests, StoreError) as error:
            return unavailable(error)

    return guarded


def _seat(game: FinishedGame, person: str) -> int | None:
    return game.seated.index(person) if person in game.seated else None


def _answer(content: Any) -> Response:
    return Response(msgspec.json.encode(content), media_type="application/json", headers=_NO_STORE)
