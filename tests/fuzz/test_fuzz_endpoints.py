"""Random input to every endpoint of a real server: no internal error, and the server goes on serving.

`make soak` sends fifteen times as much.
"""

import json
import os
import urllib.request
import zlib

import pytest
from websockets.sync.client import connect

from qipai.clients.client_registry import DIALECTS
from qipai.server.websocket import NATIVE_PATH
from tests.fuzz.fuzz_input import FuzzInput
from tests.fuzz.fuzz_targets import TARGETS
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

INPUTS = 400 * max(1, int(os.environ.get("QIPAI_SOAK", "1")) // 5)


@pytest.mark.parametrize("name", TARGETS)
def test_random_input_causes_no_internal_error(server: ServerProcess, name: str) -> None:
    TARGETS[name](server.port, FuzzInput(zlib.crc32(name.encode())), INPUTS)
    assert server.process is not None
    assert server.process.poll() is None
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/health", timeout=60) as answer:
        assert answer.status == 200
    last = Client(server.port)
    assert last.ask("ping", "pong", n=5)["n"] == 5
    last.close()
    with connect(f"ws://127.0.0.1:{server.port}/", compression=None) as socket:
        socket.send('{"action":"createRoom"}')
        assert json.loads(socket.recv(60))["action"] == "roomCreated"
    assert server.stop() == 0
    assert server.errors == []
    assert "Traceback" not in server.log.read_text()


def test_every_websocket_path_is_a_target() -> None:
    assert {name for name in TARGETS if name.startswith("/")} == {NATIVE_PATH, "/socket.io/", *DIALECTS}


def test_the_same_seed_gives_the_same_input() -> None:
    templates = [{"type": "play", "move": {"cell": range(9)}}]
    one, other = FuzzInput(7), FuzzInput(7)
    for fuzz in (one, other):
        fuzz.learn('42["room",{"id":"abc"}]')
    made = [[fuzz.message(template) for template in templates * 200] for fuzz in (one, other)]
    assert made[0] == made[1]
    assert any(b"abc" in message for message in made[0])
