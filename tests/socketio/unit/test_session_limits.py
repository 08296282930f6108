"""Limits of Engine.IO sessions: buffered bytes, concurrent requests, and nothing left behind."""

from collections.abc import Callable

import pytest

from qipai.socketio import engineio_session as sessions
from qipai.socketio.engineio_packets import BinaryMessage
from qipai.socketio.engineio_session import Session
from qipai.socketio.request_errors import TOO_MANY_SESSIONS, RequestError
from qipai.socketio.session_interfaces import Handshake
from qipai.socketio.socket import Socket

from .endpoint_stage import EndpointStage, FakeWebSocket


class TwoSessions:
    """Limits that allow two polling sessions of all addresses together."""

    def __init__(self) -> None:
        self.open: list[str] = []

    def enter(self, address: str) -> RequestError | None:
        if len(self.open) == 2:
            return TOO_MANY_SESSIONS
        self.open.append(address)
        return None

    def leave(self, address: str) -> None:
        self.open.remove(address)


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


@pytest.mark.parametrize(
    "end",
    [
        lambda session: session.close("transport close"),
        lambda session: session.finish_post(b"1"),
        lambda session: session.finish_post(b"nonsense"),
        lambda session: session.close(sessions.FORCED_CLOSE),
    ],
    ids=["closed", "closed by the client", "malformed", "closed by the server"],
)
def test_a_polling_session_has_a_place_until_it_ends(end: Callable[[Session], object]) -> None:
    limits = TwoSessions()
    with EndpointStage(limits=limits, ping_timeout=5.0) as stage:
        opened = [stage.call(stage.endpoint.open_polling_session, Handshake({}, address=a)) for a in "abc"]
        assert opened[2] is TOO_MANY_SESSIONS
        assert len(stage.endpoint.sessions) == 2
        stage.call(end, opened[0])
        stage.call(end, opened[0])
        stage.wait(5.1)  # A poll may still fetch the last packets of a session that the server closed.
        assert limits.open == ["b"]
        stage.wait(100)
        assert limits.open == [], "a client that does not answer pings loses its session"


def test_a_session_that_is_upgraded_gives_its_place_back_once() -> None:
    limits = TwoSessions()
    with EndpointStage(limits=limits) as stage:
        session = stage.call(stage.endpoint.open_polling_session, Handshake({}, address="a"))
        websocket = FakeWebSocket()
        assert stage.call(session.start_probe, websocket)
        stage.call(session.receive_probe, websocket, b"2probe")
        stage.call(session.cancel_probe)
        assert limits.open == ["a"], "an upgrade that failed leaves a polling session"
        assert stage.call(session.start_probe, websocket)
        stage.call(session.receive_probe, websocket, b"2probe")
        stage.call(session.receive_probe, websocket, b"5")
        assert limits.open == []
        stage.call(session.websocket_closed, websocket)
        assert limits.open == []
        assert stage.endpoint.sessions == {}


def test_a_websocket_without_polling_needs_no_place() -> None:
    limits = TwoSessions()
    with EndpointStage(limits=limits) as stage:
        for _ in range(5):
            stage.session(FakeWebSocket())
        assert limits.open == []
        assert len(stage.endpoint.sessions) == 5
