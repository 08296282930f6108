"""Compares everything that mahjong clients receive with what they may see."""

from typing import Any

import msgspec

from qipai.games.mahjong.state import State
from qipai.games.mahjong.wire_types import Form, Stage
from qipai.kernel.ids import Seat
from tests.clients.mahjong.mahjong_clients import Mj, live_room_of
from tests.clients.mahjong.mahjong_random_play import tiles_in
from tests.support.hall_simulation import HallSimulation as Hall


def hidden(state: State, *seats: Seat) -> set[int]:
    """Return every tile that a holder of these seats may not see."""
    if state.stage in (Stage.HAND_OVER, Stage.GAME_OVER) or not state.wall:
        return set()
    secret = {*state.wall[state.front : state.back]}
    for number, holding in enumerate(state.seat_tiles):
        if Seat(number) not in seats:
            secret |= {*holding.tiles}
            secret |= {tile for one in holding.melds if one.form is Form.CONCEALED for tile in one.tiles}
    return secret


class Reader:
    """Compares everything that a client receives with what it may see."""

    def __init__(self, simulation: Hall, one: Mj, *players: int) -> None:
        self.simulation = simulation
        self.one = one
        self.players = players
        self.read = len(one.transport.frames)
        self.seq: int | None = None
        self.state: dict[str, Any] = {}

    def look(self) -> None:
        """Check what was received since the last time; the room does not change meanwhile."""
        table: Any = live_room_of(self.simulation, self.one.game).durable.state
        secret = hidden(table, *(Seat(player - 1) for player in self.players))
        frames = self.one.transport.frames[self.read :]
        self.read = len(self.one.transport.frames)
        for frame in frames:
            assert not secret & tiles_in(frame), frame
            message = msgspec.json.decode(frame)
            if message["type"] == "event":
                assert self.seq is None or message["seq"] == self.seq + 1
                self.seq, self.state = message["seq"], message["data"]
            for shown in (message.get("data", {}).get("players") or {}).items():
                self.check_hand(table, *shown)

    def check_hand(self, table: State, name: str, shown: dict[str, Any]) -> None:
        player = int(name[-1])
        assert len(shown["tile_names"]) == len(shown["tiles"])
        if player not in self.players and table.stage not in (Stage.HAND_OVER, Stage.GAME_OVER):
            assert shown["tiles"] == shown["tile_names"] == []


def look(readers: list[Reader]) -> None:
    """Check what all clients received since the last time."""
    for reader in readers:
        reader.look()
