"""Makes a move in a game with dice, fog or mines: legality, explosions, next turn, result."""

from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import IllegalCommand, MoveResult
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from . import dice_rules, draw_rules, fog, mines, position, view
from .events import Passed, Rolled
from .position import MATE
from .state import OTHER, BoardResult, State, is_white

MAX_UNCHECKED_MOVES: Final = 12_000
"""Moves after which an unchecked game is abandoned; FIDE 9.6.2 bounds a checked one to about as many."""
_PROMOTIONS: Final = ("", "q", "r", "b", "n")


def move(state: State, seat: Seat, uci: str, random: Random) -> MoveResult:
    """Return the result of a move, or raise `IllegalCommand`."""
    if uci[:2] not in position.BOARD_INDEX:
        raise IllegalCommand(Refusal.ILLEGAL)
    piece = position.piece_on(state.fen, uci[:2])
    dice = state.dice
    if dice is not None and (dice.awaiting_roll or (not dice.free_move and piece.upper() not in dice.movers)):
        raise IllegalCommand(Refusal.ILLEGAL)
    unchecked = state.options.unchecked_moves
    after, taken = (_unchecked_move if unchecked else _checked_move)(state, seat, uci, piece)
    rolled: list[Rolled | Passed] = []
    if dice is not None:
        after = replace(after, sides=state.sides + ("w" if is_white(state, seat) else "b"))
        after, rolled = dice_rules.after_move(after, seat, piece.upper(), random)
    if not unchecked and after.result is None:
        after = _with_draw_counts(state, after, seat)
    if after.options.fog:
        after = _with_witnesses(state, after, seat, taken)
    return MoveResult(after, view.events_of(state, after, seat, rolled, uci, taken))


def _checked_move(state: State, seat: Seat, uci: str, piece: str) -> tuple[State, str]:
    """Return the state after a legal move and its explosion, and the captured piece."""
    applied = position.apply_move(state.fen, uci)
    if applied is None:
        raise IllegalCommand(Refusal.ILLEGAL)
    fen, taken, check, end = applied
    square = uci[2:4]
    moves = (*state.moves, uci)
    minefield = state.mines
    exploded = ""
    if minefield is not None:
        explodes = square in minefield.unexploded
        exploded = position.piece_on(fen, square) if explodes else ""
        minefield = mines.land_on(minefield, square, exploded, len(moves))
        if explodes:
            fen = position.remove_piece(fen, square)
    result = None
    if exploded.upper() == "K":
        check, end = False, ""
        result = BoardResult((OTHER[seat],), "mined")
    elif exploded:
        check, end = position.status(fen)
    if end:
        result = BoardResult((seat,) if end == MATE else (), end)
    elif result is None and (taken or exploded or len(uci) > 4) and draw_rules.is_dead_position(fen):
        result = BoardResult((), draw_rules.MATERIAL)
    after = replace(
        state,
        turn=OTHER[seat],
        fen=fen,
        moves=moves,
        taken=state.taken + taken + exploded,
        check=check,
        draw_claim="",
        result=result,
        mines=minefield,
    )
    return after, taken


def _unchecked_move(state: State, seat: Seat, uci: str, piece: str) -> tuple[State, str]:
    """Return the state after a move from any square to any other, and the captured piece."""
    if uci[2:4] not in position.BOARD_INDEX or uci[4:] not in _PROMOTIONS:
        raise IllegalCommand(Refusal.ILLEGAL)
    taken = position.piece_on(state.fen, uci[2:4]) if piece and uci[:2] != uci[2:4] else ""
    moves = (*state.moves, uci)
    return replace(
        state,
        turn=OTHER[seat],
        fen=position.move_unchecked(state.fen, uci),
        moves=moves,
        taken=state.taken + taken,
        result=BoardResult((), "abandoned") if len(moves) >= MAX_UNCHECKED_MOVES else None,
    ), taken


def _with_draw_counts(before: State, after: State, seat: Seat) -> State:
    """Count repetitions and plies without progress; a position in mid-turn is no repetition."""
    key, clock, _ = after.fen.rsplit(" ", 2)
    halfmove_clock = int(clock)
    position_keys = before.position_keys if halfmove_clock else ()
    repetitions = 0
    if after.dice is None or after.turn != seat or _is_new_turn(before, after):
        position_keys = (*position_keys, key)
        repetitions = position_keys.count(key)
    if draw := draw_rules.automatic_draw(repetitions, halfmove_clock):
        return replace(after, position_keys=position_keys, result=BoardResult((), draw))
    draw_claim = "" if after.options.legacy_rules else draw_rules.claimable_draw(repetitions, halfmove_clock)
    return replace(after, position_keys=position_keys, draw_claim=draw_claim)


def _is_new_turn(before: State, after: State) -> bool:
    if before.dice is None or after.dice is None:
        return True
    return len(before.dice.rolls) != len(after.dice.rolls)


def _with_witnesses(before: State, after: State, seat: Seat, taken: str) -> State:
    """Record which seats saw the move and know what exploded; both know a captured piece."""
    square = after.moves[-1][2:4]
    seat_bits = 0
    for viewer in (Seat(0), Seat(1)):
        if viewer == seat or square in fog.visible_squares(after.fen, white=is_white(after, viewer)):
            seat_bits |= 1 << viewer
    digit = str(seat_bits)
    minefield = after.mines
    exploded = len(after.taken) - len(before.taken) - len(taken)
    if minefield is not None and exploded:
        minefield = replace(minefield, explosions_known_to=minefield.explosions_known_to + digit)
    known_to = before.taken_known_to + "3" * len(taken) + digit * exploded
    return replace(
        after, moves_seen_by=before.moves_seen_by + digit, taken_known_to=known_to, mines=minefield
    )
