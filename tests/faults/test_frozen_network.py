"""A network that dies without closing anything, on each protocol: what the others see, and when.

That it takes ten seconds at most follows from the settings of the server, and is tested there and in virtual
time (`tests/clients/shared/test_dead_network.py`). Here a real server runs on a machine that may be busy.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.sync.client import ClientConnection, connect

from tests.clients.gomoku.test_gomoku_reload import Page
from tests.clients.mahjong.mahjong_socket import begin
from tests.socketio.older_programs.test_tictactoe_server import login
from tests.socketio.raw_engineio import PATH
from tests.support.proxies.cuttable_proxy import CuttableProxy
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

GENEROUS = 60.0
"""Seconds after which nothing more is expected, however busy the machine is."""
NOTICED_MILLISECONDS = 10_000


class PingedConnection(ClientConnection):
    """A WebSocket that notes that the server has pinged it; the library sends the pong."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.pinged = threading.Event()
        super().__init__(*args, **kwargs)

    def process_event(self, event: Request | Response | Frame) -> None:
        super().process_event(event)
        if isinstance(event, Frame) and event.opcode is Opcode.PING:
            self.pinged.set()


class FarPlayer:
    """A client behind the network that dies."""

    def __init__(self, port: int, path: str, cookie: str = "") -> None:
        self._open = contextlib.ExitStack()
        connection = connect(
            f"ws://127.0.0.1:{port}{path}",
            compression=None,
            max_queue=None,
            open_timeout=GENEROUS,
            ping_interval=None,
            close_timeout=1,
            additional_headers={"Cookie": cookie} if cookie else {},
            create_connection=PingedConnection,
        )
        opened = self._open.enter_context(connection)
        assert isinstance(opened, PingedConnection)
        self.socket = opened

    def ask(self, answer: str, **frame: Any) -> Any:
        """Send a frame, and return the first one that contains the answer."""
        self.socket.send(json.dumps(frame))
        return json.loads(self.hear(answer))

    def hear(self, answer: str) -> str:
        """Return the first frame that contains the answer; pings of Engine.IO are answered."""
        while answer not in (text := str(self.socket.recv(GENEROUS))):
            if text == "2":
                self.socket.send("3")
        return text

    def freeze(self, network: CuttableProxy) -> None:
        """Let the network die, once the server knows that this client answers pings."""
        assert self.socket.pinged.wait(GENEROUS)
        network.settle(1)
        network.freeze()

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def network(server: ServerProcess) -> Iterator[CuttableProxy]:
    with CuttableProxy(server.port) as network:
        yield network
        network.unfreeze()


def test_a_native_player_is_away_and_back_when_the_network_is(
    server: ServerProcess, network: CuttableProxy
) -> None:
    ann, bob = Client(server.port), FarPlayer(network.port, "/play")
    room = ann.ask("open", "room", game="tictactoe", nonce="n")["room"]["id"]
    bob.ask("welcome", type="hello")
    bob.ask('"room"', type="join", room=room)
    bob.freeze(network)
    assert ann.receive_event("disconnected")["seat"] == 1
    network.unfreeze()
    assert ann.receive_event("reconnected")["seat"] == 1
    ann.close()
    bob.close()


def test_a_chess_client_is_away_for_a_web_player(server: ServerProcess, network: CuttableProxy) -> None:
    # Among themselves these clients have no word for it: they see the other leave when it is dropped.
    host, web = FarPlayer(network.port, "/"), Client(server.port)
    code = host.ask("roomCreated", action="createRoom")["room"]
    web.ask("join", "room", room=code, accept_sees_hidden=True)
    host.freeze(network)
    assert web.receive_event("disconnected")["seat"] == 0
    network.unfreeze()
    assert web.receive_event("reconnected")["seat"] == 0
    web.close()
    host.close()


def test_a_mahjong_player_is_away_for_the_others(server: ServerProcess, network: CuttableProxy) -> None:
    started = begin(server.port, {"seats": "token"})
    game, token = started["game_id"], started["tokens"]["1"]
    far, web = FarPlayer(network.port, "/ws"), Client(server.port)
    taken = {"player_id": 1, "token": token}
    far.ask("join_room_response", game_id=game, type="join_room", data=taken)
    web.ask("watch", "room", room=game)
    far.freeze(network)
    assert web.receive_event("disconnected")["seat"] == 0
    network.unfreeze()
    assert web.receive_event("reconnected")["seat"] == 0
    web.close()
    far.close()


def noticed_by_the_client(handshake: dict[str, Any]) -> bool:
    """Tell whether a Socket.IO client notices in time: its library waits that long for a ping."""
    return bool(handshake["pingInterval"] + handshake["pingTimeout"] <= NOTICED_MILLISECONDS)


def test_a_gomoku_player_is_away_and_the_client_notices_too(
    server: ServerProcess, network: CuttableProxy
) -> None:
    ann = Page(server.port, "", "Ann")
    ann.say("create-room", name="dead")
    room = ann.hear("room-joined")["room"]["id"]
    bob = Page(network.port, "", "Bob")
    bob.say("join-room", roomId=room)
    bob.hear("room-joined")
    network.freeze()
    while ann.hear("chat-received")["nickname"] != "系统":
        pass
    assert ann.hear("room-updated")["players"]["white"]["connected"] is False
    assert noticed_by_the_client(bob.handshake)
    ann.socket.close()
    network.unfreeze()
    bob.socket.close()


def test_a_tictactoe_player_may_come_back_unnoticed_and_then_the_match_ends(
    server: ServerProcess, network: CuttableProxy
) -> None:
    # The protocol has no word for a player who is away: 15 s later the match ends.
    web = Client(server.port)
    web.ask("quick_match", "room", game="tictactoe")
    old = FarPlayer(network.port, f"{PATH}?EIO=4&transport=websocket", login(server, "Old"))
    assert noticed_by_the_client(json.loads(str(old.socket.recv(GENEROUS))[1:]))
    old.socket.send("40")
    old.hear("40{")
    old.socket.send('42["join_pvp"]')
    old.hear("game_start")
    network.settle(1)
    network.freeze()
    assert web.receive_event("game_over")["reason"] == "abandoned"
    network.unfreeze()
    web.close()
    old.close()
