"""Tic-tac-toe on the whole server: the official browser client, other origins, and web clients."""

import contextlib
import json
import urllib.error
import urllib.parse
import urllib.request
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from qipai.clients.login.login_routes import COOKIE
from qipai.hall.people.identity import Identity, Login, generated_name, wall_clock
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.ids import Person
from tests.socketio.raw_engineio import request
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def login(server: ServerProcess, name: str) -> str:
    """Log in, and return the cookie."""
    form = urllib.parse.urlencode({"username": name, "icon": "🐼"}).encode()
    with pytest.raises(urllib.error.HTTPError) as redirected:
        urllib.request.build_opener(Stay).open(f"http://127.0.0.1:{server.port}/login", form, 60)
    with redirected.value as answer:
        assert answer.code == 302
        return str(answer.headers["set-cookie"]).split(";")[0]


class Caller:
    """A Socket.IO client on a WebSocket."""

    def __init__(self, server: ServerProcess, cookie: str = "", origin: str | None = None) -> None:
        headers = {"Cookie": cookie} if cookie else {}
        url = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
        page = None if origin is None else Origin(origin)
        self._open = contextlib.ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(url, additional_headers=headers, origin=page, compression=None)
        )
        self.socket.send("40")

    def emit(self, event: str, *args: Any) -> None:
        self.socket.send("42" + json.dumps([event, *args]))

    def until(self, event: str) -> list[Any]:
        """Receive until this event, and return its arguments without the offset."""
        while True:
            packet = str(self.socket.recv(60))
            if packet.startswith("42") and json.loads(packet[2:])[0] == event:
                return list(json.loads(packet[2:])[1:-1])

    def close(self) -> None:
        self._open.close()


@pytest.mark.parametrize("name", ["socket.io.js", "socket.io.min.js", "socket.io.esm.min.js"])
def test_the_official_browser_client_is_served(server: ServerProcess, name: str) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/socket.io/{name}", timeout=60) as answer:
        script = answer.read().decode()
        assert answer.headers["content-type"].startswith("text/javascript")
    assert "Socket.IO v4." in script[:200]
    assert len(script) > 30_000


def test_another_origin_is_refused_on_both_transports(server: ServerProcess) -> None:
    foreign = {"Origin": "https://elsewhere.example"}
    refused = request(server.port, headers=foreign)
    assert (refused.status, refused.json) == (403, {"code": 4, "message": "Forbidden"})
    assert "access-control-allow-origin" not in refused.headers
    assert request(server.port, "OPTIONS", headers=foreign).status == 403
    with pytest.raises(InvalidStatus) as kept_out:
        Caller(server, origin="https://elsewhere.example")
    assert kept_out.value.response.status_code == 403


def test_the_same_origin_is_accepted_with_its_login(server: ServerProcess) -> None:
    caller = Caller(server, login(server, "甲"), f"http://127.0.0.1:{server.port}")
    caller.emit("join_pvp")
    (waiting,) = caller.until("waiting_for_opponent")
    assert waiting["status"] == "waiting"
    caller.close()


@pytest.mark.parametrize("origins", ['["https://friend.example"]', '["*"]'])
def test_a_configured_origin_is_accepted_without_its_login(tmp_path: Any, origins: str) -> None:
    with ServerProcess(tmp_path / "data", config=f"origins = {origins}\n") as server:
        friend = {"Origin": "https://friend.example"}
        welcome = request(server.port, headers=friend)
        assert welcome.status == 200
        assert welcome.headers["access-control-allow-origin"] in {"*", "https://friend.example"}
        preflight = request(server.port, "OPTIONS", headers=friend)
        assert "POST" in preflight.headers["access-control-allow-methods"]
        caller = Caller(server, login(server, "甲"), "https://friend.example")
        caller.emit("join_pvp")
        assert caller.until("login_required") == [{"message": "請先登入"}]
        caller.close()


def test_a_web_client_and_an_older_client_play_a_match(server: ServerProcess) -> None:
    web, old = Client(server.port, name="Web"), Caller(server, login(server, "乙"))
    room = web.ask("quick_match", "room", game="tictactoe")["room"]
    old.emit("join_pvp")
    (start,) = old.until("game_start")
    dealt = web.receive_event("game_started")["position"]
    assert {start["left_player"]["username"], start["right_player"]["username"]} == {"Web", "乙"}
    assert start["room_id"] == f"room_{room['id'][:8]}_{room['code']}"
    symbols = {"X": dealt["x"], "O": 1 - dealt["x"]}
    turn, finished, rounds = start["turn"], False, 0
    while not finished:
        for cell in (0, 3, 1, 4, 2):
            if symbols[turn] == 0:
                web.send("play", room=room["id"], move={"do": "mark", "cell": cell}, nonce=f"{rounds} {cell}")
            else:
                old.emit("make_move", {"row": cell // 3, "col": cell % 3})
            (made,) = old.until("move_made")
            assert (made["row"] * 3 + made["col"], made["symbol"]) == (cell, turn)
            assert web.receive_event("marked")["cell"] == cell
            turn = made["turn"]
        (end,) = old.until("round_end")
        assert end["winning_lines"] == [[[0, 0], [0, 1], [0, 2]]]
        finished, rounds = end["match_finished"], rounds + 1
        if not finished:
            old.emit("reset_game")
            (reset,) = old.until("game_reset")
            turn = reset["turn"]
    # The sides start in turn and the starter wins: three to two.
    assert rounds == 5
    web.send("offer", room=room["id"], kind="rematch", nonce="again")
    (again,) = old.until("new_match_started")
    assert again["scores"] == {"left": 0, "right": 0, "draw": 0}
    web.send("leave", room=room["id"])
    assert old.until("opponent_left") == []
    web.close()
    old.close()
    assert server.errors == []


def test_the_setting_for_one_match_at_a_time_holds(tmp_path: Any) -> None:
    with ServerProcess(tmp_path / "data", config="[tictactoe]\nsingle_match = true\n") as server:
        first, second, third = (Caller(server, login(server, name)) for name in "甲乙丙")
        first.emit("join_pvp")
        first.until("waiting_for_opponent")
        second.emit("join_pvp")
        second.until("game_start")
        third.emit("join_pvp")
        assert third.until("game_in_progress") == [{"message": "目前已有遊戲進行中，請稍後再試"}]
        for caller in (first, second, third):
            caller.close()


def test_a_login_with_a_name_that_is_reserved_by_now_has_a_generated_name(tmp_path: Path) -> None:
    secret = "a text of thirty-two characters or more"
    identity = Identity(SigningKeys(sha256(secret.encode()).digest(), wall_clock), token_bytes)
    cookie = f"{COOKIE}={identity.session(Login(Person('p'), 'Admin1', '🐼'))}"
    with ServerProcess(tmp_path / "data", config=f'secret = "{secret}"\n') as server:
        ann = Caller(server, cookie)
        ann.emit("chat message", "hello")
        (line,) = ann.until("chat message")
        ann.close()
    assert generated_name(Person("p")) in line
    assert "Admin1" not in line
