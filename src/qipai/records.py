"""Finished games out of the journal, each in the notation of its game: `qipai record`."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from qipai.games.registry import GAMES
from qipai.hall.ports import Entry
from qipai.hall.recall import read_record
from qipai.kernel.commands import Play, TimeUp
from qipai.kernel.events import Dealt, Over, Swapped, Undone
from qipai.kernel.names import SPECTATOR, Seat
from qipai.kernel.occasion import Occasion
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.rules import Event, Told

from .archive import Failure, history, steps
from .settings import Settings

HOUSE = "Qipai"


class Made(Struct, frozen=True, omit_defaults=True):
    """What a seat did; or, without one, what happened when time was up or a move was taken back."""

    seat: Seat | None = None
    move: Any = None
    events: tuple[Event, ...] = ()


class Account(Struct, frozen=True):
    """A finished game of a kind that has no notation."""

    room: str
    match: int
    game: str
    options: Any
    day: str
    names: tuple[str, ...]
    moves: tuple[Made, ...]
    winners: tuple[Seat, ...]
    reason: str


def record(settings: Settings, room: str) -> int:
    """Print every finished game of a table."""
    _, entries = history(settings, room)
    began: Advanced | None = None
    made: list[Made] = []
    games = 0
    for entry, step in zip(entries, steps(entries), strict=True):
        if any(isinstance(told.event, Dealt) for told in step.told):
            began, made = step, []
        elif began is not None:
            made += _made(entry, step)
        if began is not None and any(isinstance(told.event, Over) for told in step.told):
            apart = "\n" if games and GAMES[step.room.game].record is not None else ""
            print(apart + _written(began.room, step.room, made), end="")
            began = None
            games += 1
    if not games:
        raise Failure(f"no game of room {room} is over yet")
    return 0


def _made(entry: Entry, step: Advanced) -> list[Made]:
    """Return what a step was to the game."""
    command = read_record(entry).command
    if isinstance(command, Play):
        return [Made(step.actor, command.move)]
    seen = tuple(told.event for told in step.told if _public(told) and not isinstance(told.event, Over))
    if seen and isinstance(command, TimeUp):
        return [Made(events=seen)]
    back = tuple(event for event in seen if isinstance(event, Undone | Swapped))
    return [Made(events=back)] if back else []


def _public(told: Told) -> bool:
    return told.to is None or SPECTATOR in told.to


def _written(began: AnyRoom, ended: AnyRoom, made: list[Made]) -> str:
    game = GAMES[ended.game]
    # Whoever left has given up his chair with the game.
    names = tuple("" if chair is None else chair.name for chair in began.chairs)
    day = datetime.fromtimestamp(began.at / 1000, UTC).date()
    outcome = ended.result
    assert outcome is not None
    if game.record is not None:
        occasion = Occasion(
            names, ended.options, outcome, day, ended.table.title or HOUSE, f"{HOUSE} {ended.id}", ended.match
        )
        return game.record(game.rules.view(ended.state, SPECTATOR, over=True), occasion)
    account = Account(
        ended.id,
        ended.match,
        ended.game,
        ended.options,
        day.isoformat(),
        names,
        tuple(made),
        outcome.winners,
        outcome.reason,
    )
    return msgspec.json.encode(account).decode() + "\n"
