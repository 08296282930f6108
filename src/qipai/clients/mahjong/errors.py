"""Error texts and codes that mahjong clients receive."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from qipai.kernel.refusals import Refusal


class ClientError(Exception):
    """A command is refused; nothing has changed."""

    def __init__(self, code: str, text: str, **fields: Any) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.fields = fields


FORMAT: Final = "invalid payload format"
UNKNOWN: Final = ("unknown_type", "unknown message type")
NO_GAME: Final = ("game_not_found", "game not found")
TAKEN: Final = ("seat_taken", "seat is taken")
NOT_SEATED: Final = ("not_seated", "join_room first: this connection does not hold the seat")
BAD_TOKEN: Final = ("bad_token", "the token is not the one of this seat")
TOO_FAST: Final = ("rate_limited", "too many messages, wait a moment")
NOT_IN_HAND: Final = ("tile_not_in_hand", "failed to discard tile: tile not found in player hand")
OWN_DISCARD: Final = ("own_discard", "cannot declare action on your own discard")
_UNAVAILABLE: Final = ("unavailable", "the server cannot do this now, try again")
_ILLEGAL: Final = ("illegal_action", "the rules do not allow this now")
_NOT_YOUR_TURN: Final = ("not_your_turn", "not your turn")

_NO_SEAT: Final = (
    Refusal.SEAT_TAKEN,
    Refusal.ROOM_FULL,
    Refusal.ACCOUNT_NEEDED,
    Refusal.NO_BOTS,
    Refusal.API_TOKEN_NEEDED,
)

REFUSALS: Final[Mapping[Refusal, tuple[str, str]]] = MappingProxyType(
    {
        **dict.fromkeys(Refusal, _ILLEGAL),
        **dict.fromkeys((Refusal.NO_SUCH_ROOM, Refusal.ROOM_CLOSED, Refusal.NO_SPECTATORS), NO_GAME),
        **dict.fromkeys((Refusal.NO_SUCH_GAME, Refusal.NOT_IN_ROOM), NO_GAME),
        **dict.fromkeys(_NO_SEAT, TAKEN),
        **dict.fromkeys((Refusal.UNAVAILABLE, Refusal.BUSY, Refusal.TOO_MANY_ROOMS), _UNAVAILABLE),
        Refusal.INTERNAL: ("internal", "the server failed"),
        Refusal.RATE_LIMITED: TOO_FAST,
        Refusal.NOT_ALLOWED: BAD_TOKEN,
        Refusal.NOT_SEATED: NOT_SEATED,
        Refusal.NOT_YOUR_TURN: _NOT_YOUR_TURN,
        Refusal.TOO_LATE: ("too_late", "too late, the time is up"),
        Refusal.STALE: ("too_late", "too late, the table has gone on"),
    }
)
"""Code and text for a refusal when no check of the view gives a closer reason."""
TEMPORARY: Final = frozenset(
    {"rate_limited", "unavailable", "internal", "seat_taken", "not_seated", "bad_token"}
)
"""Codes after which the same request may succeed: such a reply is not remembered."""


def stage_error(name: str) -> ClientError:
    """Return the error that a command is not allowed in the present stage."""
    return ClientError("bad_stage", f"action not allowed in current stage: {name}")


def player_error() -> ClientError:
    """Return the error that a command names no seat."""
    return ClientError("bad_player", "player_id must be a number from 1 to 4")


def turn_error(act: str, player: int) -> ClientError:
    """Return the error that it is another player's turn."""
    return ClientError("not_your_turn", f"not your turn to {act}, current player is {player}")
