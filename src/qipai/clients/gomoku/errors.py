"""Error codes of gomoku clients, and which one is sent when several apply."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase

from .incoming_messages import RequestType


class ClientError(StrEnum):
    """Error codes that clients receive."""

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
    NO_UNDOS_LEFT = "no_undos_left"
    NO_SWAP_REQUEST = "no_swap_request"
    STONES_PLACED = "stones_placed"
    NOT_ENDED = "not_ended"
    NOT_IN_ROOM = "not_in_room"
    RATE_LIMITED = "rate_limited"
    WARNING = "warning"
    MUTED = "muted"
    BANNED = "banned"
    UNAVAILABLE = "unavailable"


TEXTS: Final[Mapping[ClientError, str]] = MappingProxyType(
    {
        ClientError.NICKNAME_NOT_TEXT: "昵称必须是字符串",
        ClientError.NICKNAME_EMPTY: "昵称不能为空",
        ClientError.NICKNAME_TOO_LONG: "昵称长度不能超过20个字符",
        ClientError.LOBBY_REQUIRED: "请先加入大厅",
        ClientError.ROOM_NOT_FOUND: "房间不存在",
        ClientError.ROOM_FULL: "房间已满",
        ClientError.GAME_OVER: "游戏已结束",
        ClientError.NOT_PLAYING: "游戏未在进行中",
        ClientError.WATCHER: "您是观战者，无法落子",
        ClientError.NOT_YOUR_TURN: "不是您的回合",
        ClientError.INVALID_POSITION: "无效的落子位置",
        ClientError.NOTHING_TO_UNDO: "没有可悔棋的步骤",
        ClientError.NOT_A_PLAYER: "您不是游戏玩家",
        ClientError.OPPONENT_MISSING: "对手不在房间中",
        ClientError.NO_UNDO_REQUEST: "没有待处理的悔棋请求",
        ClientError.NO_UNDOS_LEFT: "本局悔棋次数已用完（最多%d次）",
        ClientError.NO_SWAP_REQUEST: "没有待处理的换方请求",
        ClientError.STONES_PLACED: "已有落子，无法换方",
        ClientError.NOT_ENDED: "游戏未结束",
        ClientError.NOT_IN_ROOM: "您不在该房间",
        ClientError.RATE_LIMITED: "操作过于频繁，请稍后再试",
        ClientError.WARNING: "管理员警告",
        ClientError.MUTED: "您已被禁言",
        ClientError.BANNED: "您已被禁止使用本服务器",
        ClientError.UNAVAILABLE: "服务器暂时无法处理，请稍后再试",
    }
)


def error_frame(error: ClientError, text: str) -> bytes:
    """Return the event for an error."""
    return msgspec.json.encode(("error", {"code": error, "message": text}))


ERROR_FRAMES: Final[Mapping[ClientError, bytes]] = MappingProxyType(
    {error: error_frame(error, text) for error, text in TEXTS.items()}
)

ERROR_OF_REFUSAL: Final[Mapping[Refusal, ClientError | None]] = MappingProxyType(
    {
        Refusal.HELLO_FIRST: ClientError.LOBBY_REQUIRED,
        Refusal.BAD_NAME: ClientError.NICKNAME_EMPTY,
        Refusal.RATE_LIMITED: ClientError.RATE_LIMITED,
        Refusal.TOO_SOON: ClientError.RATE_LIMITED,
        Refusal.NO_SUCH_ROOM: ClientError.ROOM_NOT_FOUND,
        Refusal.ROOM_CLOSED: ClientError.ROOM_NOT_FOUND,
        Refusal.NOT_IN_ROOM: ClientError.NOT_IN_ROOM,
        Refusal.ROOM_FULL: ClientError.ROOM_FULL,
        Refusal.SEAT_TAKEN: ClientError.ROOM_FULL,
        Refusal.NO_SPECTATORS: ClientError.ROOM_FULL,
        Refusal.SEES_HIDDEN: ClientError.ROOM_FULL,
        Refusal.ACCOUNT_NEEDED: ClientError.ROOM_FULL,
        Refusal.NO_BOTS: ClientError.ROOM_FULL,
        Refusal.API_TOKEN_NEEDED: ClientError.ROOM_FULL,
        Refusal.NOT_SEATED: ClientError.NOT_A_PLAYER,
        Refusal.NOT_PLAYING: ClientError.NOT_PLAYING,
        Refusal.STILL_PLAYING: ClientError.NOT_ENDED,
        Refusal.NOT_YOUR_TURN: ClientError.NOT_YOUR_TURN,
        Refusal.STALE: ClientError.NOT_YOUR_TURN,
        Refusal.TOO_LATE: ClientError.GAME_OVER,
        Refusal.BAD_MOVE: ClientError.INVALID_POSITION,
        Refusal.OUT_OF_RANGE: ClientError.INVALID_POSITION,
        Refusal.OCCUPIED: ClientError.INVALID_POSITION,
        Refusal.ILLEGAL: ClientError.INVALID_POSITION,
        Refusal.NOTHING_TO_UNDO: ClientError.NOTHING_TO_UNDO,
        Refusal.FORBIDDEN: ClientError.NOTHING_TO_UNDO,
        Refusal.NOT_ALLOWED: ClientError.STONES_PLACED,
        Refusal.BUSY: ClientError.OPPONENT_MISSING,
        Refusal.NOT_OFFERED: ClientError.NO_UNDO_REQUEST,
        Refusal.NOT_ASKED: ClientError.NO_UNDO_REQUEST,
        Refusal.TOO_MANY_ROOMS: ClientError.UNAVAILABLE,
        Refusal.UNAVAILABLE: ClientError.UNAVAILABLE,
        Refusal.INTERNAL: ClientError.UNAVAILABLE,
        # An offer that stands is sent again instead; an empty or malformed message is ignored.
        Refusal.OFFER_STANDS: None,
        Refusal.EMPTY: None,
        Refusal.MALFORMED: None,
        # Clients of this dialect send no version, game, bot or options.
        Refusal.VERSION: None,
        Refusal.NO_SUCH_GAME: None,
        Refusal.NO_SUCH_BOT: None,
        Refusal.BAD_OPTIONS: None,
        # Nor do they restrict the chat, transfer seats or challenge anybody.
        # A line refused in a phrases-only room is ignored.
        Refusal.NOT_HOST: None,
        Refusal.BAD_TICKET: None,
        Refusal.NO_SUCH_PLAYER: None,
        Refusal.NO_CHALLENGES: None,
        Refusal.CHALLENGE_STANDS: None,
        Refusal.PHRASES_ONLY: None,
        Refusal.MUTED: ClientError.MUTED,
        # No table of these clients is rated.
        Refusal.UNRATED: None,
    }
)
"""The error for a refusal when no check of the room's status fails; None: the client receives nothing."""

