"""The rules of Reversi: 8 by 8, black moves first, a side that cannot move passes, most discs win."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

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

from .discs import CENTRE, SQUARES, START, flipped_discs, legal_squares, squares

OTHER: Final = (Seat(1), Seat(0))


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`empty_start`: no discs at the start; the players place the first four in the middle, without flips."""

    empty_start: bool = False


class Place(Struct, frozen=True, tag_field="do", tag="place", forbid_unknown_fields=True):
    """Place a disc. Squares are counted by rows from the top left, where a1 is: x + 8 * y."""

    square: Annotated[int, Meta(ge=0, le=SQUARES - 1)]


class PlacedDisc(Struct, frozen=True):
    """A move of the game so far: who placed a disc where, and which discs it flipped."""

    seat: Seat
    square: int
    flipped: tuple[int, ...]


class State(Struct, frozen=True):
    """A game. `boards` are the bitboards of black and white, `legal` the squares where `turn` may place.

    The game is over when `legal` is 0.
    """

    black: Seat
    turn: Seat
    empty_start: bool
    boards: tuple[int, int]
    legal: int
    moves: tuple[PlacedDisc, ...] = ()


class View(Struct, frozen=True):
    """The game, the same for every viewer. `legal`: where `turn` may place; empty when the game is over."""

    black: Seat
    turn: Seat
    empty_start: bool
    moves: tuple[PlacedDisc, ...]
    legal: tuple[int, ...]


class Placed(Struct, frozen=True, tag_field="e", tag="placed"):
    """A disc was placed and flipped others; now it is `turn`'s turn."""

    seat: Seat
    square: int
    flipped: tuple[int, ...]
    turn: Seat
    legal: tuple[int, ...]


class Passed(Struct, frozen=True, tag_field="e", tag="passed"):
    """A seat could not place a disc, so that the other seat moves again."""

    seat: Seat


GameEvent = Placed | Passed


class Reversi:
    """The rules object; it has no state."""

    name = "reversi"
    seats = 2
    offers = frozenset({OfferKind.UNDO})
    option_type = Options
    state_type = State
    move_type = Place

    def hidden(self, options: Options) -> bool:
        """Return False: nothing is hidden."""
        return False

    def draws(self, options: Options) -> bool:
        """Return False: moves need no randomness."""
        return False

    def deal(
        self,
        options: Options,
        random: Random,
        before: State | None = None,
        conditions: StartConditions = PLAIN,
    ) -> State:
        """Give black to seat 0; a rematch swaps colours, a new opponent keeps them."""
        black = Seat(0) if before is None else OTHER[before.black] if conditions.rematch else before.black
        return first_state(black, empty_start=options.empty_start)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is."""
        return (state.turn,) if state.legal else ()

    def play(self, state: State, seat: Seat, move: Place, random: Random) -> MoveResult:
        """Place a disc and flip the enclosed ones."""
        square = move.square
        if seat not in self.to_act(state):
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        if not 0 <= square < SQUARES:
            raise IllegalCommand(Refusal.OUT_OF_RANGE)
        if (state.boards[0] | state.boards[1]) >> square & 1:
            raise IllegalCommand(Refusal.OCCUPIED)
        if not state.legal >> square & 1:
            raise IllegalCommand(Refusal.ILLEGAL)
        after = with_disc(state, square)
        legal, last = tuple(squares(after.legal)), after.moves[-1]
        events = [AddressedEvent(Placed(seat, square, last.flipped, after.turn, legal))]
        if after.turn == seat and after.legal:
            events.append(AddressedEvent(Passed(OTHER[seat])))
        return MoveResult(after, tuple(events))

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return None: every move takes its time from the player's clock."""
        return None

    def overdue(self, state: State, seat: Seat, random: Random) -> Place | None:
        """Return None: a player out of time forfeits."""
        return None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other side wins."""
        return Outcome((OTHER[seat],), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Return the state before the last move of this seat, or None if it has made none."""
        numbers = [number for number, move in enumerate(state.moves) if move.seat == seat]
        if not numbers or not state.legal:
            return None
        earlier = first_state(state.black, empty_start=state.empty_start)
        for move in state.moves[: numbers[-1]]:
            earlier = with_disc(earlier, move.square)
        return earlier

    def swap(self, state: State) -> State | None:
        """Return None: colours are not swapped."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return a win for the side with more discs once neither can move."""
        if state.legal:
            return None
        black, white = (board.bit_count() for board in state.boards)
        if black == white:
            return Outcome((), "equal")
        return Outcome((state.black if black > white else OTHER[state.black],), "discs")

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return the same view for every viewer."""
        return View(state.black, state.turn, state.empty_start, state.moves, tuple(squares(state.legal)))

    def legal(self, state: State, seat: Seat) -> tuple[Place, ...]:
        """Return the squares where this seat may place a disc."""
        return tuple(map(Place, squares(state.legal))) if seat in self.to_act(state) else ()


def first_state(black: Seat, *, empty_start: bool) -> State:
    """Return the state before the first move."""
    boards = (0, 0) if empty_start else START
    return State(black, black, empty_start, boards, _legal(boards, 0))


def with_disc(state: State, square: int) -> State:
    """Return the state after the seat to act has placed a disc on a legal square."""
    colour = 0 if state.turn == state.black else 1
    own, other = state.boards[colour], state.boards[1 - colour]
    flipped = flipped_discs(own, other, square) if _started(state.boards) else 0
    own, other = own | flipped | 1 << square, other & ~flipped
    boards = (own, other) if colour == 0 else (other, own)
    move = PlacedDisc(state.turn, square, tuple(squares(flipped)))
    legal, turn = _legal(boards, 1 - colour), OTHER[state.turn]
    if not legal and (again := _legal(boards, colour)):
        legal, turn = again, state.turn
    return replace(state, turn=turn, boards=boards, legal=legal, moves=(*state.moves, move))


def _legal(boards: tuple[int, int], colour: int) -> int:
    """Return where a colour may place a disc: on the middle squares first, then where it encloses others."""
    if not _started(boards):
        return CENTRE & ~(boards[0] | boards[1])
    return legal_squares(boards[colour], boards[1 - colour])


def _started(boards: tuple[int, int]) -> bool:
    return (boards[0] | boards[1]) & CENTRE == CENTRE


RULES: Final = Reversi()
