"""Official JavaScript clients and python-socketio, over every transport, with disconnects."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.socketio.client_programs import OFFICIAL, PING_INTERVAL, PING_TIMEOUT, ClientProcess, only_ours
from tests.support.proxies.cuttable_proxy import CuttableProxy

pytestmark = pytest.mark.slow

CLIENTS = ["socket.io-client", "socket.io-client-4.7.5", "python"]
WAYS = ["polling", "websocket", "upgrade"]


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def network(recovery_port: int) -> Iterator[CuttableProxy]:
    """The way to the server that holds sessions."""
    with CuttableProxy(recovery_port) as made:
        yield made


@contextlib.contextmanager
def every_way(client: str, port: int, **options: Any) -> Iterator[dict[str, ClientProcess]]:
    """Yield one client for each transport."""
    with contextlib.ExitStack() as stack:
        url = f"http://127.0.0.1:{port}"
        yield {way: stack.enter_context(ClientProcess(client, url, way, **options)) for way in WAYS}


def settle(client_process: ClientProcess, client: str, way: str) -> str:
    """Wait until it is connected and upgraded, and return its sid."""
    connected = client_process.observe("connect")
    assert not connected["recovered"]
    assert client_process.event("auth") == [{}]
    upgraded(client_process, client, way)
    client_process.command("call", "message-with-ack")
    client_process.observe("ack")
    return str(connected["id"])


def upgraded(client_process: ClientProcess, client: str, way: str) -> None:
    """Wait for the upgrade, where there is one and the client tells of it."""
    if way == "upgrade" and client != "python":
        assert client_process.observe("upgrade") == "websocket"


def returned(client_process: ClientProcess) -> str:
    """Wait until it has recovered and works, and return its sid."""
    connected = client_process.observe("connect")
    assert connected["recovered"]
    client_process.command("emit", "message", "here")
    assert client_process.event("message-back") == ["here"]
    return str(connected["id"])


def test_official_clients_use_every_packet_type(echo_port: int, client: str, way: str) -> None:
    with ClientProcess(client, f"http://127.0.0.1:{echo_port}", way) as client_process:
        assert client_process.observe("connect")["id"]
        assert client_process.event("auth") == [{}]
        for said in (
            ["text", 7, {"deep": [True, None, "漢字 😺"]}],
            [],
            [{"bytes": "0102ff"}],
            [{"deep": [{"bytes": ""}, {"bytes": "aa" * 5000}]}, "after"],
        ):
            client_process.command("emit", "message", *said)
            assert client_process.event("message-back") == said
            client_process.command("call", "message-with-ack", *said)
            assert client_process.observe("ack") == said
        client_process.command("emit", "ask", "why?", {"bytes": "00"})
        assert client_process.event("question") == ["why?", {"bytes": "00"}]
        assert client_process.event("answered") == ["the answer", "why?", {"bytes": "00"}]
        client_process.command("emit", "burst", 500)
        assert [client_process.event("tick") for _ in range(500)] == [[number] for number in range(500)]
        client_process.command("emit", "bye")
        assert "server" in client_process.observe("disconnect")


def test_an_official_client_uses_another_namespace(echo_port: int, client: str) -> None:
    with every_way(client, echo_port) as puppets:
        for client_process in puppets.values():
            assert client_process.event("auth") == [{}]
            client_process.command("open", "/custom", {"token": "abc"})
            assert client_process.event("auth") == [{"token": "abc"}]
            client_process.command("open", "/nowhere", {})
            assert client_process.observe("error") in ("Invalid namespace", {"message": "Invalid namespace"})


def test_a_client_stays_through_many_heartbeats(fast_ping_port: int, client: str) -> None:
    with every_way(client, fast_ping_port) as puppets:
        for way, client_process in puppets.items():
            settle(client_process, client, way)
        time.sleep(PING_INTERVAL + PING_TIMEOUT + 0.7)
        for client_process in puppets.values():
            client_process.command("call", "message-with-ack", 1)
            assert client_process.observe("ack", "disconnect") == [1]


def test_a_disconnect_during_a_stream_loses_and_repeats_nothing(
    network: CuttableProxy, client: str, way: str
) -> None:
    if OFFICIAL and (client, way) == ("python", "polling"):
        pytest.skip("the official server differs: it neither notices the break nor accepts a notice of it")
    with ClientProcess(client, f"http://127.0.0.1:{network.port}", way, recovery=True) as client_process:
        first = client_process.observe("connect")
        assert not first["recovered"]
        assert client_process.event("auth") == [{}]
        upgraded(client_process, client, way)
        for passed in (3000, 800):
            client_process.command("call", "message-with-ack", "all is quiet")
            client_process.observe("ack")
            network.cut_after(passed)
            client_process.command("emit", "burst", 300)
            assert stream(client_process, 300, first["id"]) == list(range(300))
            upgraded(client_process, client, way)


def stream(client_process: ClientProcess, count: int, sid: str) -> list[int]:
    """Return this many ticks, with exactly one disconnect that is recovered."""
    ticks: list[int] = []
    back = 0
    while len(ticks) < count or not back:
        match client_process.observe("event", "connect"):
            case ["tick", number]:
                ticks.append(number)
            case {"id": id_, "recovered": recovered}:
                back += 1
                assert (id_, recovered) == (sid, True)
            case other:
                raise AssertionError(other)
    assert back == 1
    return ticks


@pytest.mark.parametrize("reset", [True, False], ids=["RST", "FIN"])
def test_a_client_recovers_after_a_network_outage(network: CuttableProxy, client: str, reset: bool) -> None:
    with every_way(client, network.port, recovery=True) as puppets:
        sids = {way: settle(client_process, client, way) for way, client_process in puppets.items()}
        network.settle(len(WAYS))
        network.refuse()
        assert network.cut(reset=reset) >= len(WAYS)
        for client_process in puppets.values():
            client_process.observe("disconnect")
        time.sleep(0.3)
        network.allow()
        assert {way: returned(client_process) for way, client_process in puppets.items()} == sids


@only_ours("it does not take over a connection that it thinks is alive")
def test_a_client_recovers_before_the_server_notices_the_disconnect(
    network: CuttableProxy, client: str
) -> None:
    with every_way(client, network.port, recovery=True) as puppets:
        sids = {way: settle(client_process, client, way) for way, client_process in puppets.items()}
        network.settle(len(WAYS))
        assert network.cut(server_knows=False) >= len(WAYS)
        assert {way: returned(client_process) for way, client_process in puppets.items()} == sids


def test_a_frozen_network_is_noticed_and_recovered(network: CuttableProxy) -> None:
    client = "socket.io-client"
    with every_way(client, network.port, recovery=True) as puppets:
        sids = {way: settle(client_process, client, way) for way, client_process in puppets.items()}
        network.settle(len(WAYS))
        network.freeze()
        for client_process in puppets.values():
            client_process.observe("disconnect")
        network.unfreeze()
        assert {way: returned(client_process) for way, client_process in puppets.items()} == sids


def test_a_short_freeze_is_not_even_noticed(network: CuttableProxy) -> None:
    with ClientProcess(
        "socket.io-client", f"http://127.0.0.1:{network.port}", "upgrade", recovery=True
    ) as client_process:
        assert client_process.event("auth") == [{}]
        upgraded(client_process, "socket.io-client", "upgrade")
        network.freeze()
        client_process.command("emit", "message", "held")
        time.sleep(0.5)
        assert client_process.observed.empty()
        network.unfreeze()
        assert client_process.event("message-back") == ["held"]
