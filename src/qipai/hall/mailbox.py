"""A room in memory: its newest value, the value that may be spoken of, and who listens."""

from collections import deque
from typing import Final

from qipai.games.registry import Game
from qipai.kernel.names import Seat
from qipai.kernel.room import AnyRoom

from .recall import Step
from .sessions import Connection

HISTORY: Final = 64
"""Steps kept for peers that come back."""


class Mailbox:
    """`room` is ahead of `shown` while a commit is under way; nobody hears of anything beyond `shown`.

    Commands are taken one by one in the order they are read; `step` runs at once, so that the
    order of the journal is the order of the mailbox.
    """

    __slots__ = ("bots", "broken", "game", "history", "holders", "members", "room", "rules", "shown")

    def __init__(self, game: Game, room: AnyRoom) -> None:
        self.game = game
        self.rules = game.rules
        self.room = room
        self.shown = room
        self.broken = False
        self.bots = False
        self.members: dict[Connection, Seat] = {}
        self.holders: dict[Seat, Connection] = {}
        self.history: deque[Step] = deque(maxlen=HISTORY)

    @property
    def watchers(self) -> int:
        """Return how many look on without a seat."""
        return len(self.members) - len(self.holders)

    def since(self, version: int) -> list[Step] | None:
        """Return the steps after this version, or None if they are no longer known."""
        if version == self.shown.version:
            return []
        steps = [step for step in self.history if step.room.version > version]
        return steps if steps and steps[0].room.version == version + 1 else None
