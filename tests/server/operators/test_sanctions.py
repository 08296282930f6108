"""Sanctions on a real server: from the request of an operator to the sockets of people, and appeals."""

import contextlib
from contextlib import closing
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.operators.desk import LATER, Desk, Person, wait_for
from tests.server.test_account_api import GOOD, Browser
from tests.support.server import Client

pytestmark = pytest.mark.slow

BANNED = 4403


def impose(desk: Desk, kind: str, **fields: object) -> Any:
    return desk.operator.done("/sanctions", kind=kind, reason="insults", **fields)


def lift(desk: Desk, entry: Any) -> None:
    desk.operator.done(f"/log/{entry['number']}/undo", reason="tested")


def appeals(desk: Desk) -> Any:
    return desk.operator.get("/reports?kind=appeal&state=open").body["reports"]


def test_a_banned_account_is_signed_in_but_not_admitted(desk: Desk) -> None:
    person = desk.account("Banned Ben")
    with closing(person.connect()) as socket:
        entry = impose(desk, "ban", account="Banned Ben", ends=LATER)
        assert socket.receive_until("sanctions")["sanctions"][0]["kind"] == "ban"
        assert socket.close_code() == BANNED
    again = Client(desk.server.port, greet=False, cookie=person.cookie)
    again.send("hello")
    assert again.receive_until("sanctions")["sanctions"][0]["reason"] == "insults"
    (shown,) = person.ask("GET", "/api/sanctions").body["sanctions"]
    assert (shown["id"], shown["ends"], shown["may_appeal"]) == (entry["sanction"], LATER, True)
    lift(desk, entry)
    wait_for(lambda: person.ask("GET", "/api/sanctions").body["sanctions"] == [])
    with closing(person.connect()) as socket:
        assert socket.welcome["type"] == "welcome"


def test_a_banned_guest_appeals_once_and_is_heard(desk: Desk) -> None:
    guest = Client(desk.server.port, name="Sorry Sam")
    found = desk.operator.get("/people?q=Sorry Sam").body["people"][0]
    entry = impose(desk, "ban", person=found["person"])
    assert entry["person"]["name"] == "Sorry Sam"
    browser = Browser(desk.server)
    bearer = {"authorization": f"Bearer {guest.token}"}

    def appeal(text: str = "It was my brother.", **headers: str) -> tuple[int, Any]:
        body = {"sanction": entry["sanction"], "text": text}
        answer = browser.ask("POST", "/api/appeals", body, **{**bearer, **headers})
        return answer.status, answer.body

    wait_for(lambda: browser.ask("GET", "/api/sanctions", **bearer).body["sanctions"])
    assert appeal(" ") == (422, {"error": "no_reason"})
    assert appeal(authorization="") == (404, {"error": "no_such_sanction"})
    assert appeal(origin="https://evil.example") == (403, {"error": "cross_site"})
    assert appeal() == (200, {})
    assert appeal("Again") == (409, {"error": "appeal_open"})
    (shown,) = appeals(desk)
    assert (shown["text"], shown["by"]["name"], shown["sanction"]) == (
        "It was my brother.", "Sorry Sam", entry["sanction"],
    )  # fmt: skip
    report = desk.moderator.get(f"/reports/{shown['id']}").body
    assert report["appealed"]["reason"] == "insults"
    assert report["table"] is None
    desk.operator.done(f"/reports/{shown['id']}/close", reason="no")
    assert appeal("Please!") == (200, {})
    for each in appeals(desk):
        desk.operator.done(f"/reports/{each['id']}/close")
    for _ in range(9):
        if appeal("And again")[0] == 429:
            break
        for each in appeals(desk):
            desk.operator.done(f"/reports/{each['id']}/close")
    assert appeal("And again") == (429, {"error": "rate_limited"})
    lift(desk, entry)


