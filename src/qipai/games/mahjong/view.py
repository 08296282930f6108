"""What each viewer is shown and told; built for him from nothing."""

from collections.abc import Sequence
from typing import Final

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import commitment

from . import hand_end, turns
from .claims import chow_choices, claimants, claims, is_concealed
from .hints import hints
from .private_events import VIEWERS
from .state import KIND, SEATS, State, drawable, wind_of, without
from .wire_types import (
    Form,
    HandEnded,
    HandStarted,
    Meld,
    Player,
    PrivateView,
    PrivateViewChanged,
    Stage,
    TurnChanged,
    View,
)

ENDED: Final = (Stage.HAND_OVER, Stage.GAME_OVER)


def view(state: State, viewer: Seat, *, over: bool = False) -> View:
    """Return the game as a viewer may see it; nothing is hidden once the hand is over."""
    shown = over or state.stage in ENDED
    players = [_player(state, seat, shown=shown or seat == viewer, over=shown) for seat in SEATS]
    return View(
        state.stage,
        state.turn,
        state.deal.dealer,
        (players[0], players[1], players[2], players[3]),
        state.deal.place,
        state.deal.code,
        state.deal.round_wind,
        state.deal.streak,
        state.seating,
        state.choosing,
        state.opening,
        state.back - state.front,
        drawable(state),
        state.window,
        _claimable(state, viewer, over=shown),
        tuple([seat for seat in SEATS if state.votes[seat] is not None]),
        state.last,
        state.dropper,
        own(state, viewer),
        state.result,
        commitment(state.seed) if state.seed else "",
        state.seed.hex() if shown else "",
        state.wall if shown else (),
    )


def _claimable(state: State, viewer: Seat, *, over: bool) -> int | None:
    """Return the tile of the window; of a concealed kong its owner and whoever may rob it know it."""
    if over or not is_concealed(state) or viewer == state.turn:
        return state.tile
    return state.tile if viewer in SEATS and claims(state, viewer).hu else None


def _player(state: State, seat: Seat, *, shown: bool, over: bool) -> Player:
    holding = state.holdings[seat]
    return Player(
        wind_of(state, seat),
        state.scores[seat],
        len(holding.tiles),
        holding.tiles if over else (),
        tuple([one if shown or one.form is not Form.CONCEALED else Meld(one.form) for one in holding.sets]),
        holding.flowers,
        holding.discards,
        holding.ready is not None,
    )


def own(state: State, seat: Seat) -> PrivateView | None:
    """Return what only a seat itself may see; nothing for watchers, nor before a deal."""
    if seat not in SEATS or not state.wall:
        return None
    holding = state.holdings[seat]
    lacks = None if state.stage in ENDED else hints(state, seat)
    if state.stage is Stage.DISCARDING and state.turn == seat:
        drawn = state.drawn
        kinds = {KIND[tile]: tile for tile in reversed(turns.kongs_of(state, seat))}
        return PrivateView(
            holding.tiles if drawn is None else without(holding.tiles, drawn),
            drawn,
            hand_end.may_hu(state, seat),
            kongs=tuple(sorted(kinds.values())),
            barred=turns.barred(state, seat),
            readies=turns.readies(state, seat),
            passed=holding.passed,
            hints=lacks,
        )
    if state.stage is Stage.CLAIMING and seat in claimants(state):
        may = claims(state, seat)
        return PrivateView(
            holding.tiles,
            None,
            may.hu,
            may.pong,
            may.kong,
            chow_choices(state, seat) if may.chows else (),
            answer=state.votes[seat],
            passed=holding.passed,
            hints=lacks,
        )
    return PrivateView(holding.tiles, passed=holding.passed, hints=lacks)


def began(state: State) -> list[AddressedEvent]:
    """Return the whole position for each viewer, as a hand begins."""
    return [AddressedEvent(HandStarted(view(state, viewer)), (viewer,)) for viewer in VIEWERS]


def ended(state: State) -> list[AddressedEvent]:
    """Return the whole position for each viewer, as a hand is over."""
    return [AddressedEvent(HandEnded(view(state, viewer)), (viewer,)) for viewer in VIEWERS]


def turned(before: State, state: State) -> Sequence[AddressedEvent]:
    """Return what the table waits for now, and to each seat its own part where that has changed."""
    hidden = is_concealed(state)
    found: list[AddressedEvent] = []
    for viewer in VIEWERS if hidden else VIEWERS[:1]:
        event = TurnChanged(
            state.stage,
            state.turn,
            state.back - state.front,
            drawable(state),
            state.window,
            _claimable(state, viewer, over=False),
        )
        found.append(AddressedEvent(event, (viewer,) if hidden else None))
    for seat in SEATS:
        now = own(state, seat)
        if now is not None and now != own(before, seat):
            found.append(AddressedEvent(PrivateViewChanged(now), (seat,)))
    return found
