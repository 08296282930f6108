"""What a bot asks a UCI engine, and how it uses the answer. A bot can always do without one."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random


class EngineQuery(Struct, frozen=True):
    """A position in UCI terms, and how long and deep to search.

    `fen`: empty for the initial position; `moves` follow it. `options`: set if the engine has them.
    `depth`: 0 for as deep as the time allows.
    """

    fen: str
    moves: tuple[str, ...]
    millis: int
    depth: int = 0
    options: tuple[tuple[str, str], ...] = ()


@runtime_checkable
class UsesEngine(Protocol):
    """A bot that asks a UCI engine where one is installed."""

    def engine_query(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> EngineQuery | None:
        """Return the query, or None if the bot computes the move itself."""

    def engine_move(self, answer: str, moves: Sequence[Any]) -> Any | None:
        """Return the move that the engine's answer names, or None if it is not among `moves`."""
