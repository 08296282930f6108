"""`POST /api/mahjong/score`."""

import json
import urllib.request
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.games.mahjong.mahjong_table import known
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow


def ask(server: ServerProcess, body: bytes | None) -> tuple[int, Any]:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/api/mahjong/score", body)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        with error:
            body = error.read()
            return error.code, json.loads(body) if body.startswith(b"{") else body


def test_a_hand_is_counted_a_bad_one_refused_and_a_long_one_not_read(server: ServerProcess) -> None:
    for row in known()["wins"][:20]:
        status, answer = ask(server, json.dumps(row["of"]).encode())
        assert (status, answer["total"]) == (200, sum(row["tai"].values()))
    assert ask(server, json.dumps(known()["no_wins"][0]).encode()) == (200, {"error": "not_a_win"})
    away = known()["wins"][0]["of"] | {"win": "N", "melds": None}
    assert ask(server, json.dumps(away).encode()) == (200, {"error": "not_a_win"})
    assert ask(server, b"x") == (422, {"error": "malformed", "about": "json"})
    assert ask(server, b'{"variant":13,"hand":"1"}') == (422, {"error": "malformed", "about": "hand"})
    assert ask(server, b" " * 20_000)[0] == 413
    assert ask(server, None)[0] == 405
