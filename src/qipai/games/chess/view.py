"""What each viewer is shown and told; built for him from nothing."""

from collections.abc import Sequence
from typing import Final

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, Seat

from . import dice_rules, fog, mines
from .state import State, is_white
from .wire_types import (
    CurrentDice,
    DiceChanged,
    DiceRoll,
    Exploded,
    Explosion,
    LandedOnNumber,
    MineCount,
    Minefield,
    Moved,
    MoveInFog,
    Passed,
    Rolled,
    View,
)

VIEWERS: Final = (Seat(0), Seat(1), SPECTATOR)
_NOWHERE: Final[frozenset[str]] = frozenset()


def view(state: State, viewer: Seat, *, over: bool) -> View:
    """Return the game as a viewer may see it."""
    if state.options.fog and not over and viewer not in state.seers:
        return _dim(state, viewer)
    return View(
        state.white,
        state.turn,
        state.fen,
        state.moves,
        state.sides,
        state.check,
        state.claim,
        state.taken,
        boards=fog.boards(state, viewer) if over and _looked_back_at(state, viewer) else (),
        dice=_hand(state, viewer, over=over),
        rolls=_thrown(state),
        minefield=_minefield(state, viewer, over=over),
    )


def _looked_back_at(state: State, viewer: Seat) -> bool:
    """Tell whether somebody will want to see again what he saw, and can be shown it in a moment."""
    dim = state.options.fog and viewer in (0, 1) and viewer not in state.seers
    return dim and len(state.moves) <= fog.MOST_BOARDS


def told(
    before: State,
    after: State,
    seat: Seat,
    rolled: Sequence[Rolled | Passed],
    uci: str = "",
    taken: str = "",
) -> tuple[AddressedEvent, ...]:
    """Return what is told about a step: the move if there was one, what went up, numbers, dice."""
    foggy = after.options.fog
    found: list[AddressedEvent] = []
    bright = tuple(viewer for viewer in VIEWERS if viewer in after.seers) if foggy else None
    if uci and bright != ():
        found.append(AddressedEvent(Moved(seat, uci, after.fen, after.check, taken, after.claim), bright))
    if foggy:
        found += _sighted(before, after, seat, uci, taken)
    if after.mines is not None:
        found += _blasts(before, after)
        found += _numbers(before, after, uci[2:4])
    for event in rolled:
        found += _rolled(after, event)
    if after.cup is not None:
        found += _diced(after, "" if uci or after.fen == before.fen else after.fen)
    return tuple(found)


def _dim(state: State, viewer: Seat) -> View:
    """Return a game in the fog."""
    bit = _bit(viewer)
    sight = sight_of(state, viewer)
    return View(
        state.white,
        state.turn,
        "",
        tuple(
            [uci if int(known) & bit else "" for uci, known in zip(state.moves, state.witnesses, strict=True)]
        ),
        state.sides,
        _check(state, viewer, sight),
        state.claim if viewer == state.turn else "",
        "".join([piece for piece, known in zip(state.taken, state.aware, strict=True) if int(known) & bit]),
        *_board(state, viewer, sight),
        dice=_hand(state, viewer, over=False),
        rolls=_thrown(state),
        minefield=_minefield(state, viewer, over=False),
    )


def sight_of(state: State, viewer: Seat) -> frozenset[str]:
    """Return the squares that a viewer of a game in the fog sees."""
    if viewer not in (0, 1):
        return _NOWHERE
    return fog.sees(state.fen, white=is_white(state, viewer))


def _bit(viewer: Seat) -> int:
    return 1 << viewer if viewer in (0, 1) else 0


def _board(state: State, viewer: Seat, sight: frozenset[str]) -> tuple[str, str]:
    if viewer not in (0, 1):
        return fog.DARK, ""
    return fog.board(state.fen, sight), fog.dests(state.fen, white=is_white(state, viewer))


def _check(state: State, viewer: Seat, sight: frozenset[str]) -> bool:
    return state.check and (viewer == state.turn or fog.king_in(state, sight))


def _hand(state: State, viewer: Seat, *, over: bool) -> CurrentDice | None:
    if state.cup is None:
        return None
    known = not state.options.fog or over or viewer == state.turn or viewer in state.seers
    return dice_rules.hand(state, known=known)


def _thrown(state: State) -> tuple[DiceRoll, ...]:
    return () if state.cup is None else state.cup.thrown


