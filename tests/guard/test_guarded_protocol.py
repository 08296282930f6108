"""The guard in a real uvicorn: whose headers it believes, and what it passes on."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any

import pytest

from qipai.guard import guarded_protocol
from qipai.guard.connection_limits import Reason
from qipai.guard.guard_settings import GuardSettings
from qipai.guard.request_body import BODY_BYTES, BODY_PARTS
from tests.attacks.raw_http import upgrade_request
from tests.guard.served_guard import GET, LONG, PROXY, STRANGER, Harness, run, statuses


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


def chunks(parts: list[bytes]) -> bytes:
    """Return a request whose body is sent in these chunks."""
    body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    return b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"


def test_the_parts_of_a_body_arrive_in_order_with_the_request_that_follows() -> None:
    parts = [b"%d," % number for number in range(BODY_PARTS // 2)]

    async def scenario(harness: Harness) -> None:
        assert await harness.send(STRANGER, chunks(parts)) == (200, b"".join(parts)[:1_000])
        assert await statuses(harness, STRANGER, chunks(parts), chunks(parts), GET % b"") == [200] * 3

    run(scenario)


def test_a_body_that_is_too_long_is_refused_before_the_request_is_served() -> None:
    async def scenario(harness: Harness) -> None:
        head = b"POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
        assert await statuses(harness, STRANGER, head % (BODY_BYTES + 1), GET % b"") == [413, 0]
        assert await statuses(harness, STRANGER, head.replace(b"wait", b"echo") % 5 + b"hello") == [200]
        assert harness.limits.refused[Reason.BODY_BYTES] == 1

    run(scenario)


@pytest.mark.parametrize("part", [b"a", b"a" * 60_000])
@pytest.mark.parametrize("path", [b"/echo", b"/"], ids=["waits for the body", "has answered"])
def test_a_body_without_an_end_closes_the_connection(part: bytes, path: bytes) -> None:
    async def scenario(harness: Harness) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", harness.port, local_addr=(STRANGER, 0))
        request = chunks([part] * (BODY_PARTS + 1) if len(part) == 1 else [part] * 5)
        writer.write(request.replace(b"/echo", path))
        await wait_until(lambda: harness.limits.refused[Reason.BODY_BYTES] == 1)
        with contextlib.suppress(ConnectionError):
            assert (await asyncio.wait_for(reader.read(), 30)).count(b"HTTP/1.1") <= 1
        writer.close()
        await wait_until(lambda: harness.limits.open == 0)

    run(scenario)


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
