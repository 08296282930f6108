"""A position after what has happened: what a viewer was shown, and every event that he was told since."""

from typing import Any, Final

from msgspec.structs import replace

from qipai.games.mahjong.wire_types import (
    ClaimAnswered,
    DiceRolled,
    Discarded,
    DiscardedTile,
    Drew,
    Form,
    HandEnded,
    HandStarted,
    Melded,
    Player,
    PrivateViewChanged,
    TurnChanged,
    View,
)
from qipai.kernel.ids import Seat
from qipai.kernel.room_events import GameStarted, SecretsRevealed

_USED: Final = {Form.CHOW: 2, Form.PONG: 2, Form.KONG: 3, Form.CONCEALED: 4, Form.ADDED: 1}
"""Tiles of the hand that go into a set."""


def after(view: View, event: Any) -> View:
    """Return the position after an event; what is no part of it leaves it as it is."""
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
        case PrivateViewChanged(own):
            return replace(view, private=own)
        case ClaimAnswered(seat, vote):
            mine = (
                view.private if vote is None or view.private is None else replace(view.private, answer=vote)
            )
            return replace(view, private=mine, answered=tuple(sorted({*view.answered, seat})))
        case Discarded():
            return _discarded(view, event)
        case Drew(seat, _, flowers):
            player = view.players[seat]
            drawn = 0 if event.empty or event.waiting else 1
            return _with(view, seat, count=player.count + drawn, flowers=(*player.flowers, *flowers))
        case Melded():
            return _melded(view, event)
        case DiceRolled(dice, None):
            return replace(view, seating=dice)
        case DiceRolled(dice, int(dealer)):
            return replace(view, choosing=dice, dealer=Seat(dealer))
    return view


def _with(view: View, seat: Seat, **changes: Any) -> View:
    players: list[Player] = [*view.players]
    players[seat] = replace(players[seat], **changes)
    return replace(view, players=(players[0], players[1], players[2], players[3]))


def _discarded(view: View, event: Discarded) -> View:
    seat, tile = event.seat, event.tile
    player = view.players[seat]
    put = _with(
        view,
        seat,
        count=player.count - 1,
        discards=(*player.discards, DiscardedTile(tile)),
        ready=player.ready or event.ready,
    )
    return replace(put, last=tile, discarder=seat)


def _melded(view: View, event: Melded) -> View:
    seat, laid = event.seat, event.meld
    player = view.players[seat]
    sets = (*player.melds[: event.place], laid, *player.melds[event.place + 1 :])
    view = _with(view, seat, melds=sets, count=player.count - _USED[laid.form])
    if laid.source is None or laid.taken is None or laid.form is Form.ADDED:
        return view
    discards = view.players[laid.source].discards
    return _with(view, laid.source, discards=(*discards[:-1], DiscardedTile(laid.taken, seat)))
