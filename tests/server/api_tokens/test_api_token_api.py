"""API tokens over HTTP and at the table, with a real server: what programs may do, and what is refused."""

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final
from urllib.parse import quote

import pytest

from qipai.hall.api_tokens.api_tokens import PREFIX
from qipai.server.accounts import account_api
from qipai.server.docs import account_routes
from qipai.server.openid import openid_api
from tests.server.test_account_api import GOOD, OTHER, SIGNED_OUT, Answer, Browser, Socket, registered
from tests.support.server import Client, Message, ServerProcess

pytestmark = pytest.mark.slow

SOON: Final = 60.0
WRONG: Final = f"{PREFIX}{'A' * 43}"
ATTACKER: Final = {"x-forwarded-for": "203.0.113.7"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("api-tokens")) as server:
        yield server
        assert server.errors == []


def made(owner: Browser, name: str = "My bot", **more: Any) -> Message:
    """Make an API token and return the answer."""
    answer = owner.post("api-token-create", name=name, password=GOOD, **more)
    assert answer.status == 200, answer
    return answer.body


def bot(server: ServerProcess, name: str) -> tuple[Browser, str]:
    """Return the browser of the owner of a new bot account, and the secret of a token."""
    owner = registered(server, name)
    assert owner.post("become-bot", password=GOOD).status == 200
    return owner, str(made(owner)["secret"])


def connect(server: ServerProcess, secret: str) -> Socket:
    return Socket(server.port, "", {"api_token": secret})


def with_token(server: ServerProcess, path: str, secret: str, **headers: str) -> Answer:
    """Ask as a program: with a token, and without a cookie."""
    return Browser(server).ask("GET", path, Authorization=f"Bearer {secret}", **headers)


def played(one: Client, other: Client, **table: Any) -> str:
    """Play a game of gomoku with one move at the table of the first, and return the room."""
    room: str = one.ask("open", "room", game="gomoku", nonce="g", table=table)["room"]["id"]
    (first,) = other.ask("join", "room", room=room)["room"]["to_act"]
    mover = (one, other)[first]
    mover.send("play", room=room, move={"do": "place", "x": 7, "y": 7})
    mover.receive_event("placed")
    other.send("resign", room=room, nonce="r")
    one.receive_event("game_over")
    for peer in (one, other):
        peer.send("leave", room=room)
    return room


# Managing


def test_a_token_is_made_named_listed_and_revoked_and_its_secret_is_shown_once(server: ServerProcess) -> None:
    ada = registered(server, "Ada Tokens")
    new = made(ada, "Laptop", days=30)
    assert new["secret"].startswith(PREFIX)
    row = new["token"]
    assert (row["name"], row["used"]) == ("Laptop", None)
    assert row["expires"] - row["created"] == 30 * 24 * 60 * 60 * 1000
    shown = ada.ask("GET", "/api/account").body
    assert shown["api_tokens"] == [row]
    data = ada.ask("GET", "/api/account/data")
    assert data.body["account"]["api_tokens"] == [row]
    assert new["secret"].removeprefix(PREFIX) not in str(data.body)
    assert ada.post("api-token-revoke", id=row["id"]).status == 200
    assert ada.post("api-token-revoke", id=row["id"]).body["error"] == "no_such_api_token"
    assert ada.ask("GET", "/api/account").body["api_tokens"] == []


def test_the_secret_is_in_no_file_of_the_server(server: ServerProcess) -> None:
    ada = registered(server, "Ada Files")
    secret = made(ada)["secret"].removeprefix(PREFIX).encode()
    found = [path.name for path in server.data.rglob("*") if path.is_file() and secret in path.read_bytes()]
    assert found == []


def test_a_token_needs_the_password_and_belongs_to_one_account(server: ServerProcess) -> None:
    ada, bo = registered(server, "Ada Owner"), registered(server, "Bo Owner")
    token = made(ada)["token"]
    assert ada.post("api-token-create", name="x", password=OTHER).body["error"] == "sign_in_failed"
    assert bo.post("api-token-revoke", id=token["id"]).status == 404
    assert Browser(server).post("api-token-create", name="x", password=GOOD).body["error"] == "not_signed_in"
    for days in (0, -1, 3_651, 1.5, "30"):
        assert ada.post("api-token-create", name="x", password=GOOD, days=days).body["error"] == "malformed"
    assert len(ada.ask("GET", "/api/account").body["api_tokens"]) == 1


