"""Every error that clients are told, letter by letter: they know these texts, and end their game on any."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from qipai.kernel.refusals import Refusal


class ClientError(StrEnum):
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
    ClientError.FORMAT: "無效的訊息格式",
    ClientError.NUMBER: "無效的房間號",
    ClientError.NO_ROOM: "房間不存在",
    ClientError.FULL: "房間已滿",
    ClientError.OUTSIDE: "無效的房間或未加入該房間",
    ClientError.SQUARES: "無效的移動數據格式",
    ClientError.RANGE: "移動座標超出範圍",
    ClientError.TURN: "不是你的回合",
    ClientError.ILLEGAL: "不合法的棋步",
    ClientError.TOO_FAST: "訊息發送過快，請稍後再試",
    ClientError.UNAVAILABLE: "伺服器暫時無法處理，請稍後再試",
}

FRAMES: Final[Mapping[ClientError, bytes]] = MappingProxyType(
    {wrong: msgspec.json.encode({"action": "error", "message": text}) for wrong, text in _TEXTS.items()}
)

_OURS: Final = {Refusal.UNAVAILABLE: ClientError.UNAVAILABLE, Refusal.INTERNAL: ClientError.UNAVAILABLE}
_SILENT: Final = dict.fromkeys(Refusal)

MOVES: Final[Mapping[Refusal, ClientError | None]] = MappingProxyType(
    {
        **_SILENT,
        **_OURS,
        Refusal.NO_SUCH_ROOM: ClientError.OUTSIDE,
        Refusal.ROOM_CLOSED: ClientError.OUTSIDE,
        Refusal.NOT_IN_ROOM: ClientError.OUTSIDE,
        Refusal.NOT_SEATED: ClientError.OUTSIDE,
        Refusal.NOT_YOUR_TURN: ClientError.TURN,
        Refusal.ILLEGAL: ClientError.ILLEGAL,
        Refusal.BAD_MOVE: ClientError.ILLEGAL,
        Refusal.OUT_OF_RANGE: ClientError.ILLEGAL,
        Refusal.OCCUPIED: ClientError.ILLEGAL,
    }
)
"""What a refused move is answered with; None: nothing, because the end has been or will be told."""
COMING: Final[Mapping[Refusal, ClientError]] = MappingProxyType(
    {
        **dict.fromkeys(Refusal, ClientError.UNAVAILABLE),
        Refusal.NO_SUCH_ROOM: ClientError.NO_ROOM,
        Refusal.ROOM_CLOSED: ClientError.NO_ROOM,
        Refusal.ROOM_FULL: ClientError.FULL,
        Refusal.SEAT_TAKEN: ClientError.FULL,
        Refusal.BUSY: ClientError.FULL,
    }
)
"""What whoever cannot come into a room is told."""
OTHERS: Final[Mapping[Refusal, ClientError | None]] = MappingProxyType({**_SILENT, **_OURS})
"""Everything else is refused in silence, unless the fault is ours."""
