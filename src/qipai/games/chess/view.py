"""Builds the view and the events of each viewer, without what fog and mines hide."""

from collections.abc import Sequence
from typing import Final

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, Seat

from . import dice_rules, fog, mines
from .events import DiceChanged, Exploded, LandedOnNumber, Moved, MoveInFog, Passed, Rolled
from .state import State, is_white
from .wire_types import CurrentDice, DiceRoll, Explosion, MineCount, Minefield, View

VIEWERS: Final = (Seat(0), Seat(1), SPECTATOR)
_NO_SQUARES: Final[frozenset[str]] = frozenset()


def view(state: State, viewer: Seat, *, over: bool) -> View:
    """Return the game as a viewer may see it."""
    if state.options.fog and not over and viewer not in state.sees_hidden:
        return _fogged_view(state, viewer)
    return View(
        state.white,
        state.turn,
        state.fen,
        state.moves,
        state.sides,
        state.check,
        state.draw_claim,
        state.taken,
        boards=fog.boards_seen(state, viewer) if over and _shows_boards(state, viewer) else (),
        dice=_dice_for(state, viewer, over=over),
        rolls=_rolls(state),
        minefield=_minefield(state, viewer, over=over),
    )


def _shows_boards(state: State, viewer: Seat) -> bool:
    """Tell whether the view of a finished game has the boards that the viewer saw in the fog."""
    fogged = state.options.fog and viewer in (0, 1) and viewer not in state.sees_hidden
    return fogged and len(state.moves) <= fog.MAX_BOARDS


def events_of(
    before: State,
    after: State,
    seat: Seat,
    rolled: Sequence[Rolled | Passed],
    uci: str = "",
    taken: str = "",
) -> tuple[AddressedEvent, ...]:
    """Return the events of a step: the move if there was one, explosion, mine counts, rolls, dice."""
    fog_on = after.options.fog
    events: list[AddressedEvent] = []
    unfogged = tuple(viewer for viewer in VIEWERS if viewer in after.sees_hidden) if fog_on else None
    if uci and unfogged != ():
        events.append(
            AddressedEvent(Moved(seat, uci, after.fen, after.check, taken, after.draw_claim), unfogged)
        )
    if fog_on:
        events += _fog_events(before, after, seat, uci, taken)
    if after.mines is not None:
        events += _explosion_events(before, after)
        events += _mine_count_events(before, after, uci[2:4])
    for event in rolled:
        events += _roll_events(after, event)
    if after.dice is not None:
        events += _dice_events(after, "" if uci or after.fen == before.fen else after.fen)
    return tuple(events)


def _fogged_view(state: State, viewer: Seat) -> View:
    """Return the view of a running game in fog."""
    seat_bit = _seat_bit(viewer)
    visible = visible_to(state, viewer)
    return View(
        state.white,
        state.turn,
        "",
        tuple(
            [
                uci if int(seats) & seat_bit else ""
                for uci, seats in zip(state.moves, state.moves_seen_by, strict=True)
            ]
        ),
        state.sides,
        _check_visible(state, viewer, visible),
        state.draw_claim if viewer == state.turn else "",
        "".join(
            [
                piece
                for piece, seats in zip(state.taken, state.taken_known_to, strict=True)
                if int(seats) & seat_bit
            ]
        ),
        *_board_and_destinations(state, viewer, visible),
        dice=_dice_for(state, viewer, over=False),
        rolls=_rolls(state),
        minefield=_minefield(state, viewer, over=False),
    )


def visible_to(state: State, viewer: Seat) -> frozenset[str]:
    """Return the squares that a viewer sees in fog."""
    if viewer not in (0, 1):
        return _NO_SQUARES
    return fog.visible_squares(state.fen, white=is_white(state, viewer))


def _seat_bit(viewer: Seat) -> int:
    return 1 << viewer if viewer in (0, 1) else 0


def _board_and_destinations(state: State, viewer: Seat, visible: frozenset[str]) -> tuple[str, str]:
    if viewer not in (0, 1):
        return fog.ALL_HIDDEN, ""
    return fog.fogged_board(state.fen, visible), fog.destinations(state.fen, white=is_white(state, viewer))


def _check_visible(state: State, viewer: Seat, visible: frozenset[str]) -> bool:
    return state.check and (viewer == state.turn or fog.king_is_visible(state, visible))


def _dice_for(state: State, viewer: Seat, *, over: bool) -> CurrentDice | None:
    if state.dice is None:
        return None
    show_options = not state.options.fog or over or viewer == state.turn or viewer in state.sees_hidden
    return dice_rules.current_dice(state, show_options=show_options)


def _rolls(state: State) -> tuple[DiceRoll, ...]:
    return () if state.dice is None else state.dice.rolls


