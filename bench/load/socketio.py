"""One socket of Socket.IO's default namespace: Engine.IO 4 on a plain WebSocket, nothing else of it."""

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


class Socket(WSListener):
    """Connects, answers the server's pings and hands every event on, still encoded."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.sid = ""
        self.open = False
        self.closing = False
        self._answer: asyncio.Future[str] | None = None

    async def connect(self, cookie: str = "") -> None:
        """Open the socket, as whoever the cookie names, and enter the default namespace."""
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
        """Leave for good, so that the server keeps nothing for a return, and drop the connection."""
        self.closing = True
        if self.open:
            self.emit(b"41")
            self._transport.disconnect(graceful=False)

    def hear(self, packet: bytes) -> None:
        """Take an event, with the packet's type before it."""

    def refused(self, packet: bytes) -> None:
        """Take a packet with which the server turned this socket away."""
        self._settle(Failure(f"the server answered {packet.decode()}"))

    def lost(self) -> None:
        """Learn that the server closed the connection."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Keep the transport."""
        self._transport = transport
        self.open = True

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Tell the kinds of packets apart."""
        if frame.msg_type != TEXT:
            if frame.msg_type == WSMsgType.CLOSE:
                transport.disconnect()
            return
        packet = frame.get_payload_as_bytes()
        if packet.startswith(b"42"):
            self.hear(packet)
        elif packet == b"2":
            self.emit(b"3")
        elif packet.startswith(b"0"):
            self.emit(b"40")
        elif packet.startswith(b"40"):
            self._settle(_connected(memoryview(packet)[2:]).sid)
        elif packet.startswith((b"41", b"44")):
            self.refused(packet)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Tell whoever waits that no answer will come."""
        self.open = False
        self._settle(Failure("the server closed the connection"))
        if not self.closing:
            self.lost()

    def _settle(self, answer: str | Failure) -> None:
        if self._answer is None or self._answer.done():
            return
        if isinstance(answer, Failure):
            self._answer.set_exception(answer)
        else:
            self._answer.set_result(answer)
