"""Duel: a small game with a secret, so that the laws about secrets and chance have something to bite on.

Twelve cards, four in each hand, four in the stock. Both seats lay a card face down at the same time;
the higher one takes the trick, or the lower one if the open die says so. Once in a game a seat may
swap a card for a hidden one from the stock. A card that lies face down may be taken back.
"""

from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

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

DECK: Final = tuple(range(100, 112))
HAND: Final = 4
LOOK: Final = Millis(20_000)

Pair = tuple[int, int]
T = TypeVar("T")


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """`gentle`: a card is played for a seat out of time, which otherwise loses the game."""

    gentle: bool = False


class Lay(Struct, frozen=True, tag_field="do", tag="lay", forbid_unknown_fields=True):
    """Lay a card face down, named by its place in the hand."""

    index: int


class Swap(Struct, frozen=True, tag_field="do", tag="swap", forbid_unknown_fields=True):
    """Put a card into the stock and take a hidden one."""

    index: int


Move = Lay | Swap


class State(Struct, frozen=True):
    """Hands are kept sorted; `low` is the open die of the present trick."""

    gentle: bool
    low: bool
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    stock: tuple[int, ...]
    laid: tuple[int | None, int | None] = (None, None)
    shown: tuple[Pair, ...] = ()
    won: Pair = (0, 0)
    swapped: tuple[bool, bool] = (False, False)


class View(Struct, frozen=True):
    """What a seat or a spectator may know; `hand` and `mine` are empty for a spectator."""

    low: bool
    hand: tuple[int, ...]
    mine: int | None
    counts: Pair
    stock: int
    laid: tuple[bool, bool]
    shown: tuple[Pair, ...]
    won: Pair
    swapped: tuple[bool, bool]


class Laid(Struct, frozen=True, tag_field="e", tag="laid"):
    """A card lies face down."""

    seat: Seat


class Yours(Struct, frozen=True, tag_field="e", tag="yours"):
    """Which card it was that you laid."""

    card: int


class Swapped(Struct, frozen=True, tag_field="e", tag="swapped"):
    """A seat took a card from the stock."""

    seat: Seat


class Took(Struct, frozen=True, tag_field="e", tag="took"):
    """Which card you gave away and which one you got."""

    gave: int
    took: int


class Revealed(Struct, frozen=True, tag_field="e", tag="revealed"):
    """Both cards of a trick, who took it, and the die of the next."""

    cards: Pair
    winner: Seat
    low: bool


GameEvent = Laid | Yours | Swapped | Took | Revealed


