"""Limits of Engine.IO sessions: buffered bytes, concurrent requests, and nothing left behind."""

from qipai.socketio import engineio_session as sessions
from qipai.socketio.engineio_packets import BinaryMessage
from qipai.socketio.session_interfaces import Handshake
from qipai.socketio.socket import Socket

from .endpoint_stage import EndpointStage, FakeWebSocket


def _noise(socket: Socket, session: sessions.Session) -> None:
    for _ in range(100_000):
        if not session.closed:
            socket.emit_payload(b'["noise","%b"]' % (b"x" * 100))


def test_a_client_that_never_polls_is_closed_in_bounded_memory() -> None:
    with EndpointStage(recovery=120.0) as stage:
        session = stage.session()
        stage.call(session.finish_post, b"40")
        socket = stage.echo.sockets[0]
        stage.call(_noise, socket, session)
        assert session.closed
        assert sum(len(event.text) for event in socket.missed._events) <= sessions.MAX_BUFFERED


def test_a_client_that_never_reads_its_websocket_is_closed_in_bounded_memory() -> None:
    with EndpointStage(recovery=0.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40")
        session.pause()
        stage.call(_noise, stage.echo.sockets[0], session)
        assert session.closed
        assert websocket.end_reason in {"closed", "aborted"}
        sent = sum(
            len(frame.body) if isinstance(frame, BinaryMessage) else len(frame) for frame in websocket.sent
        )
        assert sent <= sessions.MAX_BUFFERED + 1000


def test_a_drained_write_buffer_resets_the_limit() -> None:
    with EndpointStage(recovery=0.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40")
        for _ in range(4):
            session.pause()
            for _ in range(1_000):
                stage.echo.sockets[0].emit_payload(b'["noise","%b"]' % (b"x" * 200))
            session.resume()
        assert not session.closed


def test_ten_thousand_closed_sessions_leave_nothing_behind() -> None:
    with EndpointStage(recovery=30.0) as stage:
        endpoint = stage.endpoint

        def crowd() -> None:
            for number in range(10_000):
                websocket = FakeWebSocket() if number % 2 else None
                session = endpoint.open_session(Handshake({}), websocket)
                if number % 3:
                    session.receive(b"40")
                if number % 5 == 0:
                    session.receive(b'42["hello",1]')
                if websocket is not None:
                    session.websocket_closed(websocket)
                elif number % 4 == 0:
                    session.close("transport close")

        stage.call(crowd)
        stage.wait(200)
        assert endpoint.sessions == {}
        assert endpoint._recoverable_sockets == {}
        assert not any(endpoint._queues)
        assert endpoint._timer is None
        assert stage.loop._scheduled == []  # type: ignore[attr-defined] # asyncio's own list of timers
        assert stage.echo.log.count("connected") == sum(
            line.startswith("disconnected") for line in stage.echo.log
        )
