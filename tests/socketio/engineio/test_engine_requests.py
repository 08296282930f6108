"""Engine.IO 4 over HTTP: the handshake, refused requests, and other origins."""

from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.socketio.client_programs import only_ours
from tests.socketio.raw_engineio import Polling, Upgraded, WebSocket, open_websocket, request, wait_for_close

pytestmark = pytest.mark.slow

UNKNOWN_TRANSPORT = {"code": 0, "message": "Transport unknown"}
UNKNOWN_SESSION = {"code": 1, "message": "Session ID unknown"}
BAD_METHOD = {"code": 2, "message": "Bad handshake method"}
BAD_REQUEST = {"code": 3, "message": "Bad request"}
UNSUPPORTED_VERSION = {"code": 5, "message": "Unsupported protocol version"}


def test_the_polling_handshake_has_all_fields(echo_port: int, fast_ping_port: int) -> None:
    answer = request(echo_port)
    assert answer.status == 200
    assert answer.headers["content-type"].lower().replace(" ", "") == "text/plain;charset=utf-8"
    session = Polling(echo_port)
    assert session.handshake == {
        "sid": session.sid,
        "upgrades": ["websocket"],
        "pingInterval": 25_000,
        "pingTimeout": 20_000,
        "maxPayload": 1_000_000,
    }
    assert Polling(fast_ping_port).handshake | {"sid": ""} == {
        "sid": "",
        "upgrades": ["websocket"],
        "pingInterval": 300,
        "pingTimeout": 2_000,
        "maxPayload": 20_000,
    }
    assert Polling(echo_port).sid != session.sid
    session.close()


def test_the_websocket_handshake_offers_no_upgrade(echo_port: int) -> None:
    session = WebSocket(echo_port)
    assert session.handshake == {
        "sid": session.sid,
        "upgrades": [],
        "pingInterval": 25_000,
        "pingTimeout": 20_000,
        "maxPayload": 1_000_000,
    }
    session.close()