def _minefield(state: State, viewer: Seat, *, over: bool) -> Minefield | None:
    minefield = state.mines
    if minefield is None:
        return None
    unfogged = not state.options.fog or over or viewer in state.sees_hidden
    seat_bit = _seat_bit(viewer)
    explosions = minefield.explosions
    if not unfogged:
        pairs = zip(explosions, minefield.explosions_known_to, strict=True)
        explosions = tuple(
            [explosion if int(seats) & seat_bit else _without_piece(explosion) for explosion, seats in pairs]
        )
    mines_shown = over or viewer in state.sees_hidden
    return Minefield(
        len(minefield.unexploded),
        _mine_counts_for(state, viewer, unfogged=unfogged),
        explosions,
        mines.initial_mines(minefield) if mines_shown else (),
    )


def _without_piece(explosion: Explosion) -> Explosion:
    return Explosion(explosion.ply, explosion.square, "")


def _mine_counts_for(state: State, viewer: Seat, *, unfogged: bool) -> tuple[MineCount, ...]:
    """Return the mine counts on squares that a viewer sees."""
    assert state.mines is not None
    counts = mines.mine_counts(state.mines)
    if unfogged:
        return counts
    visible = visible_to(state, viewer)
    return tuple([count for count in counts if count.square in visible])


def _fog_events(before: State, after: State, seat: Seat, uci: str, taken: str) -> list[AddressedEvent]:
    """Return an event for each viewer in fog for whom a step changed anything."""
    events = []
    for viewer in VIEWERS:
        if viewer in after.sees_hidden:
            continue
        seen_uci = uci if uci and int(after.moves_seen_by[-1]) & _seat_bit(viewer) else ""
        event = _fog_event(after, viewer, seat, seen_uci, taken if _seat_bit(viewer) else "")
        if uci or event != _fog_event(before, viewer, seat, "", ""):
            events.append(AddressedEvent(event, (viewer,)))
    return events


def _fog_event(state: State, viewer: Seat, seat: Seat, uci: str, taken: str) -> MoveInFog:
    visible = visible_to(state, viewer)
    board, destinations = _board_and_destinations(state, viewer, visible)
    claim = state.draw_claim if viewer == state.turn else ""
    check = _check_visible(state, viewer, visible)
    return MoveInFog(seat, uci, len(state.moves), board, destinations, state.turn, check, taken, claim)


def _explosion_events(before: State, after: State) -> list[AddressedEvent]:
    """Return the explosion of a step, if any; in fog only viewers who saw it learn the piece."""
    assert before.mines is not None
    assert after.mines is not None
    if len(after.mines.explosions) == len(before.mines.explosions):
        return []
    explosion, left = after.mines.explosions[-1], len(after.mines.unexploded)
    full_event = Exploded(explosion.square, left, explosion.piece)
    if not after.options.fog:
        return [AddressedEvent(full_event)]
    seats = int(after.mines.explosions_known_to[-1])
    informed = tuple(viewer for viewer in VIEWERS if viewer in after.sees_hidden or seats & _seat_bit(viewer))
    others = tuple(viewer for viewer in VIEWERS if viewer not in informed)
    return [AddressedEvent(full_event, informed), AddressedEvent(Exploded(explosion.square, left), others)]


def _mine_count_events(before: State, after: State, target: str) -> list[AddressedEvent]:
    """Return the mine count of the target square, and those that changed or became visible."""
    if not after.options.fog:
        return [
            AddressedEvent(event)
            for event in _new_mine_counts(before, after, SPECTATOR, target, unfogged=True)
        ]
    return [
        AddressedEvent(event, (viewer,))
        for viewer in VIEWERS
        for event in _new_mine_counts(before, after, viewer, target, unfogged=viewer in after.sees_hidden)
    ]


def _new_mine_counts(
    before: State, after: State, viewer: Seat, target: str, *, unfogged: bool
) -> list[LandedOnNumber]:
    before_counts = set(_mine_counts_for(before, viewer, unfogged=unfogged))
    return [
        LandedOnNumber(count.square, count.mines)
        for count in _mine_counts_for(after, viewer, unfogged=unfogged)
        if count.square == target or count not in before_counts
    ]


def _roll_events(state: State, event: Rolled | Passed) -> list[AddressedEvent]:
    """Return a roll; in fog only its owner learns the picks, which depend on the movable kinds."""
    if not state.options.fog or isinstance(event, Passed) or not event.picks:
        return [AddressedEvent(event)]
    informed = tuple(viewer for viewer in VIEWERS if viewer == event.seat or viewer in state.sees_hidden)
    others = tuple(viewer for viewer in VIEWERS if viewer not in informed)
    return [
        AddressedEvent(event, informed),
        AddressedEvent(Rolled(event.seat, event.dice, event.again), others),
    ]


def _dice_events(state: State, fen: str) -> list[AddressedEvent]:
    """Return the dice as they are now; in fog only the seat to act learns what it may do with them."""
    if not state.options.fog:
        return [AddressedEvent(DiceChanged(dice_rules.current_dice(state, show_options=True), fen))]
    informed = tuple(viewer for viewer in VIEWERS if viewer == state.turn or viewer in state.sees_hidden)
    others = tuple(viewer for viewer in VIEWERS if viewer not in informed)
    return [
        AddressedEvent(DiceChanged(dice_rules.current_dice(state, show_options=True)), informed),
        AddressedEvent(DiceChanged(dice_rules.current_dice(state, show_options=False)), others),
    ]
