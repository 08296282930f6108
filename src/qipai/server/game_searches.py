"""What searches for finished games have in common: their parameters, and what is sent of a game."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from starlette.responses import JSONResponse, Response

from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.history.finished_games import TooManyFromAddress, TooManyRequests
from qipai.kernel.ids import Person

_MAX_WORD: Final = 100
_WORDS: Final = ("player", "game", "twist", "opponent")
_LISTED: Final = (
    "room", "match", "game", "title", "public", "began", "ended", "names", "bots", "winners", "reason",
    "moves", "twist", "bot_accounts",
)  # fmt: skip
"""What is sent of a listed game: not who its persons are."""
_BUSY: Final = {"error": "the server cannot do this now, try again"}
_ARCHIVE_DOWN: Final = {"error": "the archive does not answer, try again in a minute"}
_BUSY_SECONDS: Final = "2"
_ARCHIVE_SECONDS: Final = "60"
"""When to try again, as the server does itself (`Retry-After`)."""


def listed(game: FinishedGame, accounts: AccountDirectory) -> dict[str, Any]:
    """Return what is sent of a listed game; `profiles` has the present names of those who have accounts."""
    owners = (accounts.account(Person(person)) for person in game.seated)
    profiles = ["" if owner is None else owner.name for owner in owners]
    return {**{field: getattr(game, field) for field in _LISTED}, "profiles": profiles}


def read_filter(query: Mapping[str, str], fields: frozenset[str]) -> GameFilter:
    """Return the filter of a query with some fields, or raise `ValueError`."""
    if unknown := set(query) - fields:
        raise ValueError(f"unknown parameter {min(unknown)!r}; known are {', '.join(sorted(fields))}")
    # A field of a form that is left empty is no filter.
    wanted: dict[str, Any] = {name: value for name, value in query.items() if value or name not in _WORDS}
    if "after" in wanted:
        ended, _, game = wanted["after"].partition("-")
        room, _, match = game.rpartition("-")
        if not room:
            raise ValueError("after: expected the ended-room-match of a game")
        wanted["after"] = (ended, room, match)
    try:
        filters = msgspec.convert(wanted, GameFilter, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    numbers = (filters.since, filters.until, *(filters.after[::2] if filters.after else ()))
    if any(number is not None and not 0 <= number < 2**53 for number in numbers):
        raise ValueError("times are milliseconds since 1970")
    if any(len(query.get(word, "")) > _MAX_WORD for word in _WORDS) or "\0" in "".join(query.values()):
        raise ValueError("too long, or not text")
    return filters


def unavailable(error: Exception) -> Response:
    """Return the response if a search cannot be made now."""
    busy = isinstance(error, TooManyRequests)
    return JSONResponse(
        _BUSY if busy else _ARCHIVE_DOWN,
        429 if isinstance(error, TooManyFromAddress) else 503,
        headers={"cache-control": "no-store", "retry-after": _BUSY_SECONDS if busy else _ARCHIVE_SECONDS},
    )
