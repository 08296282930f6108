"""Scores a win given as JSON; used by the command and the HTTP API."""

from typing import Any

import msgspec

from qipai.games.mahjong.hands.hand_notation import MalformedHand, read_house, read_win

from .tai_count import score_win

NOT_A_WIN = {"error": "not_a_win"}


def score_json(text: bytes) -> dict[str, Any]:
    """Return the total and its patterns, or `not_a_win`; raise `MalformedHand` with the wrong field."""
    try:
        request = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise MalformedHand("json") from None
    score = score_win(read_win(request), read_house(request))
    return NOT_A_WIN if score is None else {"total": score.total, "patterns": score.patterns}


def error_json(error: MalformedHand) -> dict[str, Any]:
    """Return the answer to a request that cannot be read."""
    return {"error": "malformed", "about": error.about}
