"""The comparison of a finished game with an engine, as figures."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from qipai.kernel.ids import Seat


class Analysis(NamedTuple):
    """What an engine says of a position: its move, its score for the side to move, and how deep it looked."""

    best: str
    score: int
    depth: int


Analyse = Callable[[Sequence[str]], Analysis]
"""Analyses the position after these moves; the same moves always give the same analysis."""


class PlayedMoves(Struct, frozen=True):
    """The moves of a game in the notation of engines; `first` is the seat that made the first one."""

    moves: tuple[str, ...]
    first: Seat


class SideFigures(Struct, frozen=True):
    """The figures of one player.

    `compared`: moves with a choice. `agreed`: those that were the engine's move; `agreement` is their share
    in percent. `average_loss`: how much worse than the engine's move they were, in centipawns. The times are
    of all moves, in milliseconds.
    """

    seat: Seat
    moves: int
    compared: int
    agreed: int
    agreement: float
    average_loss: float
    average_millis: int
    median_millis: int


class ComparableGame(Protocol):
    """A game whose finished matches can be compared with an engine."""

    @property
    def own_nodes(self) -> int:
        """Return how many nodes `analyse` searches for a position."""

    def played_moves(self, options: Any, position: Any) -> PlayedMoves | None:
        """Return the moves of a match from its plain options and last position; None if it has a twist."""

    def analyse(self, moves: Sequence[str]) -> Analysis:
        """Return the analysis of the game's own search."""

    def compare(
        self, played: PlayedMoves, millis: Sequence[int], analyse: Analyse
    ) -> tuple[SideFigures, ...]:
        """Return the figures of each seat; `millis` is the time of each move."""