def _minefield(state: State, viewer: Seat, *, over: bool) -> Minefield | None:
    field = state.mines
    if field is None:
        return None
    bright = not state.options.fog or over or viewer in state.seers
    bit = _bit(viewer)
    blasts = field.blasts
    if not bright:
        pairs = zip(blasts, field.noticed, strict=True)
        blasts = tuple([blast if int(known) & bit else _unseen(blast) for blast, known in pairs])
    shown = over or viewer in state.seers
    return Minefield(
        len(field.laid),
        _numbers_for(state, viewer, bright=bright),
        blasts,
        mines.all_of(field) if shown else (),
    )


def _unseen(blast: Explosion) -> Explosion:
    return Explosion(blast.ply, blast.square, "")


def _numbers_for(state: State, viewer: Seat, *, bright: bool) -> tuple[MineCount, ...]:
    """Return the numbers on squares that a viewer sees."""
    assert state.mines is not None
    numbers = mines.numbers(state.mines)
    if bright:
        return numbers
    sight = sight_of(state, viewer)
    return tuple([number for number in numbers if number.square in sight])


def _sighted(before: State, after: State, seat: Seat, uci: str, taken: str) -> list[AddressedEvent]:
    """Return for each viewer in the fog what he sees of a step, if anything is new to him."""
    found = []
    for viewer in VIEWERS:
        if viewer in after.seers:
            continue
        seen = uci if uci and int(after.witnesses[-1]) & _bit(viewer) else ""
        got = _sight(after, viewer, seat, seen, taken if _bit(viewer) else "")
        if uci or got != _sight(before, viewer, seat, "", ""):
            found.append(AddressedEvent(got, (viewer,)))
    return found


def _sight(state: State, viewer: Seat, seat: Seat, uci: str, taken: str) -> MoveInFog:
    sight = sight_of(state, viewer)
    board, dests = _board(state, viewer, sight)
    claim = state.claim if viewer == state.turn else ""
    check = _check(state, viewer, sight)
    return MoveInFog(seat, uci, len(state.moves), board, dests, state.turn, check, taken, claim)


def _blasts(before: State, after: State) -> list[AddressedEvent]:
    """Return the explosion of a step, if there was one: noise for all, the piece for those who know it."""
    assert before.mines is not None
    assert after.mines is not None
    if len(after.mines.blasts) == len(before.mines.blasts):
        return []
    blast, left = after.mines.blasts[-1], len(after.mines.laid)
    whole = Exploded(blast.square, left, blast.piece)
    if not after.options.fog:
        return [AddressedEvent(whole)]
    known = int(after.mines.noticed[-1])
    near = tuple(viewer for viewer in VIEWERS if viewer in after.seers or known & _bit(viewer))
    far = tuple(viewer for viewer in VIEWERS if viewer not in near)
    return [AddressedEvent(whole, near), AddressedEvent(Exploded(blast.square, left), far)]


def _numbers(before: State, after: State, landed: str) -> list[AddressedEvent]:
    """Return the number of the square landed on, and those that have changed or come into sight."""
    if not after.options.fog:
        return [AddressedEvent(event) for event in _news(before, after, SPECTATOR, landed, bright=True)]
    return [
        AddressedEvent(event, (viewer,))
        for viewer in VIEWERS
        for event in _news(before, after, viewer, landed, bright=viewer in after.seers)
    ]


def _news(before: State, after: State, viewer: Seat, landed: str, *, bright: bool) -> list[LandedOnNumber]:
    old = set(_numbers_for(before, viewer, bright=bright))
    return [
        LandedOnNumber(number.square, number.mines)
        for number in _numbers_for(after, viewer, bright=bright)
        if number.square == landed or number not in old
    ]


def _rolled(state: State, event: Rolled | Passed) -> list[AddressedEvent]:
    """Return a throw; in the fog only its owner is told which of his kinds could move."""
    if not state.options.fog or isinstance(event, Passed) or not event.picks:
        return [AddressedEvent(event)]
    near = tuple(viewer for viewer in VIEWERS if viewer == event.seat or viewer in state.seers)
    far = tuple(viewer for viewer in VIEWERS if viewer not in near)
    return [AddressedEvent(event, near), AddressedEvent(Rolled(event.seat, event.dice, event.again), far)]


def _diced(state: State, fen: str) -> list[AddressedEvent]:
    """Return the dice as they are now; in the fog only their user is told what he could do with them."""
    if not state.options.fog:
        return [AddressedEvent(DiceChanged(dice_rules.hand(state, known=True), fen))]
    near = tuple(viewer for viewer in VIEWERS if viewer == state.turn or viewer in state.seers)
    far = tuple(viewer for viewer in VIEWERS if viewer not in near)
    return [
        AddressedEvent(DiceChanged(dice_rules.hand(state, known=True)), near),
        AddressedEvent(DiceChanged(dice_rules.hand(state, known=False)), far),
    ]
