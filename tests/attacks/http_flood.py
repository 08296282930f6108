"""Floods a server with HTTP requests from an address of this machine."""

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from typing import Final

from tests.support.server import ServerProcess

ATTACKER: Final = "127.0.0.2"
VISITOR: Final = "127.0.0.3"
_PAUSE: Final = 0.1
"""Seconds until a connection that was closed is opened again."""
_JSON: Final = {"content-type": "application/json"}
_GUARD: Final = 60.0
"""Seconds for one answer."""


def request(
    server: ServerProcess, method: str, path: str, body: bytes = b"", address: str = VISITOR
) -> tuple[int, bytes]:
    """Send one request from this address; return status and body."""
    source = HTTPConnection("127.0.0.1", server.port, _GUARD, source_address=(address, 0))
    with closing(source) as connection:
        connection.request(method, path, body, _JSON)
        answer = connection.getresponse()
        return answer.status, answer.read()


class Flood:
    """Requests over many connections at once; `statuses` counts the answers."""

    def __init__(
        self,
        server: ServerProcess,
        connections: int,
        method: str,
        path_of: Callable[[int], str],
        body: bytes = b"",
        cookie: str = "",
    ) -> None:
        self._headers = {**_JSON, "cookie": cookie} if cookie else _JSON
        self._port = server.port
        self._connections = connections
        self._method = method
        self._path_of = path_of
        self._body = body
        self.statuses: Counter[int] = Counter()

    def __call__(self, stop: threading.Event) -> None:
        """Send until the event is set."""
        threads = [
            threading.Thread(target=self._send, args=(stop, number)) for number in range(self._connections)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_GUARD)

    def _send(self, stop: threading.Event, first: int) -> None:
        number = first
        while not stop.is_set():
            # The server may close the connection of somebody who asks too often.
            source = HTTPConnection("127.0.0.1", self._port, _GUARD, source_address=(ATTACKER, 0))
            with closing(source) as connection, suppress(OSError, HTTPException):
                while not stop.is_set():
                    connection.request(self._method, self._path_of(number), self._body, self._headers)
                    answer = connection.getresponse()
                    answer.read()
                    self.statuses[answer.status] += 1
                    number += self._connections
            stop.wait(_PAUSE)
