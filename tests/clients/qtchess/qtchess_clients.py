"""Chess clients in the simulation, and helpers for the messages they receive."""

import json
from typing import Any

from qipai.clients.client_registry import DIALECTS
from qipai.clients.rate_window import RateWindow
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId
from tests.support.hall_simulation import EPOCH, HallSimulation, RecordingTransport

Messages = list[dict[str, Any]]

FOG, DICE, MINES, GRAVITY, TELEPORT = "霧戰", "骰子", "踩地雷", "地吸引力", "傳送陣"
FORMAT = "無效的訊息格式"
NUMBER = "無效的房間號"
NO_ROOM = "房間不存在"
FULL = "房間已滿"
OUTSIDE = "無效的房間或未加入該房間"
SQUARES = "無效的移動數據格式"
RANGE = "移動座標超出範圍"
TURN = "不是你的回合"
ILLEGAL = "不合法的棋步"
TOO_FAST = "訊息發送過快，請稍後再試"

KINDS = {"r": 2, "n": 3, "b": 4, "q": 5}


class Qt:
    """A client in the simulation with a WebSocket at `/`."""

    def __init__(self, simulation: HallSimulation) -> None:
        self.simulation = simulation
        self.transport = RecordingTransport()
        self.connection = RateWindow(self.transport, speech(simulation)(), simulation.hall)
        self.transport.pong = self._pong
        self.read_count = 0
        self.code = ""
        simulation.hall.connected(self.connection)

    def _pong(self, _payload: bytes) -> None:
        self.connection.received = self.connection.answers_pings = True

    def send_frame(self, frame: bytes) -> None:
        """Send a frame without waiting for its effects."""
        self.simulation.loop.call_soon(self.simulation.hall.arrived, self.connection, frame)

    def send(self, action: str, **fields: Any) -> None:
        """Send an action about the client's room, unless another is named."""
        room = {"room": self.code} if self.code and "room" not in fields else {}
        self.send_frame(json.dumps({"action": action, **room, **fields}, ensure_ascii=False).encode())

    def ask(self, action: str, **fields: Any) -> Messages:
        """Send an action, wait for its effects, and return what was received."""
        self.send(action, **fields)
        return self.received()

    def asked(self, frame: bytes | str) -> Messages:
        """Send a frame as it is, and return what was received."""
        self.send_frame(frame if isinstance(frame, bytes) else frame.encode())
        return self.received()

    def received(self) -> Messages:
        """Wait for all effects; return what was received since the last time."""
        self.simulation.settle()
        new = self.transport.frames[self.read_count :]
        self.read_count = len(self.transport.frames)
        return [json.loads(frame) for frame in new]

    def leave(self) -> None:
        """Close the socket."""
        self.simulation.loop.call_soon(self.simulation.hall.arrived, self.connection, None)
        self.simulation.settle()

    # Short forms

    def create(self) -> str:
        (made,) = self.ask("createRoom")
        assert made["action"] == "roomCreated", made
        self.code = made["room"]
        return self.code

    def join(self, code: str) -> Messages:
        received = self.ask("joinRoom", room=code)
        self.code = code
        return received

    def move(self, uci: str, **more: Any) -> Messages:
        """Make a move and return what was received."""
        self.received()
        return self.ask("move", **{**squares(uci), **more})


def speech(simulation: HallSimulation) -> Any:
    """Return the dialect factory of a simulation, with shared room states."""
    made: Any = getattr(simulation, "qtchess", None)
    if made is None:
        made = simulation.qtchess = DIALECTS["/"].dialects()  # type: ignore[attr-defined] # a simulation has one
    return made


def squares(uci: str) -> dict[str, Any]:
    """Return the fields of a move."""
    found: dict[str, Any] = {
        "fromRow": 8 - int(uci[1]),
        "fromCol": ord(uci[0]) - 97,
        "toRow": 8 - int(uci[3]),
        "toCol": ord(uci[2]) - 97,
    }
    return {**found, "promotion": KINDS[uci[4]]} if len(uci) > 4 else found


def uci_of(message: dict[str, Any]) -> str:
    """Return a received move in UCI."""
    start = "abcdefgh"[message["fromCol"]] + str(8 - message["fromRow"])
    kinds = {number: letter for letter, number in KINDS.items()}
    end = "abcdefgh"[message["toCol"]] + str(8 - message["toRow"])
    return start + end + kinds.get(message.get("promotion") or 0, "")


def actions(received: Messages) -> list[str]:
    """Return the actions of the received messages."""
    return [message["action"] for message in received]


def error(received: Messages) -> str:
    """Return the text of the one error received."""
    (message,) = received
    assert message["action"] == "error", received
    return str(message["message"])


def two(simulation: HallSimulation) -> tuple[Qt, Qt]:
    """Return a host and a guest in a room without a game."""
    host, guest = Qt(simulation), Qt(simulation)
    guest.join(host.create())
    host.received()
    return host, guest


def game(simulation: HallSimulation, *modes: str, **fields: Any) -> tuple[Qt, Qt]:
    """Return a host and a guest in a running game; the host has white unless stated otherwise."""
    host, guest = two(simulation)
    start(host, *modes, **fields)
    guest.received()
    return host, guest


def start(host: Qt, *modes: str, **fields: Any) -> dict[str, Any]:
    """Start a game and return what the host receives."""
    chosen = {"hostColor": "White", "gameModes": dict.fromkeys(modes, True), **fields}
    received = host.ask("startGame", **chosen)
    assert actions(received)[:1] == ["gameStart"], received
    return received[0]


def live_room_of(simulation: HallSimulation, code: str) -> LiveRoom:
    """Return the live room of a room code."""
    return simulation.hall.executor.live_rooms[RoomId(simulation.hall.executor.rooms_by_code[code])]


def shown(simulation: HallSimulation, code: str) -> Any:
    """Return the durable room."""
    return live_room_of(simulation, code).durable


def since(simulation: HallSimulation) -> int:
    """Return the server's time."""
    return EPOCH + round(simulation.loop.clock * 1000)
