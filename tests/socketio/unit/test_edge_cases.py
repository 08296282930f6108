"""Sessions that close in the middle of an operation, and JSON that needs repair."""

import json

import pytest

from qipai.socketio.engineio_packets import Malformed
from qipai.socketio.engineio_session import MAX_PACKETS_PER_PAYLOAD
from qipai.socketio.namespaces import MAX_CONNECT_PACKETS
from qipai.socketio.socketio_packets import format_offset, repair_json

from .endpoint_stage import Echo, EndpointStage, FakeWebSocket


def test_too_many_connect_packets_close_the_session_and_leave_nothing_behind() -> None:
    with EndpointStage(recovery=30.0) as stage:
        session = stage.session()
        stage.call(session.start_post)
        assert not stage.call(session.finish_post, b"\x1e".join([b"40", b"41"] * 500))
        assert session.closed
        assert stage.echo.log.count("connected") == MAX_CONNECT_PACKETS
        stage.wait(60)
        assert stage.endpoint._recoverable_sockets == {}
        assert sum(line.startswith("disconnected") for line in stage.echo.log) == MAX_CONNECT_PACKETS


def test_a_session_that_closes_while_connecting_is_not_reported() -> None:
    with EndpointStage(recovery=30.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)

        def full(packet: bytes) -> None:
            session.close("transport error")

        session.send = full
        stage.call(session.receive, b"40")
        assert session.closed
        assert stage.echo.log == []
        assert stage.endpoint._recoverable_sockets == {}


def test_a_recovery_that_fails_while_sending_ends_after_the_recovery_time() -> None:
    with EndpointStage(recovery=30.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40")
        socket = stage.echo.sockets[0]
        stage.call(session.websocket_closed, websocket)
        again = stage.session(FakeWebSocket())

        def full(packet: bytes) -> None:
            again.close("transport error")

        again.send = full
        stage.call(again.receive, b'40{"pid":"%b"}' % socket.pid.encode())
        assert "recovered" not in stage.echo.log
        stage.wait(31)
        assert socket.removed
        assert stage.echo.log[-1] == "disconnected: transport close"


def test_a_fault_in_one_namespace_does_not_stop_the_timers() -> None:
    class FailingEcho(Echo):
        def on_disconnect(self, socket: object, reason: str) -> None:
            raise ZeroDivisionError("a fault of the application")

    with EndpointStage(recovery=1.0) as stage:
        errors: list[object] = []
        stage.loop.set_exception_handler(lambda _, context: errors.append(context["exception"]))
        stage.endpoint.of("/bad", FailingEcho())
        for path in (b"40/bad,", b"40/bad,", b"40"):
            websocket = FakeWebSocket()
            session = stage.session(websocket)
            stage.call(session.receive, path)
            if path != b"40":
                stage.call(session.websocket_closed, websocket)
        stage.wait(46)
        assert len(errors) == 2
        assert session.closed, "nobody was pinged any more"


def test_events_from_payloads_and_arguments_have_offsets_in_order() -> None:
    words = b'["same"]'
    with EndpointStage(recovery=30.0) as stage:
        session = stage.session(FakeWebSocket())
        stage.call(session.receive, b"40")
        socket = stage.echo.sockets[0]
        stage.call(socket.emit_payload, words)
        stage.call(socket.emit, "other")
        stage.call(socket.emit_payload, words)
        first = socket.missed._events[0].offset
        assert len(socket.missed.after(format_offset(first)) or ()) == 2


def test_last_packets_are_split_into_payloads_that_every_client_accepts() -> None:
    with EndpointStage(recovery=0.0) as stage:
        session = stage.session()
        answers: list[bytes | None] = []
        stage.call(session.poll, answers.append)
        stage.call(session.finish_post, b"40")
        socket = stage.echo.sockets[0]
        stage.call(session.poll, answers.append)

        def chatter() -> None:
            for number in range(30):
                socket.emit("tick", number)
            socket.disconnect(close=True)

        stage.call(session.poll, answers.append)
        stage.call(chatter)
        while session.has_last_packets:
            stage.call(session.poll, answers.append)
        packets = [packet for answer in answers if answer for packet in answer.split(b"\x1e")]
        assert all(len(answer.split(b"\x1e")) <= MAX_PACKETS_PER_PAYLOAD for answer in answers if answer)
        assert packets[-3:] == [b'42["tick",29]', b"41", b"1"]
        assert session.sid not in stage.endpoint.sessions


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
def test_json_of_javascript_is_repaired(sent: str, read: list[object]) -> None:
    assert json.loads(repair_json(sent.encode())) == read
    with EndpointStage(recovery=0.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40")
        stage.call(session.receive, b"42" + sent.encode())
        stage.call(session.receive, b"427" + sent.encode())
        assert not session.closed
        back, acknowledged = websocket.sent[-2:]
        assert isinstance(back, bytes)
        assert isinstance(acknowledged, bytes)
        assert json.loads(back[2:])[1:] == json.loads(acknowledged[3:]) == read[1:]


@pytest.mark.parametrize(
    "raw", [b"", b"[", b"[NaN]", b"[Infinity]", b'["\xff"]', b"[1]x", b"[" * 100 + b"]" * 100]
)
def test_json_that_cannot_be_repaired_is_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        repair_json(raw)
