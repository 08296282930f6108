"""The Bot interface: chooses a move from a view, never from the state."""

from collections.abc import Sequence
from typing import Any, Protocol

from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random


class Bot(Protocol):
    """A player that the server runs.

    A bot that computes for more than a few milliseconds has the attribute `slow = True`.
    """

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
        """Return one of the moves, or None to leave the decision to another seat."""


def is_slow(bot: Bot) -> bool:
    """Tell whether a bot must run in another process, because a thread would delay the event loop."""
    return bool(getattr(bot, "slow", False))
