"""Everything that clients are refused with: a text that they know or can show, and a code to act upon."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from qipai.kernel.refusals import Refusal


class ClientError(Exception):
    """A command is refused; nothing has changed."""

    def __init__(self, code: str, text: str, **more: Any) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.more = more


FORMAT: Final = "invalid payload format"
UNKNOWN: Final = ("unknown_type", "unknown message type")
NO_GAME: Final = ("game_not_found", "game not found")
TAKEN: Final = ("seat_taken", "seat is taken")
NOT_SEATED: Final = ("not_seated", "join_room first: this connection does not hold the seat")
BAD_TOKEN: Final = ("bad_token", "the token is not the one of this seat")
TOO_FAST: Final = ("rate_limited", "too many messages, wait a moment")
NOT_IN_HAND: Final = ("tile_not_in_hand", "failed to discard tile: tile not found in player hand")
OWN_DISCARD: Final = ("own_discard", "cannot declare action on your own discard")
_LATER: Final = ("unavailable", "the server cannot do this now, try again")
_ILLEGAL: Final = ("illegal_action", "the rules do not allow this now")
_TURN: Final = ("not_your_turn", "not your turn")

REFUSALS: Final[Mapping[Refusal, tuple[str, str]]] = MappingProxyType(
    {
        **dict.fromkeys(Refusal, _ILLEGAL),
        **dict.fromkeys((Refusal.NO_SUCH_ROOM, Refusal.ROOM_CLOSED, Refusal.NO_SPECTATORS), NO_GAME),
        **dict.fromkeys((Refusal.NO_SUCH_GAME, Refusal.NOT_IN_ROOM), NO_GAME),
        **dict.fromkeys((Refusal.SEAT_TAKEN, Refusal.ROOM_FULL), TAKEN),
        **dict.fromkeys((Refusal.UNAVAILABLE, Refusal.BUSY, Refusal.TOO_MANY_ROOMS), _LATER),
        Refusal.INTERNAL: ("internal", "the server failed"),
        Refusal.RATE_LIMITED: TOO_FAST,
        Refusal.NOT_ALLOWED: BAD_TOKEN,
        Refusal.NOT_SEATED: NOT_SEATED,
        Refusal.NOT_YOUR_TURN: _TURN,
        Refusal.TOO_LATE: ("too_late", "too late, the time is up"),
        Refusal.STALE: ("too_late", "too late, the table has gone on"),
    }
)
"""For what the table refused and no closer reason is seen."""
FLEETING: Final = frozenset(
    {"rate_limited", "unavailable", "internal", "seat_taken", "not_seated", "bad_token"}
)
"""Codes after which the same request may well succeed: its answer is not kept."""


def stage(name: str) -> ClientError:
    """Return that a command belongs to another stage."""
    return ClientError("bad_stage", f"action not allowed in current stage: {name}")


def player() -> ClientError:
    """Return that a command names no seat."""
    return ClientError("bad_player", "player_id must be a number from 1 to 4")


def turn(what: str, player: int) -> ClientError:
    """Return that it is somebody else's turn to do this."""
    return ClientError("not_your_turn", f"not your turn to {what}, current player is {player}")
