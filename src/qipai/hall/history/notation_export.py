"""A finished game in the notation of its kind, or as an account where there is none."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.games.game_registry import Game
from qipai.hall.journal.room_rebuilding import read_record
from qipai.kernel.commands import Play, TimeUp
from qipai.kernel.game_interface.game_headers import Occasion
from qipai.kernel.game_interface.rules_interface import Event, Told
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.room_events import Over, Swapped, Undone

from .match_extraction import Match, Taken

HOUSE: Final = "Qipai"


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


def written(games: Mapping[str, Game], match: Match) -> str:
    """Return the whole game as text that ends with a line break."""
    began, ended = match.began, match.ended
    game = games[ended.game]
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
        tuple(made for taken in match.steps[1:] for made in _made(taken)),
        outcome.winners,
        outcome.reason,
    )
    return msgspec.json.encode(account).decode() + "\n"


def _made(taken: Taken) -> list[Made]:
    """Return what a step was to the game."""
    command, step = read_record(taken.entry).command, taken.step
    if isinstance(command, Play):
        return [Made(step.actor, command.move)]
    seen = tuple(told.event for told in step.told if _public(told) and not isinstance(told.event, Over))
    if seen and isinstance(command, TimeUp):
        return [Made(events=seen)]
    back = tuple(event for event in seen if isinstance(event, Undone | Swapped))
    return [Made(events=back)] if back else []


def _public(told: Told) -> bool:
    return told.to is None or SPECTATOR in told.to
