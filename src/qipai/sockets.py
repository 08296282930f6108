"""The sockets that a server listens on."""

import socket

from qipai.server.listen_addresses import route_address

from .settings import ConfigurationError, Settings, parse_worker_address


def bind(host: str, port: int, *, reuse: bool = False, listen: bool = True) -> socket.socket:
    """Return a bound socket; with `reuse` other workers may listen on the same address."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        if listen:
            listening = socket.create_server((host, port), family=family, backlog=2048, reuse_port=reuse)
        else:
            listening = socket.socket(family)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            listening.bind((host, port))
        # Connections inherit it; not every event loop sets it by itself.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise ConfigurationError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    except UnicodeError as error:
        raise ConfigurationError(f"cannot listen on {host!r}: not a host") from error
    return listening


def worker_socket(settings: Settings) -> tuple[socket.socket, str]:
    """Return a socket of this worker alone, and the address at which other workers reach it."""
    on_all = settings.host in {"", "0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    published = parse_worker_address(settings.worker_address)
    host = route_address(settings.store) if on_all and not published.host else settings.host
    for port in published.ports:
        try:
            listening = bind(host, port)
        except ConfigurationError:
            if port == published.ports[-1]:
                raise
            continue  # Another worker of this machine uses it.
        return listening, f"{published.host or host} {listening.getsockname()[1]}"
    raise AssertionError  # There is at least one port, and the last one returns or raises.
