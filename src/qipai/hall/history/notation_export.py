"""A finished game in the notation of its kind, or as an account where there is none."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.games.game_registry import Game
from qipai.hall.journal.room_rebuilding import read_record
from qipai.kernel.commands import Play, TimeUp
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import AddressedEvent, Event
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.room_events import GameOver, MoveUndone, SidesSwapped

from .match_extraction import Match, MatchStep

HOUSE: Final = "Qipai"


class PlainMove(Struct, frozen=True, omit_defaults=True):
    """What a seat did; or, without one, what happened when time was up or a move was taken back."""

    seat: Seat | None = None
    move: Any = None
    events: tuple[Event, ...] = ()


class PlainRecord(Struct, frozen=True):
    """A finished game of a kind that has no notation."""

    room: str
    match: int
    game: str
    options: Any
    day: str
    names: tuple[str, ...]
    moves: tuple[PlainMove, ...]
    winners: tuple[Seat, ...]
    reason: str


def written(games: Mapping[str, Game], match: Match) -> str:
    """Return the whole game as text that ends with a line break."""
    began, ended = match.began, match.ended
    game = games[ended.game]
    # Whoever left has given up his chair with the game.
    names = tuple("" if chair is None else chair.name for chair in began.seats)
    day = datetime.fromtimestamp(began.at / 1000, UTC).date()
    outcome = ended.result
    assert outcome is not None
    if game.record is not None:
        occasion = GameHeaders(
            names, ended.options, outcome, day, ended.table.title or HOUSE, f"{HOUSE} {ended.id}", ended.match
        )
        return game.record(game.rules.view(ended.state, SPECTATOR, over=True), occasion)
    account = PlainRecord(
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


def _made(taken: MatchStep) -> list[PlainMove]:
    """Return what a step was to the game."""
    command, step = read_record(taken.entry).command, taken.step
    if isinstance(command, Play):
        return [PlainMove(step.actor, command.move)]
    seen = tuple(told.event for told in step.events if _public(told) and not isinstance(told.event, GameOver))
    if seen and isinstance(command, TimeUp):
        return [PlainMove(events=seen)]
    back = tuple(event for event in seen if isinstance(event, MoveUndone | SidesSwapped))
    return [PlainMove(events=back)] if back else []


def _public(told: AddressedEvent) -> bool:
    return told.to is None or SPECTATOR in told.to
