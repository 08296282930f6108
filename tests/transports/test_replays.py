"""Finished games over HTTP, packed for whoever takes them so."""

import gzip
import json
import urllib.request
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.support.server import ServerProcess, clients

pytestmark = pytest.mark.slow


def get(server: ServerProcess, path: str, **headers: str) -> tuple[int, Any, bytes]:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_a_game_can_be_had_when_it_is_over_and_not_before(server: ServerProcess) -> None:
    with clients(server.port, 2) as (ann, bob):
        room = ann.ask("open", "room", game="gomoku", nonce="t")["room"]["id"]
        bob.ask("join", "room", room=room)
        path = f"/api/games/{room}/1"
        for early in (path, f"{path}/record", "/api/games/nowhere/1", f"/api/games/{room}/2"):
            status, headers, body = get(server, early)
            assert status == 404
            assert headers["cache-control"] == "no-store"
            assert set(json.loads(body)) == {"error"}
        ann.send("resign", room=room, nonce="r")
        bob.event("over")
        bob.ask("offer", "events", room=room, kind="rematch", nonce="o")
        ann.send("offer", room=room, kind="rematch", nonce="o")
        bob.event("dealt")
    status, headers, body = get(server, path)
    assert (status, headers["content-type"], headers["vary"]) == (200, "application/json", "accept-encoding")
    told = json.loads(body)
    assert told["frames"][-1]["events"][0]["reason"] == "resigned"
    _, packed, squeezed = get(server, f"{path}?seat=watch", **{"Accept-Encoding": "gzip"})
    assert packed["content-encoding"] == "gzip"
    assert gzip.decompress(squeezed) == body
    assert get(server, f"{path}?seat=all")[0] == 404, "gomoku has no secrets"
    assert get(server, f"/api/games/{room}/2")[0] == 404, "the rematch runs"
    status, headers, body = get(server, f"{path}/record")
    assert headers["content-disposition"] == f'attachment; filename="gomoku-{room}-1.sgf"'
    assert body.startswith(b"(;")
    assert get(server, f"/api/games/{room}/one")[0] == 404