def test_a_banned_network_cannot_connect_log_in_or_register(desk: Desk) -> None:
    entry = impose(desk, "ban", network="198.51.100.0/24")
    away = {"x-forwarded-for": "198.51.100.7"}
    browser = Browser(desk.server)
    wait_for(lambda: browser.ask("GET", "/api/sanctions", **away).body["sanctions"])
    guest = Client(desk.server.port)
    guest.close()
    body = {"token": guest.token, "name": "Far Away Fay", "password": GOOD}
    refused = browser.ask("POST", "/api/account/register", body, **away)
    assert (refused.status, refused.body) == (403, {"error": "banned", "about": "insults"})
    by_provider = browser.ask("POST", "/api/account/openid-register", {"token": guest.token}, **away)
    assert (by_provider.status, by_provider.body) == (403, {"error": "banned", "about": "insults"})
    start = browser.ask("POST", "/api/game/start", {}, **away)
    assert (start.status, start.body["code"]) == (403, "banned")
    appeal = {"sanction": entry["sanction"], "text": "I share this address."}
    assert browser.ask("POST", "/api/appeals", appeal, **away).status == 200
    (shown,) = appeals(desk)
    assert shown["by"] is None
    desk.operator.done(f"/reports/{shown['id']}/close")
    lift(desk, entry)


def test_an_announcement_reaches_open_and_new_pages(desk: Desk) -> None:
    with closing(Client(desk.server.port)) as page:
        desk.operator.done("/announcement", text="Restart at noon", ends=LATER)
        shown = page.receive_until("announcement")
        assert (shown["text"], shown["ends"]) == ("Restart at noon", LATER)
        with closing(Client(desk.server.port)) as new:
            assert new.receive_until("announcement")["text"] == "Restart at noon"
        desk.operator.done("/announcement", text="")
        assert page.receive_until("announcement")["text"] == ""


def test_a_sanction_survives_a_restart(desk: Desk) -> None:
    person: Person = desk.account("Muted Mia")
    impose(desk, "mute", account="Muted Mia")
    desk.server.stop()
    desk.server.start()
    wait_for(lambda: person.ask("GET", "/api/sanctions").body["sanctions"])
    with closing(person.connect()) as socket:
        assert socket.receive_until("sanctions")["sanctions"][0]["kind"] == "mute"
        room = socket.ask("open", "room", game="tictactoe", nonce="o")["room"]["id"]
        assert socket.ask("say", "refused", room=room, text="Hello", nonce="s")["code"] == "muted"


class Remote(Client):
    """A native client that a proxy on the machine of the server names."""

    def __init__(self, desk: Desk, address: str, token: str = "", name: str = "", cookie: str = "") -> None:
        self._open = contextlib.ExitStack()
        headers = {"x-forwarded-for": address, **({"cookie": cookie} if cookie else {})}
        url = f"ws://127.0.0.1:{desk.server.port}/play"
        self.socket = self._open.enter_context(connect(url, additional_headers=headers, open_timeout=60))
        # A banned address is closed before it says hello.
        with contextlib.suppress(ConnectionClosed):
            self.send("hello", token=token, name=name)
        self.first = self.receive()

    def close_code(self) -> int:
        try:
            while True:
                self.socket.recv(60)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0


def test_a_ban_with_addresses_keeps_the_guest_from_coming_back_as_another(desk: Desk) -> None:
    guest = Remote(desk, "203.0.113.9", name="Many Faces")
    found = desk.operator.get("/people?q=Many Faces").body["people"][0]
    # Somebody of the staff sits in the same room as the guest's brother.
    staff = Remote(desk, "203.0.113.10", cookie=desk.moderator.cookie)
    brother = Remote(desk, "203.0.113.10", token=guest.first["token"])
    entry = desk.moderator.done(
        "/sanctions", kind="ban", person=found["person"], reason="insults", with_addresses=True
    )
    assert guest.close_code() == brother.close_code() == BANNED
    wait_for(lambda: desk.operator.get("/log?network=203.0.113.9/32").body["entries"])
    (added,) = desk.operator.get("/log?network=203.0.113.9/32").body["entries"]
    assert (added["by"]["name"], added["reason"], added["act"]) == ("Mona", "insults", "impose")
    wait_for(lambda: Remote(desk, "203.0.113.9").first["type"] == "sanctions")
    assert Remote(desk, "203.0.113.10").first["type"] == "welcome", "the address of the staff"
    assert desk.operator.get("/log?network=203.0.113.10/32").body["entries"] == []
    assert staff.ask("ping", "pong", n=1)
    for each in (added, entry):
        lift(desk, each)
