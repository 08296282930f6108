"""Reads the `startGame` request: times, colours, modes and mines."""

from typing import Any, Final, NamedTuple

from qipai.games.chess.wire_types import DiceMode, Settings
from qipai.kernel.clock import DAY, ClockPlan
from qipai.kernel.ids import Seat

from .board_coordinates import square_number
from .incoming_messages import MAX_RELAYED, Fields
from .outgoing_messages import COLORS, encode

FOG: Final = "霧戰"
DICE: Final = "骰子"
MINES: Final = ("踩地雷", "地雷")
KNOWN_MODES: Final = frozenset({FOG, DICE, *MINES})
_MINE_ROWS: Final = range(2, 6)
_MINE_COLUMNS: Final = range(8)
MAX_MINES: Final = 32


class GameStart(NamedTuple):
    """What a game is started with; modes and mines are sent back to the clients."""

    options: Settings
    clock: ClockPlan
    host_data: bytes
    modes: dict[str, Any]
    mines: list[dict[str, int]]


def parse_start(fields: Fields, host: Seat) -> GameStart | None:
    """Return what the host requests, or None if no game can be started so."""
    color = fields.get("hostColor")
    times = [fields.get(key, 0) for key in ("whiteTimeMs", "blackTimeMs", "incrementMs")]
    modes = fields.get("gameModes", {})
    mines = _parse_mines(fields.get("minePositions", []))
    if color not in COLORS or not all(map(_is_time, times)):
        return None
    if not isinstance(modes, dict) or mines is None:
        return None
    enabled = {mode for mode, value in modes.items() if value is True}
    has_mines = not enabled.isdisjoint(MINES)
    white = host if color == "White" else Seat(1 - host)
    options = Settings(
        dice=DiceMode.SEQUENTIAL if DICE in enabled else DiceMode.NONE,
        fog=FOG in enabled,
        mines=len(mines) if has_mines else 0,
        white=white,
        legacy_rules=True,
        unchecked_moves=not enabled <= KNOWN_MODES,
    )
    main = (times[0], times[1]) if white == 0 else (times[1], times[0])
    clock = ClockPlan(main, times[2], first_free=True)
    if len(encode(modes)) > MAX_RELAYED:
        modes = {mode: mode in enabled for mode in modes if mode in KNOWN_MODES}
    host_data = bytes(square_number(mine["y"], mine["x"]) for mine in mines) if has_mines else b""
    return GameStart(options, clock, host_data, modes, mines)


def _is_time(value: Any) -> bool:
    return type(value) is int and 0 <= value <= DAY


def _parse_mines(positions: Any) -> list[dict[str, int]] | None:
    """Return the positions of mines, or None if they are invalid."""
    if not isinstance(positions, list) or len(positions) > MAX_MINES:
        return None
    found = []
    for mine in positions:
        x, y = (mine.get("x"), mine.get("y")) if isinstance(mine, dict) else (None, None)
        if type(x) is not int or type(y) is not int or x not in _MINE_COLUMNS or y not in _MINE_ROWS:
            return None
        found.append({"x": x, "y": y})
    return found if len({(mine["x"], mine["y"]) for mine in found}) == len(found) else None
