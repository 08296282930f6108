"""What a bot may ask an engine that somebody has installed; it can always do without an answer."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random


class EngineQuery(Struct, frozen=True):
    """A position in the words of UCI, and how strongly and long to think about it.

    `fen` empty is the beginning; `moves` come after it. `options` are set if the engine has them.
    `depth` 0 is as deep as the time allows.
    """

    fen: str
    moves: tuple[str, ...]
    millis: int
    depth: int = 0
    options: tuple[tuple[str, str], ...] = ()


@runtime_checkable
class UsesEngine(Protocol):
    """A bot that would rather ask an engine."""

    def question(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> EngineQuery | None:
        """Return what to ask, or None to think for itself."""

    def answer(self, words: str, moves: Sequence[Any]) -> Any | None:
        """Return the move that the engine means, or None if it is none of these."""
