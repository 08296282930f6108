"""One address can open a bounded number of Socket.IO sessions over polling."""

import contextlib
import http.client
import json
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.raw_http import ATTACKER, metric, open_socket, refusals, status_of, upgrade_request
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

PLACES = 20
OPEN = "/socket.io/?EIO=4&transport=polling"


class Answer:
    """The response to a request from an address of this machine."""

    def __init__(self, port: int, address: str, path: str = OPEN, **headers: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, 60, source_address=(address, 0))
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@pytest.fixture
def port(tmp_path: Path) -> Any:
    settings = f"[connections]\nper_address = {PLACES}\n"
    with ServerProcess(tmp_path / "data", config=settings) as server:
        yield server.port


def test_an_address_opens_as_many_sessions_as_connections(port: int) -> None:
    answers = [Answer(port, ATTACKER) for _ in range(3 * PLACES)]
    # The server pings after 4 s and closes sessions that do not answer within 5 s; a slow machine opens more.
    refused = [answer for answer in answers if answer.status != 200]
    assert len(answers) - len(refused) >= PLACES
    assert refused
    for answer in refused:
        assert (answer.status, answer.json) == (429, {"code": 4, "message": "Too many sessions"})
        assert answer.headers["retry-after"] == "5"
    assert refusals(port, "address_sessions") == len(refused)
    assert Answer(port, "127.0.0.3").status == 200
    with open_socket(port) as connection:
        websocket = upgrade_request("/socket.io/?EIO=4&transport=websocket")
        assert status_of(connection, websocket) == 101, "a WebSocket is a connection, not a polling session"


def test_behind_a_proxy_the_client_is_counted_and_ipv6_by_its_network(port: int) -> None:
    def of(host: str) -> int:
        return Answer(port, "127.0.0.1", **{"X-Forwarded-For": host}).status

    hosts = [f"2001:db8::{number:x}" for number in range(1, 3 * PLACES)]
    assert 429 in [of(host) for host in hosts]
    assert of("2001:db8:0:1::1") == 200
    assert of("192.0.2.1") == 200
    assert refusals(port, "address_sessions") > 0
    assert metric(port, "qipai_connections") == 0
