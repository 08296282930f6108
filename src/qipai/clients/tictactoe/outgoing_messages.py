"""Every event that clients are sent, as the JSON array of its name and arguments."""

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


def hint(text: str) -> bytes:
    """Return a line that the system says."""
    return event("chat message", f"[系統提示] {text}")


def line(at: Millis, name: str, text: str) -> bytes:
    """Return a line that somebody said, with the server's local time."""
    when = datetime.fromtimestamp(at / 1000, UTC).astimezone()
    return event("chat message", f"[{when:%H:%M:%S}] {name}: {text}")


def _marks(symbol: str, turn: str) -> tuple[Frames, ...]:
    return tuple(
        (event("move_made", {"row": cell // 3, "col": cell % 3, "symbol": symbol, "turn": turn}),)
        for cell in range(9)
    )


MADE: Final = (_marks("X", "O"), _marks("O", "X"))
"""A mark after which the round goes on, by symbol and cell."""
LAST: Final = (_marks("X", "X"), _marks("O", "O"))
"""The last mark of a round: the turn stays where it is."""

OPPONENT_LEFT: Final = event("opponent_left")
WAIT: Final = hint("請等候其他玩家加入！")
ELSEWHERE: Final = hint("你已在另一個視窗接續這盤棋。")


def waiting(table: RoomState) -> bytes:
    """Return that nobody has come yet."""
    return event("waiting_for_opponent", {"room_id": table.name, "status": "waiting"})


def met(creator: str, joiner: str) -> Frames:
    """Return how two players are introduced."""
    return hint(f"強勁的棋手 {creator} 已等候多時!"), hint(f"強勁的棋手 {joiner} 已抵達戰場!")


def game_start(table: RoomState, position: View) -> bytes:
    """Return a match as it stands, for this player."""
    whole = {
        "room_id": table.name,
        "your_symbol": table.symbol(table.you),
        "turn": table.symbol(position.turn),
        **table.players(),
        "my_side": table.side(table.you),
        "scores": table.scores(),
        "round_count": table.round,
    }
    return event("game_start", whole)


def new_match(table: RoomState, position: View) -> bytes:
    """Return the beginning of another match at the same table."""
    whole = {
        "turn": table.symbol(position.turn),
        "scores": table.scores(),
        "round_count": table.round,
        "match_finished": False,
        **table.players(),
        "current_first_player": table.side(position.first),
    }
    return event("new_match_started", whole)


def round_end(
    table: RoomState, winner: Seat | None, lines: Iterable[Iterable[int]] = (), *, finished: bool
) -> bytes:
    """Return how the present round ended, and whether the match did."""
    whole = {
        "winner": "Draw" if winner is None else table.symbol(winner),
        "scores": table.scores(),
        "round_count": table.round,
        "match_finished": finished,
        "winning_lines": [[divmod(cell, 3) for cell in cells] for cells in lines],
    }
    return event("round_end", whole)


def game_reset(table: RoomState, first: Seat) -> bytes:
    """Return the beginning of the next round."""
    whole = {
        "turn": table.symbol(first),
        "scores": table.scores(),
        "round_count": table.round,
        "match_finished": False,
        "current_first_player": table.side(first),
    }
    return event("game_reset", whole)


def moves(table: RoomState, position: View) -> list[bytes]:
    """Return the marks on the board in an order in which they can have been made."""
    decisive = {cell for cells in position.lines for cell in cells}
    rows = [
        sorted(
            (cell for cell in range(9) if position.board[cell] == table.symbol(seat)),
            key=lambda cell: cell in decisive,
        )
        for seat in (position.first, other(position.first))
    ]
    begins = int(position.first != table.x)
    order = [
        ((begins + nth) % 2, cell)
        for pair in zip_longest(*rows)
        for nth, cell in enumerate(pair)
        if cell is not None
    ]
    made = [MADE[symbol][cell][0] for symbol, cell in order]
    if position.resting:
        symbol, cell = order[-1]
        made[-1] = LAST[symbol][cell][0]
    return made


# Refusals

_SILENCE: Final[Frames] = ()
_LOGIN: Final = (event("login_required", {"message": "請先登入"}),)
_FULL: Final = (event("room_full", {"message": "房間已滿，請稍後再試"}),)
_BUSY: Final = (event("game_in_progress", {"message": "目前已有遊戲進行中，請稍後再試"}),)
_TROUBLE: Final = (hint("伺服器暫時無法處理，請稍後再試。"),)


def _rejected(reason: str) -> Frames:
    return (event("move_rejected", {"reason": reason}),)


NOT_PLAYING: Final = _rejected("not_playing")
_OUT_OF_RANGE: Final = _rejected("out_of_range")

REFUSED: Final[Mapping[Refusal, Frames]] = MappingProxyType(
    {
        Refusal.HELLO_FIRST: _LOGIN,
        Refusal.ROOM_FULL: _FULL,
        Refusal.TOO_MANY_ROOMS: _FULL,
        Refusal.BUSY: _BUSY,
        Refusal.NOT_PLAYING: NOT_PLAYING,
        Refusal.TOO_LATE: NOT_PLAYING,
        Refusal.NOT_SEATED: NOT_PLAYING,
        Refusal.NOT_IN_ROOM: NOT_PLAYING,
        Refusal.NO_SUCH_ROOM: NOT_PLAYING,
        Refusal.ROOM_CLOSED: NOT_PLAYING,
        Refusal.OUT_OF_RANGE: _OUT_OF_RANGE,
        Refusal.BAD_MOVE: _OUT_OF_RANGE,
        Refusal.ILLEGAL: _OUT_OF_RANGE,
        Refusal.NOT_YOUR_TURN: _rejected("not_your_turn"),
        Refusal.OCCUPIED: _rejected("occupied"),
        Refusal.UNAVAILABLE: _TROUBLE,
        Refusal.INTERNAL: _TROUBLE,
        Refusal.MALFORMED: _SILENCE,
        Refusal.VERSION: _SILENCE,
        Refusal.BAD_NAME: _SILENCE,
        Refusal.RATE_LIMITED: _SILENCE,
        Refusal.NO_SUCH_GAME: _SILENCE,
        Refusal.NO_SUCH_BOT: _SILENCE,
        Refusal.BAD_OPTIONS: _SILENCE,
        Refusal.NO_SPECTATORS: _SILENCE,
        Refusal.SEAT_TAKEN: _SILENCE,
        Refusal.STILL_PLAYING: _SILENCE,
        Refusal.STALE: _SILENCE,
        Refusal.NOT_OFFERED: _SILENCE,
        Refusal.NOT_ASKED: _SILENCE,
        Refusal.OFFER_STANDS: _SILENCE,
        Refusal.TOO_SOON: _SILENCE,
        Refusal.NOT_ALLOWED: _SILENCE,
        Refusal.NOTHING_TO_UNDO: _SILENCE,
        Refusal.EMPTY: _SILENCE,
        Refusal.FORBIDDEN: _SILENCE,
        Refusal.PHRASES_ONLY: _SILENCE,
        Refusal.NOT_HOST: _SILENCE,
        Refusal.BAD_TICKET: _SILENCE,
    }
)


def refused(code: Refusal, *, playing: bool, quietly: bool) -> Frames:
    """Return what is said of a refusal; `quietly`: few of them are worth a word."""
    said = REFUSED[code]
    if quietly and said not in {_TROUBLE, _BUSY}:
        return _SILENCE
    # That nothing is being played is the first of the reasons, whatever else is wrong.
    return NOT_PLAYING if said is _OUT_OF_RANGE and not playing else said
