"""What a win is worth, asked and answered in JSON."""

from typing import Any

import msgspec

from qipai.games.mahjong.hands.hand_notation import Malformed, read_house, read_win

from .tai_count import score

NOT_A_WIN = {"error": "not_a_win"}


def judged(text: bytes) -> dict[str, Any]:
    """Return the total and its patterns, or that this is no win; raise Malformed naming the field."""
    try:
        asked = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise Malformed("json") from None
    found = score(read_win(asked), read_house(asked))
    return NOT_A_WIN if found is None else {"total": found.total, "patterns": found.patterns}


def refusal(error: Malformed) -> dict[str, Any]:
    """Return the answer to what could not be read."""
    return {"error": "malformed", "about": error.about}
