"""Pipelined requests and endless bodies from one address do not delay the moves of others."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from tests.attacks.other_players import assert_others_do_not_notice
from tests.attacks.raw_http import ATTACKER, refusals
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

CONNECTIONS: Final = 190
PIPELINED: Final = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 50
MOST_CONNECTIONS: Final = 5_000
BODIES: Final = 20
LONG: Final = b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000000\r\n\r\n", b"a" * 60_000
CHUNKED: Final = (
    b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"1\r\na\r\n" * 10_000,
)

Connection = Callable[[int, threading.Event], Awaitable[None]]
"""Uses one connection until it is closed."""


def test_others_do_not_notice_pipelined_requests(server: ServerProcess) -> None:
    assert_others_do_not_notice(
        server, lambda stop: asyncio.run(flood(server.port, stop, pipeline, CONNECTIONS))
    )
    assert refusals(server.port, "address_requests") > 0


@pytest.mark.parametrize(("head", "more"), [LONG, CHUNKED], ids=["long", "chunks"])
def test_others_do_not_notice_bodies_without_an_end(server: ServerProcess, head: bytes, more: bytes) -> None:
    async def send_body(port: int, stop: threading.Event) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
        with contextlib.closing(writer):
            writer.write(head)
            while not stop.is_set():
                writer.write(more)
                await writer.drain()

    assert_others_do_not_notice(server, lambda stop: asyncio.run(flood(server.port, stop, send_body, BODIES)))
    assert refusals(server.port, "body_bytes") > 0


async def flood(port: int, stop: threading.Event, use: Connection, connections: int) -> None:
    """Use so many connections without a pause, and open those again that are closed."""
    opened = iter(range(MOST_CONNECTIONS))

    async def send() -> None:
        while not stop.is_set() and next(opened, None) is not None:
            with contextlib.suppress(OSError):
                await use(port, stop)
            await asyncio.sleep(0.1)

    await asyncio.gather(*(send() for _ in range(connections)))


async def pipeline(port: int, stop: threading.Event) -> None:
    """Send requests on one connection until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
    with contextlib.closing(writer):
        while not stop.is_set():
            writer.write(PIPELINED)
            await writer.drain()
            if not await asyncio.wait_for(reader.read(65_536), 10):
                return
