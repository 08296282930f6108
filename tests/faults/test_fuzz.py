"""Random bytes and random JSON cause no internal error."""

import json
import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

FRAMES = 20_000
TYPES = [
    "hello",
    "open",
    "join",
    "watch",
    "quick_match",
    "play",
    "offer",
    "answer",
    "resign",
    "say",
    "leave",
    "resume",
    "lobby",
    "ping",
    "dance",
]
FIELDS = [
    "room",
    "move",
    "nonce",
    "at_version",
    "game",
    "options",
    "table",
    "seat",
    "bot",
    "player_entropy",
    "kind",
    "offer",
    "yes",
    "text",
]
FIELDS += ["version", "on", "n", "v", "token", "name", "extra"]


class RandomFrames:
    """Makes valid, damaged and meaningless frames."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.rooms = ["nowhere"]

    def value(self, depth: int = 0) -> Any:
        pick = self.random.randrange(14)
        values: list[Any] = [
            None, True, False, 0, 1, -1, 4, 9, 2**63, -(2**64), 1e308, 0.5, "", "tictactoe", "perfect",
            "rematch", "draw", "undo", "\x00", "\u202e", "系統", "😺" * 50, "x" * 3000,
            {"do": "mark", "cell": 4}, {"do": "next"}, {"do": "mark", "cell": True}, {"public": False},
            {"clock": {"main": [60000]}}, {"disconnect_timeout": 0},
        ]  # fmt: skip
        if pick < 9 or depth > 4:
            return self.random.choice(values)
        if pick < 11:
            return [self.value(depth + 1) for _ in range(self.random.randrange(4))]
        if pick < 12:
            return {
                self.random.choice(FIELDS): self.value(depth + 1) for _ in range(self.random.randrange(4))
            }
        return self.random.choice(self.rooms)

    def valid(self) -> dict[str, Any]:
        """Return an intent that a client might send now."""
        room = self.random.choice(self.rooms)
        nonce = str(self.random.randrange(50))
        move = {"do": "mark", "cell": self.random.randrange(9)}
        return self.random.choice(
            [
                {"type": "open", "game": "tictactoe", "nonce": nonce},
                {"type": "join", "room": room},
                {"type": "quick_match", "game": "tictactoe"},
                {"type": "play", "room": room, "move": move, "nonce": nonce},
                {"type": "play", "room": room, "move": move, "nonce": nonce},
                {"type": "play", "room": room, "move": {"do": "next"}, "nonce": nonce},
                {"type": "offer", "room": room, "kind": "rematch", "nonce": nonce},
                {"type": "resume", "room": room, "version": self.random.randrange(30)},
            ]
        )

    def frame(self) -> bytes:
        pick = self.random.randrange(14)
        if pick > 9:
            return json.dumps(self.valid()).encode()
        if pick == 0:
            return self.random.randbytes(self.random.randrange(200))
        if pick == 1:
            return json.dumps(self.value()).encode()
        message = {"type": self.random.choice(TYPES)}
        for field in self.random.sample(FIELDS, self.random.randrange(8)):
            message[field] = self.random.choice(self.rooms) if field == "room" else self.value()
        encoded = json.dumps(message).encode()
        if pick == 2:
            return encoded[: self.random.randrange(len(encoded))]
        if pick == 3:
            start = self.random.randrange(len(encoded))
            return encoded[:start] + self.random.randbytes(3) + encoded[start + 1 :]
        return encoded


def test_twenty_thousand_random_frames_cause_no_error_in_the_hall(simulation: HallSimulation) -> None:
    frames = RandomFrames(1)
    peers = [simulation.native_client(f"P{number}") for number in range(6)]
    kinds: dict[str, int] = {}
    for number in range(FRAMES):
        slot = frames.random.randrange(len(peers))
        peer = peers[slot]
        if peer.transport.closed or frames.random.random() < 0.003:
            peer.disconnect()
            peers[slot] = peer = NativeClient(simulation)
            peer.hello(frames.random.choice(peers).token)
        peer.send_frame(frames.frame())
        for message in peer.received():
            kinds[message["type"]] = kinds.get(message["type"], 0) + 1
            if message["type"] == "room":
                frames.rooms = [*frames.rooms[-20:], message["room"]["id"], message["room"]["code"]]
        if number % 40 == 0:
            simulation.wait(frames.random.choice([0.1, 1, 30]))
    assert simulation.hall.internal_errors.count == 0
    assert simulation.errors == []
    assert {"room", "events", "refused", "unchanged", "welcome", "lobby", "pong", "left"} <= set(kinds)


def test_a_real_server_survives_twenty_thousand_random_frames(server: ServerProcess) -> None:
    frames = RandomFrames(2)
    sent = 0
    while sent < FRAMES:
        client = Client(server.port)
        try:
            for _ in range(45):
                frame = frames.frame()
                client.socket.send(
                    frame if frames.random.random() < 0.2 else frame.decode("utf-8", "replace")
                )
                sent += 1
        except (ConnectionClosed, WebSocketException):
            pass
        finally:
            client.close()
    last = Client(server.port)
    assert last.ask("ping", "pong", n=5)["n"] == 5
    last.close()
    assert server.errors == []
