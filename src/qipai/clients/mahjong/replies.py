"""What the asker of each command is answered."""

from typing import Any, assert_never

from qipai.games.mahjong.wire_types import Drew, Stage
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.protocol.notices import RoomEvents

from . import errors, game_state_json, outgoing_messages
from .client_game import ClientGame
from .errors import ClientError
from .game_state_json import Shape
from .incoming_messages import Request, RequestType, seat_of


def read(request: Request, sitting: ClientGame) -> bytes:
    """Return the answer to a question, or raise `Wrong`."""
    view = sitting.view
    game = {"game_id": sitting.room}
    match request.ask:
        case RequestType.HANDS:
            data = {**game, "deck_remaining": view.left, "players": game_state_json.players(sitting)}
        case RequestType.COUNT:
            data = {**game, "deck_count": view.left}
        case RequestType.VERIFY:
            if view.stage not in (Stage.HAND_OVER, Stage.GAME_OVER):
                raise errors.stage(outgoing_messages.STAGES[view.stage])
            data = {**game, "seed": view.seed, "wall": list(view.wall), "commitment": view.commitment}
        case RequestType.SORT:
            data = {**game, **_sorted(request, sitting)}
        case _:
            data = game_state_json.state(sitting)
    return outgoing_messages.reply(
        request, data, None if request.ask is None else outgoing_messages.MESSAGES.get(request.ask)
    )


def _sorted(request: Request, sitting: ClientGame) -> Shape:
    seats = sitting.seats
    seat = seat_of(request.data)
    if seat is None and len(seats) == 1:
        seat = seats[0]
    if seat is None or seat not in seats:
        raise ClientError(*errors.NOT_SEATED)
    tiles = game_state_json.hand(sitting, seat)
    return {
        "player_id": seat + 1,
        "count": len(tiles),
        "tiles": outgoing_messages.tiles(tiles),
        "tile_names": outgoing_messages.names(tiles),
    }


def joined(request: Request, sitting: ClientGame, seat: Seat | None) -> bytes:
    """Return the answer to `join_room`."""
    held = [mine + 1 for mine in sitting.seats]
    data = {
        "game_id": sitting.room,
        "player_id": None if seat is None else seat + 1,
        "seats": held,
        "stage": outgoing_messages.STAGES[sitting.view.stage],
        "seq": sitting.number,
    }
    return outgoing_messages.reply(request, data, outgoing_messages.MESSAGES[RequestType.JOIN])


def done(request: Request, sitting: ClientGame, seat: Seat | None, notice: RoomEvents | None) -> bytes:
    """Return the answer to a command that has taken effect."""
    assert request.ask is not None
    finished = request.ask is RequestType.NEXT and sitting.view.stage is Stage.GAME_OVER
    message = outgoing_messages.FINISHED if finished else outgoing_messages.MESSAGES[request.ask]
    data = {"game_id": sitting.room, **_done(request.ask, sitting, seat, notice)}
    return outgoing_messages.reply(request, data, message)


def _done(ask: RequestType, sitting: ClientGame, seat: Seat | None, notice: RoomEvents | None) -> Shape:
    view = sitting.view
    stage = {"stage": outgoing_messages.STAGES[view.stage]}
    current = {"current_player_id": game_state_json.current(view)}
    match ask:
        case RequestType.POSITIONS:
            return {"dice": outgoing_messages.dice(view.seating), **stage}
        case RequestType.DEALER:
            return {
                "dice": outgoing_messages.dice(view.choosing),
                "dealer_player_id": view.dealer + 1,
                **stage,
            }
        case RequestType.DEAL:
            players = {"deck_remaining": view.left, "players": game_state_json.players(sitting)}
            return {**players, **stage, **current, "commitment": view.commitment}
        case RequestType.DISCARD:
            dropper = 0 if view.discarder is None else view.discarder + 1
            last = {"last_discard_tile": outgoing_messages.tile(view.last), "last_discard_player_id": dropper}
            return {**stage, **last}
        case RequestType.ACTION:
            waiting = (
                {"waiting_for": game_state_json.waiting_for(view)} if view.stage is Stage.CLAIMING else {}
            )
            return {**stage, **current, **waiting}
        case RequestType.DRAW:
            return {**_drawn(sitting, seat, notice), **stage, **current}
        case RequestType.NEXT:
            finished = view.stage is Stage.GAME_OVER
            players = {"deck_remaining": view.left, "players": game_state_json.players(sitting)}
            label = outgoing_messages.round_of(view.place)
            return {**label, **game_state_json.dealer(view), **players, **stage, "finished": finished}
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
            assert_never(ask)


def _drawn(sitting: ClientGame, seat: Seat | None, notice: RoomEvents | None) -> dict[str, Any]:
    own = sitting.views[SPECTATOR if seat is None else seat].private
    tile = None if own is None else own.drawn
    events = () if notice is None else notice.events
    flowers = [flower for event in events if isinstance(event, Drew) for flower in event.flowers]
    return {
        "tile": outgoing_messages.tile(tile),
        "tile_name": outgoing_messages.name(tile),
        "remaining": sitting.view.left,
        "flowers_drawn": outgoing_messages.tiles(flowers),
    }