class Duel:
    """The rules object; it holds nothing."""

    name = "duel"
    seats = 2
    offers = frozenset({OfferKind.DRAW, OfferKind.UNDO})
    option_type = Options
    state_type = State
    move_type = Move

    def hidden(self, options: Options) -> bool:
        return True

    def draws(self, options: Options) -> bool:
        return True

    def deal(
        self, options: Options, dice: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Shuffle; the first cards go to seat 0, the next to seat 1, then the die is rolled."""
        deck = dice.shuffle(DECK)
        low = dice.below(2) == 1
        hands = (hand(deck[:HAND]), hand(deck[HAND : 2 * HAND]))
        return State(options.gentle, low, hands, deck[2 * HAND :])

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Both sides act at once, until each has laid a card."""
        if self.outcome(state) is not None:
            return ()
        return tuple(Seat(seat) for seat in (0, 1) if state.laid[seat] is None)

    def play(self, state: State, seat: Seat, move: Move, dice: Random) -> MoveResult:
        """Lay or swap a card."""
        if state.laid[seat] is not None:
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        if not 0 <= move.index < len(state.hands[seat]):
            raise IllegalCommand(Refusal.OUT_OF_RANGE)
        return (
            _lay(state, seat, move.index, dice) if isinstance(move, Lay) else _swap(state, seat, move, dice)
        )

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Give time to look at a new hand."""
        return None if state.shown else LOOK

    def overdue(self, state: State, seat: Seat, dice: Random) -> Move | None:
        """Lay any card, or lose."""
        return Lay(dice.below(len(state.hands[seat]))) if state.gentle else None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other side wins."""
        return Outcome((Seat(1 - seat),), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Take back a card that lies face down."""
        card = state.laid[seat]
        if card is None:
            return None
        return replace(
            state,
            laid=with_item(state.laid, seat, None),
            hands=with_item(state.hands, seat, hand((*state.hands[seat], card))),
        )

    def swap(self, state: State) -> State | None:
        """There are no sides to change."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """After the last trick the one with more of them wins."""
        if len(state.shown) < HAND:
            return None
        ahead = state.won[0] - state.won[1]
        return Outcome((Seat(0 if ahead > 0 else 1),) if ahead else (), "tricks")

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return the open things, and a seat's own cards."""
        seated = viewer in (0, 1)
        return View(
            low=state.low,
            hand=state.hands[viewer] if seated else (),
            mine=state.laid[viewer] if seated else None,
            counts=(len(state.hands[0]), len(state.hands[1])),
            stock=len(state.stock),
            laid=(state.laid[0] is not None, state.laid[1] is not None),
            shown=state.shown,
            won=state.won,
            swapped=state.swapped,
        )

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Return a lay for each card, and a swap for each if it is still to be had."""
        if seat not in self.to_act(state):
            return ()
        places = range(len(state.hands[seat]))
        swaps = () if state.swapped[seat] else tuple(Swap(index) for index in places)
        return (*(Lay(index) for index in places), *swaps)


def hand(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return cards as they are held."""
    return tuple(sorted(cards))


def scramble(state: State, viewer: Seat, dice: Random) -> State:
    """Return a state that this viewer cannot tell from the given one."""
    unknown: list[int] = list(state.stock)
    for seat in (0, 1):
        if seat != viewer:
            unknown += state.hands[seat]
            unknown += [card for card in (state.laid[seat],) if card is not None]
    cards = list(dice.shuffle(unknown))
    hands, laid = state.hands, state.laid
    for seat in (0, 1):
        if seat != viewer:
            hands = with_item(hands, seat, hand(tuple(cards.pop() for _ in state.hands[seat])))
            laid = with_item(laid, seat, None if laid[seat] is None else cards.pop())
    return replace(state, hands=hands, laid=laid, stock=tuple(cards))


def with_item(pair: tuple[T, T], seat: int, item: T) -> tuple[T, T]:
    """Return the pair with one of the two changed."""
    return (item, pair[1]) if seat == 0 else (pair[0], item)


def _lay(state: State, seat: Seat, index: int, dice: Random) -> MoveResult:
    cards = state.hands[seat]
    card = cards[index]
    laid = with_item(state.laid, seat, card)
    hands = with_item(state.hands, seat, cards[:index] + cards[index + 1 :])
    events = [AddressedEvent(Laid(seat)), AddressedEvent(Yours(card), (seat,))]
    if laid[0] is None or laid[1] is None:
        return MoveResult(replace(state, hands=hands, laid=laid), tuple(events))
    cards_shown = (laid[0], laid[1])
    winner = Seat(0 if (laid[0] > laid[1]) is not state.low else 1)
    low = dice.below(2) == 1
    after = replace(
        state,
        low=low,
        hands=hands,
        laid=(None, None),
        shown=(*state.shown, cards_shown),
        won=with_item(state.won, winner, state.won[winner] + 1),
    )
    return MoveResult(after, (*events, AddressedEvent(Revealed(cards_shown, winner, low))))


def _swap(state: State, seat: Seat, move: Swap, dice: Random) -> MoveResult:
    if state.swapped[seat]:
        raise IllegalCommand(Refusal.ILLEGAL)
    cards, stock = state.hands[seat], state.stock
    gave = cards[move.index]
    place = dice.below(len(stock))
    took = stock[place]
    after = replace(
        state,
        hands=with_item(state.hands, seat, hand((*cards[: move.index], *cards[move.index + 1 :], took))),
        stock=(*stock[:place], *stock[place + 1 :], gave),
        swapped=with_item(state.swapped, seat, True),
    )
    return MoveResult(after, (AddressedEvent(Swapped(seat)), AddressedEvent(Took(gave, took), (seat,))))


GAME: Final = Game(Duel(), (), GameEvent)
