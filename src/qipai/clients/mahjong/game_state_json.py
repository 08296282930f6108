"""What clients are shown of a game: hands, the whole state, results; never more than their own seats see."""

from typing import Any

from qipai.games.mahjong.wire_types import DiscardedTile, Meld, Player, PrivateView, Result, Stage, View
from qipai.kernel.ids import Seat

from . import outgoing_messages
from .client_game import ClientGame

Shape = dict[str, Any]


def state(sitting: ClientGame) -> Shape:
    """Return the whole state, as `get_state` gives it."""
    view = sitting.view
    dropper = view.discarder
    shape = {
        "game_id": sitting.room,
        "stage": outgoing_messages.STAGES[view.stage],
        **outgoing_messages.round_of(view.place),
        "current_player_id": current(view),
        **dealer(view),
        "dice": outgoing_messages.dice(view.opening or view.choosing or view.seating),
        "is_started": view.stage is not Stage.SEATING,
        "is_finished": view.stage is Stage.GAME_OVER,
        "deck_remaining": view.left,
        "last_discard_tile": outgoing_messages.tile(view.last),
        "last_discard_player_id": 0 if dropper is None else dropper + 1,
        "players": players(sitting),
        "waiting_for": waiting_for(view),
        "legal_actions": {str(seat + 1): legal(sitting.views[seat], seat) for seat in sitting.seats},
        "window": outgoing_messages.WINDOWS[view.claim_window] if view.stage is Stage.CLAIMING else None,
        "deadline": sitting.deadline,
        "seq": sitting.number,
        "commitment": view.commitment,
    }
    if view.result is not None:
        shape["result"] = result(view.result, view)
    return shape


def current(view: View) -> int:
    """Return whose turn it is, 0 before there is a dealer."""
    return 0 if view.stage in (Stage.SEATING, Stage.CHOOSING) else view.turn + 1


def dealer(view: View) -> Shape:
    """Return who deals and how often he has stayed; 0 and no name before it is thrown for."""
    known = bool(view.choosing)
    return {
        "dealer_player_id": view.dealer + 1 if known else 0,
        "dealer_player": f"player{view.dealer + 1}" if known else "",
        "dealer_streak": view.streak,
    }


def waiting_for(view: View) -> list[int]:
    """Return who has not answered a claim yet; who of them could claim is nobody's business."""
    if view.stage is not Stage.CLAIMING:
        return []
    return sorted(seat + 1 for seat in claimants(view) if seat not in view.answered)


def claimants(view: View) -> list[Seat]:
    """Return who is asked: all others, and of a flower whoever lacks only this one."""
    others = [Seat((view.turn + steps) % 4) for steps in (1, 2, 3)]
    if outgoing_messages.WINDOWS[view.claim_window] != "rob_flower":
        return others
    return [seat for seat in others if len(view.players[seat].flowers) == 7]


def legal(view: View, seat: Seat) -> list[str]:
    """Return what a seat may do now."""
    own = view.private
    if own is None:
        return []
    if view.stage is Stage.CLAIMING and seat in claimants(view):
        return ["pass", *_claims(own)]
    if view.turn != seat:
        return []
    if view.stage is Stage.DRAWING:
        return ["draw"]
    if view.stage is Stage.DISCARDING:
        return ["discard", *(["kong"] if own.kongs else []), *(["hu"] if own.hu else [])]
    return []


def _claims(own: PrivateView) -> list[str]:
    may = {"chow": bool(own.chows), "pong": own.pong, "kong": own.kong, "hu": own.hu}
    return [claim for claim, allowed in may.items() if allowed]


# Hands


def players(sitting: ClientGame) -> Shape:
    """Return all four players; tiles only of the seats that are this socket's, or of all once it is over."""
    return {f"player{seat + 1}": _player(sitting, Seat(seat)) for seat in range(4)}


def _player(sitting: ClientGame, seat: Seat) -> Shape:
    player = sitting.views.get(seat, sitting.view).players[seat]
    tiles = hand(sitting, seat)
    return {
        "count": player.count,
        "tiles": outgoing_messages.tiles(tiles),
        "tile_names": outgoing_messages.names(tiles),
        "melds": [_meld(laid) for laid in player.melds],
        "flowers": outgoing_messages.tiles(player.flowers),
        "discards": [_discard(dropped) for dropped in player.discards],
        "score": player.score,
    }


def hand(sitting: ClientGame, seat: Seat) -> tuple[int, ...]:
    """Return a seat's tiles by type, value and id, as far as this socket may see them."""
    own: PrivateView | None = None
    if seat in sitting.views:
        own = sitting.views[seat].private
    player: Player = sitting.view.players[seat]
    if own is None or player.tiles:
        return player.tiles
    return own.tiles if own.drawn is None else tuple(sorted((*own.tiles, own.drawn)))


def _meld(laid: Meld) -> Shape:
    source = None if laid.source is None else laid.source + 1
    return {
        "type": outgoing_messages.MELDS[laid.form],
        "tiles": outgoing_messages.tiles(laid.tiles),
        "from": source,
    }


def _discard(dropped: DiscardedTile) -> Shape:
    (shape,) = outgoing_messages.tiles((dropped.tile,))
    return shape if dropped.by is None else {**shape, "claimed_by": dropped.by + 1}


# The end of a hand


def result(ended: Result, view: View) -> Shape:
    """Return how a hand ended, and what everybody has now."""
    return {
        "type": "hu" if ended.winners else "draw",
        "winners": [
            {
                "player_id": winner.seat + 1,
                "tai": winner.tai,
                "patterns": {pattern.name: pattern.tai for pattern in winner.patterns},
                "hand": outgoing_messages.tiles(winner.hand),
                "win": outgoing_messages.tile(winner.win),
                "self_drawn": winner.drawn,
            }
            for winner in ended.winners
        ],
        "payer": None if ended.payer is None else ended.payer + 1,
        "delta": {str(number): change for number, change in enumerate(ended.delta, 1)},
        "scores": {str(number): player.score for number, player in enumerate(view.players, 1)},
    }
