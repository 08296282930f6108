"""Extracts the finished matches from a room's journal, each with its steps."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qipai.hall.journal.store_interface import Entry
from qipai.kernel.game_interface.rules_interface import Event
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import GameOver, GameStarted


class MatchStep(NamedTuple):
    """A step with the record of its command."""

    entry: Entry
    step: Advanced


class Match(NamedTuple):
    """A finished match: its first step started the game, its last step ended it."""

    steps: tuple[MatchStep, ...]

    @property
    def began(self) -> AnyRoom:
        """Return the room at the start of the game."""
        return self.steps[0].step.room

    @property
    def ended(self) -> AnyRoom:
        """Return the room at the end of the game."""
        return self.steps[-1].step.room


def matches(history: Iterable[tuple[Entry, Advanced]]) -> Iterator[Match]:
    """Yield every finished match of a room."""
    steps: list[MatchStep] = []
    for entry, step in history:
        if _has_event(step, GameStarted):
            steps = []
        elif not steps:
            continue
        steps.append(MatchStep(entry, step))
        if _has_event(step, GameOver):
            yield Match(tuple(steps))
            steps = []


def _has_event(step: Advanced, kind: type[Event]) -> bool:
    return any(isinstance(addressed.event, kind) for addressed in step.events)
