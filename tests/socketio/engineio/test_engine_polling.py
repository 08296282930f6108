"""Engine.IO 4 over long polling: one poll, one post, and what ends a session."""

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.socketio.client_programs import OFFICIAL, only_ours
from tests.socketio.raw_engineio import PATH, HttpResponse, Polling, wait_until_read
from tests.socketio.raw_socketio import connect_and_skip_auth, emit, is_alive, receive_event

pytestmark = pytest.mark.slow


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    """Threads for requests that wait."""
    with ThreadPoolExecutor() as pool:
        yield pool


@pytest.fixture
def session(echo_port: int) -> Iterator[Polling]:
    made = Polling(echo_port)
    connect_and_skip_auth(made)
    yield made
    made.close()


def waiting(beside: ThreadPoolExecutor, session: Polling) -> Future[HttpResponse]:
    """Start a poll and return when it has certainly reached the server."""
    line = http.client.HTTPConnection("127.0.0.1", session.port, timeout=60)
    line.request("GET", f"{PATH}?EIO=4&transport=polling&sid={session.sid}")
    wait_until_read(session.port)

    def answer() -> HttpResponse:
        with contextlib.closing(line):
            response = line.getresponse()
            return HttpResponse(response.status, response.headers, response.read().decode())

    poll = beside.submit(answer)
    time.sleep(0.05)
    assert not poll.done()
    return poll


def gone(session: Polling) -> bool:
    answer = session.poll()
    return (answer.status, answer.json["code"]) == (400, 1)


def test_a_poll_waits_for_a_packet(session: Polling, beside: ThreadPoolExecutor) -> None:
    poll = waiting(beside, session)
    emit(session, "message", "for the poll")
    assert poll.result().body == '42["message-back","for the poll"]'


def test_packets_of_a_payload_are_separated_by_the_record_separator(session: Polling) -> None:
    session.send('42["message",1]', '42["message",2]', '42["message","grüße\u2028 😺"]')
    time.sleep(0.15)
    answer = session.poll()
    assert answer.packets == [
        '42["message-back",1]',
        '42["message-back",2]',
        '42["message-back","grüße\u2028 😺"]',
    ]
    assert int(answer.headers["content-length"]) == len(answer.body.encode())


def test_binary_messages_are_base64_over_polling(session: Polling) -> None:
    session.send('451-["message",{"_placeholder":true,"num":0}]', "bAQIDBA==")
    time.sleep(0.15)
    assert session.poll().packets == ['451-["message-back",{"_placeholder":true,"num":0}]', "bAQIDBA=="]


def test_a_second_poll_closes_the_session(session: Polling, beside: ThreadPoolExecutor) -> None:
    first = waiting(beside, session)
    assert session.poll().status == 400
    assert first.result().status == 200
    assert first.result().body == "1"
    assert gone(session)


def test_a_second_post_closes_the_session(session: Polling) -> None:
    with half_a_post(session) as first:
        wait_until_read(session.port)
        assert session.post("3").status == 400
        with contextlib.suppress(OSError):
            first.sendall(b"3")
            answer = first.recv(1000)
            assert answer == b"" or b" 400 " in answer.splitlines()[0]
    assert gone(session)


@contextlib.contextmanager
def half_a_post(session: Polling) -> Iterator[socket.socket]:
    """A POST whose body has not come yet."""
    with socket.create_connection(("127.0.0.1", session.port), 60) as raw:
        raw.sendall(
            f"POST {PATH}?EIO=4&transport=polling&sid={session.sid} HTTP/1.1\r\nHost: x\r\n"
            "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\n".encode()
        )
        yield raw


