"""Where a server can be opened: on its own machine, and on phones beside it."""

import socket
from typing import Final

LOCAL: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound
"""Where one finds on this machine what listens everywhere."""
ELSEWHERE: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104 - as above
"""Addresses in no network of ours: the way there is the way out of this machine."""


def addresses(host: str, port: int) -> list[str]:
    """Return what to open, this machine's own address first; others only where all may come."""
    if host not in LOCAL:
        return [_url(host, port)]
    found = _own(host)
    return [_url(LOCAL[host], port), *([] if found is None else [_url(found, port)])]


def _own(host: str) -> str | None:
    """Return this machine's address in its network, if it has one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: it is only asked which way it would go.
            probe.connect((ELSEWHERE[host], 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
