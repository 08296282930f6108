"""The address of a client, as limits count it; `X-Forwarded-For` is believed only from configured proxies."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

FORWARDED_FOR: Final = "x-forwarded-for"
_ANY_PEER: Final = "*"
_LONGEST: Final = 64
"""Characters of the longest address with a port or a scope."""


def client_address(scope: Mapping[str, Any]) -> str:
    """Return the address of the client of an ASGI scope; empty if it has none."""
    client = scope.get("client")
    return counted_address(client[0]) if client else ""


def upgrade_address(headers: Mapping[str, str]) -> str:
    """Return the address of the client of a WebSocket upgrade; empty if it has none.

    The guard replaces this header in every upgrade request, so a client cannot choose it.
    """
    return counted_address(headers.get(FORWARDED_FOR, ""))


def counted_address(host: str) -> str:
    """Return how an address is counted: IPv4 whole, also if mapped to IPv6; IPv6 by its /64.

    One customer of a provider has a whole /64. A text that is no address is counted as it is.
    """
    address = _parse(host)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return host if address is None else str(address)


def is_valid_proxy(text: str) -> bool:
    """Tell whether an operator may configure this: an address, a network, or `*`."""
    try:
        return text == _ANY_PEER or bool(ip_network(text))
    except ValueError:
        return False


class TrustedProxies:
    """The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""

    def __init__(self, proxies: Iterable[str]) -> None:
        entries = tuple(proxies)
        self._any_peer = _ANY_PEER in entries
        self._networks = tuple(ip_network(entry) for entry in entries if entry != _ANY_PEER)

    def trusts(self, peer: str) -> bool:
        """Tell whether the headers of this peer are believed."""
        return self._any_peer or self.lists(peer)

    def client_of(self, peer: str, forwarded: str) -> str:
        """Return the host of the client: the last one in `X-Forwarded-For` that is no listed proxy.

        Each proxy appends its own peer, so what a client wrote itself is to the left of that.
        """
        if not self.trusts(peer):
            return peer
        host = peer
        for entry in reversed(forwarded.split(",")):
            address = _parse(_without_port(entry.strip()))
            if address is None:
                return host
            host = str(address)
            if not self.lists(host):
                return host
        return host

    def lists(self, host: str) -> bool:
        """Tell whether this is a configured proxy itself; `*` configures none."""
        address = _parse(host)
        return address is not None and any(address in network for network in self._networks)


def _parse(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address, IPv4 for an IPv4-mapped one, or None for any other text."""
    return _parse_short(host) if len(host) <= _LONGEST else None


@lru_cache(maxsize=1024)  # Each connection asks several times for its own address and for that of its proxy.
def _parse_short(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def _without_port(entry: str) -> str:
    """Return the host of `host`, `host:port`, `[host]` or `[host]:port`."""
    if entry.startswith("["):
        return entry[1:].partition("]")[0]
    return entry.partition(":")[0] if entry.count(":") == 1 else entry
