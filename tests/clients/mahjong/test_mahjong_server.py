"""The mahjong dialect over real HTTP, and a game that survives a killed server."""

import asyncio
import json
import urllib.request
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.clients.mahjong.mahjong_socket import Message, Socket, begin
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow


async def deal(one: Socket) -> None:
    await one.do("roll_positions")
    await one.do("roll_dealer")
    await one.do("deal_tiles")


def ask(
    server: ServerProcess, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    method = "GET" if body is None else "POST"
    address = f"http://127.0.0.1:{server.port}{path}"
    request = urllib.request.Request(address, body, headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        with error:
            raw = error.read()
            return error.code, json.loads(raw) if raw.startswith(b"{") else raw


def test_games_are_started_by_rest(server: ServerProcess) -> None:
    status, answer = ask(server, "/api/game/start", b"")
    assert status == 200
    assert list(answer) == [
        "game_id", "message", "game_type", "stage", "round", "round_code", "round_number",
    ]  # fmt: skip
    status, answer = ask(server, "/api/game/start", b'{"seats":"token","game_type":16}')
    assert (status, list(answer["tokens"]), answer["game_type"]) == (200, ["1", "2", "3", "4"], 16)
    assert ask(server, "/api/game/start", b'{"game_type":1}')[0] == 422
    assert ask(server, "/api/game/start", b'{"game_type":1}')[1]["field"] == "game_type"
    assert ask(server, "/api/game/start", b"x")[1]["field"] == "body"
    assert ask(server, "/api/game/start", b" " * 20_000)[0] == 413
    assert ask(server, "/api/game/start")[0] == 405
    assert ask(server, "/health") == (200, {"status": "ok"})


def test_a_page_of_another_site_must_send_json_as_such(server: ServerProcess) -> None:
    def status(origin: str, kind: str) -> int:
        headers = {"Content-Type": kind} | ({"Origin": origin} if origin else {})
        return ask(server, "/api/game/start", b"{}", headers)[0]

    here, foreign = f"http://127.0.0.1:{server.port}", "https://evil.example"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert status(foreign, kind) == 415, "a browser sends this without asking the server first"
        assert status("null", kind) == 415
        assert status(here, kind) == 200
        assert status("", kind) == 200, "no browser"
    assert status(foreign, "application/json; charset=utf-8") == 200


def test_the_house_rules_are_listed(server: ServerProcess) -> None:
    status, answer = ask(server, "/api/mahjong/rules")
    assert status == 200
    assert {"name": "several_winners", "type": "boolean", "default": True}.items() <= {
        rule["name"]: rule for rule in answer["rules"]
    }["several_winners"].items()


def test_a_game_survives_kill_9_of_the_server(tmp_path: Path) -> None:
    async def before(port: int, game: str, token: str) -> Message:
        one = await Socket.open(port, game)
        await one.do("join_room", {"player_id": 1, "token": token})
        await deal(one)
        state = await one.do("get_state")
        await one.socket.close()
        return state

    async def after(port: int, game: str, token: str) -> Message:
        one = await Socket.open(port, game)
        await one.do("join_room", {"player_id": 1, "token": token})
        state = await one.do("get_state")
        await one.socket.close()
        return state

    server = ServerProcess(tmp_path / "killed").start()
    start_reply = begin(server.port, {"seats": "token"})
    place = (start_reply["game_id"], start_reply["tokens"]["1"])
    known = asyncio.run(before(server.port, *place))
    server.kill()
    with ServerProcess(tmp_path / "killed") as again:
        now = asyncio.run(after(again.port, *place))
        assert again.errors == []
    same = ("stage", "players", "commitment", "current_player_id", "legal_actions")
    assert {key: now[key] for key in same} == {key: known[key] for key in same}
    assert now["seq"] >= known["seq"]
