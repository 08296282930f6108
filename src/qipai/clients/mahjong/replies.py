"""Builds the reply to each command for the socket that sent it."""

from typing import Any, assert_never

from qipai.games.mahjong.events import Drew
from qipai.games.mahjong.wire_types import Stage
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.protocol.notices import RoomEvents

from . import errors, game_state_json, outgoing_messages
from .client_game import ClientGame
from .errors import ClientError
from .game_state_json import Fields
from .incoming_messages import Request, RequestType, parse_seat


def read_reply(request: Request, game: ClientGame) -> bytes:
    """Return the reply to a request that changes nothing, or raise `ClientError`."""
    view = game.view
    game_id = {"game_id": game.room}
    match request.known_type:
        case RequestType.HANDS:
            data = {**game_id, "deck_remaining": view.left, "players": game_state_json.players(game)}
        case RequestType.COUNT:
            data = {**game_id, "deck_count": view.left}
        case RequestType.VERIFY:
            if view.stage not in (Stage.HAND_OVER, Stage.GAME_OVER):
                raise errors.stage_error(outgoing_messages.STAGES[view.stage])
            data = {**game_id, "seed": view.seed, "wall": list(view.wall), "commitment": view.commitment}
        case RequestType.SORT:
            data = {**game_id, **_sort_fields(request, game)}
        case _:
            data = game_state_json.game_state(game)
    return outgoing_messages.reply(
        request,
        data,
        None if request.known_type is None else outgoing_messages.MESSAGES.get(request.known_type),
    )


def _sort_fields(request: Request, game: ClientGame) -> Fields:
    seats = game.seats
    seat = parse_seat(request.data)
    if seat is None and len(seats) == 1:
        seat = seats[0]
    if seat is None or seat not in seats:
        raise ClientError(*errors.NOT_SEATED)
    tiles = game_state_json.visible_tiles(game, seat)
    return {
        "player_id": seat + 1,
        "count": len(tiles),
        "tiles": outgoing_messages.tiles(tiles),
        "tile_names": outgoing_messages.tile_names(tiles),
    }


def join_reply(request: Request, game: ClientGame, seat: Seat | None) -> bytes:
    """Return the reply to `join_room`."""
    held_seats = [held + 1 for held in game.seats]
    data = {
        "game_id": game.room,
        "player_id": None if seat is None else seat + 1,
        "seats": held_seats,
        "stage": outgoing_messages.STAGES[game.view.stage],
        "seq": game.sequence_number,
    }
    return outgoing_messages.reply(request, data, outgoing_messages.MESSAGES[RequestType.JOIN])


def command_reply(request: Request, game: ClientGame, seat: Seat | None, notice: RoomEvents | None) -> bytes:
    """Return the reply to a command that has taken effect."""
    assert request.known_type is not None
    finished = request.known_type is RequestType.NEXT and game.view.stage is Stage.GAME_OVER
    message = outgoing_messages.FINISHED if finished else outgoing_messages.MESSAGES[request.known_type]
    data = {"game_id": game.room, **_command_fields(request.known_type, game, seat, notice)}
    return outgoing_messages.reply(request, data, message)


def _command_fields(
    known_type: RequestType, game: ClientGame, seat: Seat | None, notice: RoomEvents | None
) -> Fields:
    view = game.view
    stage = {"stage": outgoing_messages.STAGES[view.stage]}
    current = {"current_player_id": game_state_json.current_player_id(view)}
    match known_type:
        case RequestType.POSITIONS:
            return {"dice": outgoing_messages.dice(view.seating), **stage}
        case RequestType.DEALER:
            return {
                "dice": outgoing_messages.dice(view.choosing),
                "dealer_player_id": view.dealer + 1,
                **stage,
            }
        case RequestType.DEAL:
            players = {"deck_remaining": view.left, "players": game_state_json.players(game)}
            return {**players, **stage, **current, "commitment": view.commitment}
        case RequestType.DISCARD:
            discarder = 0 if view.discarder is None else view.discarder + 1
            last = {
                "last_discard_tile": outgoing_messages.tile(view.last),
                "last_discard_player_id": discarder,
            }
            return {**stage, **last}
        case RequestType.ACTION:
            claiming = view.stage is Stage.CLAIMING
            waiting = {"waiting_for": game_state_json.waiting_for(view)} if claiming else {}
            return {**stage, **current, **waiting}
        case RequestType.DRAW:
            return {**_draw_fields(game, seat, notice), **stage, **current}
        case RequestType.NEXT:
            finished = view.stage is Stage.GAME_OVER
            players = {"deck_remaining": view.left, "players": game_state_json.players(game)}
            label = outgoing_messages.round_fields(view.place)
            return {**label, **game_state_json.dealer_fields(view), **players, **stage, "finished": finished}
        case (
            RequestType.JOIN
            | RequestType.STATE
            | RequestType.HANDS
            | RequestType.COUNT
            | RequestType.SORT
            | RequestType.VERIFY
        ):
            return {}
        case _:
            assert_never(known_type)


def _draw_fields(game: ClientGame, seat: Seat | None, notice: RoomEvents | None) -> dict[str, Any]:
    private = game.views[SPECTATOR if seat is None else seat].private
    tile = None if private is None else private.drawn
    events = () if notice is None else notice.events
    flowers = [flower for event in events if isinstance(event, Drew) for flower in event.flowers]
    return {
        "tile": outgoing_messages.tile(tile),
        "tile_name": outgoing_messages.tile_name(tile),
        "remaining": game.view.left,
        "flowers_drawn": outgoing_messages.tiles(flowers),
    }
