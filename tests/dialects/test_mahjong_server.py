"""The mahjong dialect over real sockets and real HTTP: hundreds of games, four ways to sit at them."""

import asyncio
import json
import random
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.dialects.mahjong_socket import Message, Socket, begin
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

GAMES = 200
AT_ONCE = 40
BODIES: tuple[Message, ...] = (
    {},
    {"game_type": 16},
    {"flowers": "keep"},
    {"rules": {"several_winners": False}},
)


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "quick", config="bot_pause = 15\n") as server:
        yield server


async def deal(one: Socket) -> None:
    await one.do("roll_positions")
    await one.do("roll_dealer")
    await one.do("deal_tiles")


async def hand(port: int, number: int) -> Message:
    """Play one hand: four sockets, one for all, one against bots, or bots alone with a watcher."""
    chance = random.Random(number)
    way, body = number % 4, dict(BODIES[number // 4 % 4])
    body["bots"] = [[], [], [2, 3, 4], [1, 2, 3, 4]][way]
    body["seats"] = "token" if way == 0 and number % 8 == 0 else "open"
    started = await asyncio.to_thread(begin, port, body)
    game, tokens = started["game_id"], started.get("tokens", {})
    people = [await Socket.open(port, game) for _ in range(4 if way == 0 else 1)]
    first = people[0]
    if way == 0:
        for player, one in enumerate(people, 1):
            await one.do("join_room", {"player_id": player, "token": tokens.get(str(player), "")})
    await deal(first)
    if way == 0:
        async with asyncio.TaskGroup() as group:
            for player, one in enumerate(people, 1):
                group.create_task(one.play(chance, player))
    else:
        await first.play(chance, *[(), (1, 2, 3, 4), (1,), ()][way])
    state = (await first.ask("get_state"))["data"]
    proof = await first.do("verify_wall")
    assert proof["commitment"] == state["commitment"]
    assert sum(state["result"]["delta"].values()) == 0
    for one in people:
        await one.socket.close()
    return dict(state["result"])


def test_two_hundred_hands_are_played_to_their_end(quick: ServerProcess) -> None:
    async def all_of_them() -> list[Message]:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> Message:
            async with gate:
                return await hand(quick.port, number)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(number)) for number in range(GAMES)]
        return [task.result() for task in tasks]

    results = asyncio.run(all_of_them())
    assert len(results) == GAMES
    assert sum(result["type"] == "hu" for result in results) > 20
    assert quick.errors == []


def ask(server: ServerProcess, path: str, body: bytes | None = None) -> tuple[int, Any]:
    method = "GET" if body is None else "POST"
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", body, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
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


def test_the_switches_of_the_house_are_listed(server: ServerProcess) -> None:
    status, answer = ask(server, "/api/mahjong/rules")
    assert status == 200
    assert {"name": "several_winners", "type": "boolean", "default": True}.items() <= {
        rule["name"]: rule for rule in answer["rules"]
    }["several_winners"].items()


def test_a_game_outlives_the_server_that_was_killed(tmp_path: Path) -> None:
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
    started = begin(server.port, {"seats": "token"})
    place = (started["game_id"], started["tokens"]["1"])
    known = asyncio.run(before(server.port, *place))
    server.kill()
    with ServerProcess(tmp_path / "killed") as again:
        now = asyncio.run(after(again.port, *place))
        assert again.errors == []
    same = ("stage", "players", "commitment", "current_player_id", "legal_actions")
    assert {key: now[key] for key in same} == {key: known[key] for key in same}
    assert now["seq"] >= known["seq"]
