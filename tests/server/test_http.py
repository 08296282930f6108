"""HTTP routes for browsers, monitoring and client authors."""

import gzip
import json
import os
import re
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "src" / "qipai" / "page"
BUILT = pytest.mark.skipif(
    not (PAGE.is_dir() or os.environ.get("CI")), reason="NOT TESTED: the page is not built"
)


def get(server: ServerProcess, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def test_health_answers_ok(shared_server: ServerProcess) -> None:
    status, _, body = get(shared_server, "/health")
    assert (status, json.loads(body)) == (200, {"status": "ok"})


def test_a_server_that_can_write_is_ready(shared_server: ServerProcess) -> None:
    status, _, body = get(shared_server, "/ready")
    assert (status, json.loads(body)) == (200, {"status": "ready"})


def test_metrics_count_what_happens(server: ServerProcess) -> None:
    client = Client(server.port)
    client.ask("open", "room", game="tictactoe", nonce="1")
    with_bot = client.ask("open", "room", game="gomoku", nonce="2", bot="easy")["room"]["id"]
    client.send("play", room=with_bot, move={"do": "place", "x": 7, "y": 7})
    client.receive_event("placed")
    client.receive_event("placed")
    _, headers, body = get(server, "/metrics")
    client.close()
    assert headers["content-type"].startswith("text/plain")
    lines = body.decode().splitlines()
    assert "qipai_connections 1.0" in lines
    assert 'qipai_rooms{game="tictactoe",phase="waiting"} 1.0' in lines
    assert "qipai_incidents_total 0.0" in lines
    assert "qipai_store_up 1.0" in lines
    assert "qipai_workers 1.0" in lines
    assert 'qipai_bot_moves_waiting{bots="quick"} 0.0' in lines
    assert 'qipai_bot_moves_total{bots="slow"} 0.0' in lines
    assert "qipai_bot_moves_reduced_total 0.0" in lines
    counted = [line for line in lines if line.startswith('qipai_bot_moves_total{bots="quick"}')]
    assert float(counted[0].split()[1]) >= 1
    assert any(line.startswith('qipai_bot_waiting_seconds_total{bots="quick"}') for line in lines)


def test_the_page_has_security_headers(shared_server: ServerProcess) -> None:
    _, headers, _ = get(shared_server, "/")
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_docs_name_every_message_and_are_machine_readable(shared_server: ServerProcess) -> None:
    status, _, body = get(shared_server, "/docs")
    assert status == 200
    for word in ("hello", "resume", "at_version", "refused", "marked", "/health"):
        assert word in body.decode()
    asyncapi = json.loads(get(shared_server, "/docs/asyncapi.json")[2])
    assert "play" in asyncapi["channels"]["play"]["messages"]
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(asyncapi)))
    assert references <= set(asyncapi["components"]["schemas"])
    openapi = json.loads(get(shared_server, "/docs/openapi.json")[2])
    for path, methods in openapi["paths"].items():
        if "get" in methods and "{" not in path:
            # A list of a guest's own games needs the token of the guest; others find nothing of operators.
            expected = {404} if path.startswith("/api/operator") else {200, 401, 503}
            assert get(shared_server, path)[0] in expected, path
    assert get(shared_server, "/docs/secret.json")[0] == 404


def test_unknown_paths_are_not_found_and_files_outside_are_not_served(shared_server: ServerProcess) -> None:
    for path in ("/nowhere", "/assets/../../settings.py", "/assets/%2e%2e/%2e%2e/app.py", "/play"):
        assert get(shared_server, path)[0] in {404, 405}, path


@BUILT
def test_a_browser_gets_the_page_at_an_unknown_path(shared_server: ServerProcess) -> None:
    status, headers, body = get(shared_server, "/no/where", accept="text/html,*/*")
    assert (status, headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert body == get(shared_server, "/")[2]
    assert get(shared_server, "/no/where")[2] == b"Not Found"


def test_a_finished_game_whose_number_cannot_exist_is_not_found(shared_server: ServerProcess) -> None:
    for number in ("9" * 6_000, "9" * 30, str(2**63), str(2**31), "-1", "+1", "1_0", "%D9%A1", "x"):
        for path in (f"/api/games/x/{number}", f"/api/games/x/{number}/record"):
            assert get(shared_server, path)[0] == 404, path[:40]
    for query in ("since", "until", "limit"):
        assert get(shared_server, f"/api/games?{query}={'9' * 6_000}")[0] == 400, query
    assert get(shared_server, f"/api/games?after={'9' * 6_000}-x-{'9' * 6_000}")[0] == 400
    assert shared_server.errors == []


def test_a_path_with_percent_encoded_letters_is_the_same_path(shared_server: ServerProcess) -> None:
    # The page asks so for a module again that it could not fetch.
    assert get(shared_server, "/%67ame%73")[2] == get(shared_server, "/games")[2]


@BUILT
def test_built_files_are_compressed_for_browsers_that_accept_it(shared_server: ServerProcess) -> None:
    for file in (PAGE / "assets").glob("*.js"):
        plain = get(shared_server, f"/assets/{file.name}")
        packed = get(shared_server, f"/assets/{file.name}", **{"Accept-Encoding": "br, gzip"})
        assert plain[0] == packed[0] == 200
        assert "content-encoding" not in plain[1]
        assert packed[1]["content-encoding"] == "gzip"
        assert gzip.decompress(packed[2]) == plain[2] == file.read_bytes()
        for _, headers, _ in (plain, packed):
            assert headers["content-type"].startswith("text/javascript")
            assert headers["vary"] == "accept-encoding"
            assert "immutable" in headers["cache-control"]
    assert get(shared_server, "/assets/nothing.js", **{"Accept-Encoding": "gzip"})[0] == 404


@BUILT
def test_the_page_can_be_installed(shared_server: ServerProcess) -> None:
    status, headers, body = get(shared_server, "/manifest.webmanifest")
    assert (status, headers["content-type"]) == (200, "application/manifest+json")
    assert headers["cache-control"] == "no-cache"
    manifest = json.loads(body)
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        status, headers, picture = get(shared_server, icon["src"])
        assert (status, headers["content-type"]) == (200, icon["type"])
        if icon["type"] == "image/png":
            assert picture[:8] == b"\x89PNG\r\n\x1a\n"
            sides = int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
            assert icon["sizes"] == "{}x{}".format(*sides)
    _, headers, worker = get(shared_server, "/worker.js")
    assert headers["content-type"].startswith("text/javascript")
    assert headers["cache-control"] == "no-cache"
    assert b"__FILES__" not in worker
