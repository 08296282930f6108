"""Requests about API tokens and bot accounts; they need the session of the owner, never an API token."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import Accounts
from qipai.hall.api_tokens.api_token_interface import ApiToken
from qipai.hall.api_tokens.api_tokens import ApiTokens
from qipai.hall.history.archive_interface import GameFilter
from qipai.hall.history.finished_games import FinishedGames, TooManyRequests
from qipai.kernel.ids import Person

from .account_requests import Credential, Handler, Text, answer, body, confirmation, current_session, sender

_MOST_DAYS: Final = 3650


class NewToken(Struct, forbid_unknown_fields=True):
    """The name of a new API token, its life in days (null: no end), and the password or a passkey."""

    name: Text
    days: Annotated[int, Meta(ge=1, le=_MOST_DAYS)] | None = None
    password: Text = ""
    passkey: Credential | None = None


class TokenId(Struct, forbid_unknown_fields=True):
    """The id of an API token."""

    id: Text


class BotConfirmation(Struct, forbid_unknown_fields=True):
    """The present password, or a passkey: a bot account stays one."""

    password: Text = ""
    passkey: Credential | None = None


def listed(tokens: Sequence[ApiToken]) -> list[dict[str, Any]]:
    """Return API tokens as the owner of the account sees them."""
    return [
        {
            "id": each.id,
            "name": each.name,
            "created": each.created,
            "used": each.used,
            "expires": each.expires,
        }
        for each in tokens
    ]


def posts(
    accounts: Accounts, tokens: ApiTokens, games: FinishedGames, has_seat: Callable[[Person], bool]
) -> dict[str, Handler]:
    """Return the handlers of these requests by their names."""

    async def create(request: Request) -> Response:
        wanted = await body(request, NewToken)
        current = await current_session(accounts, request)
        given = confirmation(request, wanted.password, wanted.passkey)
        made = await tokens.create(current, wanted.name, wanted.days, given, sender(request))
        return answer({"secret": made.secret, "token": listed([made.token])[0]})

    async def revoke(request: Request) -> Response:
        wanted = await body(request, TokenId)
        await tokens.revoke(await current_session(accounts, request), wanted.id)
        return answer({})

    async def become_bot(request: Request) -> Response:
        wanted = await body(request, BotConfirmation)
        current = await current_session(accounts, request)
        person, client = current.account.person, sender(request)
        given = confirmation(request, wanted.password, wanted.passkey)

        async def has_played() -> bool:
            return await _has_played(games, person, client.address) or has_seat(person)

        await tokens.become_bot(current, given, client, has_played)
        return answer({})

    return {"api-token-create": create, "api-token-revoke": revoke, "become-bot": become_bot}


async def _has_played(games: FinishedGames, person: Person, address: str) -> bool:
    try:
        return bool(await games.search_own(GameFilter(person=person, limit=1), address=address))
    except TooManyRequests as error:
        raise AccountRefused(AccountRefusal.BUSY) from error
