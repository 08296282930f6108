"""How a game is started over REST: what may be chosen, and what is answered."""

import re
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from qipai.games.mahjong.house_rules import DEFAULT, MEANING, HouseRules
from qipai.games.mahjong.wire_types import Flowers, Money, Settings, Size
from qipai.kernel.clock import ClockPlan
from qipai.kernel.codec import MAX_DEPTH, nesting_depth
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import RoomId, Seat
from qipai.kernel.legacy_table_rules import LegacyTableRules

from . import outgoing_messages
from .incoming_messages import SEATS

PREFIX: Final = "majiang_"
STANDIN: Final = "normal"
LINGER: Final = 600
"""Seconds that a game is kept to which nobody has come, or which everybody has left at its end."""
_PATH: Final = re.compile(r"at `(?:key in )?\$\.?([^`]*)`")
_EXTRA: Final = re.compile(r"unknown field `([^`]*)`")


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be chosen; nothing has to be."""

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
    """A game to be started: its options, its table, and where bots sit."""

    options: Settings
    table: TableRules
    bots: tuple[Seat, ...]


class BadBody(Exception):
    """The body cannot be read; `field` is what is wrong with it."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text


def start_of(raw: bytes) -> GameStart:
    """Return the game that a body asks for, or raise `BadBody`; an empty one asks for the usual."""
    body = _body(raw)
    if len(set(body.bots)) < len(body.bots):
        raise BadBody("bots", "a seat is named twice")
    if body.seats == "token" and len(body.bots) == SEATS:
        raise BadBody("bots", "no seat is left that a token could be for")
    options = Settings(
        Size(body.game_type),
        body.rules,
        body.flowers,
        body.base,
        body.unit,
        body.start_score,
        hints=False,
        manual=True,
    )
    table = TableRules(
        public=False,
        disconnect_timeout=0,
        clock=ClockPlan() if body.timeouts else None,
        empty_timeout=LINGER,
        legacy=LegacyTableRules(open_seats=body.seats == "open"),
        substitute_bot=STANDIN,
    )
    return GameStart(options, table, tuple(Seat(player - 1) for player in sorted(body.bots)))


def _body(raw: bytes) -> Body:
    if not raw.strip():
        return Body()
    if nesting_depth(raw) > MAX_DEPTH:
        raise BadBody("body", f"nested deeper than {MAX_DEPTH}")
    try:
        return msgspec.json.decode(raw, type=Body)
    except msgspec.ValidationError as error:
        raise BadBody(_field(str(error)), str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadBody("body", "not JSON") from None


def _field(text: str) -> str:
    """Return the path of the field that a complaint is about."""
    where, extra = _PATH.search(text), _EXTRA.search(text)
    parts = [found[1] for found in (where, extra) if found is not None and found[1]]
    return re.sub(r"\[\.*\d*\]", "", ".".join(parts)) or "body"


def started(room: RoomId, start: GameStart, tokens: dict[str, str]) -> dict[str, Any]:
    """Return the answer to a game that has been started."""
    answer = {
        "game_id": room,
        "message": outgoing_messages.STARTED,
        "game_type": int(start.options.tiles),
        "stage": "WAITING_PLAYERS",
        **outgoing_messages.round_of(0),
    }
    return {**answer, "tokens": tokens} if tokens else answer


def switches() -> dict[str, Any]:
    """Return every house rule: its name, what it may be, what it is unless somebody says otherwise."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(HouseRules)}
    return {
        "rules": [
            {"name": name, **_kind(kinds[name]), "default": default, "meaning": MEANING[name][1]}
            for name, default in asdict(DEFAULT).items()
        ]
    }


def _kind(kind: Any) -> dict[str, Any]:
    if kind is bool:
        return {"type": "boolean"}
    if choices := [choice for choice in get_args(kind) if isinstance(choice, str)]:
        return {"type": "string", "choices": choices}
    return {"type": "integer"}
