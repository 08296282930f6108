"""A rated game from its first move to the leaderboard, with a real server and two accounts."""

import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from tests.server.test_account_api import Browser, registered
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

RATED = {"rated": True, "undo_allowed": False, "clock": {"main": [180_000], "increment": 2_000}}
NEW, WON, LOST = 1500, 1662, 1338
"""Glicko-2 of two new players (1500, 350, 0.06): by hand from the formulas, as in docs/ratings.md."""
SOON = 60.0


def soon(true: Callable[[], bool]) -> None:
    until = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def play(white: Client, black: Client, room: str, moves: str) -> None:
    """Play moves in turn; both players receive each."""
    for ply, uci in enumerate(moves.split()):
        mover, other = (white, black) if ply % 2 == 0 else (black, white)
        mover.send("play", room=room, move={"do": "move", "uci": uci}, nonce=f"m{ply}")
        assert mover.receive_event("moved") == other.receive_event("moved")


def test_a_won_game_changes_both_ratings_once_and_an_aborted_one_changes_none(server: ServerProcess) -> None:
    ada, bo = registered(server, "Ada"), registered(server, "Bo")

    def rating(browser: Browser, name: str) -> tuple[int, int] | None:
        answer = browser.ask("GET", f"/api/ratings/{name}")
        assert answer.status == 200
        found = [each for each in answer.body["ratings"] if each["category"] == "chess-blitz"]
        return (round(found[0]["rating"]), found[0]["games"]) if found else None

    with ExitStack() as stack:
        white, black = (Client(server.port, cookie=each.cookie) for each in (ada, bo))
        stack.callback(white.close)
        stack.callback(black.close)
        for nonce, moves in (("short", "e2e4 e7e5 g1f3"), ("whole", "f2f3 e7e5 g2g4 d8h4")):
            opened = white.ask("open", "room", game="chess", nonce=nonce, table=RATED)
            room = opened["room"]["id"]
            shown = black.ask("join", "room", room=room)
            assert shown["room"]["phase"] == "playing"
            assert shown["room"]["to_act"] == [1 - shown["you"]], "the host has the first seat"
            play(white, black, room, moves)
            if nonce == "short":
                white.send("resign", room=room, nonce="r")
                white.receive_event("game_over")
                black.receive_event("game_over")
    soon(lambda: rating(ada, "Ada") is not None)
    assert rating(ada, "Ada") == (LOST, 1), "the game of three moves did not count"
    assert rating(ada, "Bo") == (WON, 1)
    changes = ada.ask("GET", f"/api/games/{room}/1/ratings").body["changes"]
    assert [(each["name"], each["before"]) for each in changes] == [("Ada", NEW), ("Bo", NEW)]
    assert ada.ask("GET", "/api/ratings/Eve").status == 404
    server.stop()
    server.start()
    again = Browser(server)
    soon(lambda: again.ask("GET", "/api/ratings/Bo").status == 200)  # Accounts are read after the start.
    assert rating(again, "Bo") == (WON, 1)
