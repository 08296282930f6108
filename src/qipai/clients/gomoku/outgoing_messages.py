"""Every event that clients are sent, as the JSON array of its name and argument."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

import msgspec

from qipai.games.gomoku.lines import SIZE
from qipai.kernel.chat import ChatLine
from qipai.kernel.ids import Millis
from qipai.kernel.room import Phase
from qipai.kernel.room_view import LobbyRow

from . import chat_text

REMATCH_WAIT: Final = Millis(30_000)

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


def _stones(color: int, wrap: str) -> tuple[bytes, ...]:
    cells = range(SIZE * SIZE)
    return tuple((wrap % f'{{"x":{c % SIZE},"y":{c // SIZE},"color":{color}}}').encode() for c in cells)


STONES: Final = (_stones(1, "%s"), _stones(2, "%s"))
"""A stone in the history, by colour and cell."""
PLACED: Final = (_stones(1, '["stone-placed",%s]'), _stones(2, '["stone-placed",%s]'))
"""A stone that was just placed, by colour and cell."""


def joined(nickname: str, role: str) -> bytes:
    """Return that somebody came into the room."""
    return event("player-joined", {"nickname": chat_text.neutral(nickname), "role": role})


def left(nickname: str) -> bytes:
    """Return that somebody left the room."""
    return event("player-left", {"nickname": chat_text.neutral(nickname)})


def asked(name: str, nickname: str) -> bytes:
    """Return that somebody asks for something, or takes it back."""
    return event(name, {"from": chat_text.neutral(nickname)})


def points(cells: Iterable[int]) -> list[dict[str, int]]:
    """Return cells as clients name them."""
    return [{"x": cell % SIZE, "y": cell // SIZE} for cell in cells]


_FLAGS: Final = {"resigned": "surrender", "left": "left", "time": "timeout"}


def over(winner: int, reason: str, line: Iterable[int]) -> bytes:
    """Return how the game ended."""
    whole: dict[str, Any] = {"winner": winner, "winningStones": points(line) or None}
    if reason in _FLAGS:
        whole[_FLAGS[reason]] = True
    return event("game-over", whole)


def undone(board: bytes, *, accepted: bool) -> bytes:
    """Return the answer to a request to take a stone back, with the board as it is now."""
    return b'["undo-result",{"accepted":%s,"board":[%s]}]' % (b"true" if accepted else b"false", board)


def swapped(*, accepted: bool) -> bytes:
    """Return the answer to a request to change colours."""
    return event("swap-result", {"accepted": accepted})


REMATCH_WAITING: Final = event("rematch-waiting", {"timeout": REMATCH_WAIT, "opponentRequested": False})
REMATCH_TIMEOUT: Final = event(
    "rematch-timeout",
    {"message": "对方还没有回应，可以继续等待或离开房间", "canContinueWaiting": True, "canLeave": True},
)


def rematch(role: str) -> bytes:
    """Return that another game begins with the colours changed."""
    message = "新的一局开始，双方交换黑白"
    return event("rematch-start", {"swapped": True, "newRole": role, "message": message})


def timer(limit: int, turn: int) -> bytes:
    """Return how long this turn may take."""
    return event("turn-timer-start", {"timeLimit": limit, "currentTurn": turn})


def said(line: ChatLine) -> bytes:
    """Return a line of chat as it stands in the history, with the server's local time."""
    when = datetime.fromtimestamp(line.at / 1000, UTC).astimezone()
    return encode(
        {
            "time": f"{when:%H:%M}",
            "nickname": chat_text.neutral(line.name),
            "message": chat_text.line(line.text),
        }
    )


def received(line: bytes) -> bytes:
    """Return a line that was just said."""
    return b'["chat-received",%s]' % line


def row(of: LobbyRow, black: int = 0) -> bytes:
    """Return a room in one line; `black` is the seat that plays black."""
    names = [None if name is None else chat_text.neutral(name) for name in of.names]
    return encode(
        {
            "id": of.code,
            "name": chat_text.neutral(of.title or room_name(of.names)),
            "blackPlayer": names[black],
            "whitePlayer": names[1 - black],
            "status": STATUS[of.phase].decode(),
            "watcherCount": of.spectators,
        }
    )


def room_name(names: Iterable[str | None]) -> str:
    """Return what a room is called that nobody has named."""
    return chat_text.title_of(None, next((name for name in names if name), ""))


def found(room: bytes | None) -> bytes:
    """Return the answer to a search."""
    return (
        b'["search-result",{"found":false}]'
        if room is None
        else (b'["search-result",{"found":true,"room":%s}]' % room)
    )
