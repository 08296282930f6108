"""Profiles and games of persons over HTTP: what is public, and what only its person sees."""

import io
import time
from contextlib import closing
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest

from tests.server.test_account_api import Browser, registered
from tests.support.server import Client, Message, ServerProcess

pytestmark = pytest.mark.slow

SOON = 60.0


def play(winner: Client, loser: Client, *, public: bool = True, nonce: str = "a") -> str:
    """Play a game of gomoku with one move, and leave the table; return the room."""
    opened = winner.ask("open", "room", game="gomoku", nonce=nonce, table={"public": public})
    room: str = opened["room"]["id"]
    (first,) = loser.ask("join", "room", room=room)["room"]["to_act"]
    mover = (winner, loser)[first]
    mover.send("play", room=room, move={"do": "place", "x": 7, "y": 7})
    mover.receive_event("placed")
    loser.send("resign", room=room, nonce=f"{nonce}-r")
    winner.receive_event("game_over")
    for peer in (winner, loser):
        peer.send("leave", room=room)
    return room


def games_of(browser: Browser, name: str, query: str = "", **headers: str) -> list[Message]:
    answer = browser.ask("GET", f"/api/people/{quote(name)}/games{query}", **headers)
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    return list(answer.body["games"])


def wait_for_games(browser: Browser, name: str, count: int) -> list[Message]:
    """Return the games of a profile as soon as the archive has the closed tables."""
    until = time.monotonic() + SOON
    while len(games := games_of(browser, name)) < count and time.monotonic() < until:
        time.sleep(0.1)
    return games


def counted(profile: Message) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) if isinstance(row, dict) else tuple(row) for row in profile["results"]]


def test_a_profile_shows_public_games_and_its_person_also_the_others(server: ServerProcess) -> None:
    ada, bo = registered(server, "Ada Profile"), registered(server, "Bo Profile")
    eve, guest = Browser(server), Client(server.port)
    players = ada.connect(), bo.connect()
    public = play(*players, nonce="one")
    private = play(*reversed(players), public=False, nonce="two")
    games = wait_for_games(eve, "Ada Profile", 1)
    assert [(game["room"], game["seat"], game["twist"]) for game in games] == [(public, 0, "free")]
    assert games[0]["profiles"] == ["Ada Profile", "Bo Profile"]
    assert not {"persons", "seated", "person"} & set(games[0])
    own = wait_for_games(ada, "Ada Profile", 2)
    assert {game["room"] for game in own} == {public, private}
    # Of others she sees only what everybody sees.
    assert [game["room"] for game in games_of(ada, "Bo Profile")] == [public]
    shown = eve.ask("GET", f"/api/people/{quote('ada profile')}")
    assert (shown.status, shown.body["name"], shown.body["you"]) == (200, "Ada Profile", False)
    assert counted(shown.body) == [("gomoku", "free", "people", "won", 1)]
    assert shown.body["streak"] == {"result": "won", "games": 1}
    facts = {"name", "created", "bot", "you", "results", "longest_wins", "streak", "relation"}
    assert (set(shown.body), shown.body["relation"]) == (facts, None), "guests follow nobody"
    until = time.monotonic() + SOON  # The private table may be archived a moment later.
    while sum(row[-1] for row in counted(ada.ask("GET", "/api/people/Ada%20Profile").body)) < 2:
        assert time.monotonic() < until
        time.sleep(0.1)
    compared = ada.ask("GET", f"/api/people/{quote('Bo Profile')}/head-to-head")
    assert compared.body == {"won": 1, "lost": 1, "drawn": 0, "last": ["lost", "won"]}
    compared = eve.ask("GET", f"/api/people/{quote('Bo Profile')}/head-to-head?with={quote('Ada Profile')}")
    assert compared.body == {"won": 1, "lost": 0, "drawn": 0, "last": ["won"]}
    by_guest = f"Bearer {guest.token}"
    compared = eve.ask("GET", f"/api/people/{quote('Bo Profile')}/head-to-head", Authorization=by_guest)
    assert compared.body == {"won": 0, "lost": 0, "drawn": 0, "last": []}
    for peer in (*players, guest):
        peer.close()


