"""The rules object of mahjong: a whole game (一將), hand by hand."""

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
from .claims import check_answer, claimants, possible_answers, resolve_claims
from .events import DiceRolled
from .state import SEATS, State
from .wall import roll_dice
from .wire_types import (
    AnyMove,
    Chow,
    ClaimAnswer,
    Deal,
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
)

__all__ = ["RULES", "Mahjong", "State"]

CLAIM_TIME: Final = Millis(8_000)
TURN_TIME: Final = Millis(20_000)
BREAK_TIME: Final = Millis(15_000)
ANSWERED_TIME: Final = Millis(24 * 60 * 60 * 1000)
"""A seat that has answered waits for the others and may change its answer."""

_NO_SEATS: Final[tuple[Seat, ...]] = ()


class Mahjong:
    """The rules object of mahjong; it has no state."""

    name = "mahjong"
    seats = 4
    offers: frozenset[OfferKind] = frozenset()
    option_type = Settings
    state_type = State
    move_type = AnyMove

    def hidden(self, options: Options) -> bool:
        """Return True: a player sees only the own tiles."""
        return True

    def draws(self, options: Options) -> bool:
        """Return True: every hand draws dice and a seed."""
        return True

    def deal(
        self, options: Options, random: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Roll for positions and dealer and deal the first hand; with `manual_steps` wait for commands."""
        settings = _settings_of(options)
        state = State(Stage.SEATING, settings, scores=(settings.start,) * 4)
        if settings.manual_steps:
            return state
        return tile_dealing.deal(_roll(_roll(state, random), random), random)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is, who may claim, or all seats between hands."""
        match state.stage:
            case Stage.DRAWING | Stage.DISCARDING:
                return (state.turn,)
            case Stage.CLAIMING:
                return claimants(state)
            case Stage.GAME_OVER:
                return _NO_SEATS
            case _:
                return SEATS

    def play(self, state: State, seat: Seat, move: AnyMove, random: Random) -> MoveResult:
        """Make a move that fits the stage, by a seat that may act."""
        if seat not in self.to_act(state):
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        events: list[AddressedEvent] = []
        match state.stage, move:
            case ((Stage.SEATING | Stage.CHOOSING), Roll()):
                after = _roll(state, random)
                return MoveResult(after, (_roll_event(after), *view.turn_events(state, after)))
            case Stage.DEALING, Deal():
                after = tile_dealing.deal(state, random)
                return MoveResult(after, _whole_position(after))
            case Stage.DRAWING, Draw():
                after = tile_dealing.draw(state, seat, "draw", events)
            case Stage.DISCARDING, Discard():
                after = turns.discard(state, seat, move, events)
            case Stage.DISCARDING, Kong(tile):
                if tile is None:
                    raise IllegalCommand(Refusal.BAD_MOVE)
                after = turns.kong(state, seat, tile, events)
            case Stage.DISCARDING, Hu():
                if not hand_end.may_win(state, seat):
                    raise IllegalCommand(Refusal.ILLEGAL)
                after = hand_end.win_by_draw(state, seat)
            case Stage.CLAIMING, (Pass() | Chow() | Pong() | Kong() | Hu()):
                return _answer_claim(state, seat, move)
            case Stage.HAND_OVER, Next():
                after = _next_hand(state, random)
                return MoveResult(after, _whole_position(after))
            case _:
                raise IllegalCommand(Refusal.ILLEGAL)
        return MoveResult(after, (*events, *_step_events(state, after)))

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return the time for this decision, by the stage; players have no clock of their own."""
        match state.stage:
            case Stage.DISCARDING:
                return TURN_TIME
            case Stage.CLAIMING:
                return CLAIM_TIME if state.answers[seat] is None else ANSWERED_TIME
            case Stage.DRAWING:
                return CLAIM_TIME
            case _:
                # With manual steps, clients roll, deal and continue without a time limit.
                return None if state.options.manual_steps else BREAK_TIME

    def overdue(self, state: State, seat: Seat, random: Random) -> AnyMove | None:
        """Return the default move: pass, or discard the drawn tile (after a claim the last allowed one)."""
        match state.stage:
            case Stage.SEATING | Stage.CHOOSING:
                return Roll()
            case Stage.DEALING:
                return Deal()
            case Stage.DRAWING:
                return Draw()
            case Stage.DISCARDING:
                barred_tiles = turns.barred_tiles(state, seat)
                allowed = [tile for tile in state.seat_tiles[seat].tiles if tile not in barred_tiles]
                return Discard(allowed[-1] if state.drawn is None else state.drawn)
            case Stage.CLAIMING:
                return state.answers[seat] or Pass()
            case Stage.HAND_OVER | Stage.GAME_OVER:
                return Next()
            case _:
                assert_never(state.stage)

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other seats with the highest score win."""
        return Outcome(hand_end.leaders(state, tuple(other for other in SEATS if other != seat)), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Return None: there is no undo."""
        return None

    def swap(self, state: State) -> State | None:
        """Return None: seats are not swapped."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return the seats with the highest score after the last deal; None before."""
        return hand_end.outcome(state)

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return what this viewer may know; `over`: the game has ended in the middle of a hand."""
        return view.view(state, viewer, over=over)

    def legal(self, state: State, seat: Seat) -> Sequence[AnyMove]:
        """Return every move this seat may make now."""
        if seat not in self.to_act(state):
            return ()
        match state.stage:
            case Stage.CLAIMING:
                return possible_answers(state, seat)
            case Stage.DISCARDING:
                return _own_turn_moves(state, seat)
            case Stage.SEATING | Stage.CHOOSING:
                return (Roll(),)
            case Stage.DEALING:
                return (Deal(),)
            case Stage.DRAWING:
                return (Draw(),)
            case _:
                return (Next(),)


def _settings_of(options: Options) -> Settings:
    if isinstance(options, Settings):
        return options
    return Settings(*[getattr(options, name) for name in options.__struct_fields__])


def _roll(state: State, random: Random) -> State:
    """Roll for the positions, then for the dealer: the sum counts seats from 1, modulo 4."""
    dice = roll_dice(random, tile_dealing.dice_count(state))
    if state.stage is Stage.SEATING:
        return replace(state, stage=Stage.CHOOSING, seating=dice)
    dealer = SEATS[(sum(dice) - 1) % 4]
    return replace(state, stage=Stage.DEALING, choosing=dice, deal=Place(0, dealer), turn=dealer)


def _roll_event(state: State) -> AddressedEvent:
    if state.stage is Stage.CHOOSING:
        return AddressedEvent(DiceRolled(state.seating))
    return AddressedEvent(DiceRolled(state.choosing, state.deal.dealer))


def _own_turn_moves(state: State, seat: Seat) -> list[AnyMove]:
    barred_tiles = turns.barred_tiles(state, seat)
    moves: list[AnyMove] = [
        Discard(tile) for tile in state.seat_tiles[seat].tiles if tile not in barred_tiles
    ]
    moves += [Discard(tile, ready=True) for tile in turns.ready_discards(state, seat)]
    moves += [Kong(tile) for tile in turns.possible_kongs(state, seat)]
    if hand_end.may_win(state, seat):
        moves.append(Hu())
    return moves


def _answer_claim(state: State, seat: Seat, answer: ClaimAnswer) -> MoveResult:
    check_answer(state, seat, answer)
    answered = replace(state, answers=(*state.answers[:seat], answer, *state.answers[seat + 1 :]))
    events = list(private_events.answer_events(seat, answer))
    result = resolve_claims(answered)
    if result is None:
        return MoveResult(answered, tuple(events), ends_decision=False, changes_position=False)
    after = turns.after_claims(answered, result, events)
    in_deal = answered.replacing is not None
    return MoveResult(
        after, (*events, *(_whole_position(after) if in_deal else _step_events(answered, after)))
    )


def _next_hand(state: State, random: Random) -> State:
    next_deal = hand_end.deal_after(state)
    if next_deal is None:
        return replace(state, stage=Stage.GAME_OVER)
    cleared = hand_end.table_before_deal(state, next_deal)
    return cleared if state.options.manual_steps else tile_dealing.deal(cleared, random)


def _whole_position(state: State) -> tuple[AddressedEvent, ...]:
    return tuple(view.hand_ended(state) if state.stage in view.ENDED_STAGES else view.hand_started(state))


def _step_events(before: State, after: State) -> Sequence[AddressedEvent]:
    return view.hand_ended(after) if after.stage in view.ENDED_STAGES else view.turn_events(before, after)


RULES: Final = Mahjong()


def rateable(options: Settings) -> bool:
    """Tell whether a rated table may have these options: the usual rules and stakes, any length, no hints."""
    return options == Settings(tiles=options.tiles, rounds=options.rounds, hints=False)