def test_an_account_that_has_played_or_sits_at_a_table_does_not_become_a_bot(server: ServerProcess) -> None:
    ada, bo = registered(server, "Ada Played"), registered(server, "Bo Played")
    with closing(ada.connect()) as one, closing(bo.connect()) as other:
        played(one, other)
        until = time.monotonic() + SOON
        while not bo.ask("GET", "/api/my-games").body["games"]:
            assert time.monotonic() < until
            time.sleep(0.1)
    for browser in (ada, bo):
        assert browser.post("become-bot", password=GOOD).body["error"] == "has_played"
        assert browser.ask("GET", "/api/account").body["bot"] is False
    cy = registered(server, "Cy Seated")
    with closing(cy.connect()) as seated:
        room = seated.ask("open", "room", game="tictactoe", nonce="s")["room"]["id"]
        assert cy.post("become-bot", password=GOOD).body["error"] == "has_played"
        seated.ask("leave", "left", room=room)
    assert cy.post("become-bot", password=GOOD).status == 200
    assert cy.ask("GET", "/api/account").body["bot"] is True


# Playing and reading


def test_a_program_plays_for_a_bot_account_and_is_marked_everywhere(server: ServerProcess) -> None:
    owner, secret = bot(server, "Robo Plays")
    ada = registered(server, "Ada Plays")
    with closing(connect(server, secret)) as robo, closing(ada.connect()) as person:
        assert (robo.welcome["name"], robo.welcome["account"], robo.welcome["bot"]) == (
            "Robo Plays",
            True,
            True,
        )
        assert robo.welcome["token"] == ""
        room = played(robo, person)
    until = time.monotonic() + SOON
    while not (games := ada.ask("GET", f"/api/people/{quote('Robo Plays')}/games").body["games"]):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert (games[0]["room"], games[0]["bot_accounts"]) == (room, [0])
    profile = ada.ask("GET", f"/api/people/{quote('Robo Plays')}").body
    assert profile["bot"] is True
    assert ada.ask("GET", f"/api/people/{quote('Ada Plays')}").body["bot"] is False
    # A game with a program is none against people.
    against = {row[2] for row in ada.ask("GET", f"/api/people/{quote('Ada Plays')}").body["results"]}
    assert against == {"bots"}
    assert ada.ask("GET", f"/api/games/{room}/1").body["bot_accounts"] == [0]
    assert owner.ask("GET", "/api/account").body["api_tokens"][0]["used"] is not None


def test_a_program_answers_the_challenge_of_a_person_and_makes_none(server: ServerProcess) -> None:
    _, secret = bot(server, "Robo Challenged")
    ada = registered(server, "Ada Challenges")
    with closing(connect(server, secret)) as robo, closing(ada.connect()) as person:
        open_room = {"game": "tictactoe", "nonce": "c"}
        refused = robo.ask("challenge", "refused", name="Ada Challenges", open=open_room)
        assert (refused["code"], refused["nonce"]) == ("no_bots", "c")
        person.send("challenge", name="Robo Challenged", open=open_room)
        made = robo.receive_until("challenge")
        assert robo.ask("join", "room", room=made["room"])["you"] is not None
        assert person.receive_event("seat_taken")["bot_account"] is True


def test_a_program_reads_its_own_games_without_a_cookie_and_gets_none(server: ServerProcess) -> None:
    _, secret = bot(server, "Robo Reads")
    ada = registered(server, "Ada Reads")
    with closing(connect(server, secret)) as robo, closing(ada.connect()) as person:
        private = played(robo, person, public=False)
    until = time.monotonic() + SOON
    while not (games := with_token(server, "/api/my-games", secret).body["games"]):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert [game["room"] for game in games] == [private]
    profile = f"/api/people/{quote('Robo Reads')}"
    answer = with_token(server, profile, secret)
    assert answer.body["you"] is True
    assert "set-cookie" not in answer.headers
    # The token says who asks, whatever the cookie says.
    beside = ada.ask("GET", profile, Authorization=f"Bearer {secret}")
    assert beside.body["you"] is True
    assert "set-cookie" not in beside.headers


def test_a_token_of_a_person_reads_but_does_not_play(server: ServerProcess) -> None:
    ada = registered(server, "Ada Person")
    secret = made(ada)["secret"]
    assert with_token(server, f"/api/people/{quote('Ada Person')}", secret).body["you"] is True
    with closing(connect(server, secret)) as program:
        assert (program.welcome["type"], program.welcome["code"]) == ("refused", "not_allowed")
        assert "bot account" in program.welcome["about"]
        assert program.ask("open", "refused", game="tictactoe", nonce="a")["code"] == "hello_first"


