"""URLs at which the server can be opened, on this machine and in its network."""

import socket
from typing import Final
from urllib.parse import urlsplit

LOCAL: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound
"""The local address for a server that listens on all addresses."""
_OUTSIDE: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104 - as above
"""Documentation addresses: the route to them names the address of this machine in its network."""


def addresses(host: str, port: int) -> list[str]:
    """Return the URLs, the local one first; the network's only if the server listens on all addresses."""
    if host not in LOCAL:
        return [_url(host, port)]
    network = _network_address(host)
    return [_url(LOCAL[host], port), *([] if network is None else [_url(network, port)])]


def _network_address(host: str) -> str | None:
    """Return the address of this machine in its network, if it has one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Connecting a datagram socket sends nothing; it only selects the route.
            probe.connect((_OUTSIDE[host], 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def route_address(store: str) -> str:
    """Return the address of this machine on its route to the store, by which other workers reach it."""
    url = urlsplit(store)
    if not url.hostname:
        return "127.0.0.1"
    family, *_, address = socket.getaddrinfo(url.hostname, url.port or 6379, type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        # Connecting a datagram socket sends nothing; it only selects the route.
        probe.connect(address)
        return str(probe.getsockname()[0])
