"""The address of a client: how it is counted, and whose `X-Forwarded-For` is believed."""

import pytest

from qipai.guard.client_address import (
    TrustedProxies,
    client_address,
    counted_address,
    is_valid_proxy,
    upgrade_address,
)


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_ipv6_is_counted_by_its_64_bit_network_and_a_mapped_address_as_ipv4(host: str, counted: str) -> None:
    assert counted_address(host) == counted


def test_the_address_of_a_request_is_that_of_its_scope_and_never_of_its_headers() -> None:
    headers = [(b"x-forwarded-for", b"203.0.113.9")]
    assert client_address({"client": ("192.0.2.7", 4711), "headers": headers}) == "192.0.2.7"
    assert client_address({"client": None, "headers": headers}) == ""
    assert client_address({"headers": headers}) == ""


def test_the_address_of_an_upgrade_is_in_the_header_that_the_guard_writes() -> None:
    assert upgrade_address({"x-forwarded-for": "2001:db8::7"}) == "2001:db8::/64"
    assert upgrade_address({}) == ""


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        # Not a proxy: nothing is believed.
        ("192.0.2.7", "203.0.113.9", "192.0.2.7"),
        ("192.0.2.7", "", "192.0.2.7"),
        # A proxy: its last entry counts, whatever the client wrote before it.
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"),
        # Two proxies in a row.
        ("127.0.0.1", "198.51.100.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"),
        ("127.0.0.1", "10.9.9.9, 10.1.2.3", "10.9.9.9"),
        # Ports and brackets.
        ("127.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("127.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("127.0.0.1", "2001:db8::7", "2001:db8::7"),
        # No address: the last proxy that is known.
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "unknown", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.9, unknown, 10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", "9" * 10_000, "127.0.0.1"),
    ],
)
def test_forwarded_for_is_believed_only_from_configured_proxies(
    peer: str, forwarded: str, client: str
) -> None:
    assert TrustedProxies(["127.0.0.1", "10.0.0.0/8"]).client_of(peer, forwarded) == client


def test_a_star_believes_every_peer_but_only_what_the_peer_itself_appended() -> None:
    proxies = TrustedProxies(["*"])
    assert proxies.client_of("192.0.2.7", "198.51.100.1, 203.0.113.9") == "203.0.113.9"
    assert proxies.trusts("192.0.2.7")


def test_addresses_networks_and_a_star_can_be_configured() -> None:
    assert all(map(is_valid_proxy, ["127.0.0.1", "::1", "10.0.0.0/8", "2001:db8::/32", "*"]))
    assert not any(map(is_valid_proxy, ["", "proxy", "10.0.0.1/8", "10.0.0.0/8,127.0.0.1", "1.2.3"]))
