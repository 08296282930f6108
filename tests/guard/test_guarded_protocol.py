"""The guard in a real uvicorn: whose headers it believes, and what it passes on."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import uvicorn
from picows import WSListener, WSUpgradeRequest

from qipai.guard import guarded_protocol
from qipai.guard.client_address import TrustedProxies, client_address, upgrade_address
from qipai.guard.connection_limits import ConnectionLimits, Reason
from qipai.guard.guard_settings import GuardSettings
from qipai.guard.guarded_protocol import Guard
from qipai.socketio.uvicorn_picows import protocol_class
from tests.attacks.raw_http import upgrade_request

PROXY, STRANGER = "127.0.0.1", "127.0.0.2"
LONG = 16_000_000
"""Bytes of a response that no buffer of the kernel takes whole."""


class Harness:
    """A server that answers with the address and scheme of its client."""

    def __init__(self, settings: GuardSettings, *, worker: bool) -> None:
        self.limits = ConnectionLimits(settings)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        ports = {self.port} if worker else set[int]()
        self.guard = guard = Guard(self.limits, TrustedProxies([PROXY]), ports)
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


def test_address_and_scheme_are_taken_from_the_headers_of_a_proxy_only() -> None:
    async def scenario(harness: Harness) -> None:
        forwarded = "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n"
        assert await harness.get(PROXY) == [PROXY, "http"]
        assert await harness.get(PROXY, forwarded) == ["192.0.2.1", "https"]
        assert await harness.get(STRANGER, forwarded) == [STRANGER, "http"]
        two_lines = "X-Forwarded-For: 192.0.2.9\r\nX-Forwarded-For: 2001:db8::1\r\n"
        assert await harness.get(PROXY, two_lines) == ["2001:db8::/64", "http"]
        assert await harness.get(PROXY, "X-Forwarded-Proto: javascript\r\n") == [PROXY, "http"]

    run(scenario)


def test_an_upgrade_has_exactly_one_address_and_the_client_cannot_choose_it() -> None:
    async def scenario(harness: Harness) -> None:
        chosen = upgrade_request(X_Forwarded_For="192.0.2.1")
        for peer in (PROXY, STRANGER):
            assert (await harness.send(peer, chosen))[0] == 101
        assert (await harness.send(STRANGER, upgrade_request()))[0] == 101

    assert run(scenario).upgrades == ["192.0.2.1", STRANGER, STRANGER]


def test_every_connection_is_given_back() -> None:
    async def scenario(harness: Harness) -> None:
        for peer in (PROXY, STRANGER):
            for _ in range(5):
                assert await harness.get(peer, "X-Forwarded-For: 192.0.2.1\r\n")
                assert (await harness.send(peer, upgrade_request(X_Forwarded_For="192.0.2.1")))[0] == 101
                assert (await harness.send(peer, upgrade_request("/nowhere")))[0] == 404
                assert (await harness.send(peer, b"nonsense\r\n\r\n"))[0] == 400
        for _ in range(3_000):
            if harness.limits.open:
                await asyncio.sleep(0.01)
        assert harness.limits.open == 0
        assert not any(use.open for use in harness.limits._addresses.values())

    run(scenario, GuardSettings(per_address=2))


def test_other_workers_forward_for_many_clients_and_have_no_limit_per_address() -> None:
    async def scenario(harness: Harness) -> None:
        assert [await harness.get(STRANGER) for _ in range(20)] == [[STRANGER, "http"]] * 20

    harness = run(scenario, GuardSettings(handshakes_per_address=1), worker=True)
    assert sum(harness.limits.refused.values()) == 0

    async def refused(harness: Harness) -> None:
        assert [await harness.get(STRANGER) for _ in range(20)][-1] == 429

    harness = run(refused, GuardSettings(handshakes_per_address=1))
    assert harness.limits.refused[Reason.ADDRESS_HANDSHAKES] > 0


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


def test_requests_on_one_connection_have_a_rate_and_the_one_too_many_ends_it() -> None:
    async def scenario(harness: Harness) -> None:
        found = await statuses(harness, STRANGER, *[GET % b""] * 100)
        assert found.count(200) >= 5
        assert found[-2:] == [429, 0]
        assert found.count(429) == 1
        assert await harness.get("127.0.0.3") == ["127.0.0.3", "http"]
        assert harness.limits.refused[Reason.ADDRESS_REQUESTS] == 1

    run(scenario, GuardSettings(requests_per_address=1))


def test_pipelined_requests_have_the_same_rate() -> None:
    async def scenario(harness: Harness) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", harness.port, local_addr=(STRANGER, 0))
        writer.write((GET % b"") * 100 + upgrade_request())
        received = b""
        with contextlib.suppress(ConnectionError):
            while part := await asyncio.wait_for(reader.read(65_536), 30):
                received += part
        assert 5 <= received.count(b" 200 OK") <= 50
        assert received.count(b" 429 ") == 1
        writer.close()

    harness = run(scenario, GuardSettings(requests_per_address=1))
    assert harness.limits.refused[Reason.ADDRESS_REQUESTS] == 1
    assert not harness.upgrades
    assert not any(use.open for use in harness.limits._addresses.values())


def test_requests_of_a_proxy_count_for_its_clients_and_its_connection_stays() -> None:
    async def scenario(harness: Harness) -> None:
        one = GET % b"X-Forwarded-For: 192.0.2.1\r\n"
        other = GET % b"X-Forwarded-For: 192.0.2.2\r\n"
        found = await statuses(harness, PROXY, *[one] * 100, other, GET % b"")
        assert found.count(200) >= 7
        assert found.count(429) > 50
        assert found[-2:] == [200, 200]
        assert await statuses(harness, PROXY, *[GET % b""] * 100) == [200] * 100

    harness = run(scenario, GuardSettings(requests_per_address=1))
    assert not any(use.open for use in harness.limits._addresses.values())


def test_requests_of_other_workers_have_no_rate() -> None:
    async def scenario(harness: Harness) -> None:
        assert await statuses(harness, STRANGER, *[GET % b""] * 100) == [200] * 100

    run(scenario, GuardSettings(requests_per_address=1), worker=True)


async def wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(3_000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen in time")


def small_window(harness: Harness) -> socket.socket:
    """Return a connection of a client that receives little at once."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.bind((STRANGER, 0))
    connection.connect(("127.0.0.1", harness.port))
    connection.setblocking(False)
    return connection


