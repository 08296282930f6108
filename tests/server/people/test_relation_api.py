"""Following, blocking and privacy over HTTP, and a challenge between two signed-in clients."""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Any
from urllib.parse import quote

import pytest

from tests.server.test_account_api import Answer, Browser, registered
from tests.support.server import Message, ServerProcess

pytestmark = pytest.mark.slow

SOON = 60.0
POSTS = ("follow", "unfollow", "block", "unblock", "privacy")


def wait_for(look: Callable[[], Any], expected: Any) -> None:
    """Look until this is found: workers learn of changes within a second."""
    until = time.monotonic() + SOON
    while (found := look()) != expected and time.monotonic() < until:
        time.sleep(0.1)
    assert found == expected


def people(server: ServerProcess, *names: str) -> list[Browser]:
    """Return browsers with new accounts, once the server knows their names."""
    made = [registered(server, name) for name in names]
    paths = [f"/api/people/{quote(name)}" for name in names]
    wait_for(lambda: {made[0].ask("GET", path).status for path in paths}, {200})
    return made


def following(browser: Browser) -> list[tuple[str, bool]]:
    found = browser.ask("GET", "/api/account/following")
    assert (found.status, found.headers["cache-control"]) == (200, "no-store")
    return [(each["name"], each["online"]) for each in found.body["followed"]]


def relation(browser: Browser, name: str) -> Message | None:
    found: Message | None = browser.ask("GET", f"/api/people/{quote(name)}").body["relation"]
    return found


def code(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.body["error"]


def test_a_followed_player_is_seen_online_and_at_a_public_table(server: ServerProcess) -> None:
    ada, bo = people(server, "Ada Follow", "Bo Follow")
    assert relation(ada, "Bo Follow") == {
        "followed": False,
        "blocked": False,
        "takes_challenges": True,
        "online": False,
        "table": None,
    }
    assert ada.post("follow", name="bo follow").body == {}
    assert following(ada) == [("Bo Follow", False)]
    with closing(bo.connect()) as socket:
        assert following(ada) == [("Bo Follow", True)]
        room = socket.ask("open", "room", game="gomoku", nonce="n")["room"]["id"]
        table = {"room": room, "game": "gomoku", "does": "waits"}
        (row,) = ada.ask("GET", "/api/account/following").body["followed"]
        assert row["table"] == table
        found = relation(ada, "Bo Follow")
        assert found is not None
        assert (found["followed"], found["online"], found["table"]) == (True, True, table)
        assert bo.post("privacy", invisible=True, challenges_from="nobody").body == {}
        wait_for(lambda: following(ada), [("Bo Follow", False)])
        found = relation(ada, "Bo Follow")
        assert found is not None
        assert (found["online"], found["table"], found["takes_challenges"]) == (False, None, False)
    account = ada.ask("GET", "/api/account").body
    assert [each["name"] for each in account["followed"]] == ["Bo Follow"]
    assert account["blocked"] == []
    own = bo.ask("GET", "/api/account/data").body["account"]
    assert (own["invisible"], own["challenges_from"], own["followed"]) == (True, "nobody", [])
    assert ada.post("unfollow", name="Bo Follow").body == {}
    assert following(ada) == []


def test_a_block_ends_what_the_other_sees(server: ServerProcess) -> None:
    ada, bo = people(server, "Ada Block", "Bo Block")
    assert bo.post("follow", name="Ada Block").status == 200
    with closing(ada.connect()) as socket, closing(bo.connect()) as other:
        assert following(bo) == [("Ada Block", True)]
        assert ada.post("block", name="Bo Block").body == {}
        assert socket.receive_until("blocked")["names"] == ["Bo Block"]
        assert following(bo) == []
        assert code(bo.post("follow", name="Ada Block")) == (409, "follow_refused")
        assert code(ada.post("follow", name="Bo Block")) == (409, "blocked_by_you")
        found = relation(bo, "Ada Block")
        assert found is not None
        assert found["blocked"] is False, "who is blocked is not told"
        other.send("ping", n=1)
        assert other.receive()["type"] == "pong", "nothing was sent to the other"
        assert ada.post("unblock", name="Bo Block").body == {}
        assert socket.receive_until("blocked")["names"] == []
    assert bo.post("follow", name="Ada Block").status == 200


def test_relations_need_a_session_and_a_request_of_this_site(server: ServerProcess) -> None:
    (ada,), guest = people(server, "Ada Site"), Browser(server)
    bodies: dict[str, Message] = {name: {"name": "Ada Site"} for name in POSTS}
    bodies["privacy"] = {"invisible": True, "challenges_from": "nobody"}
    for action, body in bodies.items():
        assert code(guest.post(action, **body)) == (401, "not_signed_in"), action
        path = f"/api/account/{action}"
        for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
            assert code(ada.ask("POST", path, body, **headers)) == (403, "cross_site"), action
        form = {"content-type": "application/x-www-form-urlencoded"}
        assert ada.ask("POST", path, b"name=Ada+Site", **form).status == 415
        for wrong in ({}, {"name": 1}, {"name": "x" * 401}, {**body, "more": 1}, {"invisible": True}):
            assert code(ada.ask("POST", path, wrong)) == (400, "malformed"), (action, wrong)
    assert code(ada.post("privacy", invisible=False, challenges_from="strangers")) == (400, "malformed")
    assert code(ada.post("follow", name="Nobody Here")) == (404, "no_such_player")
    assert code(ada.post("block", name="Ada Site")) == (404, "no_such_player")
    assert code(guest.ask("GET", "/api/account/following")) == (401, "not_signed_in")
    following_path = "/api/account/following"
    assert code(ada.ask("GET", following_path, **{"sec-fetch-site": "cross-site"})) == (403, "cross_site")
    account = ada.ask("GET", "/api/account").body
    assert (account["followed"], account["blocked"], account["invisible"]) == ([], [], False)


def test_a_deleted_account_is_followed_and_blocked_by_nobody(server: ServerProcess) -> None:
    ada, bo, cy = people(server, "Ada Gone", "Bo Gone", "Cy Gone")
    assert ada.post("follow", name="Bo Gone").status == cy.post("block", name="Bo Gone").status == 200
    assert bo.post("delete", password="correct horse battery staple").status == 200
    wait_for(lambda: following(ada), [])
    assert cy.ask("GET", "/api/account").body["blocked"] == []


def test_a_challenge_over_sockets(server: ServerProcess) -> None:
    ada, bo = people(server, "Ada Duel", "Bo Duel")
    with closing(ada.connect()) as challenger, closing(bo.connect()) as challenged:
        wanted = {"type": "open", "game": "gomoku", "nonce": "n"}
        shown = challenger.ask("challenge", "room", name="Bo Duel", open=wanted)["room"]
        assert challenger.receive_until("challenge")["name"] == "Bo Duel"
        seen = challenged.receive_until("challenge")
        assert (seen["name"], seen["room"]) == ("Ada Duel", shown["id"])
        challenged.send("join", room=seen["room"])
        assert challenged.receive_until("challenge_ended")["reason"] == "accepted"
        assert challenger.receive_until("challenge_ended")["reason"] == "accepted"
        # It is not shown to anybody else.
        assert following(bo) == []
