"""Counting: a game for any number of seats and options, so that the laws are tried beyond four of each.

The seats take counters in turn, one or two at a time. The seat that takes the last one wins.
"""

from typing import Final

from msgspec import Struct

from qipai.games.game import Game
from qipai.kernel.game_interface.rules_interface import (
    PLAIN,
    AddressedEvent,
    IllegalCommand,
    MoveResult,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
from qipai.testing import Subject


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of counters at the start."""

    counters: int = 5


class Take(Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Take one or two counters."""

    count: int


class State(Struct, frozen=True):
    """`turn` is the seat to move, or the one that took the last counter."""

    turn: Seat
    left: int
    taken: int = 0


class Taken(Struct, frozen=True, tag_field="e", tag="taken"):
    """A seat took counters."""

    seat: Seat
    count: int


class Counting:
    """The rules for so many seats."""

    name = "counting"
    option_type = Options
    state_type = State
    move_type = Take
    offers: Final = frozenset({OfferKind.DRAW})

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def hidden(self, options: Options) -> bool:
        return False

    def draws(self, options: Options) -> bool:
        return False

    def deal(
        self,
        options: Options,
        random: Random,
        before: State | None = None,
        conditions: StartConditions = PLAIN,
    ) -> State:
        return State(Seat(random.below(self.seats)), options.counters)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return (state.turn,) if state.left else ()

    def play(self, state: State, seat: Seat, move: Take, random: Random) -> MoveResult:
        if not 1 <= move.count <= min(2, state.left):
            raise IllegalCommand(Refusal.OUT_OF_RANGE)
        left = state.left - move.count
        turn = Seat((seat + 1) % self.seats) if left else seat
        return MoveResult(
            State(turn, left, state.taken + move.count), (AddressedEvent(Taken(seat, move.count)),)
        )

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        return None

    def overdue(self, state: State, seat: Seat, random: Random) -> Take | None:
        return None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        return Outcome(tuple(Seat(other) for other in range(self.seats) if other != seat), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        return None

    def swap(self, state: State) -> State | None:
        return None

    def outcome(self, state: State) -> Outcome | None:
        return None if state.left else Outcome((state.turn,), "last")

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> State:
        return state

    def legal(self, state: State, seat: Seat) -> tuple[Take, ...]:
        if seat not in self.to_act(state):
            return ()
        return tuple(Take(count) for count in range(1, min(2, state.left) + 1))


COUNTERS: Final = range(5, 12)


def counters_are_conserved(state: State) -> None:
    """No counter is lost."""
    assert state.left + state.taken in COUNTERS


def counting(seats: int) -> Subject:
    """Return the game for so many seats as a subject of the laws, with seven sets of options."""
    return Subject(
        game=Game(Counting(seats), (), Taken),
        options=tuple(Options(number) for number in COUNTERS),
        universe=tuple(Take(count) for count in range(-1, 4)),
        conserved=counters_are_conserved,
        ends=("time", "last"),
        lengths=(5, 10, 20, *(60,) * 4),
        variant=f"with {seats} seats",
    )
