"""Connections that ask for games that do not exist take no place from others."""

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.attacks.http_flood import Flood, request
from tests.attacks.other_players import assert_others_do_not_notice, running
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

CONNECTIONS = 20
VISITS = 40


async def finished_game(server: ServerProcess) -> str:
    """Play a game to its end, and return its room."""
    async with connect(f"ws://127.0.0.1:{server.port}/play") as socket:

        async def ask(wanted: str, **intent: object) -> dict[str, Any]:
            await socket.send(json.dumps(intent))
            while wanted not in (answer := await asyncio.wait_for(socket.recv(), 60)):
                pass
            return dict(json.loads(answer))

        await ask("welcome", type="hello")
        opened = await ask('"room"', type="open", game="gomoku", nonce="o", bot="easy")
        room = str(opened["room"]["id"])
        await ask("game_over", type="resign", room=room, nonce="r")
        return room


def test_others_see_replays_and_search_during_a_flood_of_misses(server: ServerProcess) -> None:
    room = asyncio.run(finished_game(server))
    flood = Flood(server, CONNECTIONS, "GET", lambda number: f"/api/games/missing{number:09}/1")
    with running(flood):
        seen = [request(server, "GET", f"/api/games/{room}/1/record")[0] for _ in range(VISITS)]
        # Each asks for another file, so that no cache answers.
        seats = [request(server, "GET", f"/api/games/{room}/1?seat=none{each}")[0] for each in range(VISITS)]
        found = [request(server, "GET", f"/api/games?limit={each}")[0] for each in range(1, VISITS)]
    assert set(flood.statuses) <= {404, 429}
    assert sum(flood.statuses.values()) > CONNECTIONS
    assert (set(seen), set(seats), set(found)) == ({200}, {404}, {200}), flood.statuses


def test_others_play_on_during_a_flood_of_misses(server: ServerProcess) -> None:
    flood = Flood(server, CONNECTIONS, "GET", lambda number: f"/api/games/missing{number:09}/1")
    assert_others_do_not_notice(server, flood)
