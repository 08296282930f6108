"""The Bot interface: chooses a move from a view, never from the state."""

from collections.abc import Sequence
from typing import Any, Final, Protocol, Self, runtime_checkable

from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

FULL_EFFORT: Final = 100
"""Percent of its computation that a bot uses for a move while nobody else needs the machine."""


class Bot(Protocol):
    """A player that the server runs.

    A bot that computes for more than a few milliseconds has the attribute `slow = True`, and should be an
    `AdjustableBot`.
    """

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
        """Return one of the moves, or None to leave the decision to another seat."""


@runtime_checkable
class AdjustableBot(Protocol):
    """A bot that can compute less for a move, so that its answer is in time on a busy server."""

    def with_effort(self, effort: int) -> Self:
        """Return this bot with 1 to 100 percent of its computation; time should shrink in proportion.

        The same seed and the same effort give the same move.
        """


@runtime_checkable
class PunctualBot(Protocol):
    """A bot that can answer without a computation, so that the time of its answer never tells its hand."""

    def at_once(self, view: Any, moves: Sequence[Any]) -> Any | None:
        """Return a move for a bot that has not computed one in time; None to wait for the computation.

        It takes microseconds. In a vote on hidden information it returns a move, such as a pass.
        """


def is_slow(bot: Bot) -> bool:
    """Tell whether a bot must run in another process, because a thread would delay the event loop."""
    return bool(getattr(bot, "slow", False))
