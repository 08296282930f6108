"""What a game must answer; one pure, synchronous object per game."""

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct

from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

Event = Struct
"""Anything that happened, as a tagged struct; games bring their own."""


class IllegalCommand(Exception):
    """A move against the rules; nothing has changed."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code.value)
        self.code = code


class AddressedEvent(Struct, frozen=True):
    """An event and its readers, decided when it was born; `to` None means everybody."""

    event: Event
    to: tuple[Seat, ...] | None = None


class Outcome(Struct, frozen=True):
    """How a game ended: the winning seats (none: a draw) and a word for why."""

    winners: tuple[Seat, ...]
    reason: str


S = TypeVar("S")
M = TypeVar("M")
O = TypeVar("O")  # noqa: E741 - S, M, O: state, move, options


class MoveResult(Struct, frozen=True):
    """What a move made of the state, and what is told about it.

    Without `moved` it was no more than a part of the decision, such as throwing dice: it earns no time,
    ends no offer, and whoever is still to act has been thinking all along. Without `turned` it left the
    position as it was for everybody else, such as a secret vote: what was meant for it is not stale.
    """

    state: Any
    events: tuple[AddressedEvent, ...]
    ends_decision: bool = True
    changes_position: bool = True


class StartConditions(Struct, frozen=True):
    """What a game is dealt under, beside its options.

    `rematch`: the same people agreed to play again. `given` is what an older client of the host brought
    for this game. `seers` are the seats whose clients hide nothing and so are told everything.
    """

    rematch: bool = False
    host_data: bytes = b""
    sees_hidden: tuple[Seat, ...] = ()


PLAIN: Final = StartConditions()


class Rules(Protocol[O, S, M]):
    """The rules of one game. Every method is pure; `dice` is the only chance there is."""

    @property
    def name(self) -> str: ...

    @property
    def seats(self) -> int: ...

    def hidden(self, options: O) -> bool:
        """Tell whether viewers may see different things."""

    def draws(self, options: O) -> bool:
        """Tell whether moves may need chance; the deal always may."""

    @property
    def offers(self) -> frozenset[OfferKind]:
        """Return what may be proposed during a game, beside a rematch after it."""

    @property
    def option_type(self) -> type[O]: ...

    @property
    def state_type(self) -> type[S]: ...

    @property
    def move_type(self) -> Any:
        """Return the type (or union) that msgspec reads a move as."""

    def deal(self, options: O, random: Random, before: S | None = None, terms: StartConditions = PLAIN) -> S:
        """Return the first state of a new game, or raise `Illegal` if these terms allow none.

        `before` is the last state of the game played before it at this table, None for the first.
        """

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that may play now; empty only when the game is over."""

    def play(self, state: S, seat: Seat, move: M, random: Random) -> MoveResult:
        """Return the next state and its events, or raise `Illegal`."""

    def allowance(self, state: S, seat: Seat) -> Millis | None:
        """Return the time a clocked table gives for this one decision instead of the seat's budget."""

    def overdue(self, state: S, seat: Seat, random: Random) -> M | None:
        """Return the move made for a seat whose time is up; None forfeits the game."""

    def forfeit(self, state: S, seat: Seat, reason: str) -> Outcome:
        """Return the outcome when this seat gives up, runs out of time or leaves."""

    def undo(self, state: S, seat: Seat) -> S | None:
        """Return the state before the move that this seat may ask back, or None if there is none."""

    def swap(self, state: S) -> S | None:
        """Return the state with the players' sides changed, or None if they may not be any more."""

    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it runs."""

    def view(self, state: S, viewer: Seat, *, over: bool = False) -> Struct:
        """Return all that this viewer may know, built from nothing; `over`: nothing is secret any more."""

    def legal(self, state: S, seat: Seat) -> Sequence[M]:
        """Return every move this seat may make now."""


AnyRules = Rules[Any, Any, Any]
