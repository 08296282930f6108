"""Every error that clients are told, letter by letter: they know these texts, and end their game on any."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from qipai.kernel.game_interface.rules_interface import Refusal


class Wrong(StrEnum):
    """What may be wrong with a frame."""

    FORMAT = "format"
    NUMBER = "number"
    NO_ROOM = "no_room"
    FULL = "full"
    OUTSIDE = "outside"
    SQUARES = "squares"
    RANGE = "range"
    TURN = "turn"
    ILLEGAL = "illegal"
    TOO_FAST = "too_fast"
    UNAVAILABLE = "unavailable"


_TEXTS: Final = {
    Wrong.FORMAT: "無效的訊息格式",
    Wrong.NUMBER: "無效的房間號",
    Wrong.NO_ROOM: "房間不存在",
    Wrong.FULL: "房間已滿",
    Wrong.OUTSIDE: "無效的房間或未加入該房間",
    Wrong.SQUARES: "無效的移動數據格式",
    Wrong.RANGE: "移動座標超出範圍",
    Wrong.TURN: "不是你的回合",
    Wrong.ILLEGAL: "不合法的棋步",
    Wrong.TOO_FAST: "訊息發送過快，請稍後再試",
    Wrong.UNAVAILABLE: "伺服器暫時無法處理，請稍後再試",
}

FRAMES: Final[Mapping[Wrong, bytes]] = MappingProxyType(
    {wrong: msgspec.json.encode({"action": "error", "message": text}) for wrong, text in _TEXTS.items()}
)

_OURS: Final = {Refusal.UNAVAILABLE: Wrong.UNAVAILABLE, Refusal.INTERNAL: Wrong.UNAVAILABLE}
_SILENT: Final = dict.fromkeys(Refusal)

MOVES: Final[Mapping[Refusal, Wrong | None]] = MappingProxyType(
    {
        **_SILENT,
        **_OURS,
        Refusal.NO_SUCH_ROOM: Wrong.OUTSIDE,
        Refusal.ROOM_CLOSED: Wrong.OUTSIDE,
        Refusal.NOT_IN_ROOM: Wrong.OUTSIDE,
        Refusal.NOT_SEATED: Wrong.OUTSIDE,
        Refusal.NOT_YOUR_TURN: Wrong.TURN,
        Refusal.ILLEGAL: Wrong.ILLEGAL,
        Refusal.BAD_MOVE: Wrong.ILLEGAL,
        Refusal.OUT_OF_RANGE: Wrong.ILLEGAL,
        Refusal.OCCUPIED: Wrong.ILLEGAL,
    }
)
"""What a refused move is answered with; None: nothing, because the end has been or will be told."""
COMING: Final[Mapping[Refusal, Wrong]] = MappingProxyType(
    {
        **dict.fromkeys(Refusal, Wrong.UNAVAILABLE),
        Refusal.NO_SUCH_ROOM: Wrong.NO_ROOM,
        Refusal.ROOM_CLOSED: Wrong.NO_ROOM,
        Refusal.ROOM_FULL: Wrong.FULL,
        Refusal.SEAT_TAKEN: Wrong.FULL,
        Refusal.BUSY: Wrong.FULL,
    }
)
"""What whoever cannot come into a room is told."""
OTHERS: Final[Mapping[Refusal, Wrong | None]] = MappingProxyType({**_SILENT, **_OURS})
"""Everything else is refused in silence, unless the fault is ours."""