def test_the_owner_of_a_bot_account_watches_but_does_not_play_for_it(server: ServerProcess) -> None:
    owner, secret = bot(server, "Robo Owner")
    with closing(connect(server, secret)) as robo, closing(owner.connect()) as person:
        assert (person.welcome["account"], person.welcome["bot"]) == (True, True)
        room = robo.ask("open", "room", game="tictactoe", nonce="a")["room"]["id"]
        refused = person.ask("open", "refused", game="tictactoe", nonce="b")
        assert refused["code"] == "api_token_needed"
        assert person.ask("quick_match", "refused", game="tictactoe")["code"] == "api_token_needed"
        robo.ask("leave", "left", room=room)


def test_a_connection_does_not_change_between_a_person_and_a_program(server: ServerProcess) -> None:
    owner, secret = bot(server, "Robo Mixed")
    with closing(connect(server, secret)) as robo:
        assert robo.ask("hello", "welcome", "refused", name="Somebody")["name"] == "Robo Mixed"
        session = owner.cookie.partition("=")[2]
        assert robo.ask("hello", "welcome", "refused", session=session)["bot"] is True
        assert "room" in robo.ask("open", "room", "refused", game="tictactoe", nonce="a")
    with closing(owner.connect()) as person:
        assert person.ask("hello", "welcome", "refused", api_token=secret)["code"] == "not_allowed"
    guest = Client(server.port)
    assert guest.ask("hello", "welcome", "refused", api_token=secret)["code"] == "not_allowed"
    guest.close()


# What a token may not do


ROUTES: Final = [
    route
    for route in account_routes.ROUTES
    if route.path.startswith(account_api.PATH) and route.path not in (openid_api.PATH, openid_api.CALLBACK)
]
"""Without the way to a provider, which reads no token."""


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_no_route_of_accounts_takes_a_token(server: ServerProcess, route: Any) -> None:
    name = f"Route {ROUTES.index(route)}"
    owner, secret = bot(server, name)
    before = owner.ask("GET", "/api/account").body
    body = {"name": "Stolen", "id": before["devices"][0]["id"], "old": GOOD, "new": OTHER, "password": GOOD}
    bodies = [{}, body] if route.method == "POST" else [None]
    for browser in (Browser(server), owner):  # Without a cookie, and beside that of the owner.
        for sent in bodies:
            answer = browser.ask(route.method, route.path, sent, Authorization=f"Bearer {secret}")
            assert (answer.status, answer.body) == (403, {"error": "no_api_tokens"})
            assert "set-cookie" not in answer.headers
    after = owner.ask("GET", "/api/account").body
    assert {**after, "devices": [], "api_tokens": []} == {**before, "devices": [], "api_tokens": []}
    assert len(after["api_tokens"]) == 1
    assert Browser(server).post("sign-in", name=name, password=GOOD).status == 200


def test_no_route_of_operators_takes_a_token(server: ServerProcess) -> None:
    _, secret = bot(server, "Robo Operator")
    for path in ("/api/operator", "/api/operator/reports", "/api/operator/roles"):
        assert with_token(server, path, secret).status == 404


def test_a_token_in_a_url_is_not_accepted(server: ServerProcess) -> None:
    owner, secret = bot(server, "Robo Url")
    for field in ("api_token", "access_token", "token", "authorization"):
        answer = Browser(server).ask("GET", f"/api/my-games?{field}={secret}")
        assert answer.status in {400, 401}
        profile = Browser(server).ask("GET", f"/api/people/{quote('Robo Url')}?{field}={secret}")
        assert profile.body["you"] is False
        guest = Client(server.port, path=f"/play?{field}={secret}")
        assert (guest.welcome["account"], guest.welcome["bot"]) == (False, False)
        guest.close()
    assert owner.ask("GET", "/api/account").body["api_tokens"][0]["used"] is None


