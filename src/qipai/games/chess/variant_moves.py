"""A move in a game with twists: is it allowed, what goes up, who acts next, who saw it, is it over."""

from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import IllegalCommand, MoveResult, Outcome
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from . import dice_rules, draw_rules, fog, mines, position, view
from .position import MATE
from .state import OTHER, State, is_white
from .wire_types import Passed, Rolled

ENDLESS: Final = 12_000
"""Moves after which a game by no rules is given up; by the rules of chess none can be longer by much."""
_PROMOTIONS: Final = ("", "q", "r", "b", "n")


def move(state: State, seat: Seat, uci: str, random: Random) -> MoveResult:
    """Return what a move makes of the game, or raise `Illegal`."""
    if uci[:2] not in position.PLACE:
        raise IllegalCommand(Refusal.ILLEGAL)
    piece = position.on(state.fen, uci[:2])
    cup = state.cup
    if cup is not None and (cup.waiting or (not cup.free and piece.upper() not in cup.movers)):
        raise IllegalCommand(Refusal.ILLEGAL)
    trusting = state.options.trusting
    after, taken = (_trusted if trusting else _made)(state, seat, uci, piece)
    rolled: list[Rolled | Passed] = []
    if cup is not None:
        after = replace(after, sides=state.sides + ("w" if is_white(state, seat) else "b"))
        after, rolled = dice_rules.moved(after, seat, piece.upper(), random)
    if not trusting and after.result is None:
        after = _counted(state, after, seat)
    if after.options.fog:
        after = _witnessed(state, after, seat, taken)
    return MoveResult(after, view.told(state, after, seat, rolled, uci, taken))


def _made(state: State, seat: Seat, uci: str, piece: str) -> tuple[State, str]:
    """Return the position after a legal move and its explosion, and what was captured."""
    made = position.make(state.fen, uci)
    if made is None:
        raise IllegalCommand(Refusal.ILLEGAL)
    fen, taken, check, end = made
    square = uci[2:4]
    moves = (*state.moves, uci)
    field = state.mines
    gone = ""
    if field is not None:
        blown = square in field.laid
        gone = position.on(fen, square) if blown else ""
        field = mines.landed(field, square, gone, len(moves))
        if blown:
            fen = position.without(fen, square)
    result = None
    if gone.upper() == "K":
        check, end = False, ""
        result = Outcome((OTHER[seat],), "mined")
    elif gone:
        check, end = position.status(fen)
    if end:
        result = Outcome((seat,) if end == MATE else (), end)
    elif result is None and (taken or gone or len(uci) > 4) and draw_rules.dead(fen):
        result = Outcome((), draw_rules.MATERIAL)
    after = replace(
        state,
        turn=OTHER[seat],
        fen=fen,
        moves=moves,
        taken=state.taken + taken + gone,
        check=check,
        claim="",
        result=result,
        mines=field,
    )
    return after, taken


def _trusted(state: State, seat: Seat, uci: str, piece: str) -> tuple[State, str]:
    """Return the position after whatever an older client calls a move."""
    if uci[2:4] not in position.PLACE or uci[4:] not in _PROMOTIONS:
        raise IllegalCommand(Refusal.ILLEGAL)
    taken = position.on(state.fen, uci[2:4]) if piece and uci[:2] != uci[2:4] else ""
    moves = (*state.moves, uci)
    return replace(
        state,
        turn=OTHER[seat],
        fen=position.put(state.fen, uci),
        moves=moves,
        taken=state.taken + taken,
        result=Outcome((), "abandoned") if len(moves) >= ENDLESS else None,
    ), taken


def _counted(before: State, after: State, seat: Seat) -> State:
    """Count repetitions and moves without progress; a position in mid-turn is not counted as one."""
    place, half, _ = after.fen.rsplit(" ", 2)
    quiet = int(half)
    seen = before.seen if quiet else ()
    times = 0
    if after.cup is None or after.turn != seat or _new_turn(before, after):
        seen = (*seen, place)
        times = seen.count(place)
    if draw := draw_rules.automatic(times, quiet):
        return replace(after, seen=seen, result=Outcome((), draw))
    claim = "" if after.options.older else draw_rules.claimable(times, quiet)
    return replace(after, seen=seen, claim=claim)


def _new_turn(before: State, after: State) -> bool:
    if before.cup is None or after.cup is None:
        return True
    return len(before.cup.thrown) != len(after.cup.thrown)


def _witnessed(before: State, after: State, seat: Seat, taken: str) -> State:
    """Note who saw the move and who knows what went up; a captured piece is known to both players."""
    square = after.moves[-1][2:4]
    known = 0
    for viewer in (Seat(0), Seat(1)):
        if viewer == seat or square in fog.sees(after.fen, white=is_white(after, viewer)):
            known |= 1 << viewer
    digit = str(known)
    field = after.mines
    blown = len(after.taken) - len(before.taken) - len(taken)
    if field is not None and blown:
        field = replace(field, noticed=field.noticed + digit)
    aware = before.aware + "3" * len(taken) + digit * blown
    return replace(after, witnesses=before.witnesses + digit, aware=aware, mines=field)
