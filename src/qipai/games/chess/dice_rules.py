"""Dice (骰子): three are thrown for a turn, each lets a piece of its kind move.

Used from left to right (sequential) or in any order (free). A die of no use is skipped, and a turn goes by
when no die is left. A check in mid-turn is answered at once by one free move, and if that checks in its
turn, by another; then the thrower goes on with the dice he has kept. In check, when neither a die nor the
king can help, any legal move may be made and uses the die (將軍逃脫).

Where few pieces can move, throws may go by for a while on both sides. Chance ends this sooner or later;
after `MOST_PASSES` turns in one step the next dice show only kinds that can move, so that a step ends.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import IllegalCommand, Outcome
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .position import MATE, PLACE, key, legal, letters, status, turned
from .state import OTHER, DiceState, State
from .wire_types import (
    DICE,
    KINDS,
    CurrentDice,
    DiceMode,
    DiceRoll,
    Passed,
    Reroll,
    Roll,
    Rolled,
    SetDice,
    Skip,
)

MOST_PASSES: Final = 64
ORDER: Final = "PRNBQK"
"""The order in which kinds that can move are listed, for the throws of free play."""
ALL_KINDS: Final = KINDS + "K"
FRESH: Final = "." * DICE

Told = tuple[State, list[Rolled | Passed]]
"""A state, and which throws and lost turns led to it."""


def deal(state: State, random: Random) -> State:
    """Return a game with dice at its beginning, thrown for white."""
    rerolls = (state.options.rerolls, state.options.rerolls)
    cup = DiceState(state.options.dice, state.white, rerolls=rerolls)
    begun = _begin(replace(state, cup=cup), state.white, random)[0]
    return replace(begun, seen=(key(begun.fen),))


def playable(state: State, moves: Iterable[str]) -> list[str]:
    """Return those of the legal moves that the dice allow."""
    cup = state.cup
    if cup is None:
        return list(moves)
    board = letters(state.fen)
    return [uci for uci in moves if board[PLACE[uci[:2]]].upper() in cup.movers]


def may_reroll(state: State, seat: Seat) -> bool:
    """Tell whether a seat may throw all its dice again."""
    cup = state.cup
    return (
        cup is not None
        and not (cup.waiting or cup.free or cup.touched)
        and cup.owner == seat
        and cup.rerolls[seat] > 0
    )


def act(state: State, seat: Seat, move: Skip | Reroll | Roll | SetDice, random: Random) -> Told:
    """Return the state after something was done with the dice, or raise `Illegal`."""
    cup = state.cup
    if cup is None:
        raise IllegalCommand(Refusal.ILLEGAL)
    match move:
        case Skip() if cup.skip:
            return _go_on(_marked(state, cup.thrown[-1].used.index("."), "-"), random)
        case Reroll() if may_reroll(state, seat):
            left = cup.rerolls[seat] - 1
            rerolls = (left, cup.rerolls[1]) if seat == 0 else (cup.rerolls[0], left)
            rolled = _throw(replace(state, cup=replace(cup, rerolls=rerolls)), random, again=True)
            return _after(rolled, random)
        case Roll() if cup.waiting:
            free = replace(state, cup=replace(cup, mode=DiceMode.FREE))
            return _after(_throw(free, random, count=move.kinds), random)
        case SetDice() if cup.waiting and seat in state.seers:
            brought = replace(state, cup=replace(cup, mode=DiceMode.SEQUENTIAL))
            return _after(_shown(brought, Rolled(seat, move.dice, brought=True)), random)
        case _:
            raise IllegalCommand(Refusal.ILLEGAL)


def moved(state: State, seat: Seat, kind: str, random: Random) -> Told:
    """Return who acts after a seat has moved such a piece; in the state the other side is to move."""
    cup = state.cup
    assert cup is not None
    if state.options.trusting:
        return _go_on(_marked(_turn_to(state, seat), cup.thrown[-1].used.index("."), "x"), random)
    if not cup.free:
        state = _marked(state, _used(cup, kind), "x")
        cup = state.cup
        assert cup is not None
    if state.result is not None:
        return state, []
    if "." not in cup.thrown[-1].used:
        return _begin(state, OTHER[seat], random)
    if state.check:
        return _freed(_turn_to(state, OTHER[seat])), []
    return _go_on(_turn_to(state, cup.owner), random)


def hand(state: State, *, known: bool) -> CurrentDice:
    """Return the dice on the table; what the side to act could do with them only where that is `known`."""
    cup = state.cup
    assert cup is not None
    going = known and state.result is None
    shown = None if cup.waiting else cup.thrown[-1]
    present = shown is not None and not cup.free and cup.mode is DiceMode.SEQUENTIAL and "." in shown.used
    return CurrentDice(
        owner=cup.owner,
        dice="" if shown is None else shown.dice,
        used="" if shown is None else shown.used,
        current=shown.used.index(".") if shown is not None and present else -1,
        free=cup.free,
        kept=cup.free,
        movers=cup.movers if going else "",
        skip=cup.skip and going,
        reroll=state.result is None and may_reroll(state, state.turn),
        rerolls=cup.rerolls,
    )


def _begin(state: State, seat: Seat, random: Random) -> Told:
    """Begin a seat's turn, or the next one that comes to anything."""
    told: list[Rolled | Passed] = []
    for passes in range(MOST_PASSES + 1):
        state = _turn_to(state, seat)
        cup = state.cup
        assert cup is not None
        # Only a table of older clients follows them in how dice are used.
        mode = cup.mode if state.options.older else state.options.dice
        cup = DiceState(mode, seat, cup.thrown, rerolls=cup.rerolls)
        state = replace(state, cup=cup)
        # Older clients throw when they like to.
        if state.result is not None or seat in state.seers:
            break
        state, rolls = _throw(state, random, helpful=passes == MOST_PASSES)
        told += rolls
        state = _settled(state)
        if _usable(state):
            break
        told.append(Passed(seat))
        seat = OTHER[seat]
    return state, told


