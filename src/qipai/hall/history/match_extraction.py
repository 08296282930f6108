"""Finished games out of a journal, each with all its steps."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qipai.hall.journal.store_interface import Entry
from qipai.kernel.game_interface.rules_interface import Event
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import GameOver, GameStarted


class MatchStep(NamedTuple):
    """A step and the record that it was taken by."""

    entry: Entry
    step: Advanced


class Match(NamedTuple):
    """A game that is over: the first of its steps dealt it, the last one ended it."""

    steps: tuple[MatchStep, ...]

    @property
    def began(self) -> AnyRoom:
        """Return the table as the game was dealt."""
        return self.steps[0].step.room

    @property
    def ended(self) -> AnyRoom:
        """Return the table as the game was over."""
        return self.steps[-1].step.room


def matches(history: Iterable[tuple[Entry, Advanced]]) -> Iterator[Match]:
    """Yield every finished game of a table; one that runs is none."""
    steps: list[MatchStep] = []
    for entry, step in history:
        if _tells(step, GameStarted):
            steps = []
        elif not steps:
            continue
        steps.append(MatchStep(entry, step))
        if _tells(step, GameOver):
            yield Match(tuple(steps))
            steps = []


def _tells(step: Advanced, kind: type[Event]) -> bool:
    return any(isinstance(told.event, kind) for told in step.events)
