"""Minimal Socket.IO client: one namespace over Engine.IO 4 on a WebSocket."""

import asyncio
from typing import Final

import msgspec
from msgspec import Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from bench.failure import Failure
from bench.servers import HOST

TEXT: Final = WSMsgType.TEXT
ANSWER_LIMIT: Final = 20.0
_READ_BUFFER: Final = 4096


class Connected(Struct):
    """The answer to CONNECT."""

    sid: str


_connected: Final = msgspec.json.Decoder(Connected).decode


class SocketIOClient(WSListener):
    """Connects, answers pings and passes every encoded event to `receive`."""

    def __init__(self, port: int, namespace: bytes = b"") -> None:
        super().__init__()
        self.port = port
        self.namespace = namespace and namespace + b","
        self.sid = ""
        self.open = False
        self.closing = False
        self._answer: asyncio.Future[str] | None = None

    async def connect(self, cookie: str = "") -> None:
        """Open the socket with a session cookie and connect to the namespace."""
        self._answer = asyncio.get_running_loop().create_future()
        await ws_connect(
            lambda: self,
            f"ws://{HOST}:{self.port}/socket.io/?EIO=4&transport=websocket",
            extra_headers={"Cookie": cookie} if cookie else None,
            read_buffer_init_size=_READ_BUFFER,
            max_redirects=0,
        )
        async with asyncio.timeout(ANSWER_LIMIT):
            self.sid = await self._answer

    def emit(self, packet: bytes) -> None:
        """Send one packet."""
        self._transport.send(TEXT, packet)

    def close(self) -> None:
        """Disconnect from the namespace, so that the server stores nothing for recovery, and close."""
        self.closing = True
        if self.open:
            self.emit(b"41" + self.namespace)
            self._transport.disconnect(graceful=False)

    def receive(self, packet: bytes) -> None:
        """Handle an event packet, including its type."""

    def on_refused(self, packet: bytes) -> None:
        """Handle a packet with which the server refused this socket."""
        self._settle(Failure(f"the server answered {packet.decode()}"))

    def on_lost(self) -> None:
        """Handle that the server closed the connection."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Store the transport."""
        self._transport = transport
        self.open = True

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Handle one packet by its type."""
        if frame.msg_type != TEXT:
            if frame.msg_type == WSMsgType.CLOSE:
                transport.disconnect()
            return
        packet = frame.get_payload_as_bytes()
        if packet.startswith(b"42"):
            self.receive(packet)
        elif packet == b"2":
            self.emit(b"3")
        elif packet.startswith(b"0"):
            self.emit(b"40" + self.namespace)
        elif packet.startswith(b"40"):
            self._settle(_connected(memoryview(packet)[2 + len(self.namespace) :]).sid)
        elif packet.startswith((b"41", b"44")):
            self.on_refused(packet)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Fail the connect request that waits for an answer."""
        self.open = False
        self._settle(Failure("the server closed the connection"))
        if not self.closing:
            self.on_lost()

    def _settle(self, answer: str | Failure) -> None:
        if self._answer is None or self._answer.done():
            return
        if isinstance(answer, Failure):
            self._answer.set_exception(answer)
        else:
            self._answer.set_result(answer)
