"""Extracts the finished matches from a room's journal, each with its steps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qipai.games.game import Game
from qipai.hall.journal.room_rebuilding import replay, retrace
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.game_interface.rules_interface import Event
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import GameOver, GameStarted

from .draw_recorder import Draw, record_draws


class MatchStep(NamedTuple):
    """A step with the record of its command, and its draws from the keystream."""

    entry: Entry
    step: Advanced
    draws: tuple[Draw, ...]


class Match(NamedTuple):
    """A finished match of a game: its first step started the game, its last step ended it."""

    game: Game
    steps: tuple[MatchStep, ...]

    @property
    def began(self) -> AnyRoom:
        """Return the room at the start of the game."""
        return self.steps[0].step.room

    @property
    def ended(self) -> AnyRoom:
        """Return the room at the end of the game."""
        return self.steps[-1].step.room


def read_matches(
    games: Mapping[str, Game], history: Sequence[Entry], start: AnyRoom | None = None
) -> Iterator[Match]:
    """Yield every finished match of a history, or raise `JournalError` where it cannot be replayed.

    With `start`, the room between two matches, the history has only the records after it.
    """
    recorded, recorders = record_draws(games)
    replayed = retrace(recorded, history) if start is None else replay(recorded[start.game], start, history)
    steps: list[MatchStep] = []
    for entry, step in zip(history, replayed, strict=True):
        draws = recorders[step.room.game].take_draws()
        if _has_event(step, GameStarted):
            steps = []
        elif not steps:
            continue
        steps.append(MatchStep(entry, step, draws))
        if _has_event(step, GameOver):
            yield Match(games[step.room.game], tuple(steps))
            steps = []


def _has_event(step: Advanced, kind: type[Event]) -> bool:
    return any(isinstance(addressed.event, kind) for addressed in step.events)
