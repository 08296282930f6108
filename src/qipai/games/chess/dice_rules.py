"""Dice (骰子): three per turn; which pieces they let move, skips, rerolls, checks in mid-turn.

Each die lets a piece of its kind move, from left to right (sequential) or in any order (free). A useless die
is skipped, and a turn ends when no die is left. A check in mid-turn is answered at once by one free move, and
a check by that move by another one; then the owner of the dice continues. A player in check whom neither a
die nor the king can help may make any legal move, which uses the die (將軍逃脫).

If few pieces can move, both sides may pass several times in one step. After `MAX_PASSES` passes the next
roll shows only kinds that can move, so that every step ends.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .events import Passed, Rolled
from .position import BOARD_INDEX, MATE, board_letters, legal_moves, position_key, status, with_side_to_move
from .state import OTHER, BoardResult, DiceState, State
from .wire_types import DICE_PER_TURN, DIE_KINDS, CurrentDice, DiceMode, DiceRoll, Reroll, Roll, SetDice, Skip

MAX_PASSES: Final = 64
FREE_ROLL_ORDER: Final = "PRNBQK"
"""The order of the list of movable kinds from which dice in free mode are drawn."""
ALL_KINDS: Final = DIE_KINDS + "K"
UNUSED: Final = "." * DICE_PER_TURN

StateAndEvents = tuple[State, list[Rolled | Passed]]
"""A state, and the rolls and passes that led to it."""


def start_game(state: State, random: Random) -> State:
    """Return the start of a game with dice, rolled for white."""
    rerolls = (state.options.rerolls, state.options.rerolls)
    dice = DiceState(state.options.dice, state.white, rerolls=rerolls)
    started = _start_turn(replace(state, dice=dice), state.white, random)[0]
    return replace(started, position_keys=(position_key(started.fen),))


def moves_allowed(state: State, moves: Iterable[str]) -> list[str]:
    """Return the legal moves that the dice allow."""
    dice = state.dice
    if dice is None:
        return list(moves)
    board = board_letters(state.fen)
    return [uci for uci in moves if board[BOARD_INDEX[uci[:2]]].upper() in dice.movers]


def may_reroll(state: State, seat: Seat) -> bool:
    """Tell whether a seat may roll all its dice again."""
    dice = state.dice
    return (
        dice is not None
        and not (dice.awaiting_roll or dice.free_move or dice.die_used)
        and dice.owner == seat
        and dice.rerolls[seat] > 0
    )


def use_dice(
    state: State, seat: Seat, move: Skip | Reroll | Roll | SetDice, random: Random
) -> StateAndEvents:
    """Return the state after a skip, a roll or a reroll, or raise `IllegalCommand`."""
    dice = state.dice
    if dice is None:
        raise IllegalCommand(Refusal.ILLEGAL)
    match move:
        case Skip() if dice.may_skip:
            return _continue_turn(_mark_die(state, dice.rolls[-1].used.index("."), "-"), random)
        case Reroll() if may_reroll(state, seat):
            rerolls_left = dice.rerolls[seat] - 1
            rerolls = (rerolls_left, dice.rerolls[1]) if seat == 0 else (dice.rerolls[0], rerolls_left)
            rolled = _roll(replace(state, dice=replace(dice, rerolls=rerolls)), random, replaces=True)
            return _after_roll(rolled, random)
        case Roll() if dice.awaiting_roll:
            with_mode = replace(state, dice=replace(dice, mode=DiceMode.FREE))
            return _after_roll(_roll(with_mode, random, kind_count=move.kinds), random)
        case SetDice() if dice.awaiting_roll and seat in state.sees_hidden:
            with_mode = replace(state, dice=replace(dice, mode=DiceMode.SEQUENTIAL))
            return _after_roll(_with_roll(with_mode, Rolled(seat, move.dice, brought=True)), random)
        case _:
            raise IllegalCommand(Refusal.ILLEGAL)


def after_move(state: State, seat: Seat, kind: str, random: Random) -> StateAndEvents:
    """Return the state with the seat that acts after a move of such a piece; `state` is after the move."""
    dice = state.dice
    assert dice is not None
    if state.options.unchecked_moves:
        return _continue_turn(_mark_die(_give_turn(state, seat), dice.rolls[-1].used.index("."), "x"), random)
    if not dice.free_move:
        state = _mark_die(state, _die_for(dice, kind), "x")
        dice = state.dice
        assert dice is not None
    if state.result is not None:
        return state, []
    if "." not in dice.rolls[-1].used:
        return _start_turn(state, OTHER[seat], random)
    if state.check:
        return _with_free_move(_give_turn(state, OTHER[seat])), []
    return _continue_turn(_give_turn(state, dice.owner), random)


def current_dice(state: State, *, show_options: bool) -> CurrentDice:
    """Return the dice on the table; what the seat to act may do with them only if `show_options`."""
    dice = state.dice
    assert dice is not None
    running = show_options and state.result is None
    roll = None if dice.awaiting_roll else dice.rolls[-1]
    has_current = (
        roll is not None and not dice.free_move and dice.mode is DiceMode.SEQUENTIAL and "." in roll.used
    )
    return CurrentDice(
        owner=dice.owner,
        dice="" if roll is None else roll.dice,
        used="" if roll is None else roll.used,
        current=roll.used.index(".") if roll is not None and has_current else -1,
        free=dice.free_move,
        kept=dice.free_move,
        movers=dice.movers if running else "",
        skip=dice.may_skip and running,
        reroll=state.result is None and may_reroll(state, state.turn),
        rerolls=dice.rerolls,
        picks=_picks_left(state) if running and state.sees_hidden else (),
    )


def _picks_left(state: State) -> tuple[int, ...]:
    """Return the indices of the dice that the owner may use now, as an older client counts its kinds."""
    dice = state.dice
    assert dice is not None
    if dice.mode is not DiceMode.FREE or dice.awaiting_roll or dice.free_move:
        return ()
    roll, kinds = dice.rolls[-1], _movable_kinds(state, FREE_ROLL_ORDER)
    faces = [face for face, use in zip(roll.dice, roll.used, strict=True) if use == "."]
    return tuple([kinds.index(face) for face in faces if face in kinds])


def _start_turn(state: State, seat: Seat, random: Random) -> StateAndEvents:
    """Start a seat's turn; while the rolled dice are useless, pass to the other seat."""
    events: list[Rolled | Passed] = []
    for passes in range(MAX_PASSES + 1):
        state = _give_turn(state, seat)
        dice = state.dice
        assert dice is not None
        # An older client chooses the mode by the kind of its last roll.
        mode = dice.mode if state.options.legacy_rules else state.options.dice
        dice = DiceState(mode, seat, dice.rolls, rerolls=dice.rerolls)
        state = replace(state, dice=dice)
        # Older clients ask for their roll.
        if state.result is not None or seat in state.sees_hidden:
            break
        state, rolls = _roll(state, random, only_movable=passes == MAX_PASSES)
        events += rolls
        state = _skip_useless_dice(state)
        if _can_use_dice(state):
            break
        events.append(Passed(seat))
        seat = OTHER[seat]
    return state, events


