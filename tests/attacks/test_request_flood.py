"""Pipelined requests on many kept-alive connections of one address do not delay the moves of others."""

import asyncio
import contextlib
import threading
from typing import Final

import pytest

from tests.attacks.other_players import assert_others_do_not_notice
from tests.attacks.raw_http import ATTACKER, refusals
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

CONNECTIONS: Final = 190
PIPELINED: Final = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 50
MOST_CONNECTIONS: Final = 5_000


def test_others_do_not_notice_pipelined_requests(server: ServerProcess) -> None:
    assert_others_do_not_notice(server, lambda stop: asyncio.run(flood(server.port, stop)))
    assert refusals(server.port, "address_requests") > 0


async def flood(port: int, stop: threading.Event) -> None:
    """Send requests on all connections without a pause, and open those again that are closed."""
    opened = iter(range(MOST_CONNECTIONS))

    async def send() -> None:
        while not stop.is_set() and next(opened, None) is not None:
            with contextlib.suppress(OSError):
                await pipeline(port, stop)
            await asyncio.sleep(0.1)

    await asyncio.gather(*(send() for _ in range(CONNECTIONS)))


async def pipeline(port: int, stop: threading.Event) -> None:
    """Send requests on one connection until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
    try:
        while not stop.is_set():
            writer.write(PIPELINED)
            await writer.drain()
            if not await asyncio.wait_for(reader.read(65_536), 10):
                return
    finally:
        writer.close()
