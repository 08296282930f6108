"""D7: one address cannot fill the server with rooms, nor close the rooms of others."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from qipai.hall.people.address_limits import Limits
from tests.attacks.http_flood import Flood, request
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
