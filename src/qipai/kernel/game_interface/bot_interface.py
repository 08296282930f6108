"""What a bot is: it sees a view, never a state."""

from collections.abc import Sequence
from typing import Any, Protocol

from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random


class Bot(Protocol):
    """A player that lives in the server.

    One that thinks for more than a few milliseconds says so by an attribute `slow = True`.
    """

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
        """Return one of the moves, or None to leave the decision to somebody else."""


def is_slow(bot: Bot) -> bool:
    """Tell whether a bot must think in another process, because a thread would hold up the tables."""
    return bool(getattr(bot, "slow", False))
