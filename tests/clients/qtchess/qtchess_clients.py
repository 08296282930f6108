"""Chess clients on the stage, and helpers for the messages they receive."""

import json
from typing import Any

from qipai.clients.client_registry import DIALECTS
from qipai.clients.rate_window import RateWindow
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId
from tests.support.stage import EPOCH, FakeWire, Stage

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
    """A client on the stage with a WebSocket at `/`."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.wire = FakeWire()
        self.connection = RateWindow(self.wire, speech(stage)(), stage.hall)
        self.wire.pong = self._pong
        self.read = 0
        self.code = ""
        stage.hall.connected(self.connection)

    def _pong(self) -> None:
        self.connection.received = True

    def raw(self, frame: bytes) -> None:
        """Send a frame without waiting for its effects."""
        self.stage.loop.call_soon(self.stage.hall.arrived, self.connection, frame)

    def send(self, action: str, **fields: Any) -> None:
        """Send an action about the client's room, unless another is named."""
        room = {"room": self.code} if self.code and "room" not in fields else {}
        self.raw(json.dumps({"action": action, **room, **fields}, ensure_ascii=False).encode())

    def ask(self, action: str, **fields: Any) -> Messages:
        """Send an action, wait for its effects, and return what was received."""
        self.send(action, **fields)
        return self.heard()

    def asked(self, frame: bytes | str) -> Messages:
        """Send a frame as it is, and return what was received."""
        self.raw(frame if isinstance(frame, bytes) else frame.encode())
        return self.heard()

    def heard(self) -> Messages:
        """Wait for all effects; return what was received since the last time."""
        self.stage.settle()
        new = self.wire.frames[self.read :]
        self.read = len(self.wire.frames)
        return [json.loads(frame) for frame in new]

    def leave(self) -> None:
        """Close the socket."""
        self.stage.loop.call_soon(self.stage.hall.arrived, self.connection, None)
        self.stage.settle()

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
        self.heard()
        return self.ask("move", **{**squares(uci), **more})


def speech(stage: Stage) -> Any:
    """Return the dialect factory of a stage, with shared room states."""
    made: Any = getattr(stage, "qtchess", None)
    if made is None:
        made = stage.qtchess = DIALECTS["/"]()  # type: ignore[attr-defined] # a stage has one
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


def two(stage: Stage) -> tuple[Qt, Qt]:
    """Return a host and a guest in a room without a game."""
    host, guest = Qt(stage), Qt(stage)
    guest.join(host.create())
    host.heard()
    return host, guest


def game(stage: Stage, *modes: str, **fields: Any) -> tuple[Qt, Qt]:
    """Return a host and a guest in a running game; the host has white unless stated otherwise."""
    host, guest = two(stage)
    start(host, *modes, **fields)
    guest.heard()
    return host, guest


def start(host: Qt, *modes: str, **fields: Any) -> dict[str, Any]:
    """Start a game and return what the host receives."""
    chosen = {"hostColor": "White", "gameModes": dict.fromkeys(modes, True), **fields}
    received = host.ask("startGame", **chosen)
    assert actions(received)[:1] == ["gameStart"], received
    return received[0]


def live_room_of(stage: Stage, code: str) -> LiveRoom:
    """Return the live room of a room code."""
    return stage.hall.executor.live_rooms[RoomId(stage.hall.executor.rooms_by_code[code])]


def shown(stage: Stage, code: str) -> Any:
    """Return the durable room."""
    return live_room_of(stage, code).durable


def since(stage: Stage) -> int:
    """Return the server's time."""
    return EPOCH + round(stage.loop.clock * 1000)
