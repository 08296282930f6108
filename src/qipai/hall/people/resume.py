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

    def find(self, peer: Connection, key: str, then: Callable[[LiveRoom], None], otherwise: Retry) -> None:
        """Find a table."""

    def later(
        self, box: LiveRoom, peer: Connection, again: Retry, version: int = 0, otherwise: Retry = ...
    ) -> bool:
        """Tell whether it must be read first; then something is done again."""

    def arrive(self, box: LiveRoom, peer: Connection, *, quietly: bool = False) -> None:
        """Put a peer at a table."""


class Resume:
    """Where there are other workers a table may have to be read first.

    What the peer says meanwhile waits: a move that follows at once is meant for the table it is led to.
    """

    def __init__(self, host: CommandExecutor, inbox: Inbox, ways: RoomAccess) -> None:
        self._host = host
        self._inbox = inbox
        self._ways = ways
        self.deeds: Handlers = {intents.Resume: self._resume, intents.Watch: self._watch}

    def _watch(self, peer: Connection, intent: intents.Watch, now: Millis) -> None:
        # A page that was loaded anew has seen nothing, and may have a move that it has kept.
        self._resume(peer, intents.Resume(intent.room, 0), now)

    def _resume(self, peer: Connection, intent: intents.Resume, now: Millis) -> None:
        if self._host.sharing is None:
            self._look(peer, intent, lambda: None)
        else:
            self._inbox.wait(peer, partial(self._begin, peer, intent))

    def _begin(self, peer: Connection, intent: intents.Resume, go_on: Retry) -> None:
        waiting = True

        def done() -> None:
            nonlocal waiting
            if waiting:
                waiting = False
                timer.cancel()
                go_on()

        timer = asyncio.get_running_loop().call_later(LONGEST, done)
        self._look(peer, intent, done)

    def _look(self, peer: Connection, intent: intents.Resume, done: Retry) -> None:
        # What another worker has told may not have come here yet.
        self._ways.find(
            peer, intent.room, lambda box: self._catch_up(peer, intent, box, intent.version, done), done
        )

    def _catch_up(
        self, peer: Connection, intent: intents.Resume, box: LiveRoom, known: int, done: Retry
    ) -> None:
        again = partial(self._catch_up, peer, intent, box, 0, done)
        if not self._ways.later(box, peer, again, known, done):
            self._host.missed(box, intent.version, partial(self._resumed, peer, intent, box, done))

    def _resumed(
        self,
        peer: Connection,
        intent: intents.Resume,
        box: LiveRoom,
        done: Retry,
        missed: list[ViewerEvents] | None,
    ) -> None:
        if peer.outbox.closed or self._host.live_rooms.get(box.durable.id) is not box:
            done()
        elif not self._ways.later(box, peer, partial(self._catch_up, peer, intent, box, 0, done), 0, done):
            try:
                self._lead(peer, box, missed)
            finally:
                done()

    def _lead(self, peer: Connection, box: LiveRoom, missed: list[ViewerEvents] | None) -> None:
        assert peer.person is not None
        seat = seat_of(box.durable.seats, peer.person)
        late = seat is None and box.delay_buffer is not None
        if missed is None or late or (seat is None and not box.durable.table.spectators):
            self._ways.arrive(box, peer)
            return
        for news in missed:
            peer.tell(share(news, SPECTATOR if seat is None else seat))
        if not missed:
            peer.tell(Unchanged(box.durable.id, box.durable.version))
        self._ways.arrive(box, peer, quietly=True)
        if box.spectators:
            peer.tell(SpectatorCount(box.durable.id, box.spectators))
