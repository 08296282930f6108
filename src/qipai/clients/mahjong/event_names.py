"""Chooses the name and fields of the event that reports a change to everybody in the game."""

from typing import Any

from qipai.games.mahjong.events import (
    ClaimAnswered,
    DiceRolled,
    Discarded,
    Drew,
    HandEnded,
    HandStarted,
    Melded,
)
from qipai.games.mahjong.wire_types import Stage
from qipai.kernel.room_events import (
    Closed,
    Disconnected,
    GameOver,
    OutageEnded,
    Reconnected,
    SeatLeft,
    SeatTaken,
)
from qipai.protocol.notices import RoomEvents

from . import outgoing_messages

EventFields = dict[str, Any]
_CLAIM_NAMES = {1: "chow", 2: "pong", 3: "kong", 4: "kong", 5: "kong"}


def describe(notice: RoomEvents) -> EventFields:
    """Return one event: the first thing that happened, and in `then` what followed from it."""
    described = [event for each in notice.events if (event := _describe(each)) is not None]
    joins = [event for event in described if event["type"] == "join_room"]
    others = [event for event in described if event["type"] != "join_room"]
    if others and others[0]["type"] == "round_over" and (win := _self_drawn_win(notice)) is not None:
        others.insert(0, win)
    if notice.seat is None and not joins and any(event["type"] in _MOVE_EVENTS for event in others):
        return {"type": "timeout", "then": others}
    ordered = [*others, *joins] or [{"type": "update"}]
    return {**ordered[0], "then": ordered[1:]} if len(ordered) > 1 else ordered[0]


_MOVE_EVENTS = frozenset(
    {"roll_positions", "roll_dealer", "deal_tiles", "discard_tile", "player_action", "draw_tile"}
)


def _describe(event: Any) -> EventFields | None:
    match event:
        case Discarded():
            tile = {
                "tile": outgoing_messages.tile(event.tile),
                "tile_name": outgoing_messages.tile_name(event.tile),
            }
            return {"type": "discard_tile", "player_id": event.seat + 1, **tile}
        case ClaimAnswered():
            return {"type": "player_action", "player_id": event.seat + 1}
        case Drew():
            flowers = outgoing_messages.tiles(event.flowers)
            return {"type": "draw_tile", "player_id": event.seat + 1, "flowers_drawn": flowers}
        case Melded():
            action = _CLAIM_NAMES[outgoing_messages.MELDS[event.meld.form]]
            return {"type": "player_action", "player_id": event.seat + 1, "action": action}
        case DiceRolled(dice, None):
            return {"type": "roll_positions", "dice": outgoing_messages.dice(dice)}
        case DiceRolled(dice, int(dealer)):
            return {
                "type": "roll_dealer",
                "dice": outgoing_messages.dice(dice),
                "dealer_player_id": dealer + 1,
            }
        case HandStarted(position):
            return {"type": "next_round" if position.stage is Stage.DEALING else "deal_tiles"}
        case HandEnded(position):
            over = position.stage is Stage.GAME_OVER
            return {"type": "next_round", "finished": True} if over else {"type": "round_over"}
        case GameOver(reason=reason):
            return None if reason == "finished" else {"type": "game_over", "reason": reason}
        case _:
            return _describe_presence(event)


def _describe_presence(event: Any) -> EventFields | None:
    match event:
        case SeatTaken(bot=""):
            return {"type": "join_room", "player_id": event.seat + 1}
        case SeatTaken() | SeatLeft():
            return {"type": "player_left", "player_id": event.seat + 1}
        case Disconnected():
            return {"type": "player_away", "player_id": event.seat + 1}
        case Reconnected():
            return {"type": "player_back", "player_id": event.seat + 1}
        case OutageEnded():
            return {"type": "server_resumed"}
        case Closed():
            return {"type": "room_closed"}
        case _:
            return None


def _self_drawn_win(notice: RoomEvents) -> EventFields | None:
    """Return the event of a win in the winner's own turn, None if the hand ended otherwise."""
    for event in notice.events:
        if isinstance(event, HandEnded) and event.position.result is not None:
            for winner in event.position.result.winners:
                if winner.drawn:
                    return {"type": "player_action", "player_id": winner.seat + 1, "action": "hu"}
    return None
