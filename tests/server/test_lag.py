"""The lag of a real client behind a slow network: measured, shown, not charged, and kept for the replay."""

import json
import time
import urllib.request
from typing import Any

import pytest

from tests.support.proxies.cuttable_proxy import CuttableProxy
from tests.support.server import Client, Message, ServerProcess

pytestmark = pytest.mark.slow

DELAY = 0.12
MAIN = 300_000


def after_nonce(client: Client, nonce: str) -> Message:
    while (told := client.receive_until("events")).get("nonce") != nonce:
        pass
    return told


def test_a_slow_network_is_measured_and_not_charged(server: ServerProcess) -> None:
    with CuttableProxy(server.port, delay=DELAY) as network:
        ann, bob = Client(server.port), Client(network.port)
        ann.send("open", game="gomoku", nonce="n", table={"clock": {"main": [MAIN]}})
        room = ann.receive_until("room")["room"]["id"]
        bob.send("join", room=room)
        shown = bob.receive_until("room")
        clients = {shown["you"]: bob, 1 - shown["you"]: ann}
        slow, to_act = shown["you"], shown["room"]["to_act"]
        clock: dict[str, Any] = {}
        for number in range(100):
            seat = to_act[0]
            nonce = f"m{number}"
            x, y = number % 15, 2 * (number // 15)
            clients[seat].send("play", room=room, move={"do": "place", "x": x, "y": y}, nonce=nonce)
            told = [after_nonce(client, nonce) for client in clients.values()]
            clock, to_act = told[0]["clock"], told[0]["to_act"]
            if seat == slow and (clock.get("lags") or [None, None])[slow] is not None:
                break
            time.sleep(0.2)
        assert clock["lags"][slow] >= 2 * DELAY * 1000
        assert clock["compensated"][slow] == min(clock["lags"][slow], 500)
        ann.send("resign", room=room, nonce="r")
        after_nonce(ann, "r")
        with urllib.request.urlopen(
            f"http://127.0.0.1:{server.port}/api/games/{room}/1", timeout=60
        ) as answer:
            frames = json.load(answer)["frames"]
    moves = [frame for frame in frames if frame["actor"] is not None]
    assert moves[number]["clock"]["lags"] == clock["lags"]
    assert moves[number]["clock"]["compensated"] == clock["compensated"]
    before, after = frames[frames.index(moves[number]) - 1]["clock"], moves[number]["clock"]
    used = moves[number]["at"] - before["since"][slow]
    assert before["left"][slow] - after["left"][slow] == used - after["compensated"][slow]