def test_the_games_of_a_profile_are_filtered_and_wrong_filters_refused(server: ServerProcess) -> None:
    ada, bo = registered(server, "Ada Filter"), registered(server, "Bo Filter")
    eve, players = Browser(server), (ada.connect(), bo.connect())
    rooms = [play(*players, nonce="one"), play(*reversed(players), nonce="two")]
    assert len(wait_for_games(eve, "Ada Filter", 2)) == 2
    for query, expected in (
        ("?result=won", rooms[:1]), ("?result=lost", rooms[1:]), ("?result=drawn", []), ("?against=bots", []),
        ("?against=people&game=gomoku&twist=free&limit=1", rooms[1:]), ("?twist=renju", []),
        (f"?opponent={quote('BO FILTER')}", rooms[::-1]), ("?opponent=nobody", []),
        ("?opponent=", rooms[::-1]),
    ):  # fmt: skip
        assert [game["room"] for game in games_of(eve, "Ada Filter", query)] == expected, query
    bo.post("name", name="Beau Filter")
    until = time.monotonic() + SOON  # Within a second the worker knows the new name.
    while eve.ask("GET", "/api/people/Beau%20Filter").status != 200:
        assert time.monotonic() < until
        time.sleep(0.1)
    assert len(games_of(eve, "Ada Filter", "?opponent=Beau%20Filter")) == 2, "games under the old name too"
    for wrong in ("result=great", "against=x", "person=p", "player=x", "limit=0", "after=x", "twist=%00"):
        answer = eve.ask("GET", f"/api/people/Ada%20Filter/games?{wrong}")
        assert (answer.status, set(answer.body)) == (400, {"error"}), wrong
    for player in players:
        player.close()


def test_all_own_games_are_downloaded_also_private_ones(server: ServerProcess) -> None:
    ada, bo = registered(server, "Ada Download"), registered(server, "Bo Download")
    players = ada.connect(), bo.connect()
    rooms = [play(*players, nonce="one"), play(*players, public=False, nonce="two")]
    url = f"http://127.0.0.1:{server.port}/api/my-games/download"
    with urlopen(Request(url, headers={"cookie": ada.cookie}), timeout=SOON) as answer:
        assert answer.headers["content-type"] == "application/zip"
        assert answer.headers["cache-control"] == "no-store"
        files = ZipFile(io.BytesIO(answer.read()))
    # At once, while the archive does not list the tables yet.
    assert sorted(name.split("-", 3)[3] for name in files.namelist()) == sorted(
        f"gomoku-{room}-1.sgf" for room in rooms
    )
    assert all(files.read(name).startswith(b"(;") for name in files.namelist())
    with closing(Client(server.port)) as guest:
        request = Request(url, headers={"authorization": f"Bearer {guest.token}"})
        assert ZipFile(io.BytesIO(urlopen(request, timeout=SOON).read())).namelist() == []
    assert Browser(server).ask("GET", "/api/my-games/download").status == 401
    for player in players:
        player.close()


def test_unknown_names_have_no_profile(server: ServerProcess) -> None:
    eve = Browser(server)
    for name in ("nobody", "%00", "x" * 300, "%F0%9F%90%BC", ".."):
        for path in ("", "/games", "/head-to-head"):
            assert eve.ask("GET", f"/api/people/{name}{path}").status == 404, name + path
    ada = registered(server, "Ada Alone")
    assert ada.ask("GET", "/api/people/Ada%20Alone/head-to-head").status == 401
    assert ada.ask("GET", "/api/people/Ada%20Alone/head-to-head?with=nobody").status == 404
    answer = eve.ask("GET", "/api/people/Ada%20Alone/head-to-head")
    assert (answer.status, set(answer.body)) == (401, {"error"})


def test_a_link_to_a_profile_has_a_preview_with_the_name(server: ServerProcess) -> None:
    registered(server, "Ada <Link>")
    until = time.monotonic() + SOON  # Within a second the worker knows the new name.
    while Browser(server).ask("GET", f"/api/people/{quote('ada <link>')}").status != 200:
        assert time.monotonic() < until
        time.sleep(0.1)
    url = f"http://127.0.0.1:{server.port}/@{quote('ada <link>')}"
    with urlopen(Request(url, headers={"accept": "text/html"}), timeout=SOON) as answer:
        page = answer.read().decode()
    assert "<title>Ada &lt;Link&gt; · Qipai 棋牌</title>" in page
    assert '<meta name="robots" content="noindex" />' in page
    with pytest.raises(HTTPError) as missing:
        urlopen(Request(url + "s", headers={"accept": "text/html"}), timeout=SOON)
    assert missing.value.code == 404
    missing.value.close()
