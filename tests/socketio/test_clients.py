"""Real clients: the official JavaScript ones and python-socketio's, everywhere, and cut."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.socketio.programs import ANSWER, INTERVAL, OFFICIAL, Puppet, ours
from tests.support.cuts import Cuts

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
def network(recovering: int) -> Iterator[Cuts]:
    """The way to the server that holds sessions."""
    with Cuts(recovering) as made:
        yield made


@contextlib.contextmanager
def every_way(client: str, port: int, **options: Any) -> Iterator[dict[str, Puppet]]:
    """Yield one client for each transport."""
    with contextlib.ExitStack() as stack:
        url = f"http://127.0.0.1:{port}"
        yield {way: stack.enter_context(Puppet(client, url, way, **options)) for way in WAYS}


def settle(puppet: Puppet, client: str, way: str) -> str:
    """Wait until it is connected and upgraded, and return its sid."""
    connected = puppet.see("connect")
    assert not connected["recovered"]
    assert puppet.event("auth") == [{}]
    upgraded(puppet, client, way)
    puppet.tell("call", "message-with-ack")
    puppet.see("ack")
    return str(connected["id"])


def upgraded(puppet: Puppet, client: str, way: str) -> None:
    """Wait for the upgrade, where there is one and the client tells of it."""
    if way == "upgrade" and client != "python":
        assert puppet.see("upgrade") == "websocket"


def returned(puppet: Puppet) -> str:
    """Wait until it has recovered and works, and return its sid."""
    connected = puppet.see("connect")
    assert connected["recovered"]
    puppet.tell("emit", "message", "here")
    assert puppet.event("message-back") == ["here"]
    return str(connected["id"])


def test_official_clients_use_every_packet_type(calm: int, client: str, way: str) -> None:
    with Puppet(client, f"http://127.0.0.1:{calm}", way) as puppet:
        assert puppet.see("connect")["id"]
        assert puppet.event("auth") == [{}]
        for said in (
            ["text", 7, {"deep": [True, None, "漢字 😺"]}],
            [],
            [{"bytes": "0102ff"}],
            [{"deep": [{"bytes": ""}, {"bytes": "aa" * 5000}]}, "after"],
        ):
            puppet.tell("emit", "message", *said)
            assert puppet.event("message-back") == said
            puppet.tell("call", "message-with-ack", *said)
            assert puppet.see("ack") == said
        puppet.tell("emit", "ask", "why?", {"bytes": "00"})
        assert puppet.event("question") == ["why?", {"bytes": "00"}]
        assert puppet.event("answered") == ["the answer", "why?", {"bytes": "00"}]
        puppet.tell("emit", "burst", 500)
        assert [puppet.event("tick") for _ in range(500)] == [[number] for number in range(500)]
        puppet.tell("emit", "bye")
        assert "server" in puppet.see("disconnect")


def test_an_official_client_uses_another_namespace(calm: int, client: str) -> None:
    with every_way(client, calm) as puppets:
        for puppet in puppets.values():
            assert puppet.event("auth") == [{}]
            puppet.tell("open", "/custom", {"token": "abc"})
            assert puppet.event("auth") == [{"token": "abc"}]
            puppet.tell("open", "/nowhere", {})
            assert puppet.see("error") in ("Invalid namespace", {"message": "Invalid namespace"})


def test_a_client_stays_through_many_heartbeats(quick: int, client: str) -> None:
    with every_way(client, quick) as puppets:
        for way, puppet in puppets.items():
            settle(puppet, client, way)
        time.sleep(INTERVAL + ANSWER + 0.7)
        for puppet in puppets.values():
            puppet.tell("call", "message-with-ack", 1)
            assert puppet.see("ack", "disconnect") == [1]


def test_a_disconnect_during_a_stream_loses_and_repeats_nothing(network: Cuts, client: str, way: str) -> None:
    if OFFICIAL and (client, way) == ("python", "polling"):
        pytest.skip("the official server differs: it does not notice, and does not let itself be told")
    with Puppet(client, f"http://127.0.0.1:{network.port}", way, recovery=True) as puppet:
        first = puppet.see("connect")
        assert not first["recovered"]
        assert puppet.event("auth") == [{}]
        upgraded(puppet, client, way)
        for passed in (3000, 800):
            puppet.tell("call", "message-with-ack", "all is quiet")
            puppet.see("ack")
            network.cut_after(passed)
            puppet.tell("emit", "burst", 300)
            assert stream(puppet, 300, first["id"]) == list(range(300))
            upgraded(puppet, client, way)


def stream(puppet: Puppet, count: int, sid: str) -> list[int]:
    """Return this many ticks, through exactly one cut that ends in the same session."""
    ticks: list[int] = []
    back = 0
    while len(ticks) < count or not back:
        match puppet.see("event", "connect"):
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
def test_a_client_recovers_after_a_network_outage(network: Cuts, client: str, reset: bool) -> None:
    with every_way(client, network.port, recovery=True) as puppets:
        sids = {way: settle(puppet, client, way) for way, puppet in puppets.items()}
        network.settle(len(WAYS))
        network.refuse()
        assert network.cut(reset=reset) >= len(WAYS)
        for puppet in puppets.values():
            puppet.see("disconnect")
        time.sleep(0.3)
        network.allow()
        assert {way: returned(puppet) for way, puppet in puppets.items()} == sids


@ours("it does not take over a connection that it thinks is alive")
def test_a_client_recovers_before_the_server_notices_the_disconnect(network: Cuts, client: str) -> None:
    with every_way(client, network.port, recovery=True) as puppets:
        sids = {way: settle(puppet, client, way) for way, puppet in puppets.items()}
        network.settle(len(WAYS))
        assert network.cut(server_knows=False) >= len(WAYS)
        assert {way: returned(puppet) for way, puppet in puppets.items()} == sids


def test_a_frozen_network_is_noticed_and_recovered(network: Cuts) -> None:
    client = "socket.io-client"
    with every_way(client, network.port, recovery=True) as puppets:
        sids = {way: settle(puppet, client, way) for way, puppet in puppets.items()}
        network.settle(len(WAYS))
        network.freeze()
        for puppet in puppets.values():
            puppet.see("disconnect")
        network.thaw()
        assert {way: returned(puppet) for way, puppet in puppets.items()} == sids


def test_a_short_freeze_is_not_even_noticed(network: Cuts) -> None:
    with Puppet("socket.io-client", f"http://127.0.0.1:{network.port}", "upgrade", recovery=True) as puppet:
        assert puppet.event("auth") == [{}]
        upgraded(puppet, "socket.io-client", "upgrade")
        network.freeze()
        puppet.tell("emit", "message", "held")
        time.sleep(0.5)
        assert puppet.observed.empty()
        network.thaw()
        assert puppet.event("message-back") == ["held"]
