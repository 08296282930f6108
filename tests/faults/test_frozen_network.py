"""A network that dies without closing anything: the others see within ten seconds that a player is away."""

import contextlib
import threading
import time
from collections.abc import Iterator

import pytest

from tests.clients.gomoku.test_gomoku_reload import Page
from tests.support.cuttable_proxy import CuttableProxy
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

BOUND = 10.0


@contextlib.contextmanager
def longest_answer(port: int) -> Iterator[list[float]]:
    """Ping all the while; yield the seconds of the slowest answer, which tell how busy the machine is."""
    slowest, over = [0.0], threading.Event()

    def ask() -> None:
        client = Client(port)
        while not over.wait(0.1):
            began = time.monotonic()
            client.send("ping", n=1)
            client.receive_until("pong")
            slowest[0] = max(slowest[0], time.monotonic() - began)
        client.close()

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield slowest
    finally:
        over.set()
        thread.join(60)


def test_a_native_player_is_away_and_back_when_the_network_is(server: ServerProcess) -> None:
    with CuttableProxy(server.port) as network, longest_answer(server.port) as slowest:
        ann, bob = Client(server.port), Client(network.port)
        ann.send("open", game="tictactoe", nonce="n")
        room = ann.receive_until("room")["room"]["id"]
        bob.send("join", room=room)
        bob.receive_until("room")
        time.sleep(3)  # The first ping is answered, with which the server knows that this client does.
        network.freeze()
        began = time.monotonic()
        ann.receive_event("disconnected")
        assert time.monotonic() - began < BOUND + 5 * slowest[0]
        network.unfreeze()
        ann.receive_event("reconnected")
        ann.close()
        bob.close()


def test_a_gomoku_player_is_away_and_the_client_notices_too(server: ServerProcess) -> None:
    with CuttableProxy(server.port) as network, longest_answer(server.port) as slowest:
        ann = Page(server.port, "", "Ann")
        ann.say("create-room", name="dead")
        room = ann.hear("room-joined")["room"]["id"]
        bob = Page(network.port, "", "Bob")
        bob.say("join-room", roomId=room)
        bob.hear("room-joined")
        network.freeze()
        began = time.monotonic()
        while ann.hear("chat-received")["nickname"] != "系统":
            pass
        assert time.monotonic() - began < BOUND + 5 * slowest[0]
        assert ann.hear("room-updated")["players"]["white"]["connected"] is False
        # What the client's library waits for a ping before it reconnects.
        assert bob.handshake["pingInterval"] + bob.handshake["pingTimeout"] < BOUND * 1000
        ann.socket.close()
        network.unfreeze()
        bob.socket.close()
