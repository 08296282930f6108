"""The qtchess dialect over real sockets: hundreds of games agree with python-chess."""

import asyncio
import json
import random
import urllib.request

import pytest
from websockets.sync.client import connect

from tests.clients.qtchess.qtchess_dice import play_with_dice
from tests.clients.qtchess.qtchess_socket import Duel, Message, Socket, play_plainly
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

GAMES = 200
AT_ONCE = 20
PLIES = 160
MODES: tuple[Message, ...] = (
    {}, {}, {}, {}, {"霧戰": True}, {"踩地雷": True}, {"骰子": True}, {"骰子": True, "霧戰": True},
    {"霧戰": True, "踩地雷": True}, {},
)  # fmt: skip


async def duel(port: int, number: int) -> str | None:
    """Play one game in a new room, and leave it."""
    host, guest = await Socket.open(port), await Socket.open(port)
    await host.say("createRoom")
    host.code = (await host.hear("roomCreated"))["room"]
    await guest.say("joinRoom", room=host.code)
    await guest.hear("joinedRoom")
    await guest.socket.send('{"type":"GameStart","roomNumber":"1234","playerColor":2}')
    await host.hear("playerJoined")
    guest.code = host.code
    modes = MODES[number % len(MODES)]
    match = Duel(host, guest, random.Random(number), modes)
    result = await (play_with_dice if "骰子" in modes else play_plainly)(match, PLIES)
    if result is None:
        await guest.say("surrender")
        await host.hear("surrender")
    await host.close()
    await guest.hear("playerLeft")
    await guest.hear("promotedToHost")
    await guest.close()
    return result


def test_two_hundred_random_games_agree_with_python_chess(server: ServerProcess) -> None:
    async def all_of_them() -> list[str | None]:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> str | None:
            async with gate:
                return await duel(server.port, number)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(number)) for number in range(GAMES)]
        return [task.result() for task in tasks]

    results = asyncio.run(all_of_them())
    assert len(results) == GAMES
    assert sum(result is not None for result in results) > 10
    assert server.errors == []


def test_the_page_and_the_sockets_share_a_path(server: ServerProcess) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=60) as page:
        assert page.status == 200
    with connect(f"ws://127.0.0.1:{server.port}/", compression=None) as socket:
        socket.send('{"action":"createRoom"}')
        assert json.loads(socket.recv(60))["action"] == "roomCreated"


def test_binary_long_or_broken_frames_do_not_end_the_connection(server: ServerProcess) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/", compression=None) as socket:
        for _ in range(60):
            socket.send(b'{"action":"createRoom"}')
        socket.send("x" * 50_000)
        for _ in range(30):
            socket.send("{")
            assert json.loads(socket.recv(60))["message"] == "無效的訊息格式"
        socket.send(['{"action":', '"createRoom"}'])
        assert json.loads(socket.recv(60))["action"] == "roomCreated"


def test_a_flood_is_answered_once_a_second_and_the_socket_stays_open(server: ServerProcess) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/", compression=None) as socket:
        for _ in range(900):
            socket.send('{"action":"joinRoom","room":"1"}')
        texts = [json.loads(socket.recv(60))["message"] for _ in range(51)]
        assert texts.count("房間不存在") == 50
        assert texts.count("訊息發送過快，請稍後再試") == 1


def test_closing_the_socket_leaves_the_room(server: ServerProcess) -> None:
    url = f"ws://127.0.0.1:{server.port}/"
    with connect(url, compression=None) as host:
        host.send('{"action":"createRoom"}')
        room = json.loads(host.recv(60))["room"]
        with connect(url, compression=None) as guest:
            guest.send(json.dumps({"action": "joinRoom", "room": room}))
            assert json.loads(guest.recv(60))["action"] == "joinedRoom"
            assert json.loads(host.recv(60))["action"] == "playerJoined"
        assert json.loads(host.recv(60)) == {"action": "playerLeft", "room": room}
