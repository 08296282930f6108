"""Where Redis is and how it is spoken to: one address, read once for both of our clients."""

import ssl
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec import Struct

_ALWAYS: Final = frozenset({"db", "username", "password"})
_SECURE: Final = frozenset(
    {
        "ssl_ca_certs",
        "ssl_ca_path",
        "ssl_cert_reqs",
        "ssl_certfile",
        "ssl_keyfile",
        "ssl_password",
        "ssl_check_hostname",
    }
)
_DEMANDS: Final = {"none": ssl.CERT_NONE, "optional": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}
_TRUTHS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class TlsSettings(Struct, frozen=True):
    """Whom we believe, and who we are; paths are of files in PEM."""

    ca_certs: str | None = None
    ca_path: str | None = None
    cert_reqs: str = "required"
    certfile: str | None = None
    keyfile: str | None = None
    password: str | None = None
    check_hostname: bool = True

    def context(self) -> ssl.SSLContext:
        """Return what a connection is made with, or raise `ValueError` if a file is not what it should be."""
        made = ssl.create_default_context()
        made.check_hostname = self.check_hostname and self.cert_reqs != "none"
        made.verify_mode = _DEMANDS[self.cert_reqs]
        if self.certfile is not None:
            try:
                made.load_cert_chain(self.certfile, self.keyfile, self.password or "")
            except OSError as error:
                raise ValueError(f"ssl_certfile or ssl_keyfile: {error.strerror or error}") from error
        if self.ca_certs is not None or self.ca_path is not None:
            try:
                made.load_verify_locations(self.ca_certs, self.ca_path)
            except OSError as error:
                raise ValueError(f"ssl_ca_certs or ssl_ca_path: {error.strerror or error}") from error
        return made


class RedisAddress(Struct, frozen=True):
    """A Redis server, or the `path` of its socket, and who we are there."""

    host: str = "localhost"
    port: int = 6379
    path: str = ""
    username: str = ""
    password: str = ""
    db: int = 0
    security: TlsSettings | None = None

    def options(self) -> dict[str, Any]:
        """Return the same in the words of the library's client."""
        found: dict[str, Any] = {"db": self.db}
        found |= {"unix_socket_path": self.path} if self.path else {"host": self.host, "port": self.port}
        found |= {"username": self.username or None, "password": self.password or None}
        if self.security is not None:
            chosen = self.security
            found |= {f"ssl_{name}": getattr(chosen, name) for name in chosen.__struct_fields__}
            found["ssl"] = True
        return found


def read(address: str) -> RedisAddress:
    """Return what an address says, or raise `ValueError`. A password is never in its text."""
    parts = urlsplit(address)
    asked = parse_qsl(parts.query, keep_blank_values=True)
    options = dict(asked)
    secure = parts.scheme == "rediss"
    for name, _ in asked:
        if name in _SECURE and not secure:
            raise ValueError(f"{name}: is for an address that begins with rediss://")
        if name not in _ALWAYS | _SECURE:
            raise ValueError(f"nothing is called {name!r}; there are {', '.join(sorted(_ALWAYS | _SECURE))}")
    if len(options) < len(asked):
        raise ValueError("an option is given twice")
    if parts.fragment:
        raise ValueError("a # in a password is written %23")
    local = parts.scheme == "unix"
    if local and not parts.path:
        raise ValueError("expected the path of a socket after unix://")
    try:
        port = parts.port or 6379
    except ValueError:
        # What was taken for it may be half of a password.
        raise ValueError("the port is no number; a / in a password is written %2F, a ? is %3F") from None
    number = options.get("db", "" if local else unquote(parts.path).strip("/")) or "0"
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise ValueError("the database is no number")
    return RedisAddress(
        unquote(parts.hostname or "localhost"),
        port,
        unquote(parts.path) if local else "",
        unquote(parts.username or "") or options.get("username", ""),
        unquote(parts.password or "") or options.get("password", ""),
        int(number),
        _security(options) if secure else None,
    )


def _security(options: dict[str, str]) -> TlsSettings:
    demand = options.get("ssl_cert_reqs", "required")
    if demand not in _DEMANDS:
        raise ValueError(f"ssl_cert_reqs: expected {', '.join(_DEMANDS)}, got {demand!r}")
    check = options.get("ssl_check_hostname", "true").lower()
    if check not in _TRUTHS:
        raise ValueError(f"ssl_check_hostname: expected true or false, got {check!r}")
    if "ssl_keyfile" in options and "ssl_certfile" not in options:
        raise ValueError("ssl_keyfile: needs an ssl_certfile")
    names = ("ca_certs", "ca_path", "certfile", "keyfile", "password")
    paths = {name: options[f"ssl_{name}"] for name in names if f"ssl_{name}" in options}
    return TlsSettings(**paths, cert_reqs=demand, check_hostname=_TRUTHS[check])
