"""Floods of challenges and of questions who is online neither succeed nor delay the moves of others."""

import asyncio
import json
import threading
from collections import Counter
from contextlib import closing, suppress
from typing import Final

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from qipai.hall.relations.challenges import CHALLENGES, MOST_SEEN
from qipai.hall.relations.relations import CHANGES, LOOKS
from tests.attacks.http_flood import ATTACKER, Flood
from tests.attacks.other_players import ROUNDS, assert_others_do_not_notice
from tests.server.people.test_relation_api import people
from tests.server.test_account_api import Browser
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

CONNECTIONS: Final = 8
MINUTES: Final = 4
"""More than all rounds of an attack take."""


class ChallengeFlood:
    """Accounts that challenge one victim over and over, each on several connections."""

    def __init__(self, server: ServerProcess, attackers: list[Browser], victim: str) -> None:
        self._url = f"ws://127.0.0.1:{server.port}/play"
        self._cookies = [attacker.cookie for attacker in attackers]
        self._victim = victim
        self.answers: Counter[str] = Counter()

    def __call__(self, stop: threading.Event) -> None:
        """Send until the event is set."""
        asyncio.run(self._attack(stop))

    async def _attack(self, stop: threading.Event) -> None:
        async with asyncio.TaskGroup() as tasks:
            for number in range(CONNECTIONS):
                tasks.create_task(self._repeat(stop, self._cookies[number % len(self._cookies)]))

    async def _repeat(self, stop: threading.Event, cookie: str) -> None:
        while not stop.is_set():
            # The server closes those who send without reading.
            with suppress(WebSocketException, OSError, EOFError, TimeoutError):
                await self._challenge(stop, cookie)
            await asyncio.sleep(0.1)

    async def _challenge(self, stop: threading.Event, cookie: str) -> None:
        headers = {"cookie": cookie}
        async with connect(
            self._url, local_addr=(ATTACKER, 0), open_timeout=60, additional_headers=headers
        ) as socket:
            await socket.send('{"type":"hello"}')
            number = 0
            while not stop.is_set():
                number += 1
                nonce = f"{id(socket)}-{number}"
                wanted = {"type": "open", "game": "gomoku", "nonce": nonce}
                await socket.send(json.dumps({"type": "challenge", "name": self._victim, "open": wanted}))
                async with asyncio.timeout(60):
                    while (message := json.loads(await socket.recv()))["type"] not in {"refused", "left"}:
                        if message["type"] == "room":
                            # A withdrawn challenge does not stand in the way of the next one.
                            await socket.send(json.dumps({"type": "leave", "room": message["room"]["id"]}))
                        self.answers[message["type"]] += 1
                self.answers[message.get("code", "left")] += 1


def test_a_flood_of_challenges_reaches_its_victim_seldom(server: ServerProcess) -> None:
    attackers = people(server, "Attacker One", "Attacker Two", "Quiet Victim")
    victim = attackers.pop()
    with closing(victim.connect()) as socket:
        flood = ChallengeFlood(server, attackers, "Quiet Victim")
        assert_others_do_not_notice(server, flood)
        # Each account makes so many a minute, of which most are withdrawn at once.
        most = CHALLENGES * len(attackers) * MINUTES
        assert 0 < flood.answers["room"] <= most, flood.answers
        assert flood.answers["rate_limited"] > 0, flood.answers
        socket.send("ping", n=1)
        seen: Counter[str] = Counter()
        while (message := socket.receive())["type"] != "pong":
            seen[message["type"]] += 1
        assert seen["challenge"] <= most
        assert seen["challenge"] - seen["challenge_ended"] <= MOST_SEEN
    assert server.errors == []


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "following", LOOKS), ("POST", "follow", CHANGES), ("POST", "block", CHANGES)],
)
def test_a_flood_of_requests_about_relations_is_refused(
    server: ServerProcess, method: str, path: str, allowed: int
) -> None:
    attacker, _ = people(server, "Curious Cat", "Watched Wu")
    body = b"" if method == "GET" else b'{"name":"Watched Wu"}'
    flood = Flood(server, CONNECTIONS, method, lambda _: f"/api/account/{path}", body, attacker.cookie)
    assert_others_do_not_notice(server, flood)
    assert 0 < flood.statuses[200] <= allowed * ROUNDS * MINUTES, flood.statuses
    assert flood.statuses[429] > 0, flood.statuses
    assert server.errors == []
