"""One connection of the native protocol, with requests that wait for their answer."""

import asyncio
from typing import Final, TypeVar

from msgspec import Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from bench.failure import Failure
from bench.servers import HOST

from .notices import Notice, Refused, Welcome, read

ANSWER_LIMIT: Final = 20.0
_READ_BUFFER: Final = 2048
TEXT: Final = WSMsgType.TEXT

N = TypeVar("N", bound=Notice)


class NativeClient(WSListener):
    """A client of the native protocol."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.token = ""
        self.open = False
        self.closing = False
        self._kinds: tuple[type[Struct], ...] = ()
        self._answer: asyncio.Future[Notice] | None = None

    async def connect(self) -> None:
        """Connect and send hello; with the token of an earlier welcome, as the same person."""
        self.closing = False
        await ws_connect(
            lambda: self, f"ws://{HOST}:{self.port}/play", read_buffer_init_size=_READ_BUFFER, max_redirects=0
        )
        hello = b'{"type":"hello","v":2}'
        if self.token:
            hello = b'{"type":"hello","v":2,"token":"%b"}' % self.token.encode()
        self.token = (await self.ask(hello, Welcome)).token

    def send(self, frame: bytes) -> None:
        """Send one frame."""
        self.transport.send(TEXT, frame)

    async def ask(self, frame: bytes, *kinds: type[N]) -> N:
        """Send a frame and return the first notice of one of these kinds."""
        waiting: asyncio.Future[Notice] = asyncio.get_running_loop().create_future()
        self._kinds, self._answer = (*kinds, Refused), waiting
        self.send(frame)
        async with asyncio.timeout(ANSWER_LIMIT):
            notice = await waiting
        if not isinstance(notice, kinds):
            raise Failure(f"{frame.decode()} was answered with {notice}")
        return notice

    def close(self) -> None:
        """Drop the connection."""
        self.closing = True
        if self.open:
            self.transport.disconnect(graceful=False)

    def receive(self, notice: Notice) -> None:
        """Handle a notice; called for every notice."""

    def on_lost(self) -> None:
        """Handle that the server closed the connection."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Store the transport."""
        self.transport = transport
        self.open = True

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Read one frame."""
        if frame.msg_type != TEXT:
            if frame.msg_type == WSMsgType.CLOSE:
                transport.disconnect()
            return
        notice = read(frame.get_payload_as_memoryview())
        self.receive(notice)
        if self._answer is not None and type(notice) in self._kinds:
            if not self._answer.done():
                self._answer.set_result(notice)
            self._answer = None

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Fail the request that waits for an answer."""
        self.open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Failure("the server closed the connection"))
        self._answer = None
        if not self.closing:
            self.on_lost()
