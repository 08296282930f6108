"""Recognises the requests that other workers forward, by a token that only workers know."""

from collections.abc import Callable, Iterable, Sequence, Set
from hmac import compare_digest
from typing import Final

from qipai.socketio.session_forwarding import WORKER_TOKEN


class WorkerPorts:
    """The ports for other workers, and which hosts have proved to be workers.

    Workers forward requests of many clients, which another worker has counted already, so they have no limits
    per address. All others have the same limits there as at the public port.
    """

    def __init__(self, ports: Set[int] = frozenset(), tokens: Callable[[], Sequence[bytes]] = tuple) -> None:
        self._ports = ports
        self._tokens = tokens
        self._hosts: set[str] = set()

    def is_worker(self, peer: str, server: tuple[str, int | None] | None) -> bool:
        """Tell whether a new connection comes from a host that has forwarded a request before."""
        return peer in self._hosts and self._contain(server)

    def is_forwarded(
        self, peer: str, server: tuple[str, int | None] | None, headers: Iterable[tuple[bytes, bytes]]
    ) -> bool:
        """Tell whether another worker forwards this request; its host is known from then on."""
        if not self._contain(server):
            return False
        found = [value for name, value in headers if name == WORKER_TOKEN]
        if not any(compare_digest(value, token) for value in found for token in self._tokens()):
            return False
        self._hosts.add(peer)
        return True

    def _contain(self, server: tuple[str, int | None] | None) -> bool:
        return server is not None and server[1] in self._ports


NO_WORKERS: Final = WorkerPorts()
