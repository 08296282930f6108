"""Builds every Socket.IO event that gomoku clients receive, as the JSON array of its name and argument."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

import msgspec

from qipai.games.gomoku.lines import SIZE
from qipai.kernel.ids import Millis
from qipai.kernel.room import Phase
from qipai.kernel.room_view import LobbyRow
from qipai.kernel.view_values import ChatLineView
from qipai.protocol.bot_mark import shown_names

from . import chat_text

REMATCH_TIMEOUT_MS: Final = Millis(30_000)
WHOLE_STATES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "room-updated": ("room-updated",),
        "room-list": ("room-list",),
        "room-joined": ("room-list",),
    }
)
"""Events that tell the whole room or list, each with the earlier events that it makes superfluous.

A client that enters a room gets a new list when it leaves.
"""

encode: Final = msgspec.json.Encoder().encode

STATUS: Final[Mapping[Phase, bytes]] = MappingProxyType(
    {
        Phase.WAITING: b"waiting",
        Phase.PLAYING: b"playing",
        Phase.OVER: b"ended",
        Phase.CLOSED: b"ended",
    }
)


def event(name: str, argument: Any) -> bytes:
    """Return one event."""
    return encode((name, argument))


def _stones(color: int, template: str) -> tuple[bytes, ...]:
    cells = range(SIZE * SIZE)
    return tuple((template % f'{{"x":{c % SIZE},"y":{c // SIZE},"color":{color}}}').encode() for c in cells)


STONES: Final = (_stones(1, "%s"), _stones(2, "%s"))
"""JSON of a stone in the history, by colour and cell."""
STONE_PLACED: Final = (_stones(1, '["stone-placed",%s]'), _stones(2, '["stone-placed",%s]'))
"""The `stone-placed` event, by colour and cell."""


def player_joined(nickname: str, role: str) -> bytes:
    """Return the event that a player or spectator entered the room."""
    return event("player-joined", {"nickname": chat_text.escape_markup(nickname), "role": role})


def player_left(nickname: str) -> bytes:
    """Return the event that a player or spectator left the room."""
    return event("player-left", {"nickname": chat_text.escape_markup(nickname)})


def offer_event(name: str, nickname: str, remaining_undos: int | None = None) -> bytes:
    """Return the event that a player requests something, or withdraws that."""
    fields: dict[str, Any] = {"from": chat_text.escape_markup(nickname)}
    return event(name, fields if remaining_undos is None else fields | {"remainingUndos": remaining_undos})


def coordinates(cells: Iterable[int]) -> list[dict[str, int]]:
    """Return cells as the coordinates that clients use."""
    return [{"x": cell % SIZE, "y": cell // SIZE} for cell in cells]


_REASON_FIELDS: Final = {
    "resigned": ("surrender",),
    "left": ("surrender", "left"),
    "time": ("surrender", "timeout"),
}
"""Fields by reason; pages know `surrender`, and announce five in a row without it."""


def game_over(winner: int, reason: str, line: Iterable[int]) -> bytes:
    """Return the event that the game ended."""
    fields: dict[str, Any] = {"winner": winner, "winningStones": coordinates(line) or None}
    fields |= dict.fromkeys(_REASON_FIELDS.get(reason, ()), True)
    return event("game-over", fields)


def undo_result(board: bytes, remaining: int | None = None, *, accepted: bool) -> bytes:
    """Return the answer to an undo request, with the board as it is now."""
    more = b"" if remaining is None else b',"remainingUndos":%d' % remaining
    return b'["undo-result",{"accepted":%s,"board":[%s]%s}]' % (
        b"true" if accepted else b"false",
        board,
        more,
    )


def swap_result(*, accepted: bool) -> bytes:
    """Return the answer to a request to swap colours."""
    return event("swap-result", {"accepted": accepted})


REMATCH_WAITING: Final = event("rematch-waiting", {"timeout": REMATCH_TIMEOUT_MS, "opponentRequested": False})
REMATCH_TIMEOUT: Final = event(
    "rematch-timeout",
    {"message": "对方还没有回应，可以继续等待或离开房间", "canContinueWaiting": True, "canLeave": True},
)
OPPONENT_LEFT_REMATCH: Final = event(
    "opponent-left-rematch",
    {"canWaitNewOpponent": True, "roomStatus": "waiting", "message": "对方已离开房间"},
)


def rematch_start(role: str) -> bytes:
    """Return the event that another game starts with colours swapped."""
    message = "新的一局开始，双方交换黑白"
    return event("rematch-start", {"swapped": True, "newRole": role, "message": message})


def turn_timer(limit: int, turn: int) -> bytes:
    """Return the event that starts the timer of a turn; `turn` is 1 for black, 2 for white."""
    return event("turn-timer-start", {"timeLimit": limit, "currentTurn": turn})


def chat_line(line: ChatLineView) -> bytes:
    """Return a chat line as the history has it, with the server's local time."""
    when = datetime.fromtimestamp(line.at / 1000, UTC).astimezone()
    return encode(
        {
            "time": f"{when:%H:%M}",
            "nickname": chat_text.escape_markup(line.name),
            "message": chat_text.chat_message(line.text),
        }
    )


def chat_received(line: bytes) -> bytes:
    """Return the event of a new chat line."""
    return b'["chat-received",%s]' % line


SYSTEM_NAME: Final = "系统"


def presence_line(at: Millis, nickname: str, *, gone: bool) -> bytes:
    """Return the chat line that a player is disconnected or back: pages show nothing else of it."""
    text = f"{nickname} 断线了，座位保留两分钟" if gone else f"{nickname} 回来了"
    return chat_received(chat_line(ChatLineView(at, SYSTEM_NAME, text)))


def list_row(row: LobbyRow, black: int = 0) -> bytes:
    """Return a row of the room list; `black` is the seat that plays black."""
    shown = shown_names(row)
    names = [None if name is None else chat_text.escape_markup(name) for name in shown]
    # A player who is alone and does not play waits for somebody, whatever was played before.
    waits = row.phase is not Phase.PLAYING and any(row.names) and None in row.names
    return encode(
        {
            "id": row.code,
            "name": chat_text.escape_markup(row.title or default_title(shown)),
            "blackPlayer": names[black],
            "whitePlayer": names[1 - black],
            "status": STATUS[Phase.WAITING if waits else row.phase].decode(),
            "watcherCount": row.spectators,
        }
    )


def default_title(names: Iterable[str | None]) -> str:
    """Return the title of a room without one."""
    return chat_text.room_title(None, next((name for name in names if name), ""))


def search_result(room: bytes | None) -> bytes:
    """Return the answer to a search; `room` is its row."""
    return (
        b'["search-result",{"found":false}]'
        if room is None
        else (b'["search-result",{"found":true,"room":%s}]' % room)
    )
