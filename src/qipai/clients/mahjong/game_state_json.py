"""JSON of the game state, hands and results, limited to what the seats of a socket may see."""

from typing import Any

from qipai.games.mahjong.wire_types import DiscardedTile, Meld, Player, PrivateView, Result, Stage, View
from qipai.kernel.ids import Seat

from . import outgoing_messages
from .client_game import ClientGame

Fields = dict[str, Any]


def game_state(game: ClientGame) -> Fields:
    """Return the whole state, as `get_state` replies it."""
    view = game.view
    discarder = view.discarder
    fields = {
        "game_id": game.room,
        "stage": outgoing_messages.STAGES[view.stage],
        **outgoing_messages.round_fields(view.place),
        "current_player_id": current_player_id(view),
        **dealer_fields(view),
        "dice": outgoing_messages.dice(view.opening or view.choosing or view.seating),
        "is_started": view.stage is not Stage.SEATING,
        "is_finished": view.stage is Stage.GAME_OVER,
        "deck_remaining": view.left,
        "last_discard_tile": outgoing_messages.tile(view.last),
        "last_discard_player_id": 0 if discarder is None else discarder + 1,
        "players": players(game),
        "waiting_for": waiting_for(view),
        "legal_actions": {str(seat + 1): legal_actions(game.views[seat], seat) for seat in game.seats},
        "window": outgoing_messages.WINDOWS[view.claim_window] if view.stage is Stage.CLAIMING else None,
        "deadline": game.deadline,
        "seq": game.sequence_number,
        "commitment": view.commitment,
    }
    if view.result is not None:
        fields["result"] = result_fields(view.result, view)
    return fields


def current_player_id(view: View) -> int:
    """Return the number of the player whose turn it is; 0 before there is a dealer."""
    return 0 if view.stage in (Stage.SEATING, Stage.CHOOSING) else view.turn + 1


def dealer_fields(view: View) -> Fields:
    """Return the dealer and how often the dealer has stayed; 0 and "" before the dealer is chosen."""
    chosen = bool(view.choosing)
    return {
        "dealer_player_id": view.dealer + 1 if chosen else 0,
        "dealer_player": f"player{view.dealer + 1}" if chosen else "",
        "dealer_streak": view.streak,
    }


def waiting_for(view: View) -> list[int]:
    """Return the players who have not answered a claim window; who of them could claim stays hidden."""
    if view.stage is not Stage.CLAIMING:
        return []
    return sorted(seat + 1 for seat in claimants(view) if seat not in view.answered)


def claimants(view: View) -> list[Seat]:
    """Return the seats that are asked in a claim window.

    These are all other seats; for a flower, those that lack only this one.
    """
    others = [Seat((view.turn + steps) % 4) for steps in (1, 2, 3)]
    if outgoing_messages.WINDOWS[view.claim_window] != "rob_flower":
        return others
    return [seat for seat in others if len(view.players[seat].flowers) == 7]


def legal_actions(view: View, seat: Seat) -> list[str]:
    """Return what a seat may do now."""
    private = view.private
    if private is None:
        return []
    if view.stage is Stage.CLAIMING and seat in claimants(view):
        return ["pass", *_possible_claims(private)]
    if view.turn != seat:
        return []
    if view.stage is Stage.DRAWING:
        return ["draw"]
    if view.stage is Stage.DISCARDING:
        return ["discard", *(["kong"] if private.kongs else []), *(["hu"] if private.hu else [])]
    return []


def _possible_claims(private: PrivateView) -> list[str]:
    possible = {"chow": bool(private.chows), "pong": private.pong, "kong": private.kong, "hu": private.hu}
    return [claim for claim, allowed in possible.items() if allowed]


# Hands


def players(game: ClientGame) -> Fields:
    """Return all four players, with tiles only of this socket's seats, or of all once the hand is over."""
    return {f"player{seat + 1}": _player(game, Seat(seat)) for seat in range(4)}


def _player(game: ClientGame, seat: Seat) -> Fields:
    player = game.views.get(seat, game.view).players[seat]
    tiles = visible_tiles(game, seat)
    return {
        "count": player.count,
        "tiles": outgoing_messages.tiles(tiles),
        "tile_names": outgoing_messages.tile_names(tiles),
        "melds": [_meld(meld) for meld in player.melds],
        "flowers": outgoing_messages.tiles(player.flowers),
        "discards": [_discard(discarded) for discarded in player.discards],
        "score": player.score,
    }


def visible_tiles(game: ClientGame, seat: Seat) -> tuple[int, ...]:
    """Return the tiles of a seat by type, value and id, as far as this socket may see them."""
    private: PrivateView | None = None
    if seat in game.views:
        private = game.views[seat].private
    player: Player = game.view.players[seat]
    if private is None or player.tiles:
        return player.tiles
    return private.tiles if private.drawn is None else tuple(sorted((*private.tiles, private.drawn)))


def _meld(meld: Meld) -> Fields:
    source = None if meld.source is None else meld.source + 1
    return {
        "type": outgoing_messages.MELDS[meld.form],
        "tiles": outgoing_messages.tiles(meld.tiles),
        "from": source,
    }


def _discard(discarded: DiscardedTile) -> Fields:
    (fields,) = outgoing_messages.tiles((discarded.tile,))
    return fields if discarded.by is None else {**fields, "claimed_by": discarded.by + 1}


# The end of a hand


def result_fields(result: Result, view: View) -> Fields:
    """Return how a hand ended, and the scores."""
    return {
        "type": "hu" if result.winners else "draw",
        "winners": [
            {
                "player_id": winner.seat + 1,
                "tai": winner.tai,
                "patterns": {pattern.name: pattern.tai for pattern in winner.patterns},
                "hand": outgoing_messages.tiles(winner.hand),
                "win": outgoing_messages.tile(winner.win),
                "self_drawn": winner.drawn,
            }
            for winner in result.winners
        ],
        "payer": None if result.payer is None else result.payer + 1,
        "delta": {str(player_id): change for player_id, change in enumerate(result.delta, 1)},
        "scores": {str(player_id): player.score for player_id, player in enumerate(view.players, 1)},
    }
