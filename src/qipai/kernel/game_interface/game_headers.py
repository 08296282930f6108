"""Headers of a finished game: players, options, result, date, event, round."""

from datetime import date
from typing import Any

from msgspec import Struct

from .rules_interface import Outcome


class GameHeaders(Struct, frozen=True):
    """What the record of a game states before its moves; `names` are by seat."""

    names: tuple[str, ...]
    options: Any
    outcome: Outcome | None
    day: date | None = None
    event: str = ""
    site: str = ""
    round: int = 0
