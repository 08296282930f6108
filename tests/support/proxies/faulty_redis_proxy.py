"""A proxy in front of Redis that drops, repeats and delays messages and cuts connections."""

import asyncio
import contextlib
import random
import threading
from collections.abc import Coroutine
from typing import Any

from tests.support.server import free_port


class FaultyRedisProxy:
    """A proxy on 127.0.0.1 in its own thread; a test sets its faults."""

    def __init__(self, target: int, seed: int = 1) -> None:
        self.port = free_port()
        self.dropped = self.repeated = self.cuts = 0
        self.drop = self.repeat = self.delay = self.late = 0.0
        """`drop`, `repeat`: probabilities for a published message. `delay`, `late`: seconds by which
        requests and replies are delayed."""
        self._down = False
        self._target = target
        self._random = random.Random(seed)
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Cut every connection and accept no new ones."""
        self._run(self._cut())

    def restore(self) -> None:
        """Accept connections again."""
        self._down = False

    def __enter__(self) -> "FaultyRedisProxy":
        self._thread.start()
        self._run(self._listen())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._cut())
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    async def _close(self) -> None:
        self._server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _cut(self) -> None:
        self._down = True
        self.cuts += 1
        for writer in list(self._writers):
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._down:
            writer.transport.abort()
            return
        inner, outer = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers |= {writer, outer}
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await asyncio.gather(self._forward_requests(reader, outer), self._forward_replies(inner, writer))
        for each in (writer, outer):
            self._writers.discard(each)
            each.transport.abort()

    async def _forward_requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(65536):
            await asyncio.sleep(self.delay)
            writer.write(chunk)
        writer.transport.abort()

    async def _forward_replies(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        due = 0.0
        while first := await reader.read(1):
            raw = first + await _rest(first, reader)
            if raw.startswith(b"*3\r\n$7\r\nmessage\r\n"):
                if self._random.random() < self.drop:
                    self.dropped += 1
                    continue
                if self._random.random() < self.repeat:
                    self.repeated += 1
                    writer.write(raw)
            elif self.late or due > self._loop.time():
                due = max(due, self._loop.time() + self.late)
                self._loop.call_at(due, writer.write, raw)
                continue
            writer.write(raw)
        writer.transport.abort()


async def _rest(first: bytes, reader: asyncio.StreamReader) -> bytes:
    """Return the rest of a reply after its first byte."""
    line = await reader.readuntil(b"\n")
    if first == b"$" and int(line) >= 0:
        return line + await reader.readexactly(int(line) + 2)
    if first == b"*":
        for _ in range(max(0, int(line))):
            mark = await reader.readexactly(1)
            line += mark + await _rest(mark, reader)
    return line
