"""Plays a rated game of gomoku; give the server's URL, a name and a password. Start it twice, with two names.

It registers the account, or signs in if there is one, and finds an opponent by quick match.
"""

import asyncio
import json
import sys
import time
from typing import Any

import requests
from gomoku import Player, play
from websockets.asyncio.client import ClientConnection
from websockets.sync.client import connect

CLOCK = {"main": [180_000], "increment": 2_000}


class RatedPlayer(Player):
    """Plays at a rated table instead of against a bot."""

    async def find_table(self, socket: ClientConnection) -> None:
        """Join the rated table of a player who waits, or open one; after a break, return to it."""
        await self.send(socket, type="quick_match", game="gomoku", clock=CLOCK, rated=True, rejoin=True)


def sign_in(url: str, name: str, password: str) -> str:
    """Return the secret of a session of the account with this name, which is registered if it is new."""
    client = requests.Session()
    answer = client.post(f"{url}/api/account/sign-in", json={"name": name, "password": password}, timeout=60)
    if answer.status_code == 401:
        body = {"token": guest_token(url), "name": name, "password": password}
        answer = client.post(f"{url}/api/account/register", json=body, timeout=60)
        if answer.ok:
            print("registered; keep these codes:", *answer.json()["recovery_codes"])
    if not answer.ok:
        sys.exit(f"cannot sign in: {answer.json()}")  # Such as a wrong password: the name is taken.
    return client.cookies["qipai_session"]


def guest_token(url: str) -> str:
    """Return the token of a new guest: an account is made of a guest."""
    with connect(f"{url.replace('http', 'ws', 1)}/play") as socket:
        socket.send(json.dumps({"type": "hello", "v": 2}))
        token: str = json.loads(socket.recv())["token"]
    return token


def rating_changes(url: str, room: str, match: int) -> list[dict[str, Any]]:
    """Return what the game changed for each player. It is rated a moment after its end."""
    for _ in range(60):
        changes = requests.get(f"{url}/api/games/{room}/{match}/ratings", timeout=60).json()["changes"]
        if changes:
            return list(changes)
        time.sleep(1)
    return []


def main(url: str, name: str, password: str) -> None:
    player = RatedPlayer(sign_in(url, name, password))
    asyncio.run(play(url, player))
    for change in rating_changes(url, player.room, player.match):
        mark = "?" if change["provisional"] else ""
        print(f"{change['name']}: {change['after']}{mark} ({change['change']:+})")


if __name__ == "__main__":
    main(*sys.argv[1:])
