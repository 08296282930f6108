"""A guard in a real uvicorn, with an application that answers what it is told about its client."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import uvicorn
from picows import WSListener, WSUpgradeRequest

from qipai.guard.client_address import TrustedProxies, client_address, upgrade_address
from qipai.guard.connection_limits import ConnectionLimits
from qipai.guard.guard_settings import GuardSettings
from qipai.guard.guarded_protocol import Guard
from qipai.guard.worker_ports import WorkerPorts
from qipai.socketio.uvicorn_picows import protocol_class

PROXY, STRANGER = "127.0.0.1", "127.0.0.2"
WORKER_TOKEN = "known to workers only"
LONG = 16_000_000
"""Bytes of a response that no buffer of the kernel takes whole."""


class Harness:
    """A server that answers with the address and scheme of its client."""

    def __init__(self, settings: GuardSettings, *, worker: bool) -> None:
        self.limits = ConnectionLimits(settings)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        workers = WorkerPorts({self.port} if worker else set(), lambda: [WORKER_TOKEN.encode()])
        self.guard = guard = Guard(self.limits, TrustedProxies([PROXY]), workers)
        self.upgrades: list[str] = []
        self.released = asyncio.Event()
        config = uvicorn.Config(
            self.answer,
            http=guard.protocol,  # type: ignore[arg-type] # uvicorn only calls it
            ws=protocol_class({"/play": self.upgraded}, 1_000),
            interface="asgi3",
            proxy_headers=False,
            lifespan="off",
            log_config=None,
        )
        self.server = uvicorn.Server(config)

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        body = json.dumps([client_address(scope), scope["scheme"]]).encode()
        if scope["path"] == "/wait":
            await self.released.wait()
        if scope["path"] == "/long":
            body = bytes(LONG)
        if scope["path"] == "/echo":
            body, more = b"", True
            while more:
                part = await receive()
                body, more = body + part.get("body", b""), part.get("more_body", False)
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def upgraded(self, request: WSUpgradeRequest) -> WSListener:
        self.upgrades.append(upgrade_address(request.headers))
        assert len(request.headers.getall("x-forwarded-for")) == 1
        return WSListener()

    async def send(self, peer: str, request: bytes) -> tuple[int, bytes]:
        """Return status and body of the answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(peer, 0))
        writer.write(request)
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        status = int(head.split()[1])
        body = await asyncio.wait_for(reader.read(1_000), 30) if status == 200 else b""
        writer.close()
        await writer.wait_closed()
        return status, body

    async def get(self, peer: str, headers: str = "") -> Any:
        status, body = await self.send(peer, f"GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())
        return json.loads(body) if status == 200 else status


@contextlib.asynccontextmanager
async def serving(settings: GuardSettings, *, worker: bool) -> AsyncIterator[Harness]:
    harness = Harness(settings, worker=worker)
    with harness.listening:
        task = asyncio.create_task(harness.server.serve([harness.listening]))
        try:
            yield harness
        finally:
            harness.server.should_exit = True
            await task


def run(
    scenario: Callable[[Harness], Awaitable[None]],
    settings: GuardSettings | None = None,
    *,
    worker: bool = False,
) -> Harness:
    async def served() -> Harness:
        async with serving(settings or GuardSettings(), worker=worker) as harness:
            await scenario(harness)
        return harness

    return asyncio.run(served())


GET = b"GET / HTTP/1.1\r\nHost: x\r\n%b\r\n"


async def statuses(harness: Harness, peer: str, *requests: bytes) -> list[int]:
    """Send requests on one connection, each after the response to the last; return the statuses."""
    reader, writer = await asyncio.open_connection("127.0.0.1", harness.port, local_addr=(peer, 0))
    found = []
    for request in requests:
        writer.write(request)
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        except (asyncio.IncompleteReadError, ConnectionError):
            found.append(0)
            break
        found.append(int(head.split()[1]))
        length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length"))
        await reader.readexactly(int(length.split()[1]))
    writer.close()
    return found
