"""The tags that messengers read from shared links: who may see what, and in which language."""

import re
import urllib.request
from html import unescape
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from tests.server.test_http import BUILT
from tests.support.finished_games import finish
from tests.support.server import Client, ServerProcess

pytestmark = [pytest.mark.slow, BUILT]

HOSTILE = '<b a="'
_META = re.compile(r'<meta (?:name|property)="([^"]*)" content="([^"]*)" />')


class Answer:
    """A response of the server, with the tags of its preview."""

    def __init__(self, server: ServerProcess, path: str, **headers: str) -> None:
        address = path if path.startswith("http") else f"http://127.0.0.1:{server.port}{path}"
        request = urllib.request.Request(address, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                self.status, self.headers, self.body = answer.status, answer.headers, answer.read()
        except HTTPError as error:
            with error:
                self.status, self.headers, self.body = error.code, error.headers, error.read()

    @property
    def page(self) -> str:
        return str(self.body, "utf-8")

    @property
    def tags(self) -> dict[str, str]:
        return {name: unescape(text) for name, text in _META.findall(self.page)}

    @property
    def words(self) -> str:
        return " ".join(self.tags.values())


def open_room(server: ServerProcess, game: str, name: str = "Mei", **fields: Any) -> tuple[Client, str]:
    client = Client(server.port, name=name)
    return client, client.ask("open", "room", game=game, nonce="open", **fields)["room"]["id"]


def test_an_invitation_says_who_invites_to_what(shared_server: ServerProcess) -> None:
    clock = {"main": [300_000], "increment": 3_000}
    mei, room = open_room(
        shared_server, "chess", options={"fog": True}, table={"public": False, "clock": clock}
    )
    answer = Answer(shared_server, f"/t/{room}")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.tags["og:title"] == "Mei invites you to chess"
    assert answer.tags["og:description"] == "fog of war · 5+3. Open the link to play."
    assert answer.tags["description"] == answer.tags["og:description"]
    assert answer.tags["og:url"] == f"http://127.0.0.1:{shared_server.port}/t/{room}"
    assert answer.tags["og:type"] == "website"
    assert answer.tags["twitter:card"] == "summary_large_image"
    assert answer.tags["robots"] == "noindex"
    assert (answer.tags["og:image:width"], answer.tags["og:image:height"]) == ("1200", "630")
    assert answer.tags["og:image:alt"] == answer.tags["og:title"]
    assert "<title>Mei invites you to chess</title>" in answer.page
    assert answer.page.count("<title>") == answer.page.count('name="description"') == 1
    assert 'src="/assets/' in answer.page
    picture = Answer(shared_server, answer.tags["og:image"])
    assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
    mei.close()


@pytest.mark.parametrize(
    ("accepted", "title", "text"),
    [
        ("", "Mei invites you to gomoku", "Swap2. Open the link to play."),
        ("fr, en;q=0.5", "Mei invites you to gomoku", "Swap2. Open the link to play."),
        ("zh-TW,en;q=0.9", "Mei 邀你玩五子棋", "Swap2 換色。開啟連結即可對局。"),
        ("zh-CN", "Mei 邀请你玩五子棋", "Swap2 换色。打开链接即可对局。"),
        ("en;q=x, ;;;, zh-hk", "Mei 邀你玩五子棋", "Swap2 換色。開啟連結即可對局。"),
    ],
)
def test_the_language_is_the_one_asked_for(
    shared_server: ServerProcess, accepted: str, title: str, text: str
) -> None:
    mei, room = open_room(shared_server, "gomoku", options={"rule": "swap2"})
    answer = Answer(shared_server, f"/t/{room}", **{"Accept-Language": accepted})
    assert (answer.tags["og:title"], answer.tags["og:description"]) == (title, text)
    assert "accept-language" in answer.headers["vary"]
    mei.close()


def test_names_are_text(shared_server: ServerProcess) -> None:
    mei, room = open_room(shared_server, "tictactoe", name=HOSTILE, table={"title": "</title><script>"})
    answer = Answer(shared_server, f"/t/{room}")
    assert answer.tags["og:title"] == f"{HOSTILE} invites you to tic-tac-toe"
    assert HOSTILE not in answer.page
    assert "<script>" not in answer.page
    assert Answer(shared_server, f"/t/{room}/picture.png").status == 200
    mei.close()


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("games.example", "http://games.example"),
        ("[::1]:8080", "http://[::1]:8080"),
        ('"><script>', ""),
        ("games.example/other", ""),
        ("user@games.example", ""),
    ],
)
def test_the_host_is_used_in_the_tags_only_and_only_if_it_is_one(
    shared_server: ServerProcess, host: str, address: str
) -> None:
    answer = Answer(shared_server, "/", Host=host)
    assert answer.tags["og:url"] == f"{address}/"
    assert answer.tags["og:image"].startswith(f"{address}/picture.png?")


def test_behind_a_trusted_proxy_the_address_has_its_scheme(shared_server: ServerProcess) -> None:
    answer = Answer(shared_server, "/", Host="games.example", **{"X-Forwarded-Proto": "https"})
    assert answer.tags["og:url"] == "https://games.example/"


def test_a_running_public_table_shows_its_players_and_nothing_of_the_position(
    shared_server: ServerProcess,
) -> None:
    mei, room = open_room(shared_server, "chess", seat=0)
    ken = Client(shared_server.port, name="Ken")
    ken.ask("join", "room", room=room)
    before = Answer(shared_server, f"/t/{room}")
    assert before.tags["og:title"] == "Mei, Ken: Chess"
    mei.send("play", room=room, move={"do": "move", "uci": "e2e4"}, nonce="e4")
    mei.receive_event("moved")
    assert Answer(shared_server, f"/t/{room}").page == before.page
    mei.close()
    ken.close()