@pytest.mark.parametrize("headers", ["", "Connection: close\r\n"])
def test_a_client_that_reads_no_response_is_dropped(monkeypatch: pytest.MonkeyPatch, headers: str) -> None:
    monkeypatch.setattr(guarded_protocol, "RESPONSE_SECONDS", 0.5)

    async def scenario(harness: Harness) -> None:
        with small_window(harness) as connection:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(connection, f"GET /long HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())
            await wait_until(lambda: harness.limits.open == 1)
            await wait_until(lambda: harness.limits.open == 0)
        assert harness.limits.refused[Reason.RESPONSE_TIME] == 1
        assert not any(use.open for use in harness.limits._addresses.values())

    run(scenario)


def test_a_client_that_reads_slowly_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_protocol, "RESPONSE_SECONDS", 2.0)

    async def scenario(harness: Harness) -> None:
        with small_window(harness) as connection:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(connection, b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
            received = slow = 0
            while received < LONG:
                part = await asyncio.wait_for(loop.sock_recv(connection, 1_000_000), 30)
                assert part, "the response was cut off"
                received += len(part)
                if received > slow * LONG // 10:
                    slow += 1
                    await asyncio.sleep(0.5)
        assert harness.limits.refused[Reason.RESPONSE_TIME] == 0

    run(scenario)


def test_a_response_after_the_end_of_its_connection_gives_no_place_back_twice() -> None:
    async def scenario(harness: Harness) -> None:
        with socket.create_connection(("127.0.0.1", harness.port)) as connection:
            connection.sendall(b"GET /wait HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n" * 2)
            await wait_until(lambda: sum(use.open for use in harness.limits._addresses.values()) == 2)
        # Reading stops while requests wait, so only the end of a connection with an error is noticed.
        next(iter(harness.server.server_state.connections)).transport.abort()
        await wait_until(lambda: harness.limits.open == 0)
        harness.released.set()
        await wait_until(lambda: not harness.server.server_state.tasks)
        assert [use.open for use in harness.limits._addresses.values()] == [0]

    run(scenario)


def test_a_peer_without_an_address_is_counted_for_none() -> None:
    async def scenario(harness: Harness) -> None:
        protocol = harness.guard.protocol(harness.server.config, harness.server.server_state, {})
        protocol.connection_made(NoPeer())
        protocol.connection_lost(None)
        assert harness.limits.open == 0
        assert not any(use.open for use in harness.limits._addresses.values())

    run(scenario)


class NoPeer(asyncio.Transport):
    """A transport whose socket was closed before it was asked for its peer."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass
