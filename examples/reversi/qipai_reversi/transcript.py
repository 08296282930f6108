"""Writes and reads games as a transcript such as `f5d6c3`, with headers; passes are not written."""

import re
from datetime import date
from typing import Final

from msgspec import Struct

from qipai.kernel.codec import Malformed
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.ids import Seat

from .rules import OTHER, State, View, first_state, with_disc

MAX_TEXT: Final = 16 * 1024
_PER_LINE: Final = 20
_HEADER: Final = re.compile(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]')
_SQUARE: Final = re.compile(r"[a-h][1-8]")


class Transcript(Struct, frozen=True):
    """A game as in a transcript; `moves` are squares, x + 8 * y, `result` the discs of black and white."""

    moves: tuple[int, ...]
    black: str = ""
    white: str = ""
    result: str = ""
    day: date | None = None
    empty_start: bool = False


def write_transcript(view: View, headers: GameHeaders) -> str:
    """Return a finished game as a transcript."""
    state = _played([move.square for move in view.moves], empty_start=view.empty_start)
    names, outcome = headers.names, headers.outcome
    reason = "" if outcome is None or outcome.reason in {"discs", "equal"} else f" {outcome.reason}"
    values = {
        "Game": "Reversi",
        "Event": headers.event,
        "Date": headers.day.isoformat() if headers.day else "",
        "Black": names[view.black],
        "White": names[OTHER[view.black]],
        "Result": _discs(state) + reason,
        "Start": "empty" if view.empty_start else "",
    }
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in values.items() if value]
    moves = [square_name(move.square) for move in view.moves]
    rows = ["".join(moves[start : start + _PER_LINE]) for start in range(0, len(moves), _PER_LINE)]
    return "\n".join([*lines, "", *rows]) + "\n"


def read_transcript(text: str) -> Transcript:
    """Return the game of a text, every move legal, or raise `Malformed`."""
    if len(text) > MAX_TEXT:
        raise Malformed(f"longer than {MAX_TEXT} characters")
    values: dict[str, str] = {}
    moves: list[int] = []
    for line in text.splitlines():
        if header := _HEADER.fullmatch(line.strip()):
            values[header[1]] = re.sub(r"\\(.)", r"\1", header[2])
        else:
            moves += _read_squares(line)
    if values.get("Game", "Reversi") != "Reversi":
        raise Malformed(f"Game is {values['Game']}, not Reversi")
    empty_start = values.get("Start") == "empty"
    _played(moves, empty_start=empty_start)
    try:
        day = date.fromisoformat(values["Date"]) if values.get("Date") else None
    except ValueError:
        raise Malformed(f"Date is not a date: {values['Date']}") from None
    return Transcript(
        tuple(moves),
        values.get("Black", ""),
        values.get("White", ""),
        values.get("Result", ""),
        day,
        empty_start,
    )


def square_name(square: int) -> str:
    """Return the name of a square: a1 is at the top left, h8 at the bottom right."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def _read_squares(line: str) -> list[int]:
    word = "".join(line.split()).lower()
    names = [word[start : start + 2] for start in range(0, len(word), 2)]
    for name in names:
        if not _SQUARE.fullmatch(name):
            raise Malformed(f"no square: {name}")
    return ["abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in names]


def _played(moves: list[int], *, empty_start: bool) -> State:
    """Return the state after these moves, or raise `Malformed` at one that is not legal."""
    state = first_state(Seat(0), empty_start=empty_start)
    for number, square in enumerate(moves, 1):
        if not state.legal >> square & 1:
            raise Malformed(f"move {number} is not legal: {square_name(square)}")
        state = with_disc(state, square)
    return state


def _discs(state: State) -> str:
    black, white = (board.bit_count() for board in state.boards)
    return f"{black}-{white}"


def _escaped(value: str) -> str:
    line = " ".join(value.split())
    return line.replace("\\", "\\\\").replace('"', '\\"')
