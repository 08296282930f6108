"""Body and answer of the REST request that starts a game; lists the house rules."""

import re
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from qipai.games.mahjong.house_rules import DEFAULT, DESCRIPTIONS, HouseRules
from qipai.games.mahjong.wire_types import Flowers, Money, Settings, Size
from qipai.kernel.clock import ClockPlan
from qipai.kernel.codec import MAX_DEPTH, nesting_depth
from qipai.kernel.commands import LegacyTableRules, TableRules
from qipai.kernel.ids import RoomId, Seat

from . import outgoing_messages
from .incoming_messages import SEATS

GAME_ID_PREFIX: Final = "majiang_"
SUBSTITUTE_BOT: Final = "normal"
EMPTY_TIMEOUT: Final = 600
"""Seconds that a game without connections stays open."""
_ERROR_PATH: Final = re.compile(r"at `(?:key in )?\$\.?([^`]*)`")
_UNKNOWN_FIELD: Final = re.compile(r"unknown field `([^`]*)`")


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a start request; all are optional."""

    game_type: Literal[13, 16] = 13
    flowers: Flowers = Flowers.REPLACE
    seats: Literal["open", "token"] = "open"
    bots: tuple[Annotated[int, Meta(ge=1, le=4)], ...] = ()
    rules: HouseRules = DEFAULT
    timeouts: bool = False
    base: Money = 100
    unit: Money = 20
    start_score: Money = 0


class GameStart(NamedTuple):
    """A game to start: its options, its table rules, and the seats of bots."""

    options: Settings
    table: TableRules
    bots: tuple[Seat, ...]


class InvalidBody(Exception):
    """A body is invalid; `field` is the path of the invalid field."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text


def parse_start(raw: bytes) -> GameStart:
    """Return the game that a body describes, or raise `InvalidBody`; an empty body gives the defaults."""
    body = _parse_body(raw)
    if len(set(body.bots)) < len(body.bots):
        raise InvalidBody("bots", "a seat is named twice")
    if body.seats == "token" and len(body.bots) == SEATS:
        raise InvalidBody("bots", "no seat is left that a token could be for")
    options = Settings(
        Size(body.game_type),
        body.rules,
        body.flowers,
        body.base,
        body.unit,
        body.start_score,
        hints=False,
        manual_steps=True,
    )
    table = TableRules(
        public=False,
        disconnect_timeout=0,
        clock=ClockPlan() if body.timeouts else None,
        empty_timeout=EMPTY_TIMEOUT,
        legacy=LegacyTableRules(open_seats=body.seats == "open"),
        substitute_bot=SUBSTITUTE_BOT,
    )
    return GameStart(options, table, tuple(Seat(player - 1) for player in sorted(body.bots)))


def _parse_body(raw: bytes) -> Body:
    if not raw.strip():
        return Body()
    if nesting_depth(raw) > MAX_DEPTH:
        raise InvalidBody("body", f"nested deeper than {MAX_DEPTH}")
    try:
        return msgspec.json.decode(raw, type=Body)
    except msgspec.ValidationError as error:
        raise InvalidBody(_field_path(str(error)), str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidBody("body", "not JSON") from None


def _field_path(text: str) -> str:
    """Return the path of the field that an error of msgspec is about."""
    path, unknown = _ERROR_PATH.search(text), _UNKNOWN_FIELD.search(text)
    parts = [match[1] for match in (path, unknown) if match is not None and match[1]]
    return re.sub(r"\[\.*\d*\]", "", ".".join(parts)) or "body"


def start_reply(room: RoomId, start: GameStart, tokens: dict[str, str]) -> dict[str, Any]:
    """Return the answer to a start request."""
    reply = {
        "game_id": room,
        "message": outgoing_messages.STARTED,
        "game_type": int(start.options.tiles),
        "stage": "WAITING_PLAYERS",
        **outgoing_messages.round_fields(0),
    }
    return {**reply, "tokens": tokens} if tokens else reply


def house_rule_list() -> dict[str, Any]:
    """Return every house rule: name, type, default and meaning."""
    types = {field.name: field.type for field in msgspec.structs.fields(HouseRules)}
    return {
        "rules": [
            {"name": name, **_value_type(types[name]), "default": default, "meaning": DESCRIPTIONS[name][1]}
            for name, default in asdict(DEFAULT).items()
        ]
    }


def _value_type(value_type: Any) -> dict[str, Any]:
    if value_type is bool:
        return {"type": "boolean"}
    if choices := [choice for choice in get_args(value_type) if isinstance(choice, str)]:
        return {"type": "string", "choices": choices}
    return {"type": "integer"}
