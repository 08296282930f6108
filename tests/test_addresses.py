"""The addresses that the server prints at start: each of them can be opened."""

import socket

import pytest

from qipai.server.listen_addresses import addresses


def test_a_server_on_one_address_prints_that_address() -> None:
    assert addresses("127.0.0.1", 3000) == ["http://127.0.0.1:3000"]
    assert addresses("fd00::7", 3000) == ["http://[fd00::7]:3000"]


def test_a_server_on_all_addresses_prints_no_wildcard_address() -> None:
    first, *others = addresses("0.0.0.0", 3000)
    assert first == "http://127.0.0.1:3000"
    assert not any("0.0.0.0" in other for other in others)
    assert addresses("::", 3000)[0] == "http://[::1]:3000"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_address_for_other_devices_belongs_to_this_machine(host: str) -> None:
    for other in addresses(host, 0)[1:]:
        own = other.removeprefix("http://").removesuffix(":0").strip("[]")
        # Only an address of this machine can be listened on.
        socket.create_server((own, 0), family=socket.AF_INET6 if ":" in own else socket.AF_INET).close()


def test_without_a_network_there_is_only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert addresses("0.0.0.0", 3000) == ["http://127.0.0.1:3000"]
