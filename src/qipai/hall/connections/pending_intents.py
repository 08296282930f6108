"""Intents that a notice caused in a dialect; they are run in the next turn of the loop."""

import asyncio
from collections.abc import Callable, Container

from qipai.hall.journal.store_interface import Now

from .connection import Connection


class PendingIntents:
    """Runs the pending intents of connections that are open, unless the server is stopping."""

    def __init__(
        self,
        connections: Container[Connection],
        is_stopping: Callable[[], bool],
        now: Now,
        write: Callable[[], None],
    ) -> None:
        self._connections = connections
        self._is_stopping = is_stopping
        self._now = now
        self._write = write
        self._waiting: list[Connection] = []

    def add(self, connection: Connection) -> None:
        """Run the pending intents of a connection soon."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._run)
        self._waiting.append(connection)

    def _run(self) -> None:
        connections, self._waiting = self._waiting, []
        now = self._now()
        for connection in connections:
            if connection in self._connections and not self._is_stopping():
                pending, connection.dialect.pending_intents = connection.dialect.pending_intents, ()
                connection.run_intents(pending, now)
        self._write()
