"""Every message that clients are sent."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from qipai.games.chess.wire_types import DiceMode, Settings
from qipai.kernel.clock import ClockPlan
from qipai.kernel.ids import Millis, Seat

from .board_coordinates import KINDS, place, places

encode: Final = msgspec.json.Encoder().encode
COLORS: Final = ("White", "Black")
AHEAD: Final = 500
"""Milliseconds by which the time in `gameStart` lies ahead, for the way to the client."""
_SIDES: Final = (b"White", b"Black")


def note(action: str, room: str, **more: Any) -> bytes:
    """Return a message about a room."""
    return encode({"action": action, "room": room, **more})


def timer(host: int, guest: int, side: int, since: int | None) -> bytes:
    """Return the clock as it follows the fields of a move; `side` is 0 if white is to move."""
    if since is None:
        return b',"timerState":{"timeA":%d,"timeB":%d,"currentPlayer":"%b","lastSwitchTime":null}' % (
            host,
            guest,
            _SIDES[side],
        )
    return b',"timerState":{"timeA":%d,"timeB":%d,"currentPlayer":"%b","lastSwitchTime":%d}' % (
        host,
        guest,
        _SIDES[side],
        since,
    )


def timed(frame: bytes, host: int, guest: int, side: int, since: int) -> bytes:
    """Return a whole move with the clock behind its fields; `frame` lacks its closing brace."""
    return b'%b,"timerState":{"timeA":%d,"timeB":%d,"currentPlayer":"%b","lastSwitchTime":%d}}' % (
        frame,
        host,
        guest,
        _SIDES[side],
        since,
    )


def dice(left: int, *, interrupted: bool) -> bytes:
    """Return the dice as they follow the fields of a move."""
    return b',"diceState":{"movesRemaining":%d,"hasInterruption":%b}' % (
        left,
        b"true" if interrupted else b"false",
    )


def moved(room: str, uci: str) -> bytes:
    """Return a move that no client sent, less its closing brace."""
    row, column, to_row, to_column, promotion = places(uci)
    return _move(room, row, column, to_row, to_column, promotion)


def stayed(room: str, square: tuple[int, int]) -> bytes:
    """Return a move from a square to itself, less its closing brace: clients take only our fields from it."""
    return _move(room, *square, *square, None)


def _move(room: str, row: int, column: int, to_row: int, to_column: int, promotion: int | None) -> bytes:
    squares = {"fromRow": row, "fromCol": column, "toRow": to_row, "toCol": to_column}
    return note("move", room, **squares, promotion=promotion)[:-1]


def thrown(room: str, dice: str) -> bytes:
    """Return dice that are used from left to right."""
    return note("diceRoll", room, dice=[KINDS[letter] for letter in dice])


def rolled(room: str, picks: Sequence[int], side: int) -> bytes:
    """Return dice that are used in any order, by their places in the list of kinds that could move."""
    return note("diceRolled", room, rolls=list(picks), currentPlayer=COLORS[side])


def result(white: Seat, winners: tuple[Seat, ...]) -> str:
    """Return how a game ended."""
    if not winners:
        return "1/2-1/2"
    return "1-0" if winners[0] == white else "0-1"


def modes(options: Settings) -> dict[str, bool]:
    """Return the modes of a game that no client arranged."""
    return {"霧戰": options.fog, "骰子": options.dice is not DiceMode.NONE, "踩地雷": options.mines > 0}


def mines(squares: Sequence[str]) -> list[dict[str, int]]:
    """Return mines as clients name them."""
    found = [place(square) for square in squares]
    return [{"x": column, "y": row} for row, column in found]


def mains(plan: ClockPlan | None) -> tuple[int, int]:
    """Return the time that each seat begins with; 0: as much as it wants."""
    if plan is None:
        return 0, 0
    return plan.main[0], plan.main[-1]


def started(
    room: str, plan: ClockPlan | None, white: Seat, host: Seat, modes: Any, mines: Any, now: Millis
) -> bytes:
    """Return that a game begins."""
    times, increment = mains(plan), 0 if plan is None else plan.increment
    return note(
        "gameStart",
        room,
        whiteTimeMs=times[white],
        blackTimeMs=times[1 - white],
        incrementMs=increment,
        hostColor=COLORS[white != host],
        gameModes=modes,
        minePositions=mines,
        serverTimestamp=now + AHEAD,
        timerState={
            "timeA": times[host],
            "timeB": times[1 - host],
            "currentPlayer": COLORS[0],
            "lastSwitchTime": None,
            "whiteIsA": white == host,
            "incrementMs": increment,
        },
    )
