"""Error texts that chess clients receive, byte for byte.

The clients compare these texts, and end their game on any error.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import RefuseFrame


class ClientError(StrEnum):
    """The errors that clients may receive."""

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
    SEES_HIDDEN = "sees_hidden"
    ACCOUNT_NEEDED = "account_needed"
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
    ClientError.SEES_HIDDEN: "此房間有隱藏資訊，不開放本程式加入",
    ClientError.ACCOUNT_NEEDED: "此房間為積分賽，須登入帳號",
    ClientError.UNAVAILABLE: "伺服器暫時無法處理，請稍後再試",
}

ERROR_FRAMES: Final[Mapping[ClientError, bytes]] = MappingProxyType(
    {error: msgspec.json.encode({"action": "error", "message": text}) for error, text in _TEXTS.items()}
)

NONCE_WORD: Final = "error"
"""First word of the nonce of a refusal by the dialect itself; the error follows."""
ERROR_REFUSALS: Final = MappingProxyType(
    {error: (RefuseFrame(Refusal.MALFORMED, f"{NONCE_WORD} {error.value}"),) for error in ClientError}
)

_SERVER_ERRORS: Final = {
    Refusal.UNAVAILABLE: ClientError.UNAVAILABLE,
    Refusal.INTERNAL: ClientError.UNAVAILABLE,
}
_NO_ERRORS: Final = dict.fromkeys(Refusal)

MOVE_ERRORS: Final[Mapping[Refusal, ClientError | None]] = MappingProxyType(
    {
        **_NO_ERRORS,
        **_SERVER_ERRORS,
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
"""The error for a refused move; None: nothing is sent, because the end of the game is sent instead."""
ENTRY_ERRORS: Final[Mapping[Refusal, ClientError]] = MappingProxyType(
    {
        **dict.fromkeys(Refusal, ClientError.UNAVAILABLE),
        Refusal.NO_SUCH_ROOM: ClientError.NO_ROOM,
        Refusal.ROOM_CLOSED: ClientError.NO_ROOM,
        Refusal.ROOM_FULL: ClientError.FULL,
        Refusal.SEAT_TAKEN: ClientError.FULL,
        Refusal.BUSY: ClientError.FULL,
        Refusal.SEES_HIDDEN: ClientError.SEES_HIDDEN,
        Refusal.ACCOUNT_NEEDED: ClientError.ACCOUNT_NEEDED,
        Refusal.NO_BOTS: ClientError.FULL,
        Refusal.API_TOKEN_NEEDED: ClientError.FULL,
    }
)
"""The error for a room that cannot be entered."""
OTHER_ERRORS: Final[Mapping[Refusal, ClientError | None]] = MappingProxyType({**_NO_ERRORS, **_SERVER_ERRORS})
"""The error for any other refusal; only faults of the server are reported."""


def error_frames(error: ClientError | None) -> tuple[bytes, ...]:
    """Return the frame of an error, none without an error."""
    return () if error is None else (ERROR_FRAMES[error],)
