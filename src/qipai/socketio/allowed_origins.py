"""Which origins may use this server, and the CORS headers for them."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_ORIGIN: Final = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?",
    re.ASCII | re.IGNORECASE,
)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_ANY_ORIGIN: Final = "*"
_PREFLIGHT_HEADERS: Final = (
    (b"access-control-allow-methods", b"GET, POST, OPTIONS"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-max-age", b"7200"),
)

Headers = list[tuple[bytes, bytes]]


class Origin(NamedTuple):
    """An origin in comparable form: lower case, with the port if it is known."""

    scheme: str
    host: str
    port: int | None


def parse_origin(text: str) -> Origin | None:
    """Return the parts of `scheme://host[:port]`, or None if the text is anything else."""
    match = _ORIGIN.fullmatch(text)
    if match is None:
        return None
    scheme = match["scheme"].lower()
    port = int(match["port"]) if match["port"] else _DEFAULT_PORTS.get(scheme)
    return None if port is not None and port > 65535 else Origin(scheme, match["host"].lower(), port)


def is_valid_entry(text: str) -> bool:
    """Tell whether an operator may configure this: an origin without a path, or `*`."""
    return text == _ANY_ORIGIN or parse_origin(text) is not None


class AllowedOrigins:
    """The origins that one server accepts: its own, and the configured ones."""

    def __init__(self, allowed: tuple[str, ...] = ()) -> None:
        self._any_origin = _ANY_ORIGIN in allowed
        self._origins = frozenset(filter(None, map(parse_origin, allowed)))

    def is_same_origin(self, origin: str | None, host: str) -> bool:
        """Tell whether a request is from the same origin, or from no browser (without an origin)."""
        if origin is None:
            return True
        page = parse_origin(origin)
        if page is None or page.scheme not in _DEFAULT_PORTS:
            return False
        # The Host header has no scheme, and behind a proxy the server does not know it: take the origin's.
        return page == parse_origin(f"{page.scheme}://{host}")

    def allows(self, origin: str | None, host: str) -> bool:
        """Tell whether an origin may use the server."""
        return self._any_origin or self.is_same_origin(origin, host) or self._is_listed(origin)

    def cors_headers(self, origin: str | None, host: str) -> Headers:
        """Return the CORS headers for an allowed other origin, none otherwise."""
        if origin is None or self.is_same_origin(origin, host):
            return []
        if self._is_listed(origin):
            return [
                (b"access-control-allow-origin", origin.encode("ascii")),
                (b"access-control-allow-credentials", b"true"),
                (b"vary", b"Origin"),
            ]
        return [(b"access-control-allow-origin", b"*")] if self._any_origin else []

    def preflight_headers(self, origin: str | None, host: str) -> Headers:
        """Return the headers of a preflight response."""
        cors_headers = self.cors_headers(origin, host)
        return [*cors_headers, *_PREFLIGHT_HEADERS] if cors_headers else []

    def _is_listed(self, origin: str | None) -> bool:
        return origin is not None and parse_origin(origin) in self._origins


_SAME_ORIGIN: Final = AllowedOrigins()


def is_cross_site(headers: Mapping[str, str]) -> bool:
    """Tell whether a page of another site sent the request."""
    site = headers.get("sec-fetch-site")
    if site in {"cross-site", "same-site"}:
        return True
    if site == "same-origin":
        # More reliable than the Host header, which a proxy may rewrite.
        return False
    source = headers.get("origin")
    if source is None and (referer := headers.get("referer")):
        source = "/".join(referer.split("/", 3)[:3])
    return not _SAME_ORIGIN.is_same_origin(source, headers.get("host", ""))
