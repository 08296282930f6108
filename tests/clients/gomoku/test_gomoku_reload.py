"""A gomoku page that is loaded again, on a real server: its browser has a cookie, its socket is a new one."""

import json
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.clients.gomoku.test_gomoku_server import entered
from tests.socketio.raw_engineio import PATH, request
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

COOKIE = "qipai_browser"


class Page:
    """A page in a browser, over WebSocket alone."""

    def __init__(self, port: int, cookie: str, nickname: str = "Bob") -> None:
        url = f"ws://127.0.0.1:{port}{PATH}?EIO=4&transport=websocket"
        headers = {"Cookie": cookie} if cookie else {}
        opened = connect(url, compression=None, additional_headers=headers)
        # Closed by each test: the pages of a test overlap.
        self.socket: ClientConnection = opened.__enter__()
        self.handshake: dict[str, Any] = json.loads(str(self.socket.recv(60))[1:])
        self.socket.send("40")
        self.say("join-lobby", nickname=nickname)
        self.hear("room-list")

    def say(self, event: str, **fields: Any) -> None:
        self.socket.send("42" + json.dumps([event, fields]))

    def hear(self, *names: str) -> Any:
        """Return the argument of the next event with one of these names."""
        while True:
            packet = str(self.socket.recv(60))
            if packet == "2":
                self.socket.send("3")
            elif packet.startswith("42") and (event := json.loads(packet[2:]))[0] in names:
                return event[1]


def cookie_of(header: str) -> str:
    morsel = SimpleCookie(header)[COOKIE]
    assert morsel["httponly"]
    assert (morsel["path"], morsel["samesite"]) == ("/", "Lax")
    return f"{COOKIE}={morsel.value}"


def test_the_first_request_gives_a_browser_its_cookie(server: ServerProcess) -> None:
    first = request(server.port)
    cookie = cookie_of(first.headers["set-cookie"])
    assert cookie_of(request(server.port).headers["set-cookie"]) != cookie
    again = request(server.port, headers={"Cookie": f"other=1; {cookie}"})
    assert again.headers["set-cookie"] is None
    with connect(f"ws://127.0.0.1:{server.port}{PATH}?EIO=4&transport=websocket") as socket:
        assert socket.response is not None
        cookie_of(socket.response.headers["Set-Cookie"])


def test_a_page_that_is_loaded_again_has_its_seat_at_once_also_after_a_restart(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    with server:
        cookie = cookie_of(request(server.port).headers["set-cookie"])
        ann = entered(server, "Ann")
        ann.emit("create-room", {"name": "reload"})
        room = ann.until("room-joined")[0]["room"]["id"]
        page = Page(server.port, cookie)
        page.say("join-room", roomId=room)
        assert page.hear("room-joined")["role"] == "white"
        ann.emit("place-stone", {"roomId": room, "x": 7, "y": 7})
        page.hear("stone-placed")
        page.socket.close()
        while ann.until("chat-received")[0]["nickname"] != "系统":
            pass

        stranger = Page(server.port, "")
        stranger.say("join-room", roomId=room)
        assert stranger.hear("error", "room-joined")["code"] == "room_full"
        stranger.socket.close()

        page = Page(server.port, cookie)
        page.say("join-room", roomId=room)
        joined = page.hear("room-joined", "error")
        assert (joined["role"], joined["room"]["board"][7][7]) == ("white", 1)
        assert joined["room"]["players"]["white"]["nickname"] == "Bob"
        assert ann.until("chat-received")[0]["message"] == "Bob 回来了"
        page.say("place-stone", roomId=room, x=8, y=8)
        assert page.hear("stone-placed") == {"x": 8, "y": 8, "color": 2}
        ann.close()
        page.socket.close()

        server.kill()
        server.start()
        page = Page(server.port, cookie)
        page.say("join-room", roomId=room)
        joined = page.hear("room-joined", "error")
        assert (joined["role"], len(joined["room"]["history"])) == ("white", 2)
        page.socket.close()
    assert server.errors == []
