"""Applies events to the position that a viewer was shown."""

from typing import Any, Final

from msgspec.structs import replace

from qipai.games.mahjong.events import (
    ClaimAnswered,
    DiceRolled,
    Discarded,
    Drew,
    HandEnded,
    HandStarted,
    Melded,
    PrivateViewChanged,
    TurnChanged,
)
from qipai.games.mahjong.wire_types import DiscardedTile, Form, Player, View
from qipai.kernel.ids import Seat
from qipai.kernel.room_events import GameStarted, SecretsRevealed

_TILES_FROM_HAND: Final = {Form.CHOW: 2, Form.PONG: 2, Form.KONG: 3, Form.CONCEALED: 4, Form.ADDED: 1}
"""Tiles of the hand that go into a meld."""


def apply_event(view: View, event: Any) -> View:
    """Return the position after an event; events about other things leave it unchanged."""
    match event:
        case GameStarted() | SecretsRevealed() | HandStarted() | HandEnded():
            position: View = event.position
            return position
        case TurnChanged():
            return replace(
                view,
                stage=event.stage,
                turn=event.turn,
                left=event.left,
                drawable=event.drawable,
                claim_window=event.claim_window,
                tile=event.tile,
                answered=(),
            )
        case PrivateViewChanged(private):
            return replace(view, private=private)
        case ClaimAnswered(seat, answer):
            own = view.private
            if own is not None and answer is not None:
                own = replace(own, answer=answer)
            return replace(view, private=own, answered=tuple(sorted({*view.answered, seat})))
        case Discarded():
            return _apply_discard(view, event)
        case Drew(seat, _, flowers):
            player = view.players[seat]
            drawn = 0 if event.empty or event.waiting else 1
            return _with_player(view, seat, count=player.count + drawn, flowers=(*player.flowers, *flowers))
        case Melded():
            return _apply_meld(view, event)
        case DiceRolled(dice, None):
            return replace(view, seating=dice)
        case DiceRolled(dice, int(dealer)):
            return replace(view, choosing=dice, dealer=Seat(dealer))
    return view


def _with_player(view: View, seat: Seat, **changes: Any) -> View:
    players: list[Player] = [*view.players]
    players[seat] = replace(players[seat], **changes)
    return replace(view, players=(players[0], players[1], players[2], players[3]))


def _apply_discard(view: View, event: Discarded) -> View:
    seat, tile = event.seat, event.tile
    player = view.players[seat]
    discarded = _with_player(
        view,
        seat,
        count=player.count - 1,
        discards=(*player.discards, DiscardedTile(tile)),
        ready=player.ready or event.ready,
    )
    return replace(discarded, last=tile, discarder=seat)


def _apply_meld(view: View, event: Melded) -> View:
    seat, meld = event.seat, event.meld
    player = view.players[seat]
    melds = (*player.melds[: event.place], meld, *player.melds[event.place + 1 :])
    view = _with_player(view, seat, melds=melds, count=player.count - _TILES_FROM_HAND[meld.form])
    if meld.source is None or meld.taken is None or meld.form is Form.ADDED:
        return view
    discards = view.players[meld.source].discards
    return _with_player(view, meld.source, discards=(*discards[:-1], DiscardedTile(meld.taken, seat)))
