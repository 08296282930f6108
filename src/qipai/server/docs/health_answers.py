"""What operators are answered about the health of the server, as types."""

from msgspec import Struct

from qipai.kernel.ids import Millis


class PhaseCount(Struct, frozen=True):
    """How many tables in memory are in a phase."""

    phase: str
    count: int


class WaitingBotMoves(Struct, frozen=True):
    """Moves of bots not yet begun."""

    quick: int
    slow: int


class StoreState(Struct, frozen=True):
    """Whether the journal answers: SQLite or Redis. `commit_failures`: batches whose outcome is unknown."""

    up: bool
    commit_failures: int


class ArchiveState(Struct, frozen=True):
    """Whether the archive answers, and how many closed tables wait for it."""

    configured: bool
    up: bool
    damaged: bool
    tables_waiting: int


class TableSetAside(Struct, frozen=True):
    """A table that is not served, and why."""

    room: str
    reason: str


class IncidentRow(Struct, frozen=True):
    """An internal error. Its number names the file in the folder `incidents` and the line in the log."""

    incident: str
    at: Millis
    event: str
    kind: str
    place: str


class ServerHealth(Struct, frozen=True):
    """How the worker that answers is doing.

    `moves_per_second` and `lag_p99_ms` are those of the last minutes in which operators looked, null at the
    first look: by how many milliseconds 99 of 100 timers were late at most.
    """

    version: str
    workers: int
    connections: int
    sockets: int
    sockets_limit: int
    persons: int
    persons_of_all_workers: int
    tables: tuple[PhaseCount, ...]
    moves: int
    moves_per_second: float | None
    lag_p99_ms: float | None
    refused: int
    bot_moves_waiting: WaitingBotMoves
    store: StoreState
    archive: ArchiveState
    tables_set_aside: tuple[TableSetAside, ...]
    errors: int
    incidents: tuple[IncidentRow, ...]
