"""Turns a command into a move of a seat, or into the error it is refused with."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from qipai.games.mahjong.wire_types import (
    AnyMove,
    Chow,
    Deal,
    Discard,
    Draw,
    Hu,
    Kong,
    Next,
    Pass,
    Pong,
    PrivateView,
    Roll,
    Stage,
    View,
)
from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal

from . import errors, game_state_json, outgoing_messages
from .client_game import ClientGame
from .errors import ClientError
from .incoming_messages import Fields, Request, RequestType, parse_seat, parse_tile


class PlannedMove(NamedTuple):
    """A move of a seat; without a seat, of any seat. Without a move, the seat must be taken to know it."""

    seat: Seat | None
    move: AnyMove | None


_COMMON_MOVES: Final[dict[RequestType, tuple[Stage, AnyMove]]] = {
    RequestType.POSITIONS: (Stage.SEATING, Roll()),
    RequestType.DEALER: (Stage.CHOOSING, Roll()),
    RequestType.DEAL: (Stage.DEALING, Deal()),
    RequestType.NEXT: (Stage.HAND_OVER, Next()),
}
"""Moves that belong to no seat, with the stage they are allowed in."""
_ACTIONS: Final[dict[str, AnyMove]] = {"pass": Pass(), "pong": Pong(), "kong": Kong(), "hu": Hu()}
CHOW: Final = "chow"
ACTIONS: Final = frozenset({*_ACTIONS, CHOW})


def plan_move(request: Request, game: ClientGame) -> PlannedMove:
    """Return the move of a command.

    Raise `ClientError` for, in this order: seat, stage, turn, fields, rules.
    """
    assert request.known_type is not None
    if request.known_type in _COMMON_MOVES:
        return _plan_common(request.known_type, game)
    match request.known_type:
        case RequestType.DISCARD:
            return _plan_discard(request.data, game)
        case RequestType.ACTION:
            return _plan_action(request.data, game)
        case _:
            return _plan_draw(request.data, game)


def with_seat(request: Request, game: ClientGame | None) -> Request:
    """Return a draw without `player_id` with one: the seat whose turn it is if held, or the only one held."""
    if (
        game is None
        or request.known_type is not RequestType.DRAW
        or request.data.get("player_id") is not None
    ):
        return request
    held_seats = game.seats
    seat = game.view.turn if game.view.turn in held_seats else held_seats[0] if len(held_seats) == 1 else None
    return request if seat is None else request._replace(data={**request.data, "player_id": seat + 1})


def refusal_error(request: Request, game: ClientGame, code: Refusal) -> ClientError:
    """Return the error for a refused command: what the present view tells, or else what the code says."""
    if code in (Refusal.UNAVAILABLE, Refusal.INTERNAL):
        return ClientError(*errors.REFUSALS[code])
    try:
        if request.known_type is not RequestType.JOIN:
            plan_move(request, game)
    except ClientError as error:
        return error
    if code is Refusal.ILLEGAL and request.known_type is RequestType.DISCARD:
        return ClientError(*errors.NOT_IN_HAND)
    if code is Refusal.ILLEGAL and request.known_type is RequestType.ACTION:
        return _cannot_error(request.data["action"])
    return ClientError(*errors.REFUSALS[code])


def check_seat(game: ClientGame, seat: Seat) -> None:
    """Raise `ClientError` unless this socket holds the seat, or may take it as far as it knows."""
    if seat in game.views:
        return
    if game.needs_token:
        raise ClientError(*errors.NOT_SEATED)
    if game.holders[seat].bot or not game.holders[seat].vacant:
        raise ClientError(*errors.TAKEN)


def _plan_common(known_type: RequestType, game: ClientGame) -> PlannedMove:
    stage, move = _COMMON_MOVES[known_type]
    _check_seated(game)
    _check_stage(game.view, stage)
    return PlannedMove(game.seats[0] if game.needs_token else None, move)


def _check_seated(game: ClientGame) -> None:
    if game.needs_token and not game.seats:
        raise ClientError(*errors.NOT_SEATED)


def _seat_and_stage(data: Fields, game: ClientGame, *stages: Stage) -> Seat | None:
    """Return the seat that a command names, if any; a wrong stage is reported before an invalid seat."""
    seat_error: ClientError | None = None
    try:
        seat = parse_seat(data)
    except ClientError as error:
        seat, seat_error = None, error
    if seat is None:
        _check_seated(game)
    else:
        check_seat(game, seat)
    _check_stage(game.view, *stages)
    if seat_error is not None:
        raise seat_error
    return seat


def _required_seat(data: Fields, game: ClientGame, *stages: Stage) -> Seat:
    seat = _seat_and_stage(data, game, *stages)
    if seat is None:
        raise errors.player_error()
    return seat


def _check_stage(view: View, *stages: Stage) -> None:
    if view.stage not in stages:
        raise errors.stage_error(outgoing_messages.STAGES[view.stage])


def _plan_discard(data: Fields, game: ClientGame) -> PlannedMove:
    seat, view = _required_seat(data, game, Stage.DISCARDING), game.view
    if seat != view.turn:
        raise errors.turn_error("discard", view.turn + 1)
    tile = parse_tile(data.get("tile"))
    private = _private_view(game, seat)
    if private is not None:
        if tile not in private.tiles and tile != private.drawn:
            raise ClientError(*errors.NOT_IN_HAND)
        if tile in private.barred:
            raise ClientError("illegal_action", "this tile may not be discarded now")
    return PlannedMove(seat, Discard(tile, ready=data.get("ready") is True))


def _plan_draw(data: Fields, game: ClientGame) -> PlannedMove:
    seat, view = _seat_and_stage(data, game, Stage.DRAWING), game.view
    if seat != view.turn:
        raise errors.turn_error("draw", view.turn + 1)
    return PlannedMove(seat, Draw())


def _plan_action(data: Fields, game: ClientGame) -> PlannedMove:
    seat, view = _required_seat(data, game, Stage.CLAIMING, Stage.DISCARDING), game.view
    if view.stage is Stage.DISCARDING and seat != view.turn:
        raise errors.stage_error(outgoing_messages.STAGES[view.stage])
    if view.stage is Stage.CLAIMING and seat == view.turn:
        raise ClientError(*errors.OWN_DISCARD)
    action = data.get("action")
    if not isinstance(action, str) or action not in ACTIONS:
        raise ClientError("bad_action", f"action must be one of {', '.join(sorted(ACTIONS))}")
    if view.stage is Stage.DISCARDING and action not in ("hu", "kong"):
        raise errors.stage_error(outgoing_messages.STAGES[view.stage])
    tiles = _two_tiles(data["tiles"]) if action == CHOW and data.get("tiles") is not None else None
    kong = parse_tile(data["tile"]) if action == "kong" and data.get("tile") is not None else None
    private = _private_view(game, seat)
    if view.stage is Stage.DISCARDING:
        return _plan_own_turn(seat, action, kong, private)
    if private is not None and action not in game_state_json.legal_actions(game.views[seat], seat):
        raise _cannot_error(action)
    if action != CHOW:
        return PlannedMove(seat, _ACTIONS[action])
    if tiles is None:
        return PlannedMove(seat, None if private is None else _only_chow(private))
    return PlannedMove(seat, Chow(tiles))


def _plan_own_turn(seat: Seat, action: str, kong: int | None, private: PrivateView | None) -> PlannedMove:
    if action == "hu":
        if private is not None and not private.hu:
            raise _cannot_error(action)
        return PlannedMove(seat, Hu())
    if kong is not None:
        return PlannedMove(seat, Kong(kong))
    if private is None:
        return PlannedMove(seat, None)
    if not private.kongs:
        raise _cannot_error(action)
    if len(private.kongs) > 1:
        raise _choice_error("tile", [outgoing_messages.tile(tile) for tile in private.kongs])
    return PlannedMove(seat, Kong(private.kongs[0]))


def _only_chow(private: PrivateView) -> AnyMove:
    if len(private.chows) > 1:
        raise _choice_error("tiles", [outgoing_messages.tiles(pair) for pair in private.chows])
    return Chow(private.chows[0])


def _private_view(game: ClientGame, seat: Seat) -> PrivateView | None:
    return game.views[seat].private if seat in game.views else None


def _two_tiles(value: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise ClientError("bad_tile", "tiles must be two tiles of the hand")
    one, other = (parse_tile(tile) for tile in value)
    if one == other:
        raise ClientError("bad_tile", "tiles must be two tiles of the hand")
    return one, other


def _cannot_error(action: str) -> ClientError:
    return ClientError("illegal_action", f"this seat cannot {action} now")


def _choice_error(field: str, options: Sequence[Any]) -> ClientError:
    return ClientError("choice_needed", f"there is a choice: name it in {field}", options=list(options))
