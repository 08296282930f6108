"""What the older tic-tac-toe program got wrong about logins, keys and origins, on a real server."""

import http.client
import sqlite3
import urllib.parse
from pathlib import Path

import pytest

from tests.socketio import raw_engineio
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow


def request(
    server: ServerProcess, method: str, path: str, body: str = "", **headers: str
) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if body:
        given["Content-Type"] = "application/x-www-form-urlencoded"
    line.request(method, path, body or None, given)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer


def log_in(server: ServerProcess, name: str = "甲", **headers: str) -> http.client.HTTPResponse:
    form = urllib.parse.urlencode({"username": name, "icon": "🐼"})
    return request(server, "POST", "/login", form, **headers)


@pytest.mark.parametrize("name", ["系統", "系 統", "系\u200b統", "ｓｙｓｔｅｍ", "系统", "系.統"])
def test_7_the_name_of_the_system_cannot_be_taken(server: ServerProcess, name: str) -> None:
    answer = log_in(server, name)
    assert answer.status == 200
    assert answer.getheader("set-cookie") is None


def test_9_every_server_has_its_own_key(tmp_path: Path) -> None:
    cookies, keys = [], []
    for folder in (tmp_path / "a", tmp_path / "b"):
        with ServerProcess(folder) as server:
            cookies.append(str(log_in(server).getheader("set-cookie")))
        with sqlite3.connect(folder / "qipai.db") as book:
            keys.append("\n".join(book.iterdump()))
    assert cookies[0] != cookies[1]
    assert keys[0] != keys[1]


def test_9_a_cookie_is_http_only_and_same_site(server: ServerProcess) -> None:
    plain = str(log_in(server).getheader("set-cookie")).lower()
    assert "httponly" in plain
    assert "samesite=lax" in plain
    assert "secure" not in plain
    behind_tls = str(log_in(server, X_Forwarded_Proto="https").getheader("set-cookie")).lower()
    assert "secure" in behind_tls


def test_9_another_site_can_neither_log_out_nor_log_in(server: ServerProcess) -> None:
    for method in ("GET", "POST"):
        away = request(server, method, "/logout", Sec_Fetch_Site="cross-site")
        assert (away.status, away.getheader("set-cookie")) == (302, None)
    assert log_in(server, Origin="https://elsewhere.example").status == 403
    ours = request(server, "GET", "/logout", Sec_Fetch_Site="same-origin")
    assert (ours.status, ours.getheader("location")) == (302, "/login")
    assert ours.getheader("set-cookie") is not None


def test_9_only_the_same_origin_is_allowed_by_default(server: ServerProcess) -> None:
    assert raw_engineio.request(server.port, headers={"Origin": "https://elsewhere.example"}).status == 403
    assert raw_engineio.request(server.port, headers={"Origin": "null"}).status == 403
    assert (
        raw_engineio.request(server.port, headers={"Origin": f"http://127.0.0.1:{server.port}"}).status == 200
    )


def test_9_an_error_page_shows_no_internals(server: ServerProcess) -> None:
    """There is no debug mode: wrong requests are answered shortly, without a trace."""
    for path in ("/login?x=%ff", "/nowhere", "/socket.io/?EIO=4&transport=polling&sid=../../x"):
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        line.request("GET", path)
        body = line.getresponse().read().decode()
        line.close()
        assert "Traceback" not in body
        assert "qipai/" not in body