def _after_roll(rolled: StateAndEvents, random: Random) -> StateAndEvents:
    state, events = rolled
    state, later = _continue_turn(state, random)
    return state, events + later


def _continue_turn(state: State, random: Random) -> StateAndEvents:
    """Let the owner use the next usable die, or start the other seat's turn if there is none."""
    dice = state.dice
    assert dice is not None
    if state.result is not None:
        return state, []
    state = _skip_useless_dice(replace(state, dice=replace(dice, free_move=False)))
    if _can_use_dice(state):
        return state, []
    dice = state.dice
    assert dice is not None
    passed: list[Rolled | Passed] = [] if "x" in dice.rolls[-1].used else [Passed(dice.owner)]
    state, events = _start_turn(state, OTHER[dice.owner], random)
    return state, passed + events


def _give_turn(state: State, seat: Seat) -> State:
    """Return the state with this seat to act; the game is over if it is mated or stalemated."""
    white = seat == state.white
    other_side_moved_last = state.sides.endswith("b" if white else "w")
    fen = with_side_to_move(state.fen, white=white, last=state.moves[-1] if other_side_moved_last else "")
    if state.options.unchecked_moves:
        return replace(state, turn=seat, fen=fen)
    if fen == state.fen and state.turn == seat:
        return state
    check, end = status(fen)
    result = None
    if end == MATE:
        result = BoardResult((OTHER[seat],), end)
    elif end and (state.dice is None or state.dice.owner != seat):
        # In mid-turn, no legal move only means that the remaining dice are useless.
        result = BoardResult((), end)
    return replace(state, turn=seat, fen=fen, check=check, result=result)


def _with_free_move(state: State) -> State:
    dice = state.dice
    assert dice is not None
    return replace(
        state, dice=replace(dice, free_move=True, may_skip=False, movers=_movable_kinds(state, ALL_KINDS))
    )


