"""Which pages of other sites may talk to this server, and the headers that tell their browsers."""

import re
from typing import Final, NamedTuple

_ORIGIN: Final = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?",
    re.ASCII | re.IGNORECASE,
)
_PORTS: Final = {"http": 80, "https": 443}
_ANY: Final = "*"
_PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET, POST, OPTIONS"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-max-age", b"7200"),
)

Headers = list[tuple[bytes, bytes]]


class Origin(NamedTuple):
    """Where a page came from, comparable: lower case, and the port spelled out where it is known."""

    scheme: str
    host: str
    port: int | None


def parse(text: str) -> Origin | None:
    """Return `scheme://host[:port]` taken apart, or None if it is anything else."""
    found = _ORIGIN.fullmatch(text)
    if found is None:
        return None
    scheme = found["scheme"].lower()
    port = int(found["port"]) if found["port"] else _PORTS.get(scheme)
    return None if port is not None and port > 65535 else Origin(scheme, found["host"].lower(), port)


def is_entry(text: str) -> bool:
    """Tell whether an operator may list this: an origin without a path, or `*`."""
    return text == _ANY or parse(text) is not None


class Origins:
    """The rule for one server: its own pages, and those of the listed sites."""

    def __init__(self, allowed: tuple[str, ...] = ()) -> None:
        self._any = _ANY in allowed
        self._listed = frozenset(filter(None, map(parse, allowed)))

    def same(self, origin: str | None, host: str) -> bool:
        """Tell whether a page is our own; without an origin it is no browser that asks."""
        if origin is None:
            return True
        page = parse(origin)
        if page is None or page.scheme not in _PORTS:
            return False
        # The Host header knows no scheme; behind a proxy only the page's own one is certain.
        return page == parse(f"{page.scheme}://{host}")

    def allows(self, origin: str | None, host: str) -> bool:
        """Tell whether a page may talk to us."""
        return self._any or self.same(origin, host) or self._lists(origin)

    def headers(self, origin: str | None, host: str) -> Headers:
        """Return what lets a browser show our answer to an allowed page of another site, else nothing."""
        if origin is None or self.same(origin, host):
            return []
        if self._lists(origin):
            return [
                (b"access-control-allow-origin", origin.encode("ascii")),
                (b"access-control-allow-credentials", b"true"),
                (b"vary", b"Origin"),
            ]
        return [(b"access-control-allow-origin", b"*")] if self._any else []

    def preflight(self, origin: str | None, host: str) -> Headers:
        """Return the headers for a browser that asks before it lets such a page ask."""
        found = self.headers(origin, host)
        return [*found, *_PREFLIGHT] if found else []

    def _lists(self, origin: str | None) -> bool:
        return origin is not None and parse(origin) in self._listed
