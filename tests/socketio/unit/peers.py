"""An endpoint without sockets in virtual time, and a peer that polls and opens WebSockets."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

from qipai.socketio.endpoint import SocketIO
from qipai.socketio.engineio_packets import BinaryMessage
from qipai.socketio.engineio_session import Request, Session
from qipai.socketio.socket import Refused, Socket
from qipai.socketio.socketio_packets import Event
from tests.support.stage import VirtualLoop


class FakeLink:
    """Remembers what was sent over a WebSocket, and how it ended."""

    def __init__(self) -> None:
        self.sent: list[bytes | BinaryMessage] = []
        self.ended = ""

    def send(self, packet: bytes) -> None:
        self.sent.append(packet)

    def send_blob(self, blob: bytes) -> None:
        self.sent.append(BinaryMessage(blob))

    def close(self) -> None:
        self.ended = "closed"

    def abort(self) -> None:
        self.ended = "aborted"


class Echo:
    """Says everything back and remembers what happened."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.story: list[str] = []

    def admit(self, socket: Socket, auth: dict[str, Any]) -> None:
        if auth.get("token") == "wrong":
            raise Refused("not you", {"code": 7})

    def connected(self, socket: Socket, auth: dict[str, Any]) -> None:
        self.sockets.append(socket)
        self.story.append("connected")

    def heard(self, socket: Socket, said: Event, raw: bytes, number: int | None) -> None:
        if number is not None:
            socket.acknowledge(number, *said[1:])
        elif said[0] in {"bye", "go"}:
            socket.disconnect(close=said[0] == "go")
        else:
            socket.emit(f"{said[0]}-back", *said[1:])

    def cut(self, socket: Socket) -> None:
        self.story.append("cut")

    def back(self, socket: Socket) -> None:
        self.story.append("back")

    def gone(self, socket: Socket, reason: str) -> None:
        self.story.append(f"gone: {reason}")


class Scene:
    """An endpoint with an echo in `/` and in `/custom`; use as a context manager."""

    def __init__(self, **terms: Any) -> None:
        self.loop = VirtualLoop()
        self.endpoint = SocketIO(**terms)
        self.echo, self.custom = Echo(), Echo()
        self.endpoint.of("/", self.echo)
        self.endpoint.of("/custom", self.custom)

    def do(self, what: Callable[..., Any], *args: Any) -> Any:
        """Call something on the loop, and let everything happen that needs no time."""

        async def run() -> Any:
            result = what(*args)
            for _ in range(3):
                await asyncio.sleep(0)
            return result

        return self.loop.run_until_complete(run())

    def wait(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def session(self, link: FakeLink | None = None) -> Session:
        session: Session = self.do(self.endpoint.open, Request({}), link)
        return session

    def __enter__(self) -> "Scene":
        return self

    def __exit__(self, *_: object) -> None:
        self.do(self.endpoint.close)
        self.loop.close()


class Peer:
    """Plays the lines of a transcript.

    `poll` asks, `poll< …` is the answer; `post> …` posts packets joined by a space; `ws` opens a
    WebSocket, `ws> …` and `ws< …` are its frames; `wait 25` lets seconds pass; `400` says that the
    last request was refused; `shut` says that the WebSocket was closed. `…` stands for anything.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.link = FakeLink()
        self.replies: list[bytes | None] = []
        self.session: Session | None = None
        self.carried = False

    def play(self, transcript: str) -> None:
        for number, line in enumerate(transcript.strip().splitlines(), 1):
            said = line.split("#")[0].strip()
            try:
                self._line(said)
            except AssertionError as error:
                raise AssertionError(f"line {number}, {said!r}: {error}") from error
        assert not self.replies, f"unread: {self.replies}"
        assert not self.link.sent, f"unread: {self.link.sent}"

    def _line(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        match verb:
            case "":
                pass
            case "poll":
                self._poll()
            case "poll<":
                payload = self.replies.pop(0)
                assert payload is not None, "refused"
                self._same(payload.replace(b"\x1e", b" "), rest)
            case "400":
                assert self.replies.pop(0) is None
            case "post>":
                self._post(rest.encode().replace(b" ", b"\x1e"))
            case "ws":
                self._websocket()
            case "ws>":
                self._frame(rest.encode())
            case "ws<":
                assert self.link.sent, "nothing was sent"
                sent = self.link.sent.pop(0)
                self._same(b"blob " + sent.body if isinstance(sent, BinaryMessage) else sent, rest)
            case "lost":
                assert self.session is not None
                self.scene.do(self.session.lost, self.link)
            case "shut":
                assert self.link.ended == "closed", self.link.ended
            case "wait":
                self.scene.wait(float(rest))
            case _:
                raise AssertionError("not a line of a transcript")

    def _same(self, got: bytes, pattern: str) -> None:
        wanted = ".*".join(map(re.escape, pattern.split("…")))
        assert re.fullmatch(wanted, got.decode(), re.DOTALL), f"got {got.decode()}"

    def _poll(self) -> None:
        if self.session is None:
            self.session = self.scene.session()
        if self.session.sid not in self.scene.endpoint.sessions:
            self.replies.append(None)
        else:
            self.scene.do(self.session.poll, self.replies.append)

    def _post(self, payload: bytes) -> None:
        session = self.session
        assert session is not None
        open_ = session.sid in self.scene.endpoint.sessions
        if not (open_ and self.scene.do(session.post) and self.scene.do(session.posted, payload)):
            self.replies.append(None)

    def _websocket(self) -> None:
        self.link = FakeLink()
        if self.session is None:
            self.session = self.scene.session(self.link)
            self.carried = True
        elif not self.scene.do(self.session.probe, self.link):
            self.replies.append(None)

    def _frame(self, frame: bytes) -> None:
        assert self.session is not None
        if frame.startswith(b"blob "):
            self.scene.do(self.session.receive_blob, frame[5:])
        elif self.carried:
            self.scene.do(self.session.receive, frame)
        else:
            self.carried = self.scene.do(self.session.probed, self.link, frame)
