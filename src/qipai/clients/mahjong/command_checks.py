"""What a command would do: a move of some seat, or the reason why not, as far as this socket can see."""

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
from .incoming_messages import Fields, Request, RequestType, seat_of, tile_of


class PlannedMove(NamedTuple):
    """A seat's move; without a seat anybody's. Without a move the seat must be taken to know it."""

    seat: Seat | None
    move: AnyMove | None


_COMMON: Final[dict[RequestType, tuple[Stage, AnyMove]]] = {
    RequestType.POSITIONS: (Stage.SEATING, Roll()),
    RequestType.DEALER: (Stage.CHOOSING, Roll()),
    RequestType.DEAL: (Stage.DEALING, Deal()),
    RequestType.NEXT: (Stage.HAND_OVER, Next()),
}
"""What belongs to no seat: the stage that it is for."""
_ACTIONS: Final[dict[str, AnyMove]] = {"pass": Pass(), "pong": Pong(), "kong": Kong(), "hu": Hu()}
CHOW: Final = "chow"
ACTIONS: Final = frozenset({*_ACTIONS, CHOW})


def plan(request: Request, sitting: ClientGame) -> PlannedMove:
    """Return what a command would do, or raise `Wrong`: seat, stage, turn, fields, rules, in this order."""
    assert request.ask is not None
    if request.ask in _COMMON:
        return _common(request.ask, sitting)
    match request.ask:
        case RequestType.DISCARD:
            return _discard(request.data, sitting)
        case RequestType.ACTION:
            return _action(request.data, sitting)
        case _:
            return _draw(request.data, sitting)


def owned(request: Request, sitting: ClientGame | None) -> Request:
    """Return a draw that names no seat with the one it is for: the current one if held, or the only one."""
    if sitting is None or request.ask is not RequestType.DRAW or request.data.get("player_id") is not None:
        return request
    held = sitting.seats
    seat = sitting.view.turn if sitting.view.turn in held else held[0] if len(held) == 1 else None
    return request if seat is None else request._replace(data={**request.data, "player_id": seat + 1})


def reason(request: Request, sitting: ClientGame, code: Refusal) -> ClientError:
    """Return why the table refused a command: what can be seen by now, or else what the code says."""
    if code in (Refusal.UNAVAILABLE, Refusal.INTERNAL):
        return ClientError(*errors.REFUSALS[code])
    try:
        if request.ask is not RequestType.JOIN:
            plan(request, sitting)
    except ClientError as wrong:
        return wrong
    if code is Refusal.ILLEGAL and request.ask is RequestType.DISCARD:
        return ClientError(*errors.NOT_IN_HAND)
    if code is Refusal.ILLEGAL and request.ask is RequestType.ACTION:
        return _cannot(request.data["action"])
    return ClientError(*errors.REFUSALS[code])


def check_seat(sitting: ClientGame, seat: Seat) -> None:
    """Raise `Wrong` unless this socket holds the seat, or may take it as it seems."""
    if seat in sitting.views:
        return
    if sitting.keyed:
        raise ClientError(*errors.NOT_SEATED)
    if sitting.holders[seat].bot or not sitting.holders[seat].free:
        raise ClientError(*errors.TAKEN)


def _common(ask: RequestType, sitting: ClientGame) -> PlannedMove:
    stage, move = _COMMON[ask]
    _check_seated(sitting)
    _check_stage(sitting.view, stage)
    return PlannedMove(sitting.seats[0] if sitting.keyed else None, move)


def _check_seated(sitting: ClientGame) -> None:
    if sitting.keyed and not sitting.seats:
        raise ClientError(*errors.NOT_SEATED)


def _actor(data: Fields, sitting: ClientGame, *stages: Stage) -> Seat | None:
    """Return the seat that a command names, if any; the stage is told before what is wrong with the name."""
    bad: ClientError | None = None
    try:
        seat = seat_of(data)
    except ClientError as wrong:
        seat, bad = None, wrong
    if seat is None:
        _check_seated(sitting)
    else:
        check_seat(sitting, seat)
    _check_stage(sitting.view, *stages)
    if bad is not None:
        raise bad
    return seat


