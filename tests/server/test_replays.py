"""Finished games over HTTP, compressed where the client accepts it."""

import gzip
import json
import time
import urllib.request
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote

import pytest

from tests.support.server import Client, ServerProcess, clients

pytestmark = pytest.mark.slow


def get(server: ServerProcess, path: str, **headers: str) -> tuple[int, Any, bytes]:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_a_game_can_be_had_when_it_is_over_and_not_before(server: ServerProcess) -> None:
    with clients(server.port, 2) as (ann, bob):
        room = ann.ask("open", "room", game="gomoku", nonce="t")["room"]["id"]
        bob.ask("join", "room", room=room)
        path = f"/api/games/{room}/1"
        for early in (path, f"{path}/record", "/api/games/nowhere/1", f"/api/games/{room}/2"):
            status, headers, body = get(server, early)
            assert status == 404
            assert headers["cache-control"] == "no-store"
            assert set(json.loads(body)) == {"error"}
        ann.send("resign", room=room, nonce="r")
        bob.receive_event("game_over")
        bob.ask("offer", "events", room=room, kind="rematch", nonce="o")
        ann.send("offer", room=room, kind="rematch", nonce="o")
        bob.receive_event("game_started")
    status, headers, body = get(server, path)
    assert (status, headers["content-type"], headers["vary"]) == (200, "application/json", "accept-encoding")
    answer = json.loads(body)
    assert answer["frames"][-1]["events"][0]["reason"] == "resigned"
    _, packed, squeezed = get(server, f"{path}?seat=watch", **{"Accept-Encoding": "gzip"})
    assert packed["content-encoding"] == "gzip"
    assert gzip.decompress(squeezed) == body
    assert get(server, f"{path}?seat=all")[0] == 404, "gomoku has no secrets"
    columns = json.loads(get(server, f"{path}?form=compact")[2])["frames"]
    assert columns["patch"][0] == [0, answer["frames"][0]["position"]]
    status, _, body = get(server, f"{path}?form=other")
    assert (status, set(json.loads(body))) == (400, {"error"})
    assert get(server, f"/api/games/{room}/2")[0] == 404, "the rematch runs"
    status, headers, body = get(server, f"{path}/record")
    assert headers["content-disposition"] == f'attachment; filename="gomoku-{room}-1.sgf"'
    assert body.startswith(b"(;")
    assert get(server, f"/api/games/{room}/one")[0] == 404


def place_one_stone(shown: dict[str, Any], *seats: Client) -> None:
    """Make the first move of a game of gomoku."""
    (first,) = shown["room"]["to_act"]
    seats[first].send("play", room=shown["room"]["id"], move={"do": "place", "x": 7, "y": 7})
    seats[first].receive_event("placed")


def found(server: ServerProcess, query: str = "") -> list[dict[str, Any]]:
    status, _, body = get(server, f"/api/games{query}")
    assert status == 200, body
    return list(json.loads(body)["games"])


def test_closed_tables_are_found_by_player_game_and_date(server: ServerProcess) -> None:
    rooms: list[str] = []
    with clients(server.port, 2) as (ann, bob):
        for listed in (True, False, True):
            room = ann.ask("open", "room", game="gomoku", nonce=f"t{len(rooms)}", table={"public": listed})
            rooms.append(room["room"]["id"])
            place_one_stone(bob.ask("join", "room", room=rooms[-1]), ann, bob)
            ann.send("resign", room=rooms[-1], nonce="r")
            bob.receive_event("game_over")
            for peer in (ann, bob):
                peer.send("leave", room=rooms[-1])
    games: list[dict[str, Any]] = []
    for _ in range(600):  # They go to the archive every few seconds.
        games = found(server)
        if len(games) == 2:
            break
        time.sleep(0.1)
    assert {game["room"] for game in games} == {rooms[0], rooms[2]}, "the second was not listed"
    last = games[0]
    query = quote(last["names"][0].upper())
    assert [game["room"] for game in found(server, f"?player={query}&game=gomoku&limit=1")] == [last["room"]]
    page = f"{last['ended']}-{last['room']}-{last['match']}"
    assert [game["room"] for game in found(server, f"?player={query}&after={page}")] == [games[1]["room"]]
    assert found(server, "?player=nobody") == []
    assert found(server, "?game=chess") == []
    assert found(server, f"?since={last['ended'] + 1}") == []
    assert len(found(server, f"?until={last['ended'] + 1}")) == 2
    assert get(server, f"/api/games/{rooms[1]}/1")[0] == 200, "a private game is available by its id"
    for wrong in (
        "?limit=0", "?limit=101", "?limit=x", "?since=x", "?since=-1", "?until=99999999999999999999",
        "?after=x", "?after=1-2", "?unlisted=1", "?who=me", "?player=%00", f"?player={'x' * 500}",
    ):  # fmt: skip
        status, _, body = get(server, f"/api/games{wrong}")
        assert (status, set(json.loads(body))) == (400, {"error"}), wrong


def own_games(server: ServerProcess, token: str, query: str = "") -> tuple[int, list[dict[str, Any]]]:
    """Ask for the games of a token until the archive has the tables that have just been closed."""
    for _ in range(600):
        status, headers, body = get(server, f"/api/my-games{query}", Authorization=f"Bearer {token}")
        assert headers["cache-control"] == "no-store"
        games = json.loads(body).get("games", [])
        if status != 200 or games:
            break
        time.sleep(0.1)
    return status, games


def test_a_guest_finds_the_own_games_also_private_ones_and_nobody_elses(server: ServerProcess) -> None:
    with clients(server.port, 3) as (ann, bob, eve):
        rooms = []
        for number, moves in enumerate((1, 0)):
            table = {"public": False}
            room = ann.ask("open", "room", game="gomoku", nonce=f"o{number}", table=table)["room"]["id"]
            rooms.append(room)
            shown = bob.ask("join", "room", room=room)
            if moves:
                place_one_stone(shown, ann, bob)
            bob.send("resign", room=room, nonce="r")
            ann.receive_event("game_over")
            if moves:  # At once, while everybody still sits at the table.
                answer = get(server, "/api/my-games", Authorization=f"Bearer {ann.token}")
                assert [game["room"] for game in json.loads(answer[2])["games"]] == [room]
            for peer in (ann, bob):
                peer.send("leave", room=room)
        tokens = [peer.token for peer in (ann, bob, eve)]
        status, games = own_games(server, tokens[0])
        assert status == 200
        assert [game["room"] for game in games] == [rooms[0]], "the other one had no move"
        assert (games[0]["seat"], games[0]["winners"], games[0]["public"]) == (0, [0], False)
        assert own_games(server, tokens[1])[1][0]["seat"] == 1
        assert not {"persons", "seated", "person"} & set(games[0])
        answer = get(server, "/api/my-games", Authorization=f"Bearer {tokens[2]}")
        assert (answer[0], json.loads(answer[2])) == (200, {"games": []})
        last = f"?after={games[0]['ended']}-{rooms[0]}-1"
        answer = get(server, f"/api/my-games{last}", Authorization=f"Bearer {tokens[0]}")
        assert json.loads(answer[2]) == {"games": []}
    for header in ({}, {"Authorization": "Bearer x"}, {"Authorization": f"Basic {tokens[0]}"}):
        assert get(server, "/api/my-games", **header)[0] == 401
    assert get(server, "/api/my-games?person=x", Authorization=f"Bearer {tokens[0]}")[0] == 400
