"""Builds every frame that mahjong clients receive; names of tiles and rounds."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from qipai.games.mahjong.tiles import FACES, NAMES, TILES, kind_of
from qipai.games.mahjong.wire_types import ClaimWindow, Form, Stage

from .errors import FORMAT, ClientError
from .incoming_messages import Request, RequestType

encode: Final = msgspec.json.Encoder().encode

STAGES: Final[Mapping[Stage, str]] = {
    Stage.SEATING: "WAITING_PLAYERS",
    Stage.CHOOSING: "DETERMINE_DEALER",
    Stage.DEALING: "DEALING",
    Stage.DRAWING: "PLAYER_DRAW",
    Stage.DISCARDING: "PLAYER_DISCARD",
    Stage.CLAIMING: "WAIT_ACTION",
    Stage.HAND_OVER: "ROUND_OVER",
    Stage.GAME_OVER: "GAME_OVER",
}
WINDOWS: Final[Mapping[ClaimWindow, str | None]] = {
    ClaimWindow.DISCARD: None,
    ClaimWindow.KONG: "rob_kong",
    ClaimWindow.FLOWER: "rob_flower",
}
MELDS: Final = {form: tile_id for tile_id, form in enumerate(Form, 1)}
"""Numbers of melds: 1 chow, 2 pong, 3 exposed kong, 4 concealed kong, 5 added kong."""
WINDS: Final = "東南西北"
FINISHED: Final = "一將結束（北風北已完成）"
STARTED: Final = "遊戲初始化完成，等待進入 WebSocket 進行後續階段"
MESSAGES: Final[Mapping[RequestType, str]] = {
    RequestType.POSITIONS: "座位決定完成",
    RequestType.DEALER: "莊家決定完成",
    RequestType.DEAL: "發牌完成，已理牌",
    RequestType.DISCARD: "出牌成功，等待其他玩家動作",
    RequestType.ACTION: "動作宣告成功",
    RequestType.DRAW: "摸牌成功",
    RequestType.NEXT: "已進入下一局，等待發牌",
    RequestType.JOIN: "已加入房間",
    RequestType.SORT: "理牌完成",
}
MALFORMED: Final = encode({"type": "error", "error": FORMAT})

_TILES: Final = tuple(
    dict(zip(("id", "type", "value"), (tile, *FACES[kind_of(tile)]), strict=True)) for tile in range(TILES)
)
_NAMES: Final = tuple(NAMES[kind_of(tile)] for tile in range(TILES))


def tile(tile_id: int | None) -> dict[str, int] | None:
    """Return a tile as clients know it; the dict is shared and must not be changed."""
    return None if tile_id is None else _TILES[tile_id]


def tiles(tile_ids: Sequence[int]) -> list[dict[str, int]]:
    """Return tiles as clients know them."""
    return [_TILES[tile_id] for tile_id in tile_ids]


def tile_name(tile_id: int | None) -> str | None:
    """Return the name of a tile."""
    return None if tile_id is None else _NAMES[tile_id]


def tile_names(tile_ids: Sequence[int]) -> list[str]:
    """Return the names of tiles."""
    return [_NAMES[tile_id] for tile_id in tile_ids]


def dice(values: Sequence[int]) -> dict[str, int] | None:
    """Return dice and their total, or None before the roll."""
    if not values:
        return None
    return {**{f"die{tile_id}": die for tile_id, die in enumerate(values, 1)}, "total": sum(values)}


def round_fields(hand_number: int) -> dict[str, Any]:
    """Return the names of a hand: 東風東 is 1-1 and the first of sixteen."""
    wind, hand = divmod(hand_number, 4)
    return {
        "round": f"{WINDS[wind]}風{WINDS[hand]}",
        "round_code": f"{wind + 1}-{hand + 1}",
        "round_number": hand_number + 1,
    }


def reply(request: Request, data: dict[str, Any], message: str | None = None) -> bytes:
    """Return the reply to a request that succeeded."""
    frame: dict[str, Any] = {"type": f"{request.type}_response"}
    if message is not None:
        frame["message"] = message
    return encode(_echo(request, {**frame, "data": data}))


def error_reply(request: Request, error: ClientError) -> bytes:
    """Return the reply to a request that was refused."""
    frame = {"type": f"{request.type}_response", "error": error.text, "code": error.code, **error.fields}
    return encode(_echo(request, frame))


def event(tile_id: int, fields: dict[str, Any], state: dict[str, Any]) -> bytes:
    """Return the event that reports a step to everybody in the game."""
    return encode({"type": "event", "seq": tile_id, "event": fields, "data": state})


def _echo(request: Request, frame: dict[str, Any]) -> dict[str, Any]:
    return frame if request.req_id is None else {**frame, "req_id": request.req_id}
