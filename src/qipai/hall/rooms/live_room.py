"""A room in memory: its newest value, the value that may be spoken of, and who listens."""

from msgspec import Struct

from qipai.games.game_registry import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.spectators.delay_buffer import DelayBuffer
from qipai.kernel.ids import SPECTATOR, Millis, Seat
from qipai.kernel.randomness import SEED_BYTES, Random
from qipai.kernel.room import PLAYING, AnyRoom


class RemoteMember(Struct, frozen=True, array_like=True):
    """Somebody at the table who is connected to another worker."""

    viewer: Seat
    handle: str
    name: str
    absent: bool = False
    person: str = ""


class LiveRoom:
    """`room` is ahead of `shown` while a commit is under way; nobody hears of anything beyond `shown`.

    Commands are taken one by one in the order they are read; `step` runs at once, so that the
    order of the journal is the order of the mailbox. `due` is when a deadline of `shown` passes,
    `alarm` when it is looked for, which may be earlier; until `rest` nothing is tried again by itself,
    because it has just failed. Where several workers share a store, `afar` are those who are at the table by
    another one, and a table that is not `followed` here is known as it was when its company last changed.
    How many look on there is told by each worker (`crowd`).
    `trail` is what watchers see, where that is later.
    """

    __slots__ = (
        "alarm",
        "bots",
        "broken",
        "deadline",
        "delay_buffer",
        "durable",
        "followed",
        "game",
        "holders",
        "latest",
        "members",
        "remote_members",
        "remote_spectators",
        "retry_after",
        "rules",
    )  # fmt: skip

    def __init__(self, game: Game, room: AnyRoom) -> None:
        self.game = game
        self.rules = game.rules
        self.latest = room
        self.durable = room
        self.delay_buffer = DelayBuffer(room) if room.table.spectator_delay else None
        self.broken = False
        self.bots = False
        self.deadline: int | None = None
        self.alarm: Millis | None = None
        self.retry_after = Millis(0)
        self.members: dict[Connection, Seat] = {}
        self.holders: dict[Seat, Connection] = {}
        self.remote_members: dict[str, RemoteMember] = {}
        self.remote_spectators: dict[str, int] = {}
        self.followed = True

    def first(self, room: AnyRoom) -> Seat:
        """Return the seat that would begin if a game were dealt now, with the table like this."""
        deal = self.rules.deal(room.options, Random(bytes(SEED_BYTES)), room.state)
        return self.rules.to_act(deal)[0]

    def seen(self, viewer: Seat) -> AnyRoom:
        """Return the table as far as this viewer may know of it; watchers may have to wait."""
        trail = self.delay_buffer
        return self.durable if trail is None or viewer != SPECTATOR else trail.seen(self.durable)

    @property
    def listed(self) -> AnyRoom:
        """Return the table as strangers may know of it: who plays, and no end that watchers have not seen."""
        trail, room = self.delay_buffer, self.durable
        return room if trail is None or room.phase is PLAYING else trail.playing() or room

    @property
    def spectators(self) -> int:
        """Return how many look on without a seat."""
        if not self.followed:
            return sum(self.remote_spectators.values())
        afar = (
            sum(place.viewer == SPECTATOR for place in self.remote_members.values())
            if self.remote_members
            else 0
        )
        return len(self.members) - len(self.holders) + afar

    @property
    def reach(self) -> list[bool]:
        """Return for everybody who is connected to a seat whether he is in reach."""
        here = [not holder.detached for holder in self.holders.values()]
        return here + [
            not place.absent for place in self.remote_members.values() if place.viewer != SPECTATOR
        ]

    def held(self, seat: Seat) -> bool:
        """Tell whether anybody is connected to this seat, at whichever worker."""
        return seat in self.holders or any(place.viewer == seat for place in self.remote_members.values())
