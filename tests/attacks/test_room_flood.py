"""One address cannot fill the server with rooms, nor close the rooms of others."""

import asyncio
import json
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from qipai.hall.people.address_limits import Limits
from qipai.hall.people.person_quota import ROOMS_PER_PERSON
from tests.attacks.http_flood import ATTACKER, Flood, request
from tests.attacks.other_players import assert_others_do_not_notice
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

CONNECTIONS = 8
START = "/api/game/start"
MINUTES = 4
"""More than all rounds of an attack take."""


async def state(server: ServerProcess, game: str) -> dict[str, object]:
    """Return the answer to `get_state` of a mahjong game."""
    async with connect(f"ws://127.0.0.1:{server.port}/ws") as socket:
        await socket.send(json.dumps({"game_id": game, "type": "get_state", "data": {"player_id": 1}}))
        return dict(json.loads(await asyncio.wait_for(socket.recv(), 60)))


def test_a_flood_of_posts_opens_few_rooms_and_closes_none_of_others(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        status, body = request(server, "POST", START)
        assert status == 200
        waiting = json.loads(body)["game_id"]
        flood = Flood(server, CONNECTIONS, "POST", lambda _: START)
        assert_others_do_not_notice(server, flood)
        assert set(flood.statuses) == {200, 429}
        assert flood.statuses[200] <= Limits().rooms * MINUTES
        assert "error" not in asyncio.run(state(server, waiting)), "the visitor's game still waits"
        assert request(server, "POST", START)[0] == 200, "another address"
        assert server.errors == []


class GuestFlood:
    """New guests of one address, each of which opens as many rooms as a person may have."""

    def __init__(self, server: ServerProcess) -> None:
        self._url = f"ws://127.0.0.1:{server.port}/play"
        self.welcomed = self.opened = self.refused = 0

    def __call__(self, stop: threading.Event) -> None:
        """Connect until the event is set."""
        asyncio.run(self._attack(stop))

    async def _attack(self, stop: threading.Event) -> None:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(CONNECTIONS):
                tasks.create_task(self._repeat(stop))

    async def _repeat(self, stop: threading.Event) -> None:
        while not stop.is_set():
            # The guard refuses some connections, and the server closes others.
            with suppress(WebSocketException, OSError, EOFError):
                async with asyncio.timeout(60):
                    await self._play_guest()
            await asyncio.sleep(0.02)

    async def _play_guest(self) -> None:
        async with connect(self._url, local_addr=(ATTACKER, 0), open_timeout=60) as socket:
            await socket.send('{"type":"hello"}')
            for number in range(ROOMS_PER_PERSON):
                intent = {"type": "open", "game": "gomoku", "nonce": str(number), "bot": "easy"}
                await socket.send(json.dumps(intent))
            await socket.send('{"type":"ping"}')
            while '"pong"' not in (message := str(await socket.recv())):
                self.welcomed += '"welcome"' in message
                self.opened += '"type":"room"' in message
                self.refused += '"rate_limited"' in message


def test_a_flood_of_guests_opens_few_rooms(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        flood = GuestFlood(server)
        assert_others_do_not_notice(server, flood)
        assert 0 < flood.welcomed <= Limits().guests * MINUTES
        assert 0 < flood.opened <= Limits().rooms * MINUTES
        assert flood.refused > 0
        assert request(server, "POST", START)[0] == 200, "another address"
        assert server.errors == []
