"""Requests about relations: follow, block, see who is online, choose what others see."""

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.accounts.account_interface import Account
from qipai.hall.accounts.accounts import Accounts
from qipai.hall.relations.online_accounts import OnlineStatus
from qipai.hall.relations.relation_interface import ChallengesFrom, Privacy
from qipai.hall.relations.relations import Relations
from qipai.kernel.ids import Person

from .account_requests import Handler, Text, answer, body, current_session


class PlayerName(Struct, forbid_unknown_fields=True):
    """The name of another account."""

    name: Text


class PrivacyChoice(Struct, forbid_unknown_fields=True):
    """`invisible`: shown as offline to everybody. `challenges_from`: whose challenges are taken."""

    invisible: bool
    challenges_from: ChallengesFrom


def status_fields(status: OnlineStatus | None) -> dict[str, Any]:
    """Return whether somebody is online, and at which public table."""
    table = None if status is None else status.table
    return {"online": status is not None, "table": None if table is None else table._asdict()}


def gets(accounts: Accounts, relations: Relations) -> dict[str, Handler]:
    """Return the handlers of what is read, by their names."""

    async def following(request: Request) -> Response:
        current = await current_session(accounts, request)
        found = await relations.followed(current.account.person)
        return answer(
            {
                "followed": [
                    {"name": each.account.name, "since": each.since, **status_fields(each.status)}
                    for each in found
                ]
            }
        )

    return {"following": following}


def posts(
    accounts: Accounts, relations: Relations, find: Callable[[str], Account | None]
) -> dict[str, Handler]:
    """Return the handlers of changes by their names; `find` returns the account with a name."""

    def about_player(change: Callable[[Person, Account | None], Awaitable[None]]) -> Handler:
        async def handle(request: Request) -> Response:
            wanted = await body(request, PlayerName)
            current = await current_session(accounts, request)
            await change(current.account.person, find(wanted.name))
            return answer({})

        return handle

    async def privacy(request: Request) -> Response:
        wanted = await body(request, PrivacyChoice)
        current = await current_session(accounts, request)
        chosen = Privacy(wanted.invisible, wanted.challenges_from)
        await relations.set_privacy(current.account.person, chosen)
        return answer({})

    return {
        "follow": about_player(relations.follow),
        "unfollow": about_player(relations.unfollow),
        "block": about_player(relations.block),
        "unblock": about_player(relations.unblock),
        "privacy": privacy,
    }
