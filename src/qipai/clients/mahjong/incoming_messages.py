"""What a client may ask: the envelope of one frame, in all the forms that clients have."""

from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from qipai.games.mahjong.tiles import FACES, TILES, kind_of
from qipai.kernel.codec import MAX_DEPTH, nesting_depth
from qipai.kernel.ids import Seat

from . import errors
from .errors import ClientError

Fields = dict[str, Any]

MAX_ID: Final = 64
"""Letters of a `game_id` or `req_id` that mean anything."""
SEATS: Final = 4


class RequestType(StrEnum):
    """The commands that are known."""

    POSITIONS = "roll_positions"
    DEALER = "roll_dealer"
    DEAL = "deal_tiles"
    DISCARD = "discard_tile"
    ACTION = "player_action"
    DRAW = "draw_tile"
    NEXT = "next_round"
    JOIN = "join_room"
    STATE = "get_state"
    HANDS = "get_hands"
    COUNT = "get_deck_count"
    SORT = "sort_hand"
    VERIFY = "verify_wall"


ASKS: Final = {ask.value: ask for ask in RequestType}
READS: Final = frozenset(
    {RequestType.STATE, RequestType.HANDS, RequestType.COUNT, RequestType.SORT, RequestType.VERIFY}
)
"""What changes nothing, and may be asked by anybody."""
SEATED: Final = frozenset({RequestType.DISCARD, RequestType.ACTION, RequestType.DRAW})
"""What a seat does; its answer shows nothing that another seat may not see."""
OPEN: Final = frozenset({RequestType.POSITIONS, RequestType.DEALER, RequestType.NEXT})
"""What belongs to no seat; its answer shows nothing that not everybody may see."""

_decode: Final = msgspec.json.Decoder(Fields).decode


class Request(NamedTuple):
    """A frame that asks for something: `type` is what it said, `ask` what we know it as.

    `req_id` is null if there is none; `fault` says what is wrong with the envelope, if anything.
    """

    type: str
    ask: RequestType | None
    game: str
    data: Fields
    req_id: str | int | None
    fault: str = ""


def request_of(frame: bytes) -> Request | None:
    """Return what a frame asks for, or None if it is no JSON object with a type."""
    if nesting_depth(frame) > MAX_DEPTH:
        return None
    try:
        fields = _decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    kind = fields.get("type")
    if not isinstance(kind, str):
        return None
    return _request(kind[:MAX_ID], fields)


def _request(kind: str, fields: Fields) -> Request:
    outer = fields.get("data")
    inner = outer.get("data") if isinstance(outer, dict) else None
    fault = "" if isinstance(outer, dict | None) and isinstance(inner, dict | None) else "data"
    layers = [layer for layer in (outer, inner) if isinstance(layer, dict)]
    data = {key: value for layer in layers for key, value in layer.items() if key != "data"}
    named = [name for layer in (fields, *layers) if (name := layer.get("game_id")) not in (None, "")]
    game = named[0] if named else ""
    req_id = next((layer["req_id"] for layer in (fields, *layers) if "req_id" in layer), None)
    if req_id is not None and not _is_id(req_id):
        req_id, fault = None, "req_id"
    if not isinstance(game, str) or any(other != game for other in named):
        game, fault = "", fault or "game_id"
    return Request(kind, ASKS.get(kind), game[:MAX_ID], data, req_id, fault)


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_ID
    return type(value) is int and abs(value) < 2**53


def seat_of(data: Fields) -> Seat | None:
    """Return the seat of `player_id`, None if there is no such field, or raise `Wrong`."""
    player = data.get("player_id")
    if player is None:
        return None
    if type(player) is not int or not 1 <= player <= SEATS:
        raise errors.player()
    return Seat(player - 1)


def tile_of(value: Any) -> int:
    """Return a tile's id from its number or its object, or raise `Wrong`.

    Only the id binds; a type or value beside it that belongs to another tile is refused.
    """
    tile = value.get("id") if isinstance(value, dict) else value
    if type(tile) is not int or not 0 <= tile < TILES:
        raise ClientError("bad_tile", "a tile is named by its id, a number from 0 to 143")
    if isinstance(value, dict):
        face = FACES[kind_of(tile)]
        for key, part in zip(("type", "value"), face, strict=True):
            if key in value and (type(value[key]) is not int or value[key] != part):
                raise ClientError("bad_tile", f"tile {tile} has type {face[0]} and value {face[1]}")
    return tile
