"""Builds the view and the private part of each viewer."""

from collections.abc import Sequence
from typing import Final

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import commitment

from . import hand_end, turns
from .claims import allowed_claims, chow_choices, claimants, is_concealed_kong_window
from .events import HandEnded, HandStarted, PrivateViewChanged, TurnChanged
from .hints import hints_for
from .private_events import VIEWERS
from .state import KIND_OF, SEATS, State, drawable, seat_wind, without_tiles
from .wire_types import Form, Meld, Player, PrivateView, Stage, View

ENDED_STAGES: Final = (Stage.HAND_OVER, Stage.GAME_OVER)


def view(state: State, viewer: Seat, *, over: bool = False) -> View:
    """Return the game as a viewer may see it; nothing is hidden after the hand."""
    revealed = over or state.stage in ENDED_STAGES
    players = [
        _player(state, seat, show_concealed=revealed or seat == viewer, over=revealed) for seat in SEATS
    ]
    return View(
        state.stage,
        state.turn,
        state.deal.dealer,
        (players[0], players[1], players[2], players[3]),
        state.deal.number,
        state.deal.label,
        state.deal.round_wind,
        state.deal.streak,
        state.seating,
        state.choosing,
        state.opening,
        state.back - state.front,
        drawable(state),
        state.claim_window,
        _claimable_tile(state, viewer, over=revealed),
        tuple([seat for seat in SEATS if state.answers[seat] is not None]),
        state.last_discard,
        state.discarder,
        private_view(state, viewer),
        state.result,
        commitment(state.seed) if state.seed else "",
        state.seed.hex() if revealed else "",
        state.wall if revealed else (),
        state.hands if revealed else (),
        state.best if revealed else None,
    )


def _claimable_tile(state: State, viewer: Seat, *, over: bool) -> int | None:
    """Return the claimable tile; that of a concealed kong only for its owner and seats that may rob it."""
    if over or not is_concealed_kong_window(state) or viewer == state.turn:
        return state.tile
    return state.tile if viewer in SEATS and allowed_claims(state, viewer).hu else None


def _player(state: State, seat: Seat, *, show_concealed: bool, over: bool) -> Player:
    seat_tiles = state.seat_tiles[seat]
    return Player(
        seat_wind(state, seat),
        state.scores[seat],
        len(seat_tiles.tiles),
        seat_tiles.tiles if over else (),
        tuple(
            [
                meld if show_concealed or meld.form is not Form.CONCEALED else Meld(meld.form)
                for meld in seat_tiles.melds
            ]
        ),
        seat_tiles.flowers,
        seat_tiles.discards,
        seat_tiles.ready_flag is not None,
    )


def private_view(state: State, seat: Seat) -> PrivateView | None:
    """Return what only this seat may see; None for spectators and before a deal."""
    if seat not in SEATS or not state.wall:
        return None
    seat_tiles = state.seat_tiles[seat]
    hints = None if state.stage in ENDED_STAGES else hints_for(state, seat)
    if state.stage is Stage.DISCARDING and state.turn == seat:
        drawn = state.drawn
        kongs_by_kind = {KIND_OF[tile]: tile for tile in reversed(turns.possible_kongs(state, seat))}
        return PrivateView(
            seat_tiles.tiles if drawn is None else without_tiles(seat_tiles.tiles, drawn),
            drawn,
            hand_end.may_win(state, seat),
            kongs=tuple(sorted(kongs_by_kind.values())),
            barred=turns.barred_tiles(state, seat),
            readies=turns.ready_discards(state, seat),
            passed=seat_tiles.passed_win,
            hints=hints,
        )
    if state.stage is Stage.CLAIMING and seat in claimants(state):
        allowed = allowed_claims(state, seat)
        return PrivateView(
            seat_tiles.tiles,
            None,
            allowed.hu,
            allowed.pong,
            allowed.kong,
            chow_choices(state, seat, allowed),
            answer=state.answers[seat],
            passed=seat_tiles.passed_win,
            hints=hints,
        )
    return PrivateView(seat_tiles.tiles, passed=seat_tiles.passed_win, hints=hints)


def hand_started(state: State) -> list[AddressedEvent]:
    """Return the events of the start of a hand: the whole position for each viewer."""
    return [AddressedEvent(HandStarted(view(state, viewer)), (viewer,)) for viewer in VIEWERS]


def hand_ended(state: State) -> list[AddressedEvent]:
    """Return the events of the end of a hand: the whole position for each viewer."""
    return [AddressedEvent(HandEnded(view(state, viewer)), (viewer,)) for viewer in VIEWERS]


def turn_events(before: State, state: State) -> Sequence[AddressedEvent]:
    """Return what the table waits for now, and each private view that has changed."""
    concealed = is_concealed_kong_window(state)
    events: list[AddressedEvent] = []
    for viewer in VIEWERS if concealed else VIEWERS[:1]:
        event = TurnChanged(
            state.stage,
            state.turn,
            state.back - state.front,
            drawable(state),
            state.claim_window,
            _claimable_tile(state, viewer, over=False),
        )
        events.append(AddressedEvent(event, (viewer,) if concealed else None))
    for seat in SEATS:
        changed = private_view(state, seat)
        if changed is not None and _differs(changed, before, seat):
            events.append(AddressedEvent(PrivateViewChanged(changed), (seat,)))
    return events


def _differs(changed: PrivateView, before: State, seat: Seat) -> bool:
    """Tell whether a seat saw something else before. Its old view is costly, and often one field tells."""
    if before.answers[seat] != changed.answer and before.stage is Stage.CLAIMING:
        return True
    if before.drawn != changed.drawn and before.stage is Stage.DISCARDING and before.turn == seat:
        return True
    return changed != private_view(before, seat)