def _after(rolled: Told, random: Random) -> Told:
    state, told = rolled
    state, more = _go_on(state, random)
    return state, told + more


def _go_on(state: State, random: Random) -> Told:
    """Let the owner use his next die, or the other side begin its turn if there is none."""
    cup = state.cup
    assert cup is not None
    if state.result is not None:
        return state, []
    state = _settled(replace(state, cup=replace(cup, free=False)))
    if _usable(state):
        return state, []
    cup = state.cup
    assert cup is not None
    lost: list[Rolled | Passed] = [] if "x" in cup.thrown[-1].used else [Passed(cup.owner)]
    state, told = _begin(state, OTHER[cup.owner], random)
    return state, lost + told


def _turn_to(state: State, seat: Seat) -> State:
    """Return the state with this seat to act; it is over if that seat is mated or cannot move at all."""
    white = seat == state.white
    others = state.sides.endswith("b" if white else "w")
    fen = turned(state.fen, white=white, last=state.moves[-1] if others else "")
    if state.options.trusting:
        return replace(state, turn=seat, fen=fen)
    if fen == state.fen and state.turn == seat:
        return state
    check, end = status(fen)
    result = None
    if end == MATE:
        result = Outcome((OTHER[seat],), end)
    elif end and (state.cup is None or state.cup.owner != seat):
        # In mid-turn it is only that no die is of use any more.
        result = Outcome((), end)
    return replace(state, turn=seat, fen=fen, check=check, result=result)


def _freed(state: State) -> State:
    cup = state.cup
    assert cup is not None
    return replace(state, cup=replace(cup, free=True, skip=False, movers=_movable(state, ALL_KINDS)))


def _usable(state: State) -> bool:
    cup = state.cup
    return cup is not None and bool(cup.movers)


def _settled(state: State) -> State:
    """Skip the dice that are of no use, up to the next that is, and say what may move now."""
    cup = state.cup
    assert cup is not None
    dice, used = cup.thrown[-1].dice, cup.thrown[-1].used
    left = [place for place in range(DICE) if used[place] == "."]
    if state.options.trusting:
        return replace(state, cup=replace(cup, movers=ALL_KINDS if left else ""))
    movable = _movable(state, ALL_KINDS)
    sequential = cup.mode is DiceMode.SEQUENTIAL
    fitting = {dice[place] for place in left} | ({"K"} if sequential else set())
    movers, skip = "", False
    if left and state.check and not fitting & set(movable):
        movers, left = movable, []
    for place in left:
        allowed = {dice[place], "K"} if sequential else {dice[place]}
        if not allowed & set(movable):
            used = used[:place] + "-" + used[place + 1 :]
            continue
        movers += "".join(kind for kind in movable if kind in allowed and kind not in movers)
        if sequential:
            # A check is answered with the last die at the latest.
            skip = dice[place] not in movable and not (state.check and place == left[-1])
            break
    movers = "".join(kind for kind in ALL_KINDS if kind in movers)
    thrown = (*cup.thrown[:-1], replace(cup.thrown[-1], used=used))
    return replace(state, cup=replace(cup, thrown=thrown, movers=movers, skip=skip))


def _movable(state: State, order: str) -> str:
    board = letters(state.fen)
    if state.options.trusting:
        mine = {sign.upper() for sign in board if sign.isalpha() and sign.isupper() is _white(state)}
        return "".join(kind for kind in order if kind in mine) or "P"
    kinds = {board[PLACE[uci[:2]]].upper() for uci in legal(state.fen)}
    return "".join(kind for kind in order if kind in kinds)


def _white(state: State) -> bool:
    return state.turn == state.white


def _used(cup: DiceState, kind: str) -> int:
    """Return the die that a move of such a piece uses: in free play one of its kind, else the next."""
    dice, used = cup.thrown[-1].dice, cup.thrown[-1].used
    if cup.mode is DiceMode.FREE:
        for place in range(DICE):
            if used[place] == "." and dice[place] == kind:
                return place
    return used.index(".")


def _marked(state: State, place: int, sign: str) -> State:
    cup = state.cup
    assert cup is not None
    last = cup.thrown[-1]
    last = replace(last, used=last.used[:place] + sign + last.used[place + 1 :])
    return replace(state, cup=replace(cup, thrown=(*cup.thrown[:-1], last), touched=True))


def _throw(
    state: State, random: Random, *, again: bool = False, count: int = 0, helpful: bool = False
) -> Told:
    """Throw for the seat to act; `count` is how many kinds an older client takes for movable."""
    cup = state.cup
    assert cup is not None
    if cup.mode is DiceMode.SEQUENTIAL:
        kinds = (helpful and _movable(state, KINDS)) or KINDS
        shown = "".join([kinds[random.below(len(kinds))] for _ in range(DICE)])
        return _shown(state, Rolled(state.turn, shown, again))
    kinds = _movable(state, ORDER)
    picks = tuple([random.below(count or len(kinds)) for _ in range(DICE)])
    shown = ""
    for pick in picks:
        kind = kinds[pick % len(kinds)]
        if kind == "K" and "K" in shown:
            kind = kinds[0]
        shown += kind
    return _shown(state, Rolled(state.turn, shown, again, picks))


def _shown(state: State, rolled: Rolled) -> Told:
    cup = state.cup
    assert cup is not None
    thrown = DiceRoll(len(state.moves), rolled.seat, rolled.dice, FRESH, rolled.again)
    return replace(state, cup=replace(cup, thrown=(*cup.thrown, thrown), waiting=False)), [rolled]
