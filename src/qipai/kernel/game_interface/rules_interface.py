"""The Rules interface that a game implements; outcomes and addressed events."""

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct

from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

Event = Struct
"""A tagged struct; every game defines its own."""


class IllegalCommand(Exception):
    """A command or a move that the rules do not allow; nothing has changed."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code.value)
        self.code = code


class AddressedEvent(Struct, frozen=True):
    """An event and the viewers that may read it; None stands for all."""

    event: Event
    to: tuple[Seat, ...] | None = None


class Outcome(Struct, frozen=True):
    """How a game ended: the winning seats (none: a draw) and the reason."""

    winners: tuple[Seat, ...]
    reason: str


S = TypeVar("S")
M = TypeVar("M")
O = TypeVar("O")  # noqa: E741 - S, M, O: state, move, options


class MoveResult(Struct, frozen=True):
    """The state and the events after a move.

    `ends_decision`: False for a part of a decision, such as rolling dice: it earns no increment, ends no
    offer, and the clock of the seat to act runs on. `changes_position`: False if the position stays the
    same for the others, such as a hidden answer to a claim: commands meant for it are not stale.
    """

    state: Any
    events: tuple[AddressedEvent, ...]
    ends_decision: bool = True
    changes_position: bool = True


class StartConditions(Struct, frozen=True):
    """What a game starts under, beside its options.

    `rematch`: the players agreed to play again. `host_data`: data of the host's older client.
    `sees_hidden`: the seats whose clients receive hidden information.
    """

    rematch: bool = False
    host_data: bytes = b""
    sees_hidden: tuple[Seat, ...] = ()


PLAIN: Final = StartConditions()


class Rules(Protocol[O, S, M]):
    """The rules of one game. Every method is pure; `random` is the only source of randomness."""

    @property
    def name(self) -> str: ...

    @property
    def seats(self) -> int: ...

    def hidden(self, options: O) -> bool:
        """Tell whether the game has hidden information, so that views differ."""

    def draws(self, options: O) -> bool:
        """Tell whether moves may use randomness; the start always may."""

    @property
    def offers(self) -> frozenset[OfferKind]:
        """Return the kinds of offers a game allows while it runs; a rematch is always possible after it."""

    @property
    def option_type(self) -> type[O]: ...

    @property
    def state_type(self) -> type[S]: ...

    @property
    def move_type(self) -> Any:
        """Return the type (or union) that msgspec decodes a move to."""

    def deal(
        self, options: O, random: Random, before: S | None = None, conditions: StartConditions = PLAIN
    ) -> S:
        """Return the first state of a new game, or raise `IllegalCommand` if the conditions allow none.

        `before` is the last state of the previous game in this room, None for the first.
        """

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that may play now; empty only when the game is over."""

    def play(self, state: S, seat: Seat, move: M, random: Random) -> MoveResult:
        """Return the next state and its events, or raise `IllegalCommand`."""

    def allowance(self, state: S, seat: Seat) -> Millis | None:
        """Return the time for the present decision of this seat, or None if its budget is charged."""

    def overdue(self, state: S, seat: Seat, random: Random) -> M | None:
        """Return the move made for a seat whose time has run out; None forfeits the game."""

    def forfeit(self, state: S, seat: Seat, reason: str) -> Outcome:
        """Return the outcome when this seat resigns, runs out of time or leaves."""

    def undo(self, state: S, seat: Seat) -> S | None:
        """Return the state before the move that this seat may undo, or None if there is none."""

    def swap(self, state: S) -> S | None:
        """Return the state with the sides swapped, or None if that is no longer allowed."""

    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it runs."""

    def view(self, state: S, viewer: Seat, *, over: bool = False) -> Struct:
        """Return the position as this viewer may see it; with `over` nothing is hidden."""

    def legal(self, state: S, seat: Seat) -> Sequence[M]:
        """Return every legal move of this seat."""


AnyRules = Rules[Any, Any, Any]
