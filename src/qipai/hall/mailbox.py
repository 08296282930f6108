"""A room in memory: its newest value, the value that may be spoken of, and who listens."""

from qipai.games.registry import Game
from qipai.kernel.dice import SEED_BYTES, Dice
from qipai.kernel.names import Millis, Seat
from qipai.kernel.room import AnyRoom

from .sessions import Connection


class Mailbox:
    """`room` is ahead of `shown` while a commit is under way; nobody hears of anything beyond `shown`.

    Commands are taken one by one in the order they are read; `step` runs at once, so that the
    order of the journal is the order of the mailbox. `due` is when a deadline of `shown` passes,
    `alarm` when it is looked for, which may be earlier; until `rest` nothing is tried again by itself,
    because it has just failed.
    """

    __slots__ = (
        "alarm", "bots", "broken", "due", "game", "holders", "members", "rest", "room", "rules", "shown",
    )  # fmt: skip

    def __init__(self, game: Game, room: AnyRoom) -> None:
        self.game = game
        self.rules = game.rules
        self.room = room
        self.shown = room
        self.broken = False
        self.bots = False
        self.due: int | None = None
        self.alarm: Millis | None = None
        self.rest = Millis(0)
        self.members: dict[Connection, Seat] = {}
        self.holders: dict[Seat, Connection] = {}

    @property
    def first(self) -> Seat:
        """Return the seat that would begin if a game were dealt now."""
        deal = self.rules.deal(self.room.options, Dice(bytes(SEED_BYTES)), self.room.state)
        return self.rules.to_act(deal)[0]

    @property
    def watchers(self) -> int:
        """Return how many look on without a seat."""
        return len(self.members) - len(self.holders)
