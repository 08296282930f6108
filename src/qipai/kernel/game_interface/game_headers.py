"""What is known of a finished game beside its moves."""

from datetime import date
from typing import Any

from msgspec import Struct

from .rules_interface import Outcome


class GameHeaders(Struct, frozen=True):
    """Who played (by seat), by which options, how it ended, when, on what occasion, where, in which round."""

    names: tuple[str, ...]
    options: Any
    outcome: Outcome | None
    day: date | None = None
    event: str = ""
    site: str = ""
    round: int = 0