def _can_use_dice(state: State) -> bool:
    dice = state.dice
    return dice is not None and bool(dice.movers)


def _skip_useless_dice(state: State) -> State:
    """Skip useless dice up to the next usable one, and set the kinds that may move."""
    dice = state.dice
    assert dice is not None
    faces, used = dice.rolls[-1].dice, dice.rolls[-1].used
    unused = [index for index in range(DICE_PER_TURN) if used[index] == "."]
    if state.options.unchecked_moves:
        return replace(state, dice=replace(dice, movers=ALL_KINDS if unused else ""))
    movable = _movable_kinds(state, ALL_KINDS)
    sequential = dice.mode is DiceMode.SEQUENTIAL
    usable_kinds = {faces[index] for index in unused} | ({"K"} if sequential else set())
    movers, may_skip = "", False
    if unused and state.check and not usable_kinds & set(movable):
        movers, unused = movable, []
    for index in unused:
        allowed = {faces[index], "K"} if sequential else {faces[index]}
        if not allowed & set(movable):
            used = used[:index] + "-" + used[index + 1 :]
            continue
        movers += "".join(kind for kind in movable if kind in allowed and kind not in movers)
        if sequential:
            # The last die must answer a check.
            may_skip = faces[index] not in movable and not (state.check and index == unused[-1])
            break
    movers = "".join(kind for kind in ALL_KINDS if kind in movers)
    rolls = (*dice.rolls[:-1], replace(dice.rolls[-1], used=used))
    return replace(state, dice=replace(dice, rolls=rolls, movers=movers, may_skip=may_skip))


def _movable_kinds(state: State, order: str) -> str:
    if state.options.unchecked_moves:
        board = board_letters(state.fen)
        own = {
            letter.upper()
            for letter in board
            if letter.isalpha() and letter.isupper() is _white_to_move(state)
        }
        return "".join(kind for kind in order if kind in own) or "P"
    kinds = _kinds_with_moves(state.fen)
    return "".join(kind for kind in order if kind in kinds)


@lru_cache(maxsize=256)
def _kinds_with_moves(fen: str) -> frozenset[str]:
    """Return the kinds that have a legal move; one step asks for them several times."""
    board = board_letters(fen)
    return frozenset(board[BOARD_INDEX[uci[:2]]].upper() for uci in legal_moves(fen))


def _white_to_move(state: State) -> bool:
    return state.turn == state.white


def _die_for(dice: DiceState, kind: str) -> int:
    """Return the die that a move of such a piece uses: in free mode one of its kind, else the next."""
    faces, used = dice.rolls[-1].dice, dice.rolls[-1].used
    if dice.mode is DiceMode.FREE:
        for index in range(DICE_PER_TURN):
            if used[index] == "." and faces[index] == kind:
                return index
    return used.index(".")


def _mark_die(state: State, index: int, mark: str) -> State:
    dice = state.dice
    assert dice is not None
    roll = dice.rolls[-1]
    roll = replace(roll, used=roll.used[:index] + mark + roll.used[index + 1 :])
    return replace(state, dice=replace(dice, rolls=(*dice.rolls[:-1], roll), die_used=True))


def _roll(
    state: State, random: Random, *, replaces: bool = False, kind_count: int = 0, only_movable: bool = False
) -> StateAndEvents:
    """Roll for the seat to act; `kind_count` is how many kinds an older client considers movable."""
    dice = state.dice
    assert dice is not None
    if dice.mode is DiceMode.SEQUENTIAL:
        kinds = (only_movable and _movable_kinds(state, DIE_KINDS)) or DIE_KINDS
        faces = "".join([kinds[random.below(len(kinds))] for _ in range(DICE_PER_TURN)])
        return _with_roll(state, Rolled(state.turn, faces, replaces))
    kinds = _movable_kinds(state, FREE_ROLL_ORDER)
    picks = tuple([random.below(kind_count or len(kinds)) for _ in range(DICE_PER_TURN)])
    faces = ""
    for pick in picks:
        kind = kinds[pick % len(kinds)]
        if kind == "K" and "K" in faces:
            kind = kinds[0]
        faces += kind
    return _with_roll(state, Rolled(state.turn, faces, replaces, picks))


def _with_roll(state: State, rolled: Rolled) -> StateAndEvents:
    dice = state.dice
    assert dice is not None
    roll = DiceRoll(len(state.moves), rolled.seat, rolled.dice, UNUSED, rolled.again)
    return replace(state, dice=replace(dice, rolls=(*dice.rolls, roll), awaiting_roll=False)), [rolled]