MOVE_REFUSALS: Final = frozenset(
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
"""Refusals of a request without a nonce that can only mean a move."""
UNCONDITIONAL_REFUSALS: Final = frozenset(
    {
        Refusal.HELLO_FIRST,
        Refusal.BAD_NAME,
        Refusal.RATE_LIMITED,
        Refusal.NO_SUCH_ROOM,
        Refusal.ROOM_CLOSED,
        Refusal.NOT_IN_ROOM,
        Refusal.PHRASES_ONLY,
        Refusal.UNAVAILABLE,
        Refusal.INTERNAL,
    }
)
"""Refusals that are reported before any check of the room's status."""
REQUEST_TYPES: Final = frozenset(RequestType)
_CLIENT_ERRORS: Final = frozenset(ClientError)
_ERROR_OF_ANSWER: Final = {
    RequestType.ANSWER_UNDO: ClientError.NO_UNDO_REQUEST,
    RequestType.ANSWER_SWAP: ClientError.NO_SWAP_REQUEST,
    RequestType.CANCEL: None,
}


class RoomStatus(NamedTuple):
    """What the checks of a request read of a room, for one seat."""

    phase: Phase
    stone_count: int
    turn: Seat | None
    seat: Seat | None
    opponent_connected: bool
    waits_again: bool = False


def status_error(request_type: RequestType, status: RoomStatus) -> ClientError | None:
    """Return the first error that the status of the room gives for a request, in the order clients expect."""
    playing = status.phase is Phase.PLAYING
    checks: tuple[tuple[bool, ClientError], ...]
    match request_type:
        case RequestType.PLACE:
            checks = (
                (status.phase is Phase.OVER and not status.waits_again, ClientError.GAME_OVER),
                (not playing, ClientError.NOT_PLAYING),
                (status.seat is None, ClientError.WATCHER),
                (status.turn != status.seat, ClientError.NOT_YOUR_TURN),
            )
        case RequestType.UNDO | RequestType.ANSWER_UNDO:
            checks = (
                (not playing, ClientError.NOT_PLAYING),
                (not status.stone_count, ClientError.NOTHING_TO_UNDO),
                (status.seat is None, ClientError.NOT_A_PLAYER),
                (not status.opponent_connected, ClientError.OPPONENT_MISSING),
            )
        case RequestType.SWAP | RequestType.ANSWER_SWAP:
            checks = (
                (not playing, ClientError.NOT_PLAYING),
                (status.stone_count > 0, ClientError.STONES_PLACED),
                (
                    status.seat is None,
                    ClientError.NOT_A_PLAYER
                    if request_type is RequestType.SWAP
                    else ClientError.NO_SWAP_REQUEST,
                ),
                (not status.opponent_connected, ClientError.OPPONENT_MISSING),
            )
        case RequestType.REMATCH:
            checks = (
                (status.phase is not Phase.OVER, ClientError.NOT_ENDED),
                (status.seat is None, ClientError.NOT_A_PLAYER),
                (not status.opponent_connected, ClientError.OPPONENT_MISSING),
            )
        case RequestType.CANCEL:
            checks = (
                (status.phase is not Phase.OVER, ClientError.NOT_ENDED),
                (status.seat is None, ClientError.NOT_A_PLAYER),
            )
        case RequestType.SURRENDER:
            checks = ((not playing, ClientError.NOT_PLAYING), (status.seat is None, ClientError.NOT_A_PLAYER))
        case RequestType.CHAT:
            return ClientError.NOT_IN_ROOM
        case _:
            return None
    return next((error for failed, error in checks if failed), None)


def refusal_error(request_type: RequestType, code: Refusal) -> ClientError | None:
    """Return the error for a refusal when the status of the room gives none."""
    if code is Refusal.BUSY:
        return ERROR_OF_REFUSAL[code]
    return _ERROR_OF_ANSWER.get(request_type, ERROR_OF_REFUSAL[code])


def client_error(code: Refusal, nonce_word: str, status: RoomStatus | None) -> ClientError | None:
    """Return the error for a refusal; the first word of its nonce names the request, or the error itself."""
    if nonce_word in _CLIENT_ERRORS:
        return ClientError(nonce_word)
    if not nonce_word and code in MOVE_REFUSALS:
        nonce_word = RequestType.PLACE
    if nonce_word not in REQUEST_TYPES or code in UNCONDITIONAL_REFUSALS or status is None:
        return ERROR_OF_REFUSAL[code]
    request_type = RequestType(nonce_word)
    return status_error(request_type, status) or refusal_error(request_type, code)
