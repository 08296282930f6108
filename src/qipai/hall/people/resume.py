"""Coming to a table to look, or back to it after a cut: being told what is new, and then being heard on."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.fan_out import ViewerEvents, share
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Millis
from qipai.kernel.seats import seat_of
from qipai.protocol import intents
from qipai.protocol.notices import SpectatorCount, Unchanged

LONGEST: Final = 4.0
"""Seconds after which somebody is heard on, whatever became of his question."""


class RoomAccess(Protocol):
    """How tables are found, read and sat at; `otherwise` is called where that cannot be."""

    def find(
        self, connection: Connection, key: str, then: Callable[[LiveRoom], None], otherwise: Retry
    ) -> None:
        """Find a table."""

    def later(
        self, live: LiveRoom, connection: Connection, again: Retry, version: int = 0, otherwise: Retry = ...
    ) -> bool:
        """Tell whether it must be read first; then something is done again."""

    def arrive(self, live: LiveRoom, connection: Connection, *, quietly: bool = False) -> None:
        """Put a peer at a table."""


class Resume:
    """Where there are other workers a table may have to be read first.

    What the peer says meanwhile waits: a move that follows at once is meant for the table it is led to.
    """

    def __init__(self, executor: CommandExecutor, inbox: Inbox, ways: RoomAccess) -> None:
        self._executor = executor
        self._inbox = inbox
        self._ways = ways
        self.handlers: Handlers = {intents.Resume: self._resume, intents.Watch: self._watch}

    def _watch(self, connection: Connection, intent: intents.Watch, now: Millis) -> None:
        # A page that was loaded anew has seen nothing, and may have a move that it has kept.
        self._resume(connection, intents.Resume(intent.room, 0), now)

    def _resume(self, connection: Connection, intent: intents.Resume, now: Millis) -> None:
        if self._executor.replication is None:
            self._look(connection, intent, lambda: None)
        else:
            self._inbox.wait(connection, partial(self._begin, connection, intent))

    def _begin(self, connection: Connection, intent: intents.Resume, go_on: Retry) -> None:
        waiting = True

        def done() -> None:
            nonlocal waiting
            if waiting:
                waiting = False
                timer.cancel()
                go_on()

        timer = asyncio.get_running_loop().call_later(LONGEST, done)
        self._look(connection, intent, done)

    def _look(self, connection: Connection, intent: intents.Resume, done: Retry) -> None:
        # What another worker has told may not have come here yet.
        self._ways.find(
            connection,
            intent.room,
            lambda live: self._catch_up(connection, intent, live, intent.version, done),
            done,
        )

    def _catch_up(
        self, connection: Connection, intent: intents.Resume, live: LiveRoom, known: int, done: Retry
    ) -> None:
        again = partial(self._catch_up, connection, intent, live, 0, done)
        if not self._ways.later(live, connection, again, known, done):
            self._executor.events_since(
                live, intent.version, partial(self._resumed, connection, intent, live, done)
            )

    def _resumed(
        self,
        connection: Connection,
        intent: intents.Resume,
        live: LiveRoom,
        done: Retry,
        missed: list[ViewerEvents] | None,
    ) -> None:
        if connection.outbox.closed or self._executor.live_rooms.get(live.durable.id) is not live:
            done()
        elif not self._ways.later(
            live, connection, partial(self._catch_up, connection, intent, live, 0, done), 0, done
        ):
            try:
                self._lead(connection, live, missed)
            finally:
                done()

    def _lead(self, connection: Connection, live: LiveRoom, missed: list[ViewerEvents] | None) -> None:
        assert connection.person is not None
        seat = seat_of(live.durable.seats, connection.person)
        late = seat is None and live.delay_buffer is not None
        if missed is None or late or (seat is None and not live.durable.table.spectators):
            self._ways.arrive(live, connection)
            return
        for news in missed:
            connection.send_notice(share(news, SPECTATOR if seat is None else seat))
        if not missed:
            connection.send_notice(Unchanged(live.durable.id, live.durable.version))
        self._ways.arrive(live, connection, quietly=True)
        if live.spectators:
            connection.send_notice(SpectatorCount(live.durable.id, live.spectators))