def _named(data: Fields, sitting: ClientGame, *stages: Stage) -> Seat:
    seat = _actor(data, sitting, *stages)
    if seat is None:
        raise errors.player()
    return seat


def _check_stage(view: View, *stages: Stage) -> None:
    if view.stage not in stages:
        raise errors.stage(outgoing_messages.STAGES[view.stage])


def _discard(data: Fields, sitting: ClientGame) -> PlannedMove:
    seat, view = _named(data, sitting, Stage.DISCARDING), sitting.view
    if seat != view.turn:
        raise errors.turn("discard", view.turn + 1)
    tile = tile_of(data.get("tile"))
    own = _own(sitting, seat)
    if own is not None:
        if tile not in own.tiles and tile != own.drawn:
            raise ClientError(*errors.NOT_IN_HAND)
        if tile in own.barred:
            raise ClientError("illegal_action", "this tile may not be discarded now")
    return PlannedMove(seat, Discard(tile, ready=data.get("ready") is True))


def _draw(data: Fields, sitting: ClientGame) -> PlannedMove:
    seat, view = _actor(data, sitting, Stage.DRAWING), sitting.view
    if seat != view.turn:
        raise errors.turn("draw", view.turn + 1)
    return PlannedMove(seat, Draw())


def _action(data: Fields, sitting: ClientGame) -> PlannedMove:
    seat, view = _named(data, sitting, Stage.CLAIMING, Stage.DISCARDING), sitting.view
    if view.stage is Stage.DISCARDING and seat != view.turn:
        raise errors.stage(outgoing_messages.STAGES[view.stage])
    if view.stage is Stage.CLAIMING and seat == view.turn:
        raise ClientError(*errors.OWN_DISCARD)
    action = data.get("action")
    if not isinstance(action, str) or action not in ACTIONS:
        raise ClientError("bad_action", f"action must be one of {', '.join(sorted(ACTIONS))}")
    if view.stage is Stage.DISCARDING and action not in ("hu", "kong"):
        raise errors.stage(outgoing_messages.STAGES[view.stage])
    tiles = _two(data["tiles"]) if action == CHOW and data.get("tiles") is not None else None
    kong = tile_of(data["tile"]) if action == "kong" and data.get("tile") is not None else None
    own = _own(sitting, seat)
    if view.stage is Stage.DISCARDING:
        return _own_turn(seat, action, kong, own)
    if own is not None and action not in game_state_json.legal(sitting.views[seat], seat):
        raise _cannot(action)
    if action != CHOW:
        return PlannedMove(seat, _ACTIONS[action])
    if tiles is None:
        return PlannedMove(seat, None if own is None else _only_chow(own))
    return PlannedMove(seat, Chow(tiles))


def _own_turn(seat: Seat, action: str, kong: int | None, own: PrivateView | None) -> PlannedMove:
    if action == "hu":
        if own is not None and not own.hu:
            raise _cannot(action)
        return PlannedMove(seat, Hu())
    if kong is not None:
        return PlannedMove(seat, Kong(kong))
    if own is None:
        return PlannedMove(seat, None)
    if not own.kongs:
        raise _cannot(action)
    if len(own.kongs) > 1:
        raise _choose("tile", [outgoing_messages.tile(tile) for tile in own.kongs])
    return PlannedMove(seat, Kong(own.kongs[0]))


def _only_chow(own: PrivateView) -> AnyMove:
    if len(own.chows) > 1:
        raise _choose("tiles", [outgoing_messages.tiles(pair) for pair in own.chows])
    return Chow(own.chows[0])


def _own(sitting: ClientGame, seat: Seat) -> PrivateView | None:
    return sitting.views[seat].private if seat in sitting.views else None


def _two(value: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise ClientError("bad_tile", "tiles must be two tiles of the hand")
    one, other = (tile_of(tile) for tile in value)
    if one == other:
        raise ClientError("bad_tile", "tiles must be two tiles of the hand")
    return one, other


def _cannot(action: str) -> ClientError:
    return ClientError("illegal_action", f"this seat cannot {action} now")


def _choose(field: str, options: Sequence[Any]) -> ClientError:
    return ClientError("choice_needed", f"there is a choice: name it in {field}", options=list(options))
