"""Writes a finished match in its notation (PGN, SGF), or as a plain list of moves."""

from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.hall.journal.record_format import PlayRecord, TimeUpRecord
from qipai.hall.journal.room_rebuilding import read_record
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import AddressedEvent, Event
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.room_events import GameOver, MoveUndone, SidesSwapped

from .match_extraction import Match, MatchStep

SERVER_NAME: Final = "Qipai"


class PlainMove(Struct, frozen=True, omit_defaults=True):
    """Move of a seat; without a seat, the events of a time-out, an undo or a swap of sides."""

    seat: Seat | None = None
    move: Any = None
    events: tuple[Event, ...] = ()


class PlainRecord(Struct, frozen=True):
    """Finished match of a game that has no notation."""

    room: str
    match: int
    game: str
    options: Any
    day: str
    names: tuple[str, ...]
    moves: tuple[PlainMove, ...]
    winners: tuple[Seat, ...]
    reason: str


def write_notation(match: Match) -> str:
    """Return a match as text that ends with a line break."""
    began, ended, game = match.began, match.ended, match.game
    # As of the start: a player who left before the end has no seat any more.
    names = tuple("" if seat is None else seat.name for seat in began.seats)
    day = datetime.fromtimestamp(began.at / 1000, UTC).date()
    outcome = ended.result
    assert outcome is not None
    if game.write_record is not None:
        headers = GameHeaders(
            names,
            ended.options,
            outcome,
            day,
            ended.table.title or SERVER_NAME,
            f"{SERVER_NAME} {ended.id}",
            ended.match,
        )
        return game.write_record(game.rules.view(ended.state, SPECTATOR, over=True), headers)
    plain = PlainRecord(
        ended.id,
        ended.match,
        ended.game,
        ended.options,
        day.isoformat(),
        names,
        tuple(move for step in match.steps[1:] for move in _plain_moves(step)),
        outcome.winners,
        outcome.reason,
    )
    return msgspec.json.encode(plain).decode() + "\n"


def _plain_moves(match_step: MatchStep) -> list[PlainMove]:
    """Return the moves of a step: one, or none if it did not change the game."""
    record, step = read_record(match_step.entry), match_step.step
    if isinstance(record, PlayRecord):
        return [PlainMove(step.actor, record.move)]
    public = tuple(addressed.event for addressed in step.events if _is_public(addressed))
    events = tuple(event for event in public if not isinstance(event, GameOver))
    if events and isinstance(record, TimeUpRecord):
        return [PlainMove(events=events)]
    changes = tuple(event for event in events if isinstance(event, MoveUndone | SidesSwapped))
    return [PlainMove(events=changes)] if changes else []


def _is_public(addressed: AddressedEvent) -> bool:
    return addressed.to is None or SPECTATOR in addressed.to
