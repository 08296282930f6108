"""What a bot is: it sees a view, never a state."""

from collections.abc import Sequence
from typing import Any, Protocol

from .dice import Dice
from .names import Seat


class Bot(Protocol):
    """A player that lives in the server."""

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], dice: Dice) -> Any | None:
        """Return one of the moves, or None to leave the decision to somebody else."""
