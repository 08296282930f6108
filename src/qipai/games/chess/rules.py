"""The rules of chess at our tables; the plain game goes straight through, its twists by `moving`."""

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
from .position import MATE, SQUARES, START, key, legal, make
from .state import OTHER, State
from .wire_types import (
    AnyMove,
    ClaimDraw,
    Claimed,
    Move,
    Moved,
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
_ROLLS: Final = tuple(Roll(kinds) for kinds in range(7))


class Chess:
    """The rules object; it holds nothing."""

    name = "chess"
    seats = 2
    offers = frozenset({OfferKind.DRAW, OfferKind.UNDO})
    option_type = Settings
    state_type = State
    move_type = AnyMove

    def hidden(self, options: Options) -> bool:
        """Fog hides pieces; mines are hidden from all but the seats whose clients lay them."""
        return options.fog or options.mines > 0

    def draws(self, options: Options) -> bool:
        """Only dice are thrown during a game; mines are laid before it."""
        return bool(options.dice)

    def deal(
        self, options: Options, random: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Set up the pieces; a rematch changes colours. Mines are laid first, then white's dice thrown."""
        chosen = _settings(options)
        white = OTHER[before.white] if terms.rematch and before is not None else chosen.white
        laid = mines.lay(chosen.mines, terms.host_data, random)
        state = State(
            white,
            white,
            seen=(key(START),),
            options=chosen,
            seers=terms.sees_hidden,
            plain=not (chosen.dice or chosen.fog or laid or chosen.trusting),
            mines=laid,
        )
        return dice_rules.deal(state, random) if chosen.dice else state

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is."""
        return _ACTING[state.turn] if state.result is None else ()

    def play(self, state: State, seat: Seat, move: AnyMove, random: Random) -> MoveResult:
        """Make a move, or do one of the other things that a turn allows."""
        if seat != state.turn or state.result is not None:
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        if type(move) is Move:
            return (_plainly if state.plain else variant_moves.move)(state, seat, move.uci, random)
        match move:
            case ClaimDraw():
                return _claim(state, seat)
            case Skip() | Reroll() | Roll() | SetDice():
                after, rolled = dice_rules.act(state, seat, move, random)
                return MoveResult(after, view.told(state, after, seat, rolled), ends_decision=False)
            case Move():
                raise AssertionError("moves have been made")
            case _:
                assert_never(move)

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Every move is paid for out of the player's own time."""
        return None

    def overdue(self, state: State, seat: Seat, random: Random) -> AnyMove | None:
        """Running out of time ends the game; nothing is moved for anybody."""
        return None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other side wins, unless it could not (FIDE 6.9), or the game had hardly begun."""
        other = OTHER[seat]
        if reason == "left" and not _both_moved(state):
            return Outcome((), "aborted")
        strict = not (state.options.older or state.options.trusting)
        if reason == "time" and strict and not draw_rules.can_mate(state.fen, white=other == state.white):
            return Outcome((), "time_material")
        return Outcome((other,), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Go back to before this seat's last move, in a game without dice, fog and mines."""
        kept = len(state.moves) - (1 if state.turn != seat else 2)
        if not state.plain or kept < 0 or state.result is not None:
            return None
        back = replace(
            state, turn=state.white, fen=START, moves=(), seen=(key(START),), taken="", check=False, claim=""
        )
        for uci in state.moves[:kept]:
            back = _step(back, back.turn, uci)[0]
        return back

    def swap(self, state: State) -> State | None:
        """Colours are changed by a rematch only."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended on the board, or None."""
        return state.result

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return what this viewer may know; `over` if the game has ended, though not on the board."""
        return view.view(state, viewer, over=over or state.result is not None)

    def legal(self, state: State, seat: Seat) -> Sequence[AnyMove]:
        """Return every move and everything else that this seat may do now, but bringing dice."""
        if seat != state.turn or state.result is not None:
            return ()
        cup = state.cup
        if cup is not None and cup.waiting:
            return _ROLLS
        found: list[AnyMove] = []
        if state.options.trusting:
            found += _anything()
        else:
            found += [Move(uci) for uci in dice_rules.playable(state, legal(state.fen))]
        if cup is not None and cup.skip:
            found.append(Skip())
        if dice_rules.may_reroll(state, seat):
            found.append(Reroll())
        if state.claim:
            found.append(ClaimDraw())
        return found


def _settings(options: Options) -> Settings:
    if isinstance(options, Settings):
        return options
    return Settings(dice=options.dice, fog=options.fog, mines=options.mines, rerolls=options.rerolls)


def _plainly(state: State, seat: Seat, uci: str, random: Random) -> MoveResult:
    after, taken = _step(state, seat, uci)
    moved = Moved(seat, uci, after.fen, after.check, taken, after.claim)
    return MoveResult(after, (AddressedEvent(moved),))


def _step(state: State, seat: Seat, uci: str) -> tuple[State, str]:
    """Return the state after a move of the plain game, and what it took. Every move at most tables is one."""
    made = make(state.fen, uci)
    if made is None:
        raise IllegalCommand(Refusal.ILLEGAL)
    fen, taken, check, end = made
    position, half, _ = fen.rsplit(" ", 2)
    quiet = int(half)
    # Long tuples: unpacking them would copy them twice.
    moves = state.moves + (uci,)  # noqa: RUF005 - see above
    seen = state.seen + (position,) if quiet else (position,)  # noqa: RUF005 - see above
    claim, result = "", None
    if end:
        result = Outcome((seat,) if end == MATE else (), end)
    elif (taken or len(uci) == 5) and draw_rules.dead(fen):
        result = Outcome((), draw_rules.MATERIAL)
    elif quiet >= draw_rules.SOONEST:
        times = seen.count(position)
        if draw := draw_rules.automatic(times, quiet):
            result = Outcome((), draw)
        elif not state.options.older:
            claim = draw_rules.claimable(times, quiet)
    after = State(
        state.white,
        OTHER[seat],
        fen,
        moves,
        seen,
        state.taken + taken,
        check,
        claim,
        result,
        state.options,
        state.seers,
    )
    return after, taken


def _claim(state: State, seat: Seat) -> MoveResult:
    if not state.claim:
        raise IllegalCommand(Refusal.ILLEGAL)
    after = replace(state, claim="", result=Outcome((), state.claim))
    return MoveResult(after, (AddressedEvent(Claimed(seat)),))


def _both_moved(state: State) -> bool:
    return {"w", "b"} <= set(state.sides) if state.cup is not None else len(state.moves) > 1


@cache
def _anything() -> tuple[Move, ...]:
    """Return every move from a square to another, with and without a promotion."""
    return tuple(
        Move(start + end + kind) for start, end in permutations(SQUARES, 2) for kind in ("", *"qrbn")
    )


RULES: Final = Chess()