@pytest.mark.parametrize(
    ("method", "query", "expected"),
    [
        ("GET", {"transport": ""}, UNKNOWN_TRANSPORT),
        ("GET", {"transport": "abc"}, UNKNOWN_TRANSPORT),
        ("GET", {"transport": "webtransport"}, UNKNOWN_TRANSPORT),
        ("GET", {"transport": "constructor"}, UNKNOWN_TRANSPORT),
        ("POST", {"transport": "abc"}, UNKNOWN_TRANSPORT),
        ("GET", {"sid": "nobody"}, UNKNOWN_SESSION),
        ("GET", {"sid": "__proto__"}, UNKNOWN_SESSION),
        ("POST", {"sid": "nobody"}, UNKNOWN_SESSION),
        ("POST", {}, BAD_METHOD),
        ("PUT", {}, BAD_METHOD),
        ("DELETE", {}, BAD_METHOD),
        ("GET", {"transport": "websocket"}, BAD_REQUEST),
        ("GET", {"EIO": ""}, UNSUPPORTED_VERSION),
        ("GET", {"EIO": "3"}, UNSUPPORTED_VERSION),
        ("GET", {"EIO": "5"}, UNSUPPORTED_VERSION),
        ("GET", {"EIO": "abc"}, UNSUPPORTED_VERSION),
    ],
)
def test_an_invalid_request_gets_its_error_code(
    echo_port: int, method: str, query: dict[str, str], expected: dict[str, Any]
) -> None:
    answer = request(echo_port, method, "" if method == "POST" else None, query=query)
    assert (answer.status, answer.json) == (400, expected)
    assert answer.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"transport": ""}, UNKNOWN_TRANSPORT),
        ({"transport": "abc"}, UNKNOWN_TRANSPORT),
        ({"sid": "nobody"}, UNKNOWN_SESSION),
        pytest.param({"EIO": ""}, UNSUPPORTED_VERSION, marks=only_ours("it notices after the upgrade")),
        pytest.param({"EIO": "3"}, UNSUPPORTED_VERSION, marks=only_ours("it notices after the upgrade")),
        pytest.param({"EIO": "abc"}, UNSUPPORTED_VERSION, marks=only_ours("it notices after the upgrade")),
    ],
)
def test_an_invalid_websocket_request_is_refused_before_the_upgrade(
    echo_port: int, query: dict[str, str], expected: dict[str, Any]
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        open_websocket(echo_port, **query)
    assert refused.value.response.status_code == 400
    assert expected["message"].encode() in (refused.value.response.body or b"")


@only_ours("it says the message only, as HTML")
def test_an_invalid_websocket_request_gets_the_same_error_code(echo_port: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        open_websocket(echo_port, sid="nobody")
    assert refused.value.response.body == b'{"code":1,"message":"Session ID unknown"}'


def test_a_session_accepts_only_its_own_transport(echo_port: int) -> None:
    polling = Polling(echo_port)
    answer = request(echo_port, transport="websocket", sid=polling.sid)
    assert (answer.status, answer.json) == (400, BAD_REQUEST)
    polling.close()
    for socket in (WebSocket(echo_port), Upgraded(echo_port)):
        for method in ("GET", "POST"):
            answer = request(echo_port, method, "40" if method == "POST" else None, sid=socket.sid)
            assert (answer.status, answer.json) == (400, BAD_REQUEST)
        socket.send("40")
        assert str(socket.receive()).startswith("40{"), "the refused request did no harm"
        socket.close()


@only_ours("it answers 500 with nothing")
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_a_session_accepts_only_get_and_post(echo_port: int, method: str) -> None:
    session = Polling(echo_port)
    answer = request(echo_port, method, "x", sid=session.sid)
    assert (answer.status, answer.json["code"]) == (400, 2)
    session.close()


def test_an_allowed_origin_gets_cors_headers(echo_port: int) -> None:
    elsewhere = {"Origin": "https://example.com"}
    for answer in (
        request(echo_port, headers=elsewhere),
        request(echo_port, headers=elsewhere, sid="nobody"),
        request(echo_port, "POST", "3", elsewhere, sid=Polling(echo_port).sid),
    ):
        assert answer.headers["access-control-allow-origin"] in ("*", "https://example.com")


def test_a_preflight_allows_the_requested_headers(echo_port: int) -> None:
    answer = request(
        echo_port,
        "OPTIONS",
        headers={
            "Origin": "https://example.com",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        },
    )
    assert answer.status in (200, 204)
    assert answer.body == ""
    assert answer.headers["access-control-allow-origin"] in ("*", "https://example.com")
    assert "POST" in answer.headers["access-control-allow-methods"]
    assert "content-type" in answer.headers["access-control-allow-headers"].lower()


def test_another_origin_is_refused_unless_configured(fast_ping_port: int) -> None:
    answer = request(fast_ping_port, headers={"Origin": "https://example.com"})
    assert "access-control-allow-origin" not in answer.headers


def test_answers_are_never_cached(echo_port: int) -> None:
    session = Polling(echo_port)
    assert "no-store" in session.post("40").headers["cache-control"]
    assert "no-store" in session.poll().headers["cache-control"]
    session.close()


def test_a_session_closes_when_the_client_disconnects(echo_port: int) -> None:
    session = Polling(echo_port)
    session.close()
    answer = session.poll()
    assert (answer.status, answer.json) == (400, UNKNOWN_SESSION)
    socket = WebSocket(echo_port)
    socket.close()
    assert request(echo_port, sid=socket.sid).json == UNKNOWN_SESSION


@only_ours("it waits for the WebSocket itself to close")
def test_a_close_packet_over_websocket_ends_the_session(echo_port: int) -> None:
    socket = WebSocket(echo_port)
    socket.send("1")
    wait_for_close(socket)
