"""Online status, challenges and blocks on two workers with one database."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from tests.cluster.test_accounts_of_workers import on
from tests.server.test_account_api import Browser, Socket, registered
from tests.support.redis import RedisServer
from tests.support.server import ServerProcess
from tests.support.workers import Worker

pytestmark = pytest.mark.slow

SOON = 60.0
Two = tuple[ServerProcess, ServerProcess]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("relations")
    with RedisServer(folder) as redis, ExitStack() as stack:
        made = [stack.enter_context(Worker(folder / "data", redis.address)) for _ in range(2)]
        yield made[0], made[1]


def wait_for(look: Callable[[], Any], expected: Any) -> None:
    until = time.monotonic() + SOON
    while (found := look()) != expected and time.monotonic() < until:
        time.sleep(0.1)
    assert found == expected


def followed(browser: Browser) -> list[Any]:
    """Return names, whether they are online, and what they do at which table."""
    found = browser.ask("GET", "/api/account/following").body["followed"]
    return [
        (each["name"], each["online"], each["table"] and (each["table"]["room"], each["table"]["does"]))
        for each in found
    ]


def test_a_player_at_another_worker_is_seen_online(two: Two) -> None:
    first, second = two
    ada, bo = registered(first, "Ada Two"), registered(second, "Bo Two")
    wait_for(lambda: ada.post("follow", name="Bo Two").status, 200)
    assert followed(ada) == [("Bo Two", False, None)]
    host = registered(first, "Ho Two").connect()
    room = host.ask("open", "room", game="gomoku", nonce="n")["room"]["id"]
    with closing(on(second, bo).connect()) as socket:
        wait_for(lambda: followed(ada), [("Bo Two", True, None)])
        socket.ask("watch", "room", room=room)
        wait_for(lambda: followed(ada), [("Bo Two", True, (room, "watches"))])
        socket.ask("join", "room", room=room)
        wait_for(lambda: followed(ada), [("Bo Two", True, (room, "plays"))])
        assert bo.post("privacy", invisible=True, challenges_from="everyone").status == 200
        wait_for(lambda: followed(ada), [("Bo Two", False, None)])
        assert bo.post("privacy", invisible=False, challenges_from="everyone").status == 200
        wait_for(lambda: followed(ada), [("Bo Two", True, (room, "plays"))])
    wait_for(lambda: followed(ada), [("Bo Two", False, None)])
    host.close()


def pair(two: Two, names: str) -> tuple[Browser, Browser, Socket, Socket]:
    """Return two new accounts, each connected to its own worker, which knows the other."""
    ada, bo = registered(two[0], f"Ada {names}"), registered(two[1], f"Bo {names}")
    looks = [(ada, f"/api/people/Bo%20{names}"), (bo, f"/api/people/Ada%20{names}")]
    wait_for(lambda: {browser.ask("GET", path).status for browser, path in looks}, {200})
    return ada, bo, ada.connect(), bo.connect()


def challenge(socket: Socket, name: str, nonce: str = "n") -> str:
    wanted = {"type": "open", "game": "gomoku", "nonce": nonce}
    return str(socket.ask("challenge", "challenge", name=name, open=wanted)["room"])


def test_a_challenge_reaches_another_worker_and_is_accepted_there(two: Two) -> None:
    _, bo, challenger, challenged = pair(two, "Yes")
    room = challenge(challenger, "Bo Yes")
    seen = challenged.receive_until("challenge")
    assert (seen["room"], seen["name"], seen["game"]) == (room, "Ada Yes", "gomoku")
    with closing(on(two[0], bo).connect()) as device:
        assert device.receive_until("challenge")["room"] == room, "also on a device at the first worker"
    challenged.send("join", room=room)
    assert challenged.receive_until("challenge_ended")["reason"] == "accepted"
    assert challenged.receive_until("room")["room"]["phase"] == "playing"
    assert challenger.receive_until("challenge_ended")["reason"] == "accepted"
    for each in (challenger, challenged):
        each.close()


def test_a_challenge_is_declined_or_withdrawn_across_workers(two: Two) -> None:
    _, _, challenger, challenged = pair(two, "No")
    room = challenge(challenger, "Bo No")
    assert challenged.receive_until("challenge")["room"] == room
    challenged.send("decline_challenge", room=room)
    assert challenger.receive_until("challenge_ended") == {
        "type": "challenge_ended",
        "room": room,
        "reason": "declined",
    }
    assert challenged.receive_until("challenge_ended")["reason"] == "declined"
    room = challenge(challenger, "Bo No", "second")
    assert challenged.receive_until("challenge")["room"] == room
    challenger.send("leave", room=room)
    assert challenged.receive_until("challenge_ended")["reason"] == "withdrawn"
    for each in (challenger, challenged):
        each.close()


def test_players_who_have_blocked_each_other_are_not_paired_across_workers(two: Two) -> None:
    ada, _, first, second = pair(two, "Apart")
    assert ada.post("block", name="Bo Apart").status == 200
    assert first.receive_until("blocked")["names"] == ["Bo Apart"]
    clock = {"main": [600_000], "increment": 7_000}
    own = first.ask("quick_match", "room", game="gomoku", clock=clock)["room"]["id"]
    third = registered(two[1], "Cy Apart").connect()
    # The second worker learns of blocks in the order of all changes: a later one is known, so is this.
    wait_for(lambda: Browser(two[1]).ask("GET", "/api/people/Cy%20Apart").status, 200)
    other = second.ask("quick_match", "room", game="gomoku", clock=clock)["room"]["id"]
    assert other != own
    assert third.ask("quick_match", "room", game="gomoku", clock=clock)["room"]["id"] == own
    for each in (first, second, third):
        each.close()
