"""Writes the journal of a room without a server."""

import random
from pathlib import Path
from typing import Any

from qipai.games.game_registry import GAMES
from qipai.hall.journal.record_conversion import record_of
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.commands import Command, OpenRoom, Play, TableRules, TakeSeat
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SYSTEM, Code, Millis, Person, RoomId, Seat
from qipai.kernel.room import Advanced, AnyRoom, create
from qipai.kernel.step import step
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE

NOON = 1_794_744_000_000
"""The 15th of November 2026, in UTC."""

DEFAULT_RULES = TableRules()


def snapshot_of(room: AnyRoom) -> bytes:
    """Return the snapshot of a room as the present rules of its game write it."""
    return encode_snapshot(room, GAMES[room.game].rules_number)


class JournalWriter:
    """One room, `k3v9` by default; every command is recorded."""

    def __init__(
        self,
        game: str,
        options: Any = None,
        table: TableRules = DEFAULT_RULES,
        seed: int = 0,
        room: str = "k3v9",
    ) -> None:
        self.game = GAMES[game]
        self.random = random.Random(seed)
        opening = OpenRoom(RoomId(room), Code("K3V9"), game, self.game.read_chosen_options(options), table)
        entropy = self.random.randbytes(32)
        self.room: AnyRoom = create(self.game.rules, opening, Millis(NOON), entropy)
        self.rooms = [self.room]
        """The room at each version, the first at 0."""
        record = record_of(opening, SYSTEM, entropy=entropy, rules_number=self.game.rules_number)
        self.entries = [Entry(RoomId(room), 1, Millis(NOON), encode(record))]
        self.events: list[AddressedEvent] = []
        self._waited = 0

    def late(self, millis: int) -> None:
        """Let time pass before the next command."""
        self._waited += millis

    def do(self, actor: Seat, command: Command) -> None:
        """Apply a command, which must be allowed."""
        at = Millis(NOON + 1000 * len(self.entries) + self._waited)
        entropy = self.random.randbytes(32)
        result = step(self.game.rules, self.room, actor, command, at, entropy)
        assert isinstance(result, Advanced), result
        self.room = result.room
        self.rooms.append(self.room)
        self.events += result.events
        body = encode(record_of(command, actor, entropy=entropy, rules_number=self.game.rules_number))
        self.entries.append(Entry(self.room.id, self.room.version, at, body))

    def take_seats(self, *names: str, player_entropy: bytes = b"") -> None:
        """Give persons the free seats."""
        for name in names:
            self.do(SYSTEM, TakeSeat(Person(name), name, player_entropy=player_entropy))

    def play(self, *moves: Any) -> None:
        """Make moves for the seat to act."""
        for move in moves:
            self.do(self.acting, Play(move))

    @property
    def acting(self) -> Seat:
        """The first seat that is to act."""
        return self.game.rules.to_act(self.room.state)[0]

    def play_on(self, most: int = 400) -> None:
        """Play at random until the game is over, for at most this many moves."""
        for _ in range(most):
            if not self.game.rules.to_act(self.room.state):
                break
            self.play(self.random.choice(self.game.rules.legal(self.room.state, self.acting)))

    def store(self, data: Path) -> None:
        """Store the journal with a snapshot of the room."""
        data.mkdir(parents=True, exist_ok=True)
        file = SqliteStore(data / JOURNAL_FILE)
        now = Snapshot(self.room.id, self.room.version, live=True, body=snapshot_of(self.room))
        file.append(self.entries, [now])
        file.close()
