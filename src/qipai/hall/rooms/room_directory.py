"""All live rooms of this process by id and code: find, open, load, forget."""

from collections.abc import Mapping

from qipai.games.game import Game
from qipai.hall.journal.room_rebuilding import restore
from qipai.hall.journal.store_interface import Entropy, Store
from qipai.hall.people.seat_index import SeatIndex
from qipai.kernel.commands import OpenRoom, TableRules
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.randomness import SEED_BYTES
from qipai.kernel.room import AnyRoom, create

from .live_room import LiveRoom
from .room_codes import unused_code


class RoomDirectory:
    """Holds the rooms and the index of seats; executes no commands."""

    def __init__(self, games: Mapping[str, Game], store: Store, entropy: Entropy) -> None:
        self.games = games
        self.store = store
        self.live_rooms: dict[RoomId, LiveRoom] = {}
        self.rooms_by_code: dict[str, RoomId] = {}
        self.seat_index = SeatIndex()
        self._entropy = entropy

    def find(self, key: str) -> LiveRoom | None:
        """Return the live room with this id or short code."""
        live = self.live_rooms.get(RoomId(key))
        if live is None and (room := self.rooms_by_code.get(key.upper())) is not None:
            live = self.live_rooms.get(room)
        return live

    def open(
        self, game: Game, room_id: RoomId, options: object, table: TableRules, now: Millis
    ) -> tuple[LiveRoom, OpenRoom, bytes]:
        """Add an empty room; return it with the command and the entropy of its first record."""
        code = unused_code(self._entropy, self.rooms_by_code, public=table.public)
        command = OpenRoom(room_id, code, game.name, options, table)
        entropy = self._entropy(SEED_BYTES)
        return self.add(LiveRoom(game, create(game.rules, command, now, entropy))), command, entropy

    def add(self, live: LiveRoom) -> LiveRoom:
        """Add a room and index its seats."""
        room = live.latest
        self.live_rooms[room.id] = live
        self.rooms_by_code[room.code] = room.id
        self.seat_index.count(live, None)
        return live

    def load(self, room_id: RoomId) -> tuple[Game, AnyRoom] | None:
        """Return a stored room and its game, or None if there is none; may raise `StoreError`."""
        saved = self.store.load(room_id)
        if saved is None:
            return None
        game, room, _ = restore(self.games, saved)
        return game, room

    def forget(self, live: LiveRoom) -> None:
        """Remove a room and detach its connections."""
        room = live.latest
        self.live_rooms.pop(room.id, None)
        if self.rooms_by_code.get(room.code) == room.id:
            del self.rooms_by_code[room.code]
        self.seat_index.remove_room(room)
        for connection in live.members:
            connection.rooms.pop(room.id, None)
        live.members.clear()
        live.holders.clear()
