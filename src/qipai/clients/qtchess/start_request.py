"""How a host wants the next game: times, colours, modes and mines of a `startGame`."""

from typing import Any, Final, NamedTuple

from qipai.games.chess.wire_types import DiceMode, Settings
from qipai.kernel.clock import DAY, ClockPlan
from qipai.kernel.ids import Seat

from .board_coordinates import number
from .incoming_messages import LARGE, Fields
from .outgoing_messages import COLORS, encode

FOG: Final = "霧戰"
DICE: Final = "骰子"
MINES: Final = ("踩地雷", "地雷")
MODELLED: Final = frozenset({FOG, DICE, *MINES})
_ROWS: Final = range(2, 6)
_COLUMNS: Final = range(8)
MOST_MINES: Final = 32


class GameStart(NamedTuple):
    """What a game is begun with; modes and mines go back to the clients."""

    options: Settings
    clock: ClockPlan
    given: bytes
    modes: dict[str, Any]
    mines: list[dict[str, int]]


def start_of(fields: Fields, host: Seat) -> GameStart | None:
    """Return what a host asks for, or None if no game can be begun like that."""
    color = fields.get("hostColor")
    times = [fields.get(key, 0) for key in ("whiteTimeMs", "blackTimeMs", "incrementMs")]
    modes = fields.get("gameModes", {})
    mines = _mines(fields.get("minePositions", []))
    if color not in COLORS or not all(map(_is_time, times)):
        return None
    if not isinstance(modes, dict) or mines is None:
        return None
    on = {mode for mode, wanted in modes.items() if wanted is True}
    mined = not on.isdisjoint(MINES)
    white = host if color == "White" else Seat(1 - host)
    options = Settings(
        dice=DiceMode.SEQUENTIAL if DICE in on else DiceMode.NONE,
        fog=FOG in on,
        mines=len(mines) if mined else 0,
        white=white,
        older=True,
        trusting=not on <= MODELLED,
    )
    main = (times[0], times[1]) if white == 0 else (times[1], times[0])
    clock = ClockPlan(main, times[2], first_free=True)
    if len(encode(modes)) > LARGE:
        modes = {mode: mode in on for mode in modes if mode in MODELLED}
    given = bytes(number(mine["y"], mine["x"]) for mine in mines) if mined else b""
    return GameStart(options, clock, given, modes, mines)


def _is_time(value: Any) -> bool:
    return type(value) is int and 0 <= value <= DAY


def _mines(listed: Any) -> list[dict[str, int]] | None:
    """Return where the mines are, or None if they cannot be there."""
    if not isinstance(listed, list) or len(listed) > MOST_MINES:
        return None
    found = []
    for mine in listed:
        x, y = (mine.get("x"), mine.get("y")) if isinstance(mine, dict) else (None, None)
        if type(x) is not int or type(y) is not int or x not in _COLUMNS or y not in _ROWS:
            return None
        found.append({"x": x, "y": y})
    return found if len({(mine["x"], mine["y"]) for mine in found}) == len(found) else None
