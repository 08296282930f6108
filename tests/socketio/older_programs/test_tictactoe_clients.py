"""Whole matches of tic-tac-toe on the real server, with real clients and a recovery."""

from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import count
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.socketio.client_programs import ClientProcess
from tests.support.proxies.cuttable_proxy import CuttableProxy
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

GAME_EVENTS = {"move_made", "round_end", "game_reset"}
NAMES = (f"p{number}" for number in count())


@pytest.fixture(scope="module")
def game_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server")) as made:
        yield made
        assert made.errors == []


def cookie(port: int, name: str) -> str:
    """Log in and return the cookie that says so."""
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    form = urlencode({"username": name, "icon": "🦊"})
    line.request("POST", "/login", form, {"Content-Type": "application/x-www-form-urlencoded"})
    answer = line.getresponse()
    answer.read()
    line.close()
    assert answer.status == 302
    return answer.headers["set-cookie"].split(";")[0]


class Player:
    """A client that marks the first free cell on command."""

    def __init__(self, server: ServerProcess, port: int, client: str, way: str) -> None:
        headers = {"Cookie": cookie(server.port, name := next(NAMES))}
        self.name = name
        self.puppet = ClientProcess(client, f"http://127.0.0.1:{port}", way, recovery=True, headers=headers)
        self.sid = self.puppet.observe("connect")["id"]
        self.game_events: list[list[Any]] = []

    def until(self, name: str) -> dict[str, Any]:
        """Receive until this event, and return its data."""
        while True:
            event = self.puppet.observe("event")
            assert event[0] not in ("opponent_left", "move_rejected", "login_required"), event
            if event[0] in GAME_EVENTS:
                self.game_events.append(event)
            if event[0] == name:
                return dict(event[1])

    def close(self) -> None:
        self.puppet.command("leave")
        self.puppet.close()


@pytest.mark.parametrize("way", ["polling", "websocket", "upgrade"])
@pytest.mark.parametrize("client", ["socket.io-client", "socket.io-client-4.7.5", "python"])
def test_a_whole_match_with_a_recovery(game_server: ServerProcess, client: str, way: str) -> None:
    with CuttableProxy(game_server.port) as network:
        shaky = Player(game_server, network.port, client, way)
        steady = Player(game_server, game_server.port, "socket.io-client", "websocket")
        try:
            match(shaky, steady, network)
        finally:
            shaky.close()
            steady.close()
    assert shaky.game_events == steady.game_events
    names = [name for name, *_ in shaky.game_events]
    assert (names.count("move_made"), names.count("round_end"), names.count("game_reset")) == (35, 5, 4)


def match(shaky: Player, steady: Player, network: CuttableProxy) -> None:
    """Play five rounds; the first player of each wins with the seventh mark."""
    shaky.puppet.command("emit", "join_pvp")
    shaky.until("waiting_for_opponent")
    steady.puppet.command("emit", "join_pvp")
    starts = [player.until("game_start") for player in (shaky, steady)]
    by_symbol = {start["your_symbol"]: player for start, player in zip(starts, (shaky, steady), strict=True)}
    sides = {side: starts[0][f"{side}_player"] for side in ("left", "right")}
    assert {side["sid"] for side in sides.values()} == {shaky.sid, steady.sid}
    assert {side["username"] for side in sides.values()} == {shaky.name, steady.name}
    turn, cut_yet = starts[0]["turn"], False
    for round_ in range(5):
        for cell in range(7):
            mover = by_symbol[turn]
            cutting = not cut_yet and round_ == 1 and mover is steady
            if cutting:
                network.refuse()
                network.cut()
                shaky.puppet.observe("disconnect")
            mover.puppet.command("emit", "make_move", {"row": cell // 3, "col": cell % 3})
            made = steady.until("move_made")
            assert (made["row"], made["col"], made["symbol"]) == (cell // 3, cell % 3, turn)
            if cutting:
                cut_yet = True
                network.allow()
                back = shaky.puppet.observe("connect")
                assert (back["id"], back["recovered"]) == (shaky.sid, True)
            assert shaky.until("move_made") == made
            turn = made["turn"]
        end = steady.until("round_end")
        assert shaky.until("round_end") == end
        assert end["match_finished"] is (round_ == 4)
        if round_ < 4:
            steady.puppet.command("emit", "reset_game")
            turn = steady.until("game_reset")["turn"]
            shaky.until("game_reset")
    assert cut_yet
