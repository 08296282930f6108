"""What happens when a session ends in the middle of something, and text that others write differently."""

import json

import pytest

from qipai.socketio.engineio_packets import Malformed
from qipai.socketio.engineio_session import MAX_PACKETS
from qipai.socketio.namespaces import MAX_CONNECTS
from qipai.socketio.socketio_packets import mended, spelled

from .peers import Echo, FakeLink, Scene


def test_entering_and_leaving_without_end_closes_the_session_and_leaves_nothing() -> None:
    with Scene(recovery=30.0) as scene:
        session = scene.session()
        scene.do(session.post)
        assert not scene.do(session.posted, b"\x1e".join([b"40", b"41"] * 16_000))
        assert session.closed
        assert scene.echo.story.count("connected") == MAX_CONNECTS
        scene.wait(60)
        assert scene.endpoint._recoverable == {}
        assert sum(line.startswith("gone") for line in scene.echo.story) == MAX_CONNECTS


def test_a_session_that_ends_while_it_greets_was_never_there() -> None:
    with Scene(recovery=30.0) as scene:
        link = FakeLink()
        session = scene.session(link)

        def full(packet: bytes) -> None:
            session.close("transport error")

        session.send = full
        scene.do(session.receive, b"40")
        assert session.closed
        assert scene.echo.story == []
        assert scene.endpoint._recoverable == {}


def test_a_return_that_breaks_off_is_a_cut_and_ends_when_the_hold_does() -> None:
    with Scene(recovery=30.0) as scene:
        link = FakeLink()
        session = scene.session(link)
        scene.do(session.receive, b"40")
        socket = scene.echo.sockets[0]
        scene.do(session.lost, link)
        again = scene.session(FakeLink())

        def full(packet: bytes) -> None:
            again.close("transport error")

        again.send = full
        scene.do(again.receive, b'40{"pid":"%b"}' % socket.pid.encode())
        assert "back" not in scene.echo.story
        scene.wait(31)
        assert socket.over
        assert scene.echo.story[-1] == "gone: transport close"


def test_one_namespace_that_stumbles_does_not_stop_the_clock() -> None:
    class Stumbling(Echo):
        def gone(self, socket: object, reason: str) -> None:
            raise ZeroDivisionError("a fault of the application")

    with Scene(recovery=1.0) as scene:
        errors: list[object] = []
        scene.loop.set_exception_handler(lambda _, context: errors.append(context["exception"]))
        scene.endpoint.of("/bad", Stumbling())
        for path in (b"40/bad,", b"40/bad,", b"40"):
            link = FakeLink()
            session = scene.session(link)
            scene.do(session.receive, path)
            if path != b"40":
                scene.do(session.lost, link)
        scene.wait(46)
        assert len(errors) == 2
        assert session.closed, "nobody was pinged any more"


def test_told_and_emitted_events_have_offsets_in_order() -> None:
    words = b'["same"]'
    with Scene(recovery=30.0) as scene:
        session = scene.session(FakeLink())
        scene.do(session.receive, b"40")
        socket = scene.echo.sockets[0]
        scene.do(socket.tell, words)
        scene.do(socket.emit, "other")
        scene.do(socket.tell, words)
        first = socket._kept[0].offset
        assert len(socket.missed(spelled(first)) or ()) == 2


def test_last_words_come_in_polls_that_every_client_takes() -> None:
    with Scene(recovery=0.0) as scene:
        session = scene.session()
        answers: list[bytes | None] = []
        scene.do(session.poll, answers.append)
        scene.do(session.posted, b"40")
        socket = scene.echo.sockets[0]
        scene.do(session.poll, answers.append)

        def chatter() -> None:
            for number in range(30):
                socket.emit("tick", number)
            socket.disconnect(close=True)

        scene.do(session.poll, answers.append)
        scene.do(chatter)
        while session.lingers:
            scene.do(session.poll, answers.append)
        packets = [packet for answer in answers if answer for packet in answer.split(b"\x1e")]
        assert all(len(answer.split(b"\x1e")) <= MAX_PACKETS for answer in answers if answer)
        assert packets[-3:] == [b'42["tick",29]', b"41", b"1"]
        assert session.sid not in scene.endpoint.sessions


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (r'["chat","half \ud83d"]', ["chat", "half \ufffd"]),
        (r'["chat","\udc3a half"]', ["chat", "\ufffd half"]),
        (r'["chat","\ud83d\ude3a whole"]', ["chat", "😺 whole"]),
        (r'["move",{"row":1e999}]', ["move", {"row": None}]),
        (f'["move",{10**30}]', ["move", 10**30]),
        (r'["a",{"\ud800":[true,null,-1.5,"x"]}]', ["a", {"\ufffd": [True, None, -1.5, "x"]}]),
    ],
)
def test_what_javascript_writes_is_read(sent: str, read: list[object]) -> None:
    assert json.loads(mended(sent.encode())) == read
    with Scene(recovery=0.0) as scene:
        link = FakeLink()
        session = scene.session(link)
        scene.do(session.receive, b"40")
        scene.do(session.receive, b"42" + sent.encode())
        scene.do(session.receive, b"427" + sent.encode())
        assert not session.closed
        back, acknowledged = link.sent[-2:]
        assert isinstance(back, bytes)
        assert isinstance(acknowledged, bytes)
        assert json.loads(back[2:])[1:] == json.loads(acknowledged[3:]) == read[1:]


@pytest.mark.parametrize(
    "raw", [b"", b"[", b"[NaN]", b"[Infinity]", b'["\xff"]', b"[1]x", b"[" * 100 + b"]" * 100]
)
def test_what_nobody_writes_is_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        mended(raw)
