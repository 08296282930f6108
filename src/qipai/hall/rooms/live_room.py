"""A room in memory: its newest value, its newest durable value, and its connections."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from qipai.games.game import Game
from qipai.hall.cluster.replica_transitions import FOLLOWING, ReplicaState
from qipai.hall.connections.connection import Connection
from qipai.hall.spectators.delay_buffer import DelayBuffer
from qipai.kernel.ids import SPECTATOR, Millis, Seat
from qipai.kernel.randomness import SEED_BYTES, Random
from qipai.kernel.room import PLAYING, AnyRoom
from qipai.kernel.room_view import SeatRatings


class RemoteMember(Struct, frozen=True, array_like=True):
    """A player or spectator in the room who is connected to another worker."""

    viewer: Seat
    handle: str
    name: str
    absent: bool = False
    person: str = ""


class Deferred(NamedTuple):
    """A command that waits for its room: `run` executes it, `refuse` refuses it."""

    run: Callable[[], None]
    refuse: Callable[[], None]


class LiveRoom:
    """`latest` is ahead of `durable` while a commit is in flight; connections see nothing beyond `durable`.

    Commands are executed in the order in which they are read; `step` runs at once, so the order of the
    journal is the order of arrival. `deadline` is when a deadline of `durable` passes, `alarm` when it is
    checked, which may be earlier. Until `retry_after` nothing is retried without a request, because it has
    just failed. `replica` says what the room is to this worker (docs/adr/0013); commands that come in a state
    which takes none are `deferred`. `remote_members` are connected to other workers, and `remote_players` are
    those of them with a seat; `remote_spectators` counts the spectators by worker for rooms without a
    subscription. `opened_from` is the address of the client that
    opened the room on this worker, empty for a loaded room. `delay_buffer` holds back what spectators see
    later. `ratings` are those of the players, as clients are told.
    """

    __slots__ = (
        "alarm",
        "bots",
        "deadline",
        "deferred",
        "delay_buffer",
        "durable",
        "game",
        "holders",
        "latest",
        "members",
        "opened_from",
        "ratings",
        "remote_members",
        "remote_players",
        "remote_spectators",
        "replica",
        "retry_after",
        "rules",
    )  # fmt: skip

    def __init__(self, game: Game, room: AnyRoom) -> None:
        self.game = game
        self.rules = game.rules
        self.latest = room
        self.durable = room
        self.delay_buffer = DelayBuffer(room) if room.table.spectator_delay else None
        self.bots = False
        self.opened_from = ""
        self.ratings: SeatRatings = ()
        self.deadline: int | None = None
        self.alarm: Millis | None = None
        self.retry_after = Millis(0)
        self.members: dict[Connection, Seat] = {}
        self.holders: dict[Seat, Connection] = {}
        self.remote_members: dict[str, RemoteMember] = {}
        self.remote_players: dict[str, RemoteMember] = {}
        self.remote_spectators: dict[str, int] = {}
        self.deferred: list[Deferred] = []
        self.replica: ReplicaState = FOLLOWING

    def first(self, room: AnyRoom) -> Seat:
        """Return the seat that would move first if a game started now with the options of the room."""
        deal = self.rules.deal(room.options, Random(bytes(SEED_BYTES)), room.state)
        return self.rules.to_act(deal)[0]

    def seen(self, viewer: Seat) -> AnyRoom:
        """Return the room as of the version that this viewer may see; spectators may see an earlier one."""
        buffer = self.delay_buffer
        return self.durable if buffer is None or viewer != SPECTATOR else buffer.spectator_room(self.durable)

    @property
    def listed(self) -> AnyRoom:
        """Return the room for the lobby: the players, and no result that spectators have not seen."""
        buffer, room = self.delay_buffer, self.durable
        return room if buffer is None or room.phase is PLAYING else buffer.last_playing() or room

    def ratings_for(self, viewer: Seat) -> SeatRatings:
        """Return the ratings that a viewer may see: a new one would tell spectators a result too early."""
        return () if viewer == SPECTATOR and self.delay_buffer is not None else self.ratings

    @property
    def writing(self) -> bool:
        """Tell whether a commit is in flight."""
        return self.latest is not self.durable

    @property
    def spectators(self) -> int:
        """Return the number of spectators on all workers."""
        if not self.replica.subscribed:
            return sum(self.remote_spectators.values())
        here = len(self.members) - len(self.holders)
        return here + len(self.remote_members) - len(self.remote_players)

    @property
    def reach(self) -> list[bool]:
        """Return for every seat with a connection whether its transport is attached."""
        here = [not holder.detached for holder in self.holders.values()]
        return here + [not player.absent for player in self.remote_players.values()]

    def held(self, seat: Seat) -> bool:
        """Tell whether a connection on any worker holds this seat."""
        return seat in self.holders or any(player.viewer == seat for player in self.remote_players.values())
