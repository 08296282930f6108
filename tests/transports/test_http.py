"""The pages a browser, a monitor and a client author ask for."""

import json
import urllib.request
from urllib.error import HTTPError

import pytest

from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow


def get(server: ServerProcess, path: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=10) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def test_health_says_ok(server: ServerProcess) -> None:
    status, _, body = get(server, "/health")
    assert (status, json.loads(body)) == (200, {"status": "ok"})


def test_metrics_count_what_happens(server: ServerProcess) -> None:
    client = Client(server.port)
    client.ask("open", "room", game="tictactoe", nonce="1")
    _, headers, body = get(server, "/metrics")
    client.close()
    assert headers["content-type"].startswith("text/plain")
    lines = body.decode().splitlines()
    assert "qipai_connections 1.0" in lines
    assert 'qipai_rooms{game="tictactoe",phase="waiting"} 1.0' in lines
    assert "qipai_incidents_total 0.0" in lines


def test_the_page_is_served_with_a_policy_that_keeps_it_to_itself(server: ServerProcess) -> None:
    _, headers, _ = get(server, "/")
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_docs_name_every_message_and_are_machine_readable(server: ServerProcess) -> None:
    status, _, body = get(server, "/docs")
    assert status == 200
    for word in ("hello", "resume", "at_version", "refused", "marked", "/health"):
        assert word in body.decode()
    asyncapi = json.loads(get(server, "/docs/asyncapi.json")[2])
    assert "play" in asyncapi["channels"]["play"]["messages"]
    openapi = json.loads(get(server, "/docs/openapi.json")[2])
    for path in openapi["paths"]:
        assert get(server, path)[0] in {200, 503}
    assert get(server, "/docs/secret.json")[0] == 404


def test_unknown_paths_are_not_found_and_files_outside_are_not_served(server: ServerProcess) -> None:
    for path in ("/nowhere", "/assets/../../settings.py", "/assets/%2e%2e/%2e%2e/app.py", "/play"):
        assert get(server, path)[0] in {404, 405}, path
