"""Builds every frame that chess clients receive."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from qipai.games.chess.wire_types import DiceMode, Settings
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.view_values import ClockPlanView

from .board_coordinates import PIECE_NUMBERS, move_coordinates, square_coordinates

encode: Final = msgspec.json.Encoder().encode
COLORS: Final = ("White", "Black")
CLOCK_LEAD: Final = 500
"""Milliseconds added to the time in `gameStart`, for the latency to the client."""
_COLOR_BYTES: Final = (b"White", b"Black")


def message(action: str, room: str, **fields: Any) -> bytes:
    """Return a message about a room."""
    return encode({"action": action, "room": room, **fields})


def timer_fields(host_time: int, guest_time: int, side: int, since: int | None) -> bytes:
    """Return the clock, to follow the fields of a move; `side` is 0 if white is to move."""
    if since is None:
        return b',"timerState":{"timeA":%d,"timeB":%d,"currentPlayer":"%b","lastSwitchTime":null}' % (
            host_time,
            guest_time,
            _COLOR_BYTES[side],
        )
    return b',"timerState":{"timeA":%d,"timeB":%d,"currentPlayer":"%b","lastSwitchTime":%d}' % (
        host_time,
        guest_time,
        _COLOR_BYTES[side],
        since,
    )


def timed_move(frame: bytes, host_time: int, guest_time: int, side: int, since: int) -> bytes:
    """Return a whole move with the clock after its fields; `frame` lacks its closing brace."""
    return b'%b,"timerState":{"timeA":%d,"timeB":%d,"currentPlayer":"%b","lastSwitchTime":%d}}' % (
        frame,
        host_time,
        guest_time,
        _COLOR_BYTES[side],
        since,
    )


def dice_fields(remaining: int, *, interrupted: bool) -> bytes:
    """Return the state of the dice, to follow the fields of a move."""
    return b',"diceState":{"movesRemaining":%d,"hasInterruption":%b}' % (
        remaining,
        b"true" if interrupted else b"false",
    )


def move_fields(room: str, uci: str) -> bytes:
    """Return a move that no client sent, without its closing brace."""
    row, column, to_row, to_column, promotion = move_coordinates(uci)
    return _move(room, row, column, to_row, to_column, promotion)


def null_move(room: str, square: tuple[int, int]) -> bytes:
    """Return a move from a square to itself, without its closing brace.

    Clients take only the fields that the server adds from it.
    """
    return _move(room, *square, *square, None)


def _move(room: str, row: int, column: int, to_row: int, to_column: int, promotion: int | None) -> bytes:
    squares = {"fromRow": row, "fromCol": column, "toRow": to_row, "toCol": to_column}
    return message("move", room, **squares, promotion=promotion)[:-1]


def dice_roll(room: str, dice: str) -> bytes:
    """Return a roll of dice that are used from left to right."""
    return message("diceRoll", room, dice=[PIECE_NUMBERS[letter] for letter in dice])


def dice_rolled(room: str, picks: Sequence[int], side: int) -> bytes:
    """Return a roll of dice that are used in any order, by index in the list of pieces that could move."""
    return message("diceRolled", room, rolls=list(picks), currentPlayer=COLORS[side])


def result_text(white: Seat, winners: tuple[Seat, ...]) -> str:
    """Return the result of a game."""
    if not winners:
        return "1/2-1/2"
    return "1-0" if winners[0] == white else "0-1"


def game_modes(options: Settings) -> dict[str, bool]:
    """Return the modes of a game that no chess client started."""
    return {"霧戰": options.fog, "骰子": options.dice is not DiceMode.NONE, "踩地雷": options.mines > 0}


def mine_positions(squares: Sequence[str]) -> list[dict[str, int]]:
    """Return mines as the clients' coordinates."""
    coordinates = [square_coordinates(square) for square in squares]
    return [{"x": column, "y": row} for row, column in coordinates]


def starting_times(plan: ClockPlanView | None) -> tuple[int, int]:
    """Return the time that each seat starts with; 0: unlimited."""
    if plan is None:
        return 0, 0
    return plan.main[0], plan.main[-1]


def game_start(
    room: str, plan: ClockPlanView | None, white: Seat, host: Seat, modes: Any, mines: Any, now: Millis
) -> bytes:
    """Return the message that a game starts."""
    times, increment = starting_times(plan), 0 if plan is None else plan.increment
    return message(
        "gameStart",
        room,
        whiteTimeMs=times[white],
        blackTimeMs=times[1 - white],
        incrementMs=increment,
        hostColor=COLORS[white != host],
        gameModes=modes,
        minePositions=mines,
        serverTimestamp=now + CLOCK_LEAD,
        timerState={
            "timeA": times[host],
            "timeB": times[1 - host],
            "currentPlayer": COLORS[0],
            "lastSwitchTime": None,
            "whiteIsA": white == host,
            "incrementMs": increment,
        },
    )
