"""Recognises the requests that other workers forward, by a token that only workers know."""

from collections.abc import Iterable, Set
from hmac import compare_digest
from typing import Final

from qipai.socketio.session_forwarding import WORKER_TOKEN


class WorkerPorts:
    """The ports for other workers, and which hosts have proved to be workers.

    Workers forward requests of many clients, which another worker has counted already, so they have no limits
    per address. All others have the same limits there as at the public port.
    """

    def __init__(self, ports: Set[int] = frozenset(), token: bytes = b"") -> None:
        self._ports = ports
        self._token = token
        self._hosts: set[str] = set()

    def is_worker(self, peer: str, server: tuple[str, int | None] | None) -> bool:
        """Tell whether a new connection comes from a host that has forwarded a request before."""
        return peer in self._hosts and self._contain(server)

    def is_forwarded(
        self, peer: str, server: tuple[str, int | None] | None, headers: Iterable[tuple[bytes, bytes]]
    ) -> bool:
        """Tell whether another worker forwards this request; its host is known from then on."""
        if not self._token or not self._contain(server):
            return False
        if not any(name == WORKER_TOKEN and compare_digest(value, self._token) for name, value in headers):
            return False
        self._hosts.add(peer)
        return True

    def _contain(self, server: tuple[str, int | None] | None) -> bool:
        return server is not None and server[1] in self._ports


NO_WORKERS: Final = WorkerPorts()
