"""The rules of mahjong at our tables: a whole game (一將), hand by hand."""

from collections.abc import Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from qipai.games.mahjong.scoring.payments import Deal as Place
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

from . import hand_end, private_events, tile_dealing, turns, view
from .claims import check, claimants, settle, votes_of
from .state import SEATS, State
from .wall import throw
from .wire_types import (
    AnyMove,
    Chow,
    Deal,
    DiceRolled,
    Discard,
    Draw,
    Hu,
    Kong,
    Next,
    Options,
    Pass,
    Pong,
    Roll,
    Settings,
    Stage,
    View,
    Vote,
)

__all__ = ["RULES", "Mahjong", "State"]

CLAIM: Final = Millis(8_000)
TURN: Final = Millis(20_000)
REST: Final = Millis(15_000)
ANSWERED: Final = Millis(24 * 60 * 60 * 1000)
"""Whoever has answered waits for the others; he may still change his mind."""

_NOBODY: Final[tuple[Seat, ...]] = ()


class Mahjong:
    """The rules object; it holds nothing."""

    name = "mahjong"
    seats = 4
    offers: frozenset[OfferKind] = frozenset()
    option_type = Settings
    state_type = State
    move_type = AnyMove

    def hidden(self, options: Options) -> bool:
        """Everybody sees his own tiles only."""
        return True

    def draws(self, options: Options) -> bool:
        """Every hand has dice and a seed of its own."""
        return True

    def deal(
        self, options: Options, random: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Throw for positions and dealer and deal the first hand; older clients do it by commands."""
        chosen = _settings(options)
        state = State(Stage.SEATING, chosen, scores=(chosen.start,) * 4)
        if chosen.manual:
            return state
        return tile_dealing.deal(_throw(_throw(state, random), random), random)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is, who may claim, or everybody between hands."""
        match state.stage:
            case Stage.DRAWING | Stage.DISCARDING:
                return (state.turn,)
            case Stage.CLAIMING:
                return claimants(state)
            case Stage.GAME_OVER:
                return _NOBODY
            case _:
                return SEATS

    def play(self, state: State, seat: Seat, move: AnyMove, random: Random) -> MoveResult:
        """Make a move, if it is this seat's to make and the stage is for it."""
        if seat not in self.to_act(state):
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        told: list[AddressedEvent] = []
        match state.stage, move:
            case ((Stage.SEATING | Stage.CHOOSING), Roll()):
                after = _throw(state, random)
                return MoveResult(after, (_thrown(after), *view.turned(state, after)))
            case Stage.DEALING, Deal():
                after = tile_dealing.deal(state, random)
                return MoveResult(after, _whole(after))
            case Stage.DRAWING, Draw():
                after = tile_dealing.draw(state, seat, "draw", told)
            case Stage.DISCARDING, Discard():
                after = turns.discard(state, seat, move, told)
            case Stage.DISCARDING, Kong(tile):
                if tile is None:
                    raise IllegalCommand(Refusal.BAD_MOVE)
                after = turns.kong(state, seat, tile, told)
            case Stage.DISCARDING, Hu():
                if not hand_end.may_hu(state, seat):
                    raise IllegalCommand(Refusal.ILLEGAL)
                after = hand_end.self_drawn(state, seat)
            case Stage.CLAIMING, (Pass() | Chow() | Pong() | Kong() | Hu()):
                return _vote(state, seat, move)
            case Stage.HAND_OVER, Next():
                after = _next(state, random)
                return MoveResult(after, _whole(after))
            case _:
                raise IllegalCommand(Refusal.ILLEGAL)
        return MoveResult(after, (*told, *_told(state, after)))

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Give time by what is to be decided; nobody has a budget of his own."""
        match state.stage:
            case Stage.DISCARDING:
                return TURN
            case Stage.CLAIMING:
                return CLAIM if state.votes[seat] is None else ANSWERED
            case Stage.DRAWING:
                return CLAIM
            case _:
                # Older clients throw, deal and go on when they are ready for it.
                return None if state.options.manual else REST

    def overdue(self, state: State, seat: Seat, random: Random) -> AnyMove | None:
        """Go on with the least: pass, or discard the drawn tile (after a claim the last one)."""
        match state.stage:
            case Stage.SEATING | Stage.CHOOSING:
                return Roll()
            case Stage.DEALING:
                return Deal()
            case Stage.DRAWING:
                return Draw()
            case Stage.DISCARDING:
                barred = turns.barred(state, seat)
                free = [tile for tile in state.holdings[seat].tiles if tile not in barred]
                return Discard(free[-1] if state.drawn is None else state.drawn)
            case Stage.CLAIMING:
                return state.votes[seat] or Pass()
            case Stage.HAND_OVER | Stage.GAME_OVER:
                return Next()
            case _:
                assert_never(state.stage)

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The scores stand; whoever has most among the others wins."""
        return Outcome(hand_end.leaders(state, tuple(other for other in SEATS if other != seat)), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Nothing is taken back in this game."""
        return None

    def swap(self, state: State) -> State | None:
        """Everybody keeps his place."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return who has most, once the last deal has passed."""
        return hand_end.outcome(state)

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return what this viewer may know; `over` if the game has ended in the middle of a hand."""
        return view.view(state, viewer, over=over)

    def legal(self, state: State, seat: Seat) -> Sequence[AnyMove]:
        """Return every move this seat may make now."""
        if seat not in self.to_act(state):
            return ()
        match state.stage:
            case Stage.CLAIMING:
                return votes_of(state, seat)
            case Stage.DISCARDING:
                return _own_turn(state, seat)
            case Stage.SEATING | Stage.CHOOSING:
                return (Roll(),)
            case Stage.DEALING:
                return (Deal(),)
            case Stage.DRAWING:
                return (Draw(),)
            case _:
                return (Next(),)


def _settings(options: Options) -> Settings:
    if isinstance(options, Settings):
        return options
    return Settings(*[getattr(options, name) for name in options.__struct_fields__])


def _throw(state: State, random: Random) -> State:
    """Throw for the positions, then for the dealer: the first player is 1, the fourth 4 or 0."""
    thrown = throw(random, tile_dealing.dice_of(state))
    if state.stage is Stage.SEATING:
        return replace(state, stage=Stage.CHOOSING, seating=thrown)
    dealer = SEATS[(sum(thrown) - 1) % 4]
    return replace(state, stage=Stage.DEALING, choosing=thrown, deal=Place(0, dealer), turn=dealer)


def _thrown(state: State) -> AddressedEvent:
    if state.stage is Stage.CHOOSING:
        return AddressedEvent(DiceRolled(state.seating))
    return AddressedEvent(DiceRolled(state.choosing, state.deal.dealer))


def _own_turn(state: State, seat: Seat) -> list[AnyMove]:
    barred = turns.barred(state, seat)
    found: list[AnyMove] = [Discard(tile) for tile in state.holdings[seat].tiles if tile not in barred]
    found += [Discard(tile, ready=True) for tile in turns.readies(state, seat)]
    found += [Kong(tile) for tile in turns.kongs_of(state, seat)]
    if hand_end.may_hu(state, seat):
        found.append(Hu())
    return found


def _vote(state: State, seat: Seat, vote: Vote) -> MoveResult:
    check(state, seat, vote)
    voted = replace(state, votes=(*state.votes[:seat], vote, *state.votes[seat + 1 :]))
    told = list(private_events.voted(seat, vote))
    answer = settle(voted)
    if answer is None:
        return MoveResult(voted, tuple(told), ends_decision=False, changes_position=False)
    after = turns.settled(voted, answer, told)
    dealing = voted.replacing is not None
    return MoveResult(after, (*told, *(_whole(after) if dealing else _told(voted, after))))


def _next(state: State, random: Random) -> State:
    following = hand_end.following(state)
    if following is None:
        return replace(state, stage=Stage.GAME_OVER)
    fresh = hand_end.cleared(state, following)
    return fresh if state.options.manual else tile_dealing.deal(fresh, random)


def _whole(state: State) -> tuple[AddressedEvent, ...]:
    return tuple(view.ended(state) if state.stage in view.ENDED else view.began(state))


def _told(before: State, after: State) -> Sequence[AddressedEvent]:
    return view.ended(after) if after.stage in view.ENDED else view.turned(before, after)


RULES: Final = Mahjong()
