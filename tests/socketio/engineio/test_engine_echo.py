"""Engine.IO alone: the raw echo of the example server, which the public suite runs against."""

import contextlib
import http.client
import json

import pytest
from websockets.sync.client import connect

from tests.socketio.client_programs import only_ours

pytestmark = [pytest.mark.slow, only_ours("it has no raw echo")]


def asked(port: int, method: str, query: str, body: str | None = None) -> tuple[int, str]:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request(method, f"/engine.io/?EIO=4&transport=polling{query}", body)
        answer = line.getresponse()
        return answer.status, answer.read().decode()


def test_messages_are_echoed_over_polling(echo_port: int) -> None:
    _, opened = asked(echo_port, "GET", "")
    sid = json.loads(opened[1:])["sid"]
    assert asked(echo_port, "POST", f"&sid={sid}", "4one\x1e4two\x1ebAQIDBA==") == (200, "ok")
    assert asked(echo_port, "GET", f"&sid={sid}") == (200, "4one\x1e4two\x1ebAQIDBA==")


def test_messages_are_echoed_over_websocket_and_pings_answered(fast_ping_port: int) -> None:
    url = f"ws://127.0.0.1:{fast_ping_port}/engine.io/?EIO=4&transport=websocket"
    with connect(url, compression=None) as socket:
        assert str(socket.recv(60)).startswith("0")
        socket.send("4hello")
        socket.send(b"\x01\x02")
        assert [socket.recv(60), socket.recv(60)] == ["4hello", b"\x01\x02"]
        for _ in range(3):
            assert socket.recv(60) == "2"
            socket.send("3")
        assert socket.recv(60) == "2"
        assert list(socket) == [], "closed: the last ping was not answered"
