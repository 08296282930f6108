"""A finished game independent of notation: headers, moves, dice, explosions."""

import re
from datetime import date
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import Event, Outcome
from qipai.kernel.ids import Seat
from qipai.kernel.room_events import GameStarted

from .events import Rolled
from .wire_types import Explosion, Settings, View

UNKNOWN: Final = "?"
_NO_RESULT: Final = ("", "aborted", "abandoned")
"""Reasons of an outcome without a result."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


class Heading(Struct, frozen=True, omit_defaults=True):
    """The headers of a game. `result` is PGN's, `reason` that of the outcome; `round` 0 is unknown."""

    white: str = UNKNOWN
    black: str = UNKNOWN
    result: str = "*"
    reason: str = ""
    day: date | None = None
    event: str = UNKNOWN
    site: str = UNKNOWN
    round: int = 0
    options: Settings = Settings()


class RecordedRoll(Struct, frozen=True, omit_defaults=True):
    """A roll as in `DiceRoll`, with its side, `w` or `b`, instead of its seat."""

    ply: int
    side: str
    dice: str
    used: str
    again: bool = False


class Record(Struct, frozen=True, omit_defaults=True):
    """A game to be written: UCI moves, the side of each, rolls, explosions and mines."""

    heading: Heading
    moves: tuple[str, ...] = ()
    sides: str = ""
    rolls: tuple[RecordedRoll, ...] = ()
    explosions: tuple[Explosion, ...] = ()
    mines: tuple[str, ...] = ()


def record_of(view: View, heading: Heading) -> Record:
    """Return the record of a finished game, from any viewer's view of it."""
    moves = view.moves
    minefield = view.minefield
    texts = {
        name: _on_one_line(getattr(heading, name)) or UNKNOWN for name in ("white", "black", "event", "site")
    } | {"reason": _on_one_line(heading.reason)}
    return Record(
        # The names say who had white.
        replace(heading, options=replace(heading.options, white=Seat(0)), **texts),
        moves,
        view.sides or ("wb" * len(moves))[: len(moves)],
        tuple(
            RecordedRoll(roll.ply, "wb"[roll.seat != view.white], roll.dice, roll.used, roll.again)
            for roll in view.rolls
        ),
        () if minefield is None else minefield.explosions,
        () if minefield is None else minefield.all,
    )


def heading_of(view: View, headers: GameHeaders) -> Heading:
    """Return the headers of a chess game."""
    names, outcome = headers.names, headers.outcome
    return Heading(
        white=names[view.white],
        black=names[1 - view.white],
        result=result_of(view.white, outcome),
        reason="" if outcome is None else outcome.reason,
        day=headers.day,
        event=headers.event,
        site=headers.site,
        round=headers.round,
        options=headers.options,
    )


def result_of(white: Seat, outcome: Outcome | None) -> str:
    """Return the result of a game in PGN notation."""
    if outcome is None or (not outcome.winners and outcome.reason in _NO_RESULT):
        return "*"
    if len(outcome.winners) != 1:
        return "1/2-1/2"
    return "1-0" if outcome.winners[0] == white else "0-1"


def roll_lines(event: Event) -> list[str]:
    """Return a line for each roll that an event contains."""
    match event:
        case GameStarted(position=View() as view):
            return [_roll_line(roll.seat, roll.dice) for roll in view.rolls]
        case Rolled():
            brought = " (brought by the client)" if event.brought else ""
            return [_roll_line(event.seat, event.dice) + brought]
        case _:
            return []


def _roll_line(seat: Seat, dice: str) -> str:
    return f"seat {seat}: {' '.join(dice)}"


def _on_one_line(text: str) -> str:
    return _CONTROL.sub(" ", text)