@pytest.mark.parametrize(("game", "options"), [("chess", {"fog": True}), ("mahjong", {}), ("gomoku", {})])
def test_a_running_private_table_shows_what_an_invited_player_sees_and_no_more(
    shared_server: ServerProcess, game: str, options: dict[str, Any]
) -> None:
    table = {"public": False, "title": "Our secret"}
    mei, room = open_room(shared_server, game, options=options, table=table)
    invited = Answer(shared_server, f"/t/{room}")
    others = [
        Client(shared_server.port, name=f"Guest{number}") for number in range(3 if game == "mahjong" else 1)
    ]
    for other in others:
        other.ask("join", "room", room=room)
    running = Answer(shared_server, f"/t/{room}")
    assert running.page == invited.page
    assert "Guest" not in running.page
    assert "Our secret" not in running.page
    assert running.tags["robots"] == "noindex"
    pictures = [Answer(shared_server, one.tags["og:image"]).body for one in (invited, running)]
    assert pictures[0] == pictures[1]
    for client in (mei, *others):
        client.close()


@pytest.mark.parametrize(
    ("game", "title"),
    [
        ("chess", "Bo won against Ada: Chess"),
        ("gomoku", " won against "),
        ("tictactoe", "Bo won against Ada: Tic-tac-toe"),
    ],
)
def test_a_finished_game_shows_its_result(shared_server: ServerProcess, game: str, title: str) -> None:
    room = finish(shared_server.port, game)
    answer = Answer(shared_server, f"/g/{room}/1")
    assert title in answer.tags["og:title"]
    assert "moves. Open the link to replay the game." in answer.tags["og:description"]
    assert "robots" not in answer.tags
    picture = Answer(shared_server, answer.tags["og:image"])
    assert picture.status == 200
    assert picture.body != Answer(shared_server, "/picture.png").body


def test_a_finished_game_of_a_private_table_is_not_for_search_engines(shared_server: ServerProcess) -> None:
    mei, room = open_room(shared_server, "gomoku", table={"public": False})
    ken = Client(shared_server.port, name="Ken")
    ken.ask("join", "room", room=room)
    mei.send("resign", room=room, nonce="resign")
    mei.receive_event("game_over")
    answer = Answer(shared_server, f"/g/{room}/1")
    assert answer.tags["og:title"] == "Ken won against Mei: Gomoku"
    assert answer.tags["robots"] == "noindex"
    mei.close()
    ken.close()


def test_a_result_that_spectators_have_not_seen_is_not_shown(shared_server: ServerProcess) -> None:
    mei, room = open_room(shared_server, "gomoku", table={"spectator_delay": 900})
    ken = Client(shared_server.port, name="Ken")
    ken.ask("join", "room", room=room)
    before = Answer(shared_server, f"/t/{room}")
    mei.send("resign", room=room, nonce="resign")
    mei.receive_event("game_over")
    assert Answer(shared_server, f"/g/{room}/1").status == 404
    assert Answer(shared_server, f"/g/{room}/1/picture.png").status == 404
    assert Answer(shared_server, f"/t/{room}").page == before.page
    mei.close()
    ken.close()


def test_bots_do_not_win_a_game_that_its_only_person_left(shared_server: ServerProcess) -> None:
    room = finish(shared_server.port, "mahjong")
    answer = Answer(shared_server, f"/g/{room}/1")
    assert answer.tags["og:title"] == "Ended early: Ada, Computer: Mahjong"
    assert Answer(shared_server, answer.tags["og:image"]).status == 200


@pytest.mark.parametrize(
    "path",
    ["/t/nosuchroom", "/t/%00", "/t/" + "x" * 99, "/g/nosuchroom/1", "/g/x/0", "/g/x/y", "/g/x/9999999"],
)
def test_an_unknown_address_has_the_preview_of_the_site_and_no_picture(
    shared_server: ServerProcess, path: str
) -> None:
    answer = Answer(shared_server, path)
    assert (answer.status, answer.tags["og:title"]) == (404, "Qipai 棋牌")
    assert urlsplit(answer.tags["og:image"]).path == "/picture.png"
    assert Answer(shared_server, f"{path}/picture.png").status == 404


def test_a_closed_table_is_gone(shared_server: ServerProcess) -> None:
    mei, room = open_room(shared_server, "tictactoe")
    mei.ask("leave", "left", room=room)
    assert Answer(shared_server, f"/t/{room}").status == 404
    mei.close()


def test_a_code_is_no_address(shared_server: ServerProcess) -> None:
    mei = Client(shared_server.port, name="Mei")
    code = mei.ask("open", "room", game="tictactoe", nonce="open", table={"public": False})["room"]["code"]
    assert Answer(shared_server, f"/t/{code}").status == 404
    mei.close()


def test_a_picture_that_a_client_has_is_not_sent_again(shared_server: ServerProcess) -> None:
    first = Answer(shared_server, "/picture.png")
    assert first.headers["cache-control"] == "public, max-age=300"
    again = Answer(shared_server, "/picture.png", **{"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    other = Answer(shared_server, "/picture.png?language=zh-hant", **{"If-None-Match": first.headers["etag"]})
    assert other.status == 200