def test_an_aborted_poll_closes_the_session(session: Polling) -> None:
    with socket.create_connection(("127.0.0.1", session.port), 60) as raw:
        raw.sendall(
            f"GET {PATH}?EIO=4&transport=polling&sid={session.sid} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        )
        wait_until_read(session.port)
    time.sleep(0.15)
    assert gone(session)


def test_a_close_packet_releases_the_poll(session: Polling, beside: ThreadPoolExecutor) -> None:
    poll = waiting(beside, session)
    answer = session.post("1")
    assert (answer.status, answer.body) == (200, "ok")
    assert (poll.result().status, poll.result().body) == (200, "6")
    assert gone(session)


@pytest.mark.parametrize(
    "body",
    ["abc", "7", "8", "x", "", "\x1e", "3\x1e", "3\x1e9", "3\x1eabc"],
    ids=[
        "letters",
        "type 7",
        "type 8",
        "letter",
        "nothing",
        "empty",
        "empty last",
        "type 9 last",
        "letters last",
    ],
)
def test_an_unknown_packet_type_closes_the_session(session: Polling, body: str) -> None:
    refuse(session, body)
    assert gone(session)


def refuse(session: Polling, body: str) -> None:
    """Post this and expect 400; the official server says `ok` or just closes the connection."""
    with contextlib.suppress(http.client.HTTPException, ConnectionError):
        assert session.post(body).status == 400 or OFFICIAL


@only_ours("it takes what the decoder leaves")
def test_invalid_base64_closes_the_session(session: Polling) -> None:
    refuse(session, "b!!!")
    assert gone(session)


def test_a_ping_from_the_client_closes_the_session(session: Polling) -> None:
    with contextlib.suppress(http.client.HTTPException, ConnectionError):
        session.post("2")
    assert gone(session)


def test_a_payload_at_the_limit_is_accepted(session: Polling) -> None:
    said = '42["whatever","{}"]'
    session.send(said.format("x" * (1_000_000 - len(said) + 2)))
    assert is_alive(session)


def test_a_long_message_reaches_a_client_that_polls(session: Polling) -> None:
    emit(session, "message", "x" * 500_000)
    assert receive_event(session, "message-back") == ["x" * 500_000]


@only_ours("it answers 413 and keeps the session")
def test_a_payload_above_the_limit_closes_the_session(session: Polling) -> None:
    with contextlib.suppress(http.client.HTTPException, ConnectionError):
        assert session.post("42" + "x" * 1_000_000).status in (400, 413)
    assert gone(session)


def test_a_payload_above_the_limit_is_not_read(session: Polling) -> None:
    with contextlib.suppress(http.client.HTTPException, ConnectionError):
        assert session.post('42["message","' + "x" * 3_000_000 + '"]').status in (400, 413)


@only_ours("it keeps the session")
def test_a_chunked_payload_above_the_limit_closes_the_session(session: Polling) -> None:
    pieces = http.client.HTTPConnection("127.0.0.1", session.port, timeout=60)
    with contextlib.closing(pieces), contextlib.suppress(http.client.HTTPException, ConnectionError):
        target = f"{PATH}?EIO=4&transport=polling&sid={session.sid}"
        pieces.request("POST", target, (b"4" * 50_000 for _ in range(40)), encode_chunked=True)
        assert pieces.getresponse().status in (400, 413)
    assert gone(session)


def test_a_response_is_sent_in_one_piece(session: Polling) -> None:
    """Headers and body in two small writes would come 40 ms apart: Nagle's algorithm and delayed ACKs."""
    line = http.client.HTTPConnection("127.0.0.1", session.port, timeout=60)
    took = []
    for _ in range(80):
        began = time.monotonic()
        line.request("POST", f"{PATH}?EIO=4&transport=polling&sid={session.sid}", b"3")
        assert line.getresponse().read() == b"ok"
        took.append(time.monotonic() - began)
    line.close()
    # The first few would be quick in any case, and a busy machine delays some.
    assert sorted(took)[20] < 0.03, took


def test_polls_and_posts_work_concurrently(session: Polling) -> None:
    received: list[object] = []

    def listen() -> None:
        while len(received) < 200:
            received.append(receive_event(session, "message-back")[0])

    listener = threading.Thread(target=listen)
    listener.start()
    for i in range(200):
        emit(session, "message", i)
    listener.join(60)
    assert received == list(range(200))
    assert is_alive(session)
