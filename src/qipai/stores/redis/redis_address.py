"""Parses a Redis URL: host, socket path, TLS, user."""

import ssl
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec import Struct

_OPTIONS: Final = frozenset({"db", "username", "password"})
_TLS_OPTIONS: Final = frozenset(
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
_VERIFY_MODES: Final = {"none": ssl.CERT_NONE, "optional": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}
_BOOLEANS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class TlsSettings(Struct, frozen=True):
    """Trusted certificates and the client's own certificate; paths name PEM files."""

    ca_certs: str | None = None
    ca_path: str | None = None
    cert_reqs: str = "required"
    certfile: str | None = None
    keyfile: str | None = None
    password: str | None = None
    check_hostname: bool = True

    def context(self) -> ssl.SSLContext:
        """Return the TLS context, or raise `ValueError` if a file cannot be used."""
        context = ssl.create_default_context()
        context.check_hostname = self.check_hostname and self.cert_reqs != "none"
        context.verify_mode = _VERIFY_MODES[self.cert_reqs]
        if self.certfile is not None:
            try:
                context.load_cert_chain(self.certfile, self.keyfile, self.password or "")
            except OSError as error:
                raise ValueError(f"ssl_certfile or ssl_keyfile: {error.strerror or error}") from error
        if self.ca_certs is not None or self.ca_path is not None:
            try:
                context.load_verify_locations(self.ca_certs, self.ca_path)
            except OSError as error:
                raise ValueError(f"ssl_ca_certs or ssl_ca_path: {error.strerror or error}") from error
        return context


class RedisAddress(Struct, frozen=True):
    """A Redis server, or the `path` of its Unix socket, and how to log in."""

    host: str = "localhost"
    port: int = 6379
    path: str = ""
    username: str = ""
    password: str = ""
    db: int = 0
    tls: TlsSettings | None = None

    def options(self) -> dict[str, Any]:
        """Return the arguments of `redis.Redis` for this server."""
        options: dict[str, Any] = {"db": self.db}
        options |= {"unix_socket_path": self.path} if self.path else {"host": self.host, "port": self.port}
        options |= {"username": self.username or None, "password": self.password or None}
        if self.tls is not None:
            tls = self.tls
            options |= {f"ssl_{name}": getattr(tls, name) for name in tls.__struct_fields__}
            options["ssl"] = True
        return options


def parse_redis_url(url: str) -> RedisAddress:
    """Return the address of a URL, or raise `ValueError`, whose text never contains the password."""
    parts = urlsplit(url)
    given = parse_qsl(parts.query, keep_blank_values=True)
    options = dict(given)
    is_tls = parts.scheme == "rediss"
    for name, _ in given:
        if name in _TLS_OPTIONS and not is_tls:
            raise ValueError(f"{name}: only for a URL that begins with rediss://")
        if name not in _OPTIONS | _TLS_OPTIONS:
            raise ValueError(
                f"unknown option {name!r}; known are {', '.join(sorted(_OPTIONS | _TLS_OPTIONS))}"
            )
    if len(options) < len(given):
        raise ValueError("an option is given twice")
    if parts.fragment:
        raise ValueError("write # in a password as %23")
    is_socket = parts.scheme == "unix"
    if is_socket and not parts.path:
        raise ValueError("expected the path of a socket after unix://")
    try:
        port = parts.port or 6379
    except ValueError:
        # Not printed: it may be a part of the password.
        raise ValueError("the port is not a number; write / in a password as %2F, ? as %3F") from None
    number = options.get("db", "" if is_socket else unquote(parts.path).strip("/")) or "0"
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise ValueError("the database is not a number")
    return RedisAddress(
        unquote(parts.hostname or "localhost"),
        port,
        unquote(parts.path) if is_socket else "",
        unquote(parts.username or "") or options.get("username", ""),
        unquote(parts.password or "") or options.get("password", ""),
        int(number),
        _tls_settings(options) if is_tls else None,
    )


def _tls_settings(options: dict[str, str]) -> TlsSettings:
    verify_mode = options.get("ssl_cert_reqs", "required")
    if verify_mode not in _VERIFY_MODES:
        raise ValueError(f"ssl_cert_reqs: expected {', '.join(_VERIFY_MODES)}, got {verify_mode!r}")
    check = options.get("ssl_check_hostname", "true").lower()
    if check not in _BOOLEANS:
        raise ValueError(f"ssl_check_hostname: expected true or false, got {check!r}")
    if "ssl_keyfile" in options and "ssl_certfile" not in options:
        raise ValueError("ssl_keyfile: needs ssl_certfile")
    names = ("ca_certs", "ca_path", "certfile", "keyfile", "password")
    paths = {name: options[f"ssl_{name}"] for name in names if f"ssl_{name}" in options}
    return TlsSettings(**paths, cert_reqs=verify_mode, check_hostname=_BOOLEANS[check])
