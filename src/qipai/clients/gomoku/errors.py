"""What goes wrong, in the words that clients know, and which of several reasons is said first."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from qipai.kernel.game_interface.rules_interface import Refusal
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase

from .incoming_messages import Ask


class Wrong(StrEnum):
    """The code of an error."""

    NICKNAME_NOT_TEXT = "nickname_not_text"
    NICKNAME_EMPTY = "nickname_empty"
    NICKNAME_TOO_LONG = "nickname_too_long"
    LOBBY_REQUIRED = "lobby_required"
    ROOM_NOT_FOUND = "room_not_found"
    ROOM_FULL = "room_full"
    GAME_OVER = "game_over"
    NOT_PLAYING = "not_playing"
    WATCHER = "watcher"
    NOT_YOUR_TURN = "not_your_turn"
    INVALID_POSITION = "invalid_position"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOT_A_PLAYER = "not_a_player"
    OPPONENT_MISSING = "opponent_missing"
    NO_UNDO_REQUEST = "no_undo_request"
    NO_SWAP_REQUEST = "no_swap_request"
    STONES_PLACED = "stones_placed"
    NOT_ENDED = "not_ended"
    NOT_IN_ROOM = "not_in_room"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"


TEXTS: Final[Mapping[Wrong, str]] = MappingProxyType(
    {
        Wrong.NICKNAME_NOT_TEXT: "昵称必须是字符串",
        Wrong.NICKNAME_EMPTY: "昵称不能为空",
        Wrong.NICKNAME_TOO_LONG: "昵称长度不能超过20个字符",
        Wrong.LOBBY_REQUIRED: "请先加入大厅",
        Wrong.ROOM_NOT_FOUND: "房间不存在",
        Wrong.ROOM_FULL: "房间已满",
        Wrong.GAME_OVER: "游戏已结束",
        Wrong.NOT_PLAYING: "游戏未在进行中",
        Wrong.WATCHER: "您是观战者，无法落子",
        Wrong.NOT_YOUR_TURN: "不是您的回合",
        Wrong.INVALID_POSITION: "无效的落子位置",
        Wrong.NOTHING_TO_UNDO: "没有可悔棋的步骤",
        Wrong.NOT_A_PLAYER: "您不是游戏玩家",
        Wrong.OPPONENT_MISSING: "对手不在房间中",
        Wrong.NO_UNDO_REQUEST: "没有待处理的悔棋请求",
        Wrong.NO_SWAP_REQUEST: "没有待处理的换方请求",
        Wrong.STONES_PLACED: "已有落子，无法换方",
        Wrong.NOT_ENDED: "游戏未结束",
        Wrong.NOT_IN_ROOM: "您不在该房间",
        Wrong.RATE_LIMITED: "操作过于频繁，请稍后再试",
        Wrong.UNAVAILABLE: "服务器暂时无法处理，请稍后再试",
    }
)
FRAMES: Final[Mapping[Wrong, bytes]] = MappingProxyType(
    {wrong: msgspec.json.encode(("error", {"code": wrong, "message": text})) for wrong, text in TEXTS.items()}
)

REFUSED: Final[Mapping[Refusal, Wrong | None]] = MappingProxyType(
    {
        Refusal.HELLO_FIRST: Wrong.LOBBY_REQUIRED,
        Refusal.BAD_NAME: Wrong.NICKNAME_EMPTY,
        Refusal.RATE_LIMITED: Wrong.RATE_LIMITED,
        Refusal.TOO_SOON: Wrong.RATE_LIMITED,
        Refusal.NO_SUCH_ROOM: Wrong.ROOM_NOT_FOUND,
        Refusal.ROOM_CLOSED: Wrong.ROOM_NOT_FOUND,
        Refusal.NOT_IN_ROOM: Wrong.NOT_IN_ROOM,
        Refusal.ROOM_FULL: Wrong.ROOM_FULL,
        Refusal.SEAT_TAKEN: Wrong.ROOM_FULL,
        Refusal.NO_WATCHERS: Wrong.ROOM_FULL,
        Refusal.NOT_SEATED: Wrong.NOT_A_PLAYER,
        Refusal.NOT_PLAYING: Wrong.NOT_PLAYING,
        Refusal.STILL_PLAYING: Wrong.NOT_ENDED,
        Refusal.NOT_YOUR_TURN: Wrong.NOT_YOUR_TURN,
        Refusal.STALE: Wrong.NOT_YOUR_TURN,
        Refusal.TOO_LATE: Wrong.GAME_OVER,
        Refusal.BAD_MOVE: Wrong.INVALID_POSITION,
        Refusal.OUT_OF_RANGE: Wrong.INVALID_POSITION,
        Refusal.OCCUPIED: Wrong.INVALID_POSITION,
        Refusal.ILLEGAL: Wrong.INVALID_POSITION,
        Refusal.NOTHING_TO_UNDO: Wrong.NOTHING_TO_UNDO,
        Refusal.FORBIDDEN: Wrong.NOTHING_TO_UNDO,
        Refusal.NOT_ALLOWED: Wrong.STONES_PLACED,
        Refusal.BUSY: Wrong.OPPONENT_MISSING,
        Refusal.NOT_OFFERED: Wrong.NO_UNDO_REQUEST,
        Refusal.NOT_ASKED: Wrong.NO_UNDO_REQUEST,
        Refusal.TOO_MANY_ROOMS: Wrong.UNAVAILABLE,
        Refusal.UNAVAILABLE: Wrong.UNAVAILABLE,
        Refusal.INTERNAL: Wrong.UNAVAILABLE,
        # What has been asked already stands; what is no message, or empty, says nothing.
        Refusal.OFFER_STANDS: None,
        Refusal.EMPTY: None,
        Refusal.MALFORMED: None,
        # Clients of this dialect name no version, game, bot or options.
        Refusal.VERSION: None,
        Refusal.NO_SUCH_GAME: None,
        Refusal.NO_SUCH_BOT: None,
        Refusal.BAD_OPTIONS: None,
        # Nor do they close chats or move seats; where the host has closed the chat, only phrases are heard.
        Refusal.NOT_HOST: None,
        Refusal.TICKET: None,
        Refusal.HUSHED: None,
    }
)
"""What is said of a refusal when nothing else comes first."""

MOVES: Final = frozenset(
    {
        Refusal.NOT_SEATED,
        Refusal.NOT_PLAYING,
        Refusal.NOT_YOUR_TURN,
        Refusal.STALE,
        Refusal.TOO_LATE,
        Refusal.BAD_MOVE,
        Refusal.OUT_OF_RANGE,
        Refusal.OCCUPIED,
        Refusal.ILLEGAL,
    }
)
"""Why a move is refused, and nothing else that is asked without a nonce."""
PLAIN: Final = frozenset(
    {
        Refusal.HELLO_FIRST,
        Refusal.BAD_NAME,
        Refusal.RATE_LIMITED,
        Refusal.NO_SUCH_ROOM,
        Refusal.ROOM_CLOSED,
        Refusal.NOT_IN_ROOM,
        Refusal.HUSHED,
        Refusal.UNAVAILABLE,
        Refusal.INTERNAL,
    }
)
"""Reasons that come before any other."""
_LAST: Final = {
    Ask.ANSWER_UNDO: Wrong.NO_UNDO_REQUEST,
    Ask.ANSWER_SWAP: Wrong.NO_SWAP_REQUEST,
    Ask.CANCEL: None,
}


class Standing(NamedTuple):
    """How a table stands for somebody who asks for something there."""

    phase: Phase
    stones: int
    turn: Seat | None
    seat: Seat | None
    opponent: bool


def first(ask: Ask, at: Standing) -> Wrong | None:
    """Return the first reason why this cannot be done, as far as the table's standing tells."""
    playing = at.phase is Phase.PLAYING
    checks: tuple[tuple[bool, Wrong], ...]
    match ask:
        case Ask.PLACE:
            checks = (
                (at.phase is Phase.OVER, Wrong.GAME_OVER),
                (not playing, Wrong.NOT_PLAYING),
                (at.seat is None, Wrong.WATCHER),
                (at.turn != at.seat, Wrong.NOT_YOUR_TURN),
            )
        case Ask.UNDO | Ask.ANSWER_UNDO:
            checks = (
                (not playing, Wrong.NOT_PLAYING),
                (not at.stones, Wrong.NOTHING_TO_UNDO),
                (at.seat is None, Wrong.NOT_A_PLAYER),
                (not at.opponent, Wrong.OPPONENT_MISSING),
            )
        case Ask.SWAP | Ask.ANSWER_SWAP:
            checks = (
                (not playing, Wrong.NOT_PLAYING),
                (at.stones > 0, Wrong.STONES_PLACED),
                (at.seat is None, Wrong.NOT_A_PLAYER if ask is Ask.SWAP else Wrong.NO_SWAP_REQUEST),
                (not at.opponent, Wrong.OPPONENT_MISSING),
            )
        case Ask.REMATCH:
            checks = (
                (at.phase is not Phase.OVER, Wrong.NOT_ENDED),
                (at.seat is None, Wrong.NOT_A_PLAYER),
                (not at.opponent, Wrong.OPPONENT_MISSING),
            )
        case Ask.CANCEL:
            checks = ((at.phase is not Phase.OVER, Wrong.NOT_ENDED), (at.seat is None, Wrong.NOT_A_PLAYER))
        case Ask.SURRENDER:
            checks = ((not playing, Wrong.NOT_PLAYING), (at.seat is None, Wrong.NOT_A_PLAYER))
        case Ask.CHAT:
            return Wrong.NOT_IN_ROOM
        case _:
            return None
    return next((wrong for failed, wrong in checks if failed), None)


def last(ask: Ask, code: Refusal) -> Wrong | None:
    """Return what is said of a refusal when the table's standing gives no reason."""
    return _LAST.get(ask, REFUSED[code]) if code is not Refusal.BUSY else REFUSED[code]
