"""Parses the frames that mahjong clients send, in all their forms."""

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
"""Longest `game_id` or `req_id`, in characters."""
SEATS: Final = 4


class RequestType(StrEnum):
    """The commands that clients may send."""

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


REQUEST_TYPES: Final = {request_type.value: request_type for request_type in RequestType}
READ_REQUESTS: Final = frozenset(
    {RequestType.STATE, RequestType.HANDS, RequestType.COUNT, RequestType.SORT, RequestType.VERIFY}
)
"""Requests that change nothing; every socket in the game may send them."""
SEAT_REQUESTS: Final = frozenset({RequestType.DISCARD, RequestType.ACTION, RequestType.DRAW})
"""Requests of a seat; the reply shows nothing that another holder of the seat may not see."""
COMMON_REQUESTS: Final = frozenset({RequestType.POSITIONS, RequestType.DEALER, RequestType.NEXT})
"""Requests of no seat; the reply shows nothing that is hidden."""

_decode: Final = msgspec.json.Decoder(Fields).decode


class Request(NamedTuple):
    """One frame: `type` as sent, `known_type` if it is a known command.

    `req_id` is None without one; `invalid_field` names the field of the envelope that is invalid, if any.
    """

    type: str
    known_type: RequestType | None
    game: str
    data: Fields
    req_id: str | int | None
    invalid_field: str = ""


def parse_request(frame: bytes) -> Request | None:
    """Return the request of a frame, or None if it is not a JSON object with a type."""
    if nesting_depth(frame) > MAX_DEPTH:
        return None
    try:
        fields = _decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    request_type = fields.get("type")
    if not isinstance(request_type, str):
        return None
    return _build_request(request_type[:MAX_ID], fields)


def _build_request(request_type: str, fields: Fields) -> Request:
    data_layer = fields.get("data")
    inner_layer = data_layer.get("data") if isinstance(data_layer, dict) else None
    invalid_field = (
        "" if isinstance(data_layer, dict | None) and isinstance(inner_layer, dict | None) else "data"
    )
    layers = [layer for layer in (data_layer, inner_layer) if isinstance(layer, dict)]
    data = {key: value for layer in layers for key, value in layer.items() if key != "data"}
    game_ids = [name for layer in (fields, *layers) if (name := layer.get("game_id")) not in (None, "")]
    game = game_ids[0] if game_ids else ""
    req_id = next((layer["req_id"] for layer in (fields, *layers) if "req_id" in layer), None)
    if req_id is not None and not _is_id(req_id):
        req_id, invalid_field = None, "req_id"
    if not isinstance(game, str) or any(other != game for other in game_ids):
        game, invalid_field = "", invalid_field or "game_id"
    return Request(request_type, REQUEST_TYPES.get(request_type), game[:MAX_ID], data, req_id, invalid_field)


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_ID
    return type(value) is int and abs(value) < 2**53


def parse_seat(data: Fields) -> Seat | None:
    """Return the seat of `player_id`, None without that field; raise `ClientError` if it is invalid."""
    player = data.get("player_id")
    if player is None:
        return None
    if type(player) is not int or not 1 <= player <= SEATS:
        raise errors.player_error()
    return Seat(player - 1)


def parse_tile(value: Any) -> int:
    """Return the id of a tile given by its id or its object; raise `ClientError` if it is invalid.

    A type or value beside the id must belong to the same tile.
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
