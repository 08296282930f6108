"""An endpoint without sockets in virtual time, and a client that polls and opens WebSockets."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

from qipai.socketio.endpoint import SocketIO
from qipai.socketio.engineio_packets import BinaryMessage
from qipai.socketio.engineio_session import Session
from qipai.socketio.session_interfaces import Handshake
from qipai.socketio.socket import ConnectError, Socket
from qipai.socketio.socketio_packets import Event
from tests.support.hall_simulation import VirtualLoop


class FakeWebSocket:
    """Records what was sent over a WebSocket, and how it was closed."""

    def __init__(self) -> None:
        self.sent: list[bytes | BinaryMessage] = []
        self.end_reason = ""

    def send(self, packet: bytes) -> None:
        self.sent.append(packet)

    def send_binary(self, data: bytes) -> None:
        self.sent.append(BinaryMessage(data))

    def close(self) -> None:
        self.end_reason = "closed"

    def abort(self) -> None:
        self.end_reason = "aborted"


class Echo:
    """Emits every event back and logs what happened."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.log: list[str] = []

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        if auth.get("token") == "wrong":
            raise ConnectError("not you", {"code": 7})

    def on_connect(self, socket: Socket, auth: dict[str, Any]) -> None:
        self.sockets.append(socket)
        self.log.append("connected")

    def on_event(self, socket: Socket, event: Event, raw: bytes, ack_id: int | None) -> None:
        if ack_id is not None:
            socket.acknowledge(ack_id, *event[1:])
        elif event[0] in {"bye", "go"}:
            socket.disconnect(close=event[0] == "go")
        else:
            socket.emit(f"{event[0]}-back", *event[1:])

    def on_connection_lost(self, socket: Socket) -> None:
        self.log.append("connection lost")

    def on_recover(self, socket: Socket) -> None:
        self.log.append("recovered")

    def on_disconnect(self, socket: Socket, reason: str) -> None:
        self.log.append(f"disconnected: {reason}")


class EndpointStage:
    """An endpoint with an echo in `/` and in `/custom`; use as a context manager."""

    def __init__(self, **settings: Any) -> None:
        self.loop = VirtualLoop()
        self.endpoint = SocketIO(**settings)
        self.echo, self.custom = Echo(), Echo()
        self.endpoint.of("/", self.echo)
        self.endpoint.of("/custom", self.custom)

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function on the loop, and let everything run that needs no time."""

        async def run() -> Any:
            result = function(*args)
            for _ in range(3):
                await asyncio.sleep(0)
            return result

        return self.loop.run_until_complete(run())

    def wait(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def session(self, websocket: FakeWebSocket | None = None) -> Session:
        session: Session = self.call(self.endpoint.open_session, Handshake({}), websocket)
        return session

    def __enter__(self) -> "EndpointStage":
        return self

    def __exit__(self, *_: object) -> None:
        self.call(self.endpoint.close)
        self.loop.close()


class Peer:
    """Plays the lines of a transcript.

    `poll` asks, `poll< …` is the answer; `post> …` posts packets joined by a space; `ws` opens a
    WebSocket, `ws> …` and `ws< …` are its frames; `wait 25` lets seconds pass; `400` says that the
    last request was refused; `shut` says that the WebSocket was closed. `…` stands for anything.
    """

    def __init__(self, simulation: EndpointStage) -> None:
        self.simulation = simulation
        self.websocket = FakeWebSocket()
        self.replies: list[bytes | None] = []
        self.session: Session | None = None
        self.upgraded = False

    def play(self, transcript: str) -> None:
        for number, line in enumerate(transcript.strip().splitlines(), 1):
            step = line.split("#")[0].strip()
            try:
                self._step(step)
            except AssertionError as error:
                raise AssertionError(f"line {number}, {step!r}: {error}") from error
        assert not self.replies, f"unread: {self.replies}"
        assert not self.websocket.sent, f"unread: {self.websocket.sent}"

    def _step(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        match verb:
            case "":
                pass
            case "poll":
                self._poll()
            case "poll<":
                payload = self.replies.pop(0)
                assert payload is not None, "refused"
                self._assert_matches(payload.replace(b"\x1e", b" "), rest)
            case "400":
                assert self.replies.pop(0) is None
            case "post>":
                self._post(rest.encode().replace(b" ", b"\x1e"))
            case "ws":
                self._websocket()
            case "ws>":
                self._frame(rest.encode())
            case "ws<":
                assert self.websocket.sent, "nothing was sent"
                sent = self.websocket.sent.pop(0)
                self._assert_matches(b"blob " + sent.body if isinstance(sent, BinaryMessage) else sent, rest)
            case "lost":
                assert self.session is not None
                self.simulation.call(self.session.websocket_closed, self.websocket)
            case "shut":
                assert self.websocket.end_reason == "closed", self.websocket.end_reason
            case "wait":
                self.simulation.wait(float(rest))
            case _:
                raise AssertionError("not a line of a transcript")

    def _assert_matches(self, got: bytes, pattern: str) -> None:
        wanted = ".*".join(map(re.escape, pattern.split("…")))
        assert re.fullmatch(wanted, got.decode(), re.DOTALL), f"got {got.decode()}"

    def _poll(self) -> None:
        if self.session is None:
            self.session = self.simulation.session()
        if self.session.sid not in self.simulation.endpoint.sessions:
            self.replies.append(None)
        else:
            self.simulation.call(self.session.poll, self.replies.append)

    def _post(self, payload: bytes) -> None:
        session = self.session
        assert session is not None
        open_ = session.sid in self.simulation.endpoint.sessions
        if not (
            open_
            and self.simulation.call(session.start_post)
            and self.simulation.call(session.finish_post, payload)
        ):
            self.replies.append(None)

    def _websocket(self) -> None:
        self.websocket = FakeWebSocket()
        if self.session is None:
            self.session = self.simulation.session(self.websocket)
            self.upgraded = True
        elif not self.simulation.call(self.session.start_probe, self.websocket):
            self.replies.append(None)

    def _frame(self, frame: bytes) -> None:
        assert self.session is not None
        if frame.startswith(b"blob "):
            self.simulation.call(self.session.receive_binary, frame[5:])
        elif self.upgraded:
            self.simulation.call(self.session.receive, frame)
        else:
            self.upgraded = self.simulation.call(self.session.receive_probe, self.websocket, frame)
