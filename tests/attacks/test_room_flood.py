"""D7: one address cannot fill the server with rooms, nor close the rooms of others."""

import asyncio
import json
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect as connect_sync

from qipai.hall.people.address_limits import Limits
from qipai.hall.people.person_quota import ROOMS_PER_PERSON
from tests.attacks.http_flood import ATTACKER, Flood, request
from tests.attacks.other_players import assert_others_do_not_notice
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

CONNECTIONS = 8
START = "/api/game/start"
DEFAULT_LIMITS = "bot_pause = 20\n[limits]\n"
MINUTES = 4
"""More than all rounds of an attack take."""


async def state(server: ServerProcess, game: str) -> dict[str, object]:
    """Return the answer to `get_state` of a mahjong game."""
    async with connect(f"ws://127.0.0.1:{server.port}/ws") as socket:
        await socket.send(json.dumps({"game_id": game, "type": "get_state", "data": {"player_id": 1}}))
        return dict(json.loads(await asyncio.wait_for(socket.recv(), 60)))


def test_a_flood_of_posts_opens_few_rooms_and_closes_none_of_others(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, config=DEFAULT_LIMITS) as server:
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
        self._lock = threading.Lock()

    def __call__(self, stop: threading.Event) -> None:
        """Connect until the event is set."""
        threads = [threading.Thread(target=self._repeat, args=(stop,)) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)

    def _repeat(self, stop: threading.Event) -> None:
        while not stop.is_set():
            # The guard refuses some connections, and the server closes others.
            with suppress(WebSocketException, OSError, EOFError):
                self._play_guest()
            stop.wait(0.02)

    def _play_guest(self) -> None:
        headers = {"X-Forwarded-For": ATTACKER}
        with connect_sync(self._url, source_address=(ATTACKER, 0), additional_headers=headers) as socket:
            socket.send('{"type":"hello"}')
            for number in range(ROOMS_PER_PERSON):
                intent = {"type": "open", "game": "gomoku", "nonce": str(number), "bot": "easy"}
                socket.send(json.dumps(intent))
            socket.send('{"type":"ping"}')
            while '"pong"' not in (message := str(socket.recv(60))):
                with self._lock:
                    self.welcomed += '"welcome"' in message
                    self.opened += '"type":"room"' in message
                    self.refused += '"rate_limited"' in message


def test_a_flood_of_guests_opens_few_rooms(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, config=DEFAULT_LIMITS) as server:
        flood = GuestFlood(server)
        assert_others_do_not_notice(server, flood)
        assert 0 < flood.welcomed <= Limits().guests * MINUTES
        assert 0 < flood.opened <= Limits().rooms * MINUTES
        assert flood.refused > 0
        assert request(server, "POST", START)[0] == 200, "another address"
        assert server.errors == []
