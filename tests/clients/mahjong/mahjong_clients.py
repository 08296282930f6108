"""Mahjong clients on the stage, and helpers for the messages they receive."""

import json
from typing import Any

from msgspec.structs import replace

from qipai.clients.client_registry import DIALECTS
from qipai.clients.mahjong.dialect import GAME
from qipai.clients.mahjong.rest_start_request import GAME_ID_PREFIX, parse_start
from qipai.clients.rate_window import SlowedConnection
from qipai.games.mahjong.state import State
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId, Seat
from tests.games.mahjong.mahjong_walls import table
from tests.support.hall_simulation import HallSimulation, RecordingTransport

Message = dict[str, Any]
Messages = list[Message]


class Mj:
    """A client on the stage with a WebSocket at `/ws`."""

    def __init__(self, simulation: HallSimulation, game: str = "") -> None:
        self.simulation = simulation
        self.game = game
        self.transport = RecordingTransport()
        self.connection = SlowedConnection(self.transport, speech(simulation)(), simulation.hall)
        self.transport.pong = self._pong
        self.read_count = 0
        self.events: Messages = []
        """Every event received while waiting for a reply."""
        simulation.hall.connected(self.connection)

    def _pong(self, _payload: bytes) -> None:
        self.connection.received = self.connection.answers_pings = True

    def send_frame(self, frame: bytes) -> None:
        """Send a frame without waiting for its effects."""
        self.simulation.loop.call_soon(self.simulation.hall.arrived, self.connection, frame)

    def send(self, kind: str, data: Message | None = None, **more: Any) -> None:
        """Send a command about the client's own game, unless another is named."""
        frame: Message = {"game_id": self.game, "type": kind, **more}
        if data is not None:
            frame["data"] = data
        self.send_frame(json.dumps(frame, ensure_ascii=False).encode())

    def ask(self, kind: str, data: Message | None = None, **more: Any) -> Message:
        """Send a command, wait for its effects, and return its one reply."""
        self.send(kind, data, **more)
        (answer,) = self.answers()
        assert answer["type"] == f"{kind}_response", answer
        return answer

    def do(self, kind: str, data: Message | None = None, **more: Any) -> Message:
        """Send a command that must succeed, and return the data of its reply."""
        answer = self.ask(kind, data, **more)
        assert "error" not in answer, answer
        return dict(answer["data"])

    def refused(self, kind: str, data: Message | None = None, **more: Any) -> tuple[str, str]:
        """Send a command that must be refused; return the code and the text."""
        answer = self.ask(kind, data, **more)
        assert "error" in answer, answer
        return answer["code"], answer["error"]

    def answers(self) -> Messages:
        """Wait for all effects; return the replies received since the last time."""
        received = self.received()
        self.events += [message for message in received if message["type"] == "event"]
        return [message for message in received if message["type"] != "event"]

    def received(self) -> Messages:
        """Wait for all effects; return everything received since the last time."""
        for _ in range(2):
            self.simulation.settle()
        new = self.transport.frames[self.read_count :]
        self.read_count = len(self.transport.frames)
        return [json.loads(frame) for frame in new]

    def new_events(self) -> Messages:
        """Return the events received since the last call."""
        self.answers()
        events, self.events = self.events, []
        return events

    def state(self) -> Message:
        """Return the reply of `get_state`."""
        return self.do("get_state")

    def leave(self) -> None:
        """Close the socket."""
        self.simulation.loop.call_soon(self.simulation.hall.arrived, self.connection, None)
        self.simulation.settle()

    # Short forms

    def discard(self, player: int, tile: int) -> Message:
        return self.do("discard_tile", {"player_id": player, "tile": {"id": tile}})

    def act(self, player: int, action: str, **more: Any) -> Message:
        return self.do("player_action", {"player_id": player, "action": action, **more})

    def passes(self, *players: int) -> None:
        for player in players:
            self.act(player, "pass")


def speech(simulation: HallSimulation) -> Any:
    """Return the dialect factory of a stage, with one reply cache."""
    made: Any = getattr(simulation, "mahjong", None)
    if made is None:
        made = simulation.mahjong = DIALECTS["/ws"].dialects()  # type: ignore[attr-defined] # a stage has one
    return made


def start(simulation: HallSimulation, address: str = "", **body: Any) -> str:
    """Start a game as `POST /api/game/start` from this address does, and return its id."""
    wanted = parse_start(json.dumps(body).encode() if body else b"")
    made: list[RoomId | None] = []

    async def begin() -> None:
        simulation.legacy.game_starter.start(
            GAME,
            wanted.options,
            wanted.table,
            wanted.bots,
            GAME_ID_PREFIX,
            simulation.now(),
            made.append,
            address,
        )

    simulation.run(begin())
    simulation.settle()
    (room,) = made
    assert room is not None
    return room


def token(simulation: HallSimulation, game: str, player: int) -> str:
    """Return the token of a seat."""
    return simulation.hall.identity.seat_token(RoomId(game), Seat(player - 1))


def live_room_of(simulation: HallSimulation, game: str) -> LiveRoom:
    """Return the live room of a game."""
    return simulation.hall.executor.live_rooms[RoomId(game)]


def single(simulation: HallSimulation, **body: Any) -> tuple[Mj, Message]:
    """Return a client that plays all seats of a game just dealt, and the reply to the deal."""
    one = Mj(simulation, start(simulation, **body))
    one.do("roll_positions")
    one.do("roll_dealer")
    dealt = one.do("deal_tiles")
    one.events.clear()
    return one, dealt


def four(simulation: HallSimulation, **body: Any) -> tuple[list[Mj], int]:
    """Return four clients at a game just dealt, one for each seat, and the number of the dealer."""
    game = start(simulation, **body)
    clients = [Mj(simulation, game) for _ in range(4)]
    for player, one in enumerate(clients, 1):
        one.do("join_room", {"player_id": player})
    clients[0].do("roll_positions")
    dealer = clients[1].do("roll_dealer")["dealer_player_id"]
    clients[2].do("deal_tiles")
    for one in clients:
        one.new_events()
    return clients, dealer


def ids(tiles: list[Message]) -> list[int]:
    """Return the ids of tiles."""
    return [tile["id"] for tile in tiles]


def hand(shown: Message, player: int) -> list[int]:
    """Return the tiles of a player, as a state or a deal shows them."""
    return ids(shown["players"][f"player{player}"]["tiles"])


def arrange(simulation: HallSimulation, game: str, state: State) -> None:
    """Put a prepared state into the room, and send it to everybody there."""
    live_room = live_room_of(simulation, game)
    known = replace(state, seating=(1, 2), choosing=(2, 3), seed=state.seed or bytes(32))
    live_room.latest = live_room.durable = replace(live_room.latest, state=known)

    async def show() -> None:
        for peer, viewer in live_room.members.items():
            simulation.hall.executor.send_full_room(live_room, peer, viewer)

    simulation.run(show())
    simulation.settle()


def prepared(simulation: HallSimulation, hands: dict[int, str], **more: Any) -> list[Mj]:
    """Return four clients in a room with a prepared hand; seats 0 to 3 are players 1 to 4."""
    clients, _ = four(simulation)
    arrange(simulation, clients[0].game, table(hands, manual_steps=True, hints=False, **more))
    for one in clients:
        one.new_events()
    return clients


def play_on(simulation: HallSimulation, seconds: float, step: float = 0.5) -> None:
    """Let time pass, and wait for every bot to finish thinking, however busy the machine is."""
    for _ in range(round(seconds / step)):
        simulation.wait(step)
        simulation.finish_bot_decisions()
