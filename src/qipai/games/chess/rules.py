"""The rules object of chess; games with dice, fog or mines go through `variant_moves`."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Final, assert_never

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

from . import dice_rules, draw_rules, mines, variant_moves, view
from .events import Claimed, Moved
from .position import MATE, SQUARES, START, apply_move, legal_moves, position_key
from .state import OTHER, BoardResult, State
from .wire_types import (
    AnyMove,
    ClaimDraw,
    DiceMode,
    Move,
    Options,
    Reroll,
    Roll,
    SetDice,
    Settings,
    Skip,
    View,
)

__all__ = ["RULES", "Chess", "State"]

_ACTING: Final = ((Seat(0),), (Seat(1),))
_USUAL_MINES: Final = 5
_ROLLS: Final = tuple(Roll(kinds) for kinds in range(7))


class Chess:
    """The rules object of chess; it has no state."""

    name = "chess"
    seats = 2
    offers = frozenset({OfferKind.DRAW, OfferKind.UNDO})
    option_type = Settings
    state_type = State
    move_type = AnyMove

    def hidden(self, options: Options) -> bool:
        """Fog hides pieces; mines are hidden except from seats that see hidden things."""
        return options.fog or options.mines > 0

    def draws(self, options: Options) -> bool:
        """Dice are rolled during the game; mines are placed before it."""
        return bool(options.dice)

    def deal(
        self, options: Options, random: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Return the start position; a rematch swaps colours. Mines are drawn before white's dice."""
        settings = _settings_of(options)
        white = OTHER[before.white] if terms.rematch and before is not None else settings.white
        placed = mines.place_mines(settings.mines, terms.host_data, random)
        state = State(
            white,
            white,
            position_keys=(position_key(START),),
            options=settings,
            sees_hidden=terms.sees_hidden,
            is_standard=not (settings.dice or settings.fog or placed or settings.unchecked_moves),
            mines=placed,
        )
        return dice_rules.start_game(state, random) if settings.dice else state

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is."""
        return _ACTING[state.turn] if state.result is None else ()

    def play(self, state: State, seat: Seat, move: AnyMove, random: Random) -> MoveResult:
        """Make a move, use the dice, or claim a draw."""
        if seat != state.turn or state.result is not None:
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        if type(move) is Move:
            return (_standard_move if state.is_standard else variant_moves.move)(
                state, seat, move.uci, random
            )
        match move:
            case ClaimDraw():
                return _claim_draw(state, seat)
            case Skip() | Reroll() | Roll() | SetDice():
                after, rolled = dice_rules.use_dice(state, seat, move, random)
                return MoveResult(after, view.events_of(state, after, seat, rolled), ends_decision=False)
            case Move():
                raise AssertionError("handled above")
            case _:
                assert_never(move)

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return None: every move takes its time from the player's clock."""
        return None

    def overdue(self, state: State, seat: Seat, random: Random) -> AnyMove | None:
        """Return None: a player out of time forfeits (FIDE 6.9)."""
        return None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other side wins unless it cannot mate (FIDE 6.9); a game without a move of both is aborted."""
        other = OTHER[seat]
        if reason == "left" and not _both_moved(state):
            return Outcome((), "aborted")
        mating_material_counts = not (state.options.legacy_rules or state.options.unchecked_moves)
        if (
            reason == "time"
            and mating_material_counts
            and not draw_rules.can_mate(state.fen, white=other == state.white)
        ):
            return Outcome((), "time_material")
        return Outcome((other,), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Return the state before this seat's last move; None with dice, fog or mines."""
        count = len(state.moves) - (1 if state.turn != seat else 2)
        if not state.is_standard or count < 0 or state.result is not None:
            return None
        earlier = replace(
            state,
            turn=state.white,
            fen=START,
            moves=(),
            position_keys=(position_key(START),),
            taken="",
            check=False,
            draw_claim="",
        )
        for uci in state.moves[:count]:
            earlier = _apply_standard_move(earlier, earlier.turn, uci)[0]
        return earlier

    def swap(self, state: State) -> State | None:
        """Return None: only a rematch swaps colours."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended on the board, or None."""
        result = state.result
        return None if result is None else Outcome(result.winners, result.reason)

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return what this viewer may know; `over`: the game has ended, even if not on the board."""
        return view.view(state, viewer, over=over or state.result is not None)

    def legal(self, state: State, seat: Seat) -> Sequence[AnyMove]:
        """Return everything that this seat may do now, except `SetDice`."""
        if seat != state.turn or state.result is not None:
            return ()
        dice = state.dice
        if dice is not None and dice.awaiting_roll:
            return _ROLLS
        found: list[AnyMove] = []
        if state.options.unchecked_moves:
            found += _all_uci_moves()
        else:
            found += [Move(uci) for uci in dice_rules.moves_allowed(state, legal_moves(state.fen))]
        if dice is not None and dice.may_skip:
            found.append(Skip())
        if dice_rules.may_reroll(state, seat):
            found.append(Reroll())
        if state.draw_claim:
            found.append(ClaimDraw())
        return found


def _settings_of(options: Options) -> Settings:
    if isinstance(options, Settings):
        return options
    return Settings(dice=options.dice, fog=options.fog, mines=options.mines, rerolls=options.rerolls)


def _standard_move(state: State, seat: Seat, uci: str, random: Random) -> MoveResult:
    after, taken = _apply_standard_move(state, seat, uci)
    moved = Moved(seat, uci, after.fen, after.check, taken, after.draw_claim)
    return MoveResult(after, (AddressedEvent(moved),))


def _apply_standard_move(state: State, seat: Seat, uci: str) -> tuple[State, str]:
    """Return the state after a move of standard chess, and the captured piece. This is the hot path."""
    applied = apply_move(state.fen, uci)
    if applied is None:
        raise IllegalCommand(Refusal.ILLEGAL)
    fen, taken, check, end = applied
    key, clock, _ = fen.rsplit(" ", 2)
    halfmove_clock = int(clock)
    # Unpacking would copy these long tuples twice.
    moves = state.moves + (uci,)  # noqa: RUF005 - see above
    position_keys = state.position_keys + (key,) if halfmove_clock else (key,)  # noqa: RUF005 - see above
    draw_claim, result = "", None
    if end:
        result = BoardResult((seat,) if end == MATE else (), end)
    elif (taken or len(uci) == 5) and draw_rules.is_dead_position(fen):
        result = BoardResult((), draw_rules.MATERIAL)
    elif halfmove_clock >= draw_rules.EARLIEST_THREEFOLD:
        repetitions = position_keys.count(key)
        if draw := draw_rules.automatic_draw(repetitions, halfmove_clock):
            result = BoardResult((), draw)
        elif not state.options.legacy_rules:
            draw_claim = draw_rules.claimable_draw(repetitions, halfmove_clock)
    after = State(
        state.white,
        OTHER[seat],
        fen,
        moves,
        position_keys,
        state.taken + taken,
        check,
        draw_claim,
        result,
        state.options,
        state.sees_hidden,
    )
    return after, taken


def _claim_draw(state: State, seat: Seat) -> MoveResult:
    if not state.draw_claim:
        raise IllegalCommand(Refusal.ILLEGAL)
    after = replace(state, draw_claim="", result=BoardResult((), state.draw_claim))
    return MoveResult(after, (AddressedEvent(Claimed(seat)),))


def _both_moved(state: State) -> bool:
    return {"w", "b"} <= set(state.sides) if state.dice is not None else len(state.moves) > 1


@cache
def _all_uci_moves() -> tuple[Move, ...]:
    """Return every move from one square to another, with and without a promotion."""
    return tuple(
        Move(start + end + kind) for start, end in permutations(SQUARES, 2) for kind in ("", *"qrbn")
    )


RULES: Final = Chess()


def rateable(options: Settings) -> bool:
    """Tell whether a rated table may have these options: each twist only as the page offers it."""
    usual = Settings(
        dice=DiceMode.FREE if options.dice else DiceMode.NONE,
        fog=options.fog,
        mines=_USUAL_MINES if options.mines else 0,
    )
    return options == usual
