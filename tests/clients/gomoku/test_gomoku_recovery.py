"""Gomoku clients that recover their connection, and what the server keeps for that in a long game."""

import json
from typing import Any, Final

import pytest

from qipai.clients.client_detection import ClientDetection
from qipai.clients.client_registry import register_socketio
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.engineio_session import Session
from qipai.socketio.missed_events import LONG_BYTES
from qipai.socketio.session_interfaces import Handshake
from qipai.socketio.socket import Socket
from tests.socketio.unit.endpoint_stage import FakeWebSocket
from tests.support.hall_simulation import HallSimulation

MOVES: Final = 200
SMALL: Final = 90
"""Bytes of an event about one stone, and of an offset."""
FRAME_GAP: Final = 0.02
"""Seconds between two events of a socket, within its rate limit."""
_CELLS: Final = [(x, y) for y in range(15) for x in range(15)]
BLACK: Final = [cell for cell in _CELLS if (cell[0] + 2 * cell[1]) % 4 < 2]
WHITE: Final = [cell for cell in _CELLS if cell not in BLACK]
"""Cells of two colours without five in a row."""


class Server:
    """A hall with the Socket.IO endpoint of the older clients, in virtual time."""

    def __init__(self, simulation: HallSimulation) -> None:
        self.simulation = simulation
        self.endpoint = SocketIO()
        register_socketio(self.endpoint, simulation.legacy, ClientDetection())

    def call(self, function: Any, *arguments: Any) -> Any:
        async def run() -> Any:
            return function(*arguments)

        result = self.simulation.run(run())
        self.simulation.settle()
        return result


class Page:
    """A page: it keeps the events it received, and what it needs to recover."""

    def __init__(self, server: Server, nickname: str) -> None:
        self.server = server
        self.ids: dict[str, str] = {}
        self.offset = ""
        self.events: list[Any] = []
        self.connect()
        self.say("join-lobby", nickname=nickname)

    def connect(self) -> bool:
        """Connect; tell whether the connection was recovered."""
        self.websocket = FakeWebSocket()
        self.session: Session = self.server.call(
            self.server.endpoint.open_session, Handshake({}), self.websocket
        )
        auth = {"pid": self.ids["pid"], "offset": self.offset} if self.ids else {}
        self.server.call(self.session.receive, b"40" + json.dumps(auth).encode())
        before = self.ids
        answer = next(frame for frame in self.websocket.sent if str(frame).startswith("b'40"))
        assert isinstance(answer, bytes)
        self.ids = json.loads(answer[2:])
        return self.ids == before

    def say(self, event: str, **fields: Any) -> None:
        self.server.call(self.session.receive, b"42" + json.dumps([event, fields]).encode())

    def read(self) -> list[Any]:
        """Return the events that arrived since the last call, each without its offset."""
        new = [
            json.loads(frame[2:])
            for frame in self.websocket.sent
            if isinstance(frame, bytes) and frame.startswith(b"42")
        ]
        self.websocket.sent.clear()
        for event in new:
            self.offset = event.pop()
        self.events += new
        return new

    def answer_ping(self) -> None:
        self.server.call(self.session.receive, b"3")

    def cut(self) -> None:
        self.server.call(self.session.websocket_closed, self.websocket)

    @property
    def socket(self) -> Socket:
        return self.server.endpoint._recoverable_sockets[self.ids["pid"]]

    @property
    def retained(self) -> int:
        return sum(event.size for event in self.socket.missed._events)


def seated(server: Server) -> tuple[Page, Page, str]:
    """Return two pages in a running game, and the id of the room."""
    black, white = Page(server, "Ann"), Page(server, "Bob")
    black.say("create-room", name="long")
    room = next(event for event in black.read() if event[0] == "room-joined")[1]["room"]["id"]
    white.say("join-room", roomId=room)
    white.read()
    return black, white, room


def place(black: Page, white: Page, room: str, first: int, end: int) -> None:
    """Place the stones with these numbers, in turn."""
    for number in range(first, end):
        page, cells = (white, WHITE) if number % 2 else (black, BLACK)
        x, y = cells[number // 2]
        page.say("place-stone", roomId=room, x=x, y=y)
        black.server.simulation.wait(FRAME_GAP)


def test_after_200_moves_a_socket_keeps_one_whole_room() -> None:
    with HallSimulation() as simulation:
        black, white, room = seated(Server(simulation))
        place(black, white, room, 0, MOVES)
        for page in (black, white):
            updates = [event for event in page.read() if event[0] == "room-updated"]
            assert len(updates[-1][1]["history"]) == MOVES
            newest = len(json.dumps(updates[-1], separators=(",", ":")))
            assert page.retained <= newest + 2 * (MOVES + 10) * SMALL
        for _ in range(2):
            for page in (black, white):
                page.answer_ping()
            simulation.wait(25.1)
        assert black.retained == white.retained == 0


def test_the_list_of_rooms_is_kept_for_nobody_in_a_room() -> None:
    with HallSimulation() as simulation:
        server = Server(simulation)
        owners = [Page(server, f"Owner {number}") for number in range(120)]
        for owner in owners:
            owner.say("create-room", name="a room with a long name")
            simulation.wait(0.05)
        lists = [event for event in Page(server, "Guest").read() if event[0] == "room-list"]
        assert len(json.dumps(lists)) > LONG_BYTES
        for page in owners:
            kept = [event.size for event in page.socket.missed._events if b'"room-list"' in event.text]
            assert sum(kept) <= LONG_BYTES


@pytest.mark.parametrize("received", [0, 1, 2, 5, 17, 18])
def test_a_page_that_missed_moves_has_the_same_room_as_its_opponent(received: int) -> None:
    with HallSimulation() as simulation:
        black, white, room = seated(Server(simulation))
        place(black, white, room, 0, received)
        white.read()
        place(black, white, room, received, 30)
        white.websocket.sent.clear()
        white.cut()
        black.say("chat-message", roomId=room, message="still there?")
        assert white.connect()
        missed = white.read()
        stones = [(event[1]["x"], event[1]["y"]) for event in missed if event[0] == "stone-placed"]
        expected = [(WHITE if number % 2 else BLACK)[number // 2] for number in range(received, 30)]
        assert stones == expected, "every stone, in order"
        assert [event[1]["message"] for event in missed if event[0] == "chat-received"][1:2] == [
            "still there?"
        ]
        seen = [event for event in missed if event[0] == "room-updated"]
        told = [event for event in black.read() if event[0] == "room-updated"]
        assert seen[-1][1]["board"] == told[-1][1]["board"]
        assert seen[-1][1]["history"] == told[-1][1]["history"]
        assert seen[-1][1]["players"]["white"] == {"nickname": "Bob", "connected": True}


def test_a_page_that_recovered_in_a_room_gets_the_list_when_it_leaves() -> None:
    with HallSimulation() as simulation:
        black, white, room = seated(Server(simulation))
        white.cut()
        assert white.connect()
        white.read()
        white.say("leave-room", roomId=room)
        (listed,) = [event for event in white.read() if event[0] == "room-list"]
        assert [row["id"] for row in listed[1]] == [room]
        assert black.read()[-1][0] != "room-list"
