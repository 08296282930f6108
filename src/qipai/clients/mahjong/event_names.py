"""What a change is called in the event that everybody in the game is told."""

from typing import Any

from qipai.games.mahjong.wire_types import (
    ClaimAnswered,
    DiceRolled,
    Discarded,
    Drew,
    HandEnded,
    HandStarted,
    Melded,
    Stage,
)
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

Event = dict[str, Any]
_CLAIMS = {1: "chow", 2: "pong", 3: "kong", 4: "kong", 5: "kong"}


def news(notice: RoomEvents) -> Event:
    """Return one event: what was done first of all, and `then` what came of it."""
    found = [event for each in notice.events if (event := _event(each)) is not None]
    sat = [event for event in found if event["type"] == "join_room"]
    rest = [event for event in found if event["type"] != "join_room"]
    if rest and rest[0]["type"] == "round_over" and (win := _self_drawn(notice)) is not None:
        rest.insert(0, win)
    if notice.seat is None and not sat and any(event["type"] in _MOVES for event in rest):
        return {"type": "timeout", "then": rest}
    ordered = [*rest, *sat] or [{"type": "update"}]
    return {**ordered[0], "then": ordered[1:]} if len(ordered) > 1 else ordered[0]


_MOVES = frozenset(
    {"roll_positions", "roll_dealer", "deal_tiles", "discard_tile", "player_action", "draw_tile"}
)


def _event(event: Any) -> Event | None:
    match event:
        case Discarded():
            tile = {
                "tile": outgoing_messages.tile(event.tile),
                "tile_name": outgoing_messages.name(event.tile),
            }
            return {"type": "discard_tile", "player_id": event.seat + 1, **tile}
        case ClaimAnswered():
            return {"type": "player_action", "player_id": event.seat + 1}
        case Drew():
            flowers = outgoing_messages.tiles(event.flowers)
            return {"type": "draw_tile", "player_id": event.seat + 1, "flowers_drawn": flowers}
        case Melded():
            action = _CLAIMS[outgoing_messages.MELDS[event.meld.form]]
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
            return _presence(event)


def _presence(event: Any) -> Event | None:
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


def _self_drawn(notice: RoomEvents) -> Event | None:
    """Return the win that ended a hand in its winner's own turn, if that is how it ended."""
    for event in notice.events:
        if isinstance(event, HandEnded) and event.position.result is not None:
            for winner in event.position.result.winners:
                if winner.drawn:
                    return {"type": "player_action", "player_id": winner.seat + 1, "action": "hu"}
    return None