def test_a_page_of_another_site_makes_and_revokes_no_token(server: ServerProcess) -> None:
    ada = registered(server, "Ada Site")
    token = made(ada)["token"]
    for action, body in (
        ("api-token-create", {"name": "x", "password": GOOD}),
        ("api-token-revoke", {"id": token["id"]}),
        ("become-bot", {"password": GOOD}),
    ):
        path = f"/api/account/{action}"
        foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
        assert ada.ask("POST", path, body, **foreign).status == 403
        form = ada.ask("POST", path, body, **{"content-type": "text/plain"})
        assert form.status == 415
    shown = ada.ask("GET", "/api/account").body
    assert (shown["api_tokens"], shown["bot"]) == ([token], False)


# Revoking


def test_a_revoked_token_closes_its_sockets_and_no_others(server: ServerProcess) -> None:
    owner, first = bot(server, "Robo Revoked")
    second = made(owner, "Second")["secret"]
    with closing(connect(server, first)) as one, closing(connect(server, second)) as other:
        tokens = owner.ask("GET", "/api/account").body["api_tokens"]
        number = next(each["id"] for each in tokens if each["name"] == "My bot")
        began = time.monotonic()
        assert owner.post("api-token-revoke", id=number).status == 200
        assert one.close_code() == SIGNED_OUT
        assert time.monotonic() - began < SOON
        assert other.ask("ping", "pong", n=1)["n"] == 1
    assert with_token(server, "/api/my-games", first).status == 401
    assert with_token(server, "/api/my-games", second).status == 200
    with closing(connect(server, first)) as late:
        assert late.welcome["code"] == "not_allowed"


def test_a_token_of_a_deleted_account_is_of_no_use(server: ServerProcess) -> None:
    owner, secret = bot(server, "Robo Deleted")
    with closing(connect(server, secret)) as robo:
        assert owner.post("delete", password=GOOD).status == 200
        assert robo.close_code() == SIGNED_OUT
    assert with_token(server, "/api/my-games", secret).status == 401
    with closing(connect(server, secret)) as late:
        assert late.welcome["code"] == "not_allowed"


# Guessing and limits


def test_an_address_that_guesses_tokens_is_refused_and_others_are_not(server: ServerProcess) -> None:
    _, secret = bot(server, "Robo Guessed")
    statuses = [with_token(server, "/api/my-games", WRONG, **ATTACKER).status for _ in range(25)]
    assert statuses == [401] * 20 + [429] * 5
    refused = with_token(server, "/api/my-games", secret, **ATTACKER)
    assert (refused.status, refused.headers["retry-after"]) == (429, "60")
    assert with_token(server, "/api/my-games", secret).status == 200
    metrics = metrics_of(server)
    assert metrics['qipai_api_token_refusals_total{limit="guesses"}'] >= 6


def test_a_wrong_token_is_no_guest(server: ServerProcess) -> None:
    answer = with_token(server, "/api/my-games", WRONG)
    assert (answer.status, answer.body) == (401, {"error": "the API token is not valid"})
    assert with_token(server, f"/api/people/{quote('Nobody Here')}", WRONG).status in {401, 404}


def metrics_of(server: ServerProcess) -> dict[str, float]:
    """Return the metrics by name and labels."""
    import http.client

    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)) as connection:
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
    rows = (line.rpartition(" ") for line in lines if line and not line.startswith("#"))
    return {name: float(value) for name, _, value in rows}


def test_limits_are_settings_refused_clearly_and_counted(tmp_path_factory: pytest.TempPathFactory) -> None:
    config = "[limits.api_tokens]\nconnections = 1\nrequests = 3\ntables = 1\n"
    with ServerProcess(tmp_path_factory.mktemp("limited"), config=config) as limited:
        _, secret = bot(limited, "Robo Limited")
        with closing(connect(limited, secret)) as robo:
            with closing(connect(limited, secret)) as second:
                assert (second.welcome["code"], second.welcome["about"]) == (
                    "rate_limited",
                    "too many connections with this API token",
                )
                assert second.close_code() == 4429
            robo.ask("open", "room", game="tictactoe", nonce="a")
            refused = robo.ask("open", "refused", game="tictactoe", nonce="b")
            assert refused["code"] == "too_many_rooms"
            statuses = [with_token(limited, "/api/my-games", secret).status for _ in range(4)]
            assert statuses == [200, 200, 200, 429]
            metrics = metrics_of(limited)
            for limit, count in (("connections", 1), ("tables", 1), ("requests", 1), ("guesses", 0)):
                assert metrics[f'qipai_api_token_refusals_total{{limit="{limit}"}}'] == count
            assert metrics["qipai_api_token_connections"] == 1
        assert limited.errors == []
