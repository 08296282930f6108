"""A room in memory: its newest value, the value that may be spoken of, and who listens."""

from collections import deque
from typing import Final

from qipai.games.registry import Game
from qipai.kernel.names import Seat
from qipai.kernel.room import AnyRoom
from qipai.kernel.talk import Happened

from .sessions import Connection

HISTORY: Final = 64
"""Steps that are kept for peers that come back."""

News = tuple[Happened, ...]
"""What a step tells: one notice for everybody, or one per seat and a last one for watchers."""


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
        self.history: deque[News] = deque(maxlen=HISTORY)

    @property
    def watchers(self) -> int:
        """Return how many look on without a seat."""
        return len(self.members) - len(self.holders)

    def since(self, version: int) -> list[News] | None:
        """Return what was told after this version, or None if that is no longer known.

        Version 0 is that of a peer which has seen nothing: events would not do for it.
        """
        if version == 0:
            return None
        if version == self.shown.version:
            return []
        later = [news for news in self.history if news[0].version > version]
        return later if later and later[0][0].version == version + 1 else None
