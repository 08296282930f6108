"""A finished game of chess as it is put down, whatever the notation."""

import re
from datetime import date
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import Event, Outcome
from qipai.kernel.ids import Seat
from qipai.kernel.room_events import GameStarted

from .wire_types import Explosion, Rolled, Settings, View

UNKNOWN: Final = "?"
_NOBODY: Final = ("", "aborted", "abandoned")
"""Reasons of games that have no result."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


class Heading(Struct, frozen=True, omit_defaults=True):
    """What stands above a game. `result` is PGN's, `reason` a word of ours; `round` 0 is not known."""

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
    """A throw as in `Thrown`, but of a side, `w` or `b`."""

    ply: int
    side: str
    dice: str
    used: str
    again: bool = False


class Record(Struct, frozen=True, omit_defaults=True):
    """A game as it is written down: moves in UCI's notation, the side of each, throws, blasts and mines."""

    heading: Heading
    moves: tuple[str, ...] = ()
    sides: str = ""
    casts: tuple[RecordedRoll, ...] = ()
    blasts: tuple[Explosion, ...] = ()
    mines: tuple[str, ...] = ()


def record(seen: View, heading: Heading) -> Record:
    """Return the record of a game that is over, from anybody's view of it."""
    moves = seen.moves
    field = seen.minefield
    line = {
        name: _line(getattr(heading, name)) or UNKNOWN for name in ("white", "black", "event", "site")
    } | {"reason": _line(heading.reason)}
    return Record(
        # Which seat had white is told by the names.
        replace(heading, options=replace(heading.options, white=Seat(0)), **line),
        moves,
        seen.sides or ("wb" * len(moves))[: len(moves)],
        tuple(
            RecordedRoll(one.ply, "wb"[one.seat != seen.white], one.dice, one.used, one.again)
            for one in seen.rolls
        ),
        () if field is None else field.explosions,
        () if field is None else field.all,
    )


def heading(seen: View, occasion: GameHeaders) -> Heading:
    """Return what stands above a game."""
    names, outcome = occasion.names, occasion.outcome
    return Heading(
        white=names[seen.white],
        black=names[1 - seen.white],
        result=result(seen.white, outcome),
        reason="" if outcome is None else outcome.reason,
        day=occasion.day,
        event=occasion.event,
        site=occasion.site,
        round=occasion.round,
        options=occasion.options,
    )


def result(white: Seat, outcome: Outcome | None) -> str:
    """Return how a game ended, in PGN's signs."""
    if outcome is None or (not outcome.winners and outcome.reason in _NOBODY):
        return "*"
    if len(outcome.winners) != 1:
        return "1/2-1/2"
    return "1-0" if outcome.winners[0] == white else "0-1"


def throws(event: Event) -> list[str]:
    """Return a line for each throw of dice that an event tells of."""
    match event:
        case GameStarted(position=View() as seen):
            return [_throw(one.seat, one.dice) for one in seen.rolls]
        case Rolled():
            brought = " (brought by the client)" if event.brought else ""
            return [_throw(event.seat, event.dice) + brought]
        case _:
            return []


def _throw(seat: Seat, dice: str) -> str:
    return f"seat {seat}: {' '.join(dice)}"


def _line(text: str) -> str:
    return _CONTROL.sub(" ", text)
