"""The subject of the laws: a game, and what the laws need to know about it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from qipai.games.game import Game
from qipai.kernel.ids import SPECTATOR, SYSTEM, Seat
from qipai.kernel.randomness import Random


def open_to_all(state: Any, viewer: Seat, dice: Random) -> Any:
    """Return the same state: nothing is secret."""
    return state


class Subject(NamedTuple):
    """A game with the data that the laws need.

    - `universe`: moves of its move type, legal and illegal.
    - `conserved`: raises `AssertionError` if a state has lost or gained something, such as a card.
    - `scramble`: returns a state that the viewer cannot tell from the given one.
    - `revealing_events`: events that may reveal a secret to their reader.
    - `choices`: a run plays one of the first so many legal moves. With few of them more games end.
    - `choose`: instead, returns who makes which move, given two random numbers.
    - `hides`: tells whether a state of a game with secrets has one now.
    - `lengths`: how many actions a run has.
    - `leaves_once_in`: a seat leaves in one of so many cases in which a run would let it leave.
    - `ends`: reasons of the game itself for which games end in such runs.
    - `variant`: beside the name of the game, what is special about these options.
    """

    game: Game
    options: tuple[Any, ...]
    universe: tuple[Any, ...]
    conserved: Callable[[Any], None]
    scramble: Callable[[Any, Seat, Random], Any] = open_to_all
    revealing_events: tuple[type, ...] = ()
    choices: int = 1_000
    choose: Callable[[Any, int, int], tuple[Seat, Any]] | None = None
    hides: Callable[[Any], bool] = lambda state: True
    lengths: tuple[int, ...] = (5, 10, 20, *(60,) * 9)
    leaves_once_in: int = 1
    ends: tuple[str, ...] = ()
    variant: str = ""

    @property
    def name(self) -> str:
        """What the subject is called."""
        return f"{self.game.name} {self.variant}".strip()

    @property
    def viewers(self) -> tuple[Seat, ...]:
        """Every seat, and the spectator."""
        return (*(Seat(seat) for seat in range(self.game.rules.seats)), Seat(-1))

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Every seat, and numbers that are not seats: the next one, the spectator, the system, none."""
        return tuple(Seat(actor) for actor in (*range(self.game.rules.seats + 1), SPECTATOR, SYSTEM, -5, 99))

    @property
    def has_secrets(self) -> bool:
        """Whether the game hides something, with any of the options."""
        return any(self.game.rules.hidden(options) for options in self.options)
