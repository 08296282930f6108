"""Builds every Socket.IO event that tic-tac-toe clients receive, as the JSON array of name and arguments."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, Final

import msgspec

from qipai.games.tictactoe.rules import View, other
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.refusals import Refusal

from .room_state import RoomState

Frames = tuple[bytes, ...]

_encode: Final = msgspec.json.Encoder().encode


def event(name: str, *arguments: Any) -> bytes:
    """Return one event."""
    return _encode((name, *arguments))


def system_hint(text: str) -> bytes:
    """Return a chat line from the system."""
    return event("chat message", f"[系統提示] {text}")


def chat_line(at: Millis, name: str, text: str) -> bytes:
    """Return a chat line of a player, with the server's local time."""
    when = datetime.fromtimestamp(at / 1000, UTC).astimezone()
    return event("chat message", f"[{when:%H:%M:%S}] {name}: {text}")


def _move_frames(symbol: str, turn: str) -> tuple[Frames, ...]:
    return tuple(
        (event("move_made", {"row": cell // 3, "col": cell % 3, "symbol": symbol, "turn": turn}),)
        for cell in range(9)
    )


MOVE_FRAMES: Final = (_move_frames("X", "O"), _move_frames("O", "X"))
"""The `move_made` event of a move after which the round continues, by symbol and cell."""
LAST_MOVE_FRAMES: Final = (_move_frames("X", "X"), _move_frames("O", "O"))
"""The `move_made` event of the last move of a round: the turn stays with its player."""

OPPONENT_LEFT: Final = event("opponent_left")
WAITING_HINT: Final = system_hint("請等候其他玩家加入！")
OPENED_ELSEWHERE: Final = system_hint("你已在另一個視窗接續這盤棋。")


def waiting(room_state: RoomState) -> bytes:
    """Return the event that no opponent has come yet."""
    return event("waiting_for_opponent", {"room_id": room_state.name, "status": "waiting"})


def introduction(creator: str, joiner: str) -> Frames:
    """Return the hints that introduce two players."""
    return system_hint(f"強勁的棋手 {creator} 已等候多時!"), system_hint(f"強勁的棋手 {joiner} 已抵達戰場!")


def game_start(room_state: RoomState, position: View) -> bytes:
    """Return the event with the whole match, for this player."""
    fields = {
        "room_id": room_state.name,
        "your_symbol": room_state.symbol(room_state.you),
        "turn": room_state.symbol(position.turn),
        **room_state.players(),
        "my_side": room_state.side(room_state.you),
        "scores": room_state.scores(),
        "round_count": room_state.round,
    }
    return event("game_start", fields)


def new_match(room_state: RoomState, position: View) -> bytes:
    """Return the event that another match in the same room starts."""
    fields = {
        "turn": room_state.symbol(position.turn),
        "scores": room_state.scores(),
        "round_count": room_state.round,
        "match_finished": False,
        **room_state.players(),
        "current_first_player": room_state.side(position.first),
    }
    return event("new_match_started", fields)


def round_end(
    room_state: RoomState, winner: Seat | None, lines: Iterable[Iterable[int]] = (), *, finished: bool
) -> bytes:
    """Return the event that the round ended, and whether the match did."""
    fields = {
        "winner": "Draw" if winner is None else room_state.symbol(winner),
        "scores": room_state.scores(),
        "round_count": room_state.round,
        "match_finished": finished,
        "winning_lines": [[divmod(cell, 3) for cell in cells] for cells in lines],
    }
    return event("round_end", fields)


def game_reset(room_state: RoomState, first: Seat) -> bytes:
    """Return the event that the next round starts."""
    fields = {
        "turn": room_state.symbol(first),
        "scores": room_state.scores(),
        "round_count": room_state.round,
        "match_finished": False,
        "current_first_player": room_state.side(first),
    }
    return event("game_reset", fields)


def board_moves(room_state: RoomState, position: View) -> list[bytes]:
    """Return the moves on the board in a possible order."""
    decisive = {cell for cells in position.lines for cell in cells}
    cells_by_player = [
        sorted(
            (cell for cell in range(9) if position.board[cell] == room_state.symbol(seat)),
            key=lambda cell: cell in decisive,
        )
        for seat in (position.first, other(position.first))
    ]
    first_symbol = int(position.first != room_state.x_seat)
    order = [
        ((first_symbol + index) % 2, cell)
        for pair in zip_longest(*cells_by_player)
        for index, cell in enumerate(pair)
        if cell is not None
    ]
    frames = [MOVE_FRAMES[symbol][cell][0] for symbol, cell in order]
    if position.resting:
        symbol, cell = order[-1]
        frames[-1] = LAST_MOVE_FRAMES[symbol][cell][0]
    return frames


# Refusals

_NO_FRAMES: Final[Frames] = ()
_LOGIN_REQUIRED: Final = (event("login_required", {"message": "請先登入"}),)
_ROOM_FULL: Final = (event("room_full", {"message": "房間已滿，請稍後再試"}),)
_GAME_IN_PROGRESS: Final = (event("game_in_progress", {"message": "目前已有遊戲進行中，請稍後再試"}),)
_UNAVAILABLE: Final = (system_hint("伺服器暫時無法處理，請稍後再試。"),)


def _move_rejected(reason: str) -> Frames:
    return (event("move_rejected", {"reason": reason}),)


NOT_PLAYING: Final = _move_rejected("not_playing")
_OUT_OF_RANGE: Final = _move_rejected("out_of_range")

REFUSAL_FRAMES: Final[Mapping[Refusal, Frames]] = MappingProxyType(
    {
        Refusal.HELLO_FIRST: _LOGIN_REQUIRED,
        Refusal.ROOM_FULL: _ROOM_FULL,
        Refusal.TOO_MANY_ROOMS: _ROOM_FULL,
        Refusal.BUSY: _GAME_IN_PROGRESS,
        Refusal.NOT_PLAYING: NOT_PLAYING,
        Refusal.TOO_LATE: NOT_PLAYING,
        Refusal.NOT_SEATED: NOT_PLAYING,
        Refusal.NOT_IN_ROOM: NOT_PLAYING,
        Refusal.NO_SUCH_ROOM: NOT_PLAYING,
        Refusal.ROOM_CLOSED: NOT_PLAYING,
        Refusal.OUT_OF_RANGE: _OUT_OF_RANGE,
        Refusal.BAD_MOVE: _OUT_OF_RANGE,
        Refusal.ILLEGAL: _OUT_OF_RANGE,
        Refusal.NOT_YOUR_TURN: _move_rejected("not_your_turn"),
        Refusal.OCCUPIED: _move_rejected("occupied"),
        Refusal.UNAVAILABLE: _UNAVAILABLE,
        Refusal.INTERNAL: _UNAVAILABLE,
        Refusal.MALFORMED: _NO_FRAMES,
        Refusal.VERSION: _NO_FRAMES,
        Refusal.BAD_NAME: _NO_FRAMES,
        Refusal.RATE_LIMITED: _NO_FRAMES,
        Refusal.NO_SUCH_GAME: _NO_FRAMES,
        Refusal.NO_SUCH_BOT: _NO_FRAMES,
        Refusal.BAD_OPTIONS: _NO_FRAMES,
        Refusal.NO_SPECTATORS: _NO_FRAMES,
        Refusal.SEES_HIDDEN: _NO_FRAMES,
        Refusal.ACCOUNT_NEEDED: _NO_FRAMES,
        Refusal.NO_BOTS: _NO_FRAMES,
        Refusal.API_TOKEN_NEEDED: _NO_FRAMES,
        Refusal.SEAT_TAKEN: _NO_FRAMES,
        Refusal.STILL_PLAYING: _NO_FRAMES,
        Refusal.STALE: _NO_FRAMES,
        Refusal.NOT_OFFERED: _NO_FRAMES,
        Refusal.NOT_ASKED: _NO_FRAMES,
        Refusal.OFFER_STANDS: _NO_FRAMES,
        Refusal.TOO_SOON: _NO_FRAMES,
        Refusal.NOT_ALLOWED: _NO_FRAMES,
        Refusal.NOTHING_TO_UNDO: _NO_FRAMES,
        Refusal.EMPTY: _NO_FRAMES,
        Refusal.FORBIDDEN: _NO_FRAMES,
        Refusal.PHRASES_ONLY: _NO_FRAMES,
        Refusal.NOT_HOST: _NO_FRAMES,
        Refusal.BAD_TICKET: _NO_FRAMES,
        Refusal.NO_SUCH_PLAYER: _NO_FRAMES,
        Refusal.NO_CHALLENGES: _NO_FRAMES,
        Refusal.CHALLENGE_STANDS: _NO_FRAMES,
        # Told with reason and end by `tictactoe_messages`; no table of these clients is rated.
        Refusal.MUTED: _NO_FRAMES,
        Refusal.UNRATED: _NO_FRAMES,
    }
)


def refusal_frames(code: Refusal, *, playing: bool, nonced: bool) -> Frames:
    """Return the events for a refusal; for a request with a nonce, only of a fault or a busy player."""
    frames = REFUSAL_FRAMES[code]
    if nonced and frames not in {_UNAVAILABLE, _GAME_IN_PROGRESS}:
        return _NO_FRAMES
    # Clients expect `not_playing` before any other reason.
    return NOT_PLAYING if frames is _OUT_OF_RANGE and not playing else frames
