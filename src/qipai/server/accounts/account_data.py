"""Everything that the server stores of an account, as its owner sees it and downloads it."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import Accounts, Current
from qipai.hall.accounts.passkeys import Passkeys
from qipai.hall.api_tokens.api_tokens import ApiTokens
from qipai.hall.history.archive_interface import SEARCH_LIMIT, FinishedGame, GameFilter
from qipai.hall.history.finished_games import FinishedGames, TooManyRequests
from qipai.hall.moderation.report_interface import ReportFilter
from qipai.hall.relations.relations import Relations

from . import api_token_api
from .passkey_api import listed

_MOST_REPORTS: Final = 1_000
_GAME_FIELDS: Final = (
    "room", "match", "game", "title", "public", "began", "ended", "names", "bots", "winners", "reason",
    "moves",
)  # fmt: skip


async def account_data(
    accounts: Accounts, passkeys: Passkeys, relations: Relations, api_tokens: ApiTokens, current: Current
) -> dict[str, Any]:
    """Return an account, its devices, passkeys, relations and API tokens; nothing of it is secret."""
    account = current.account
    devices = [
        {
            "id": each.id,
            "device": each.device,
            "created": each.created,
            "used": each.used,
            "this": each.key == current.session.key,
        }
        for each in await accounts.devices(current)
    ]
    return {
        "name": account.name,
        "created": account.created,
        "renamed": account.renamed,
        "recovery_codes_left": await accounts.recovery_codes_left(current),
        "has_password": await accounts.has_password(current),
        "passkeys": listed(await passkeys.of(current)),
        "identities": [
            {"issuer": each.issuer, "linked": each.linked}
            for each in await accounts.ask(lambda store: store.openid.identities(account.person))
        ],
        "devices": devices,
        **await relations.stored(account.person),
        "bot": account.bot,
        "api_tokens": api_token_api.listed(await api_tokens.of(current)),
    }


async def own_moderation(accounts: Accounts, current: Current) -> dict[str, Any]:
    """Return the sanctions of an account, and the reports and appeals that it wrote."""
    person = current.account.person
    sanctions, reports = await accounts.ask(
        lambda store: (
            store.moderation.sanctions_of(person),
            store.moderation.reports(ReportFilter(by=person, limit=_MOST_REPORTS)),
        )
    )
    return {
        "sanctions": [
            {
                "id": each.id,
                "kind": each.kind,
                "reason": each.reason,
                "made": each.made,
                "ends": each.ends,
                "lifted": each.lifted,
            }
            for each in sanctions
        ],
        "reports": [
            {"at": each.at, "kind": each.kind, "room": each.room, "text": each.text} for each in reports
        ],
    }


async def own_games(games: FinishedGames, current: Current, address: str) -> list[dict[str, Any]]:
    """Return all finished games of an account, the latest first, also those that are not public."""
    found: list[dict[str, Any]] = []
    wanted = GameFilter(person=current.account.person, limit=SEARCH_LIMIT)
    while page := await _page(games, wanted, address):
        found += [_listed(game) for game in page]
        if len(page) < SEARCH_LIMIT:
            break
        last = page[-1]
        wanted = replace(wanted, after=(last.ended, last.room, last.match))
    return found


async def _page(games: FinishedGames, wanted: GameFilter, address: str) -> Sequence[FinishedGame]:
    try:
        return await games.search(wanted, address=address)
    except TooManyRequests as error:
        raise AccountRefused(AccountRefusal.BUSY) from error


def _listed(game: FinishedGame) -> dict[str, Any]:
    fields = {field: getattr(game, field) for field in _GAME_FIELDS}
    return {**fields, "replay": f"/api/games/{game.room}/{game.match}"}
