"""A WebSocket that sends many frames at once is paused, and one that sends a flood is not read again."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from qipai.socketio.uvicorn_picows import READ_FLOOD, READ_TOGETHER, ReadLimit


class Socket:
    """A transport of which the limit needs whether it is connected, and its reading."""

    def __init__(self) -> None:
        self.underlying_transport = self
        self.is_disconnected = False
        self.reading = True
        self.resumed = asyncio.Event()

    def pause_reading(self) -> None:
        assert not self.is_disconnected
        self.reading = False
        self.resumed.clear()

    def resume_reading(self) -> None:
        self.reading = True
        self.resumed.set()


def run(scenario: Callable[[Any, ReadLimit], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        socket: Any = Socket()
        limit = ReadLimit(socket)
        await scenario(socket, limit)

    asyncio.run(main())


def paused(socket: Socket, limit: ReadLimit) -> None:
    """Count frames until reading pauses."""
    while socket.reading:
        assert not limit.count()


def test_a_few_frames_at_once_do_not_pause_the_socket() -> None:
    async def scenario(socket: Any, limit: ReadLimit) -> None:
        assert not any(limit.count() for _ in range(READ_TOGETHER))
        assert socket.reading

    run(scenario)


def test_many_frames_at_once_pause_the_socket_for_a_while() -> None:
    async def scenario(socket: Any, limit: ReadLimit) -> None:
        paused(socket, limit)
        assert not any(limit.count() for _ in range(READ_FLOOD - READ_TOGETHER - 1))
        assert not socket.reading
        await asyncio.wait_for(socket.resumed.wait(), 60)
        assert not limit.count(), "what was read before is forgiven"

    run(scenario)


def test_a_flood_is_refused_and_never_read_again() -> None:
    async def scenario(socket: Any, limit: ReadLimit) -> None:
        # Time passes while they are counted, which forgives some.
        refused = [limit.count() for _ in range(20 * READ_FLOOD)]
        assert refused.index(True) >= READ_FLOOD
        assert all(refused[refused.index(True) :])
        limit.resume()
        await asyncio.sleep(READ_FLOOD / 1_000 + 0.1)
        assert (socket.reading, limit.count()) == (False, True)

    run(scenario)


def test_a_socket_that_the_hall_has_paused_is_read_when_both_allow_it() -> None:
    async def scenario(socket: Any, limit: ReadLimit) -> None:
        paused(socket, limit)
        limit.pause()
        await asyncio.sleep(0.1)
        assert not socket.reading
        limit.resume()
        assert socket.reading
        paused(socket, limit)
        limit.pause()
        limit.resume()
        assert not socket.reading
        await asyncio.wait_for(socket.resumed.wait(), 60)

    run(scenario)


def test_a_socket_that_is_disconnected_meanwhile_is_left_alone() -> None:
    async def scenario(socket: Any, limit: ReadLimit) -> None:
        paused(socket, limit)
        socket.is_disconnected = True
        limit.pause()
        limit.resume()
        await asyncio.sleep(0.1)
        assert not socket.reading

    run(scenario)
