"""Sends the steps of delayed rooms: to players at once, to spectators after the delay."""

from collections.abc import Callable, Mapping
from functools import partial

from qipai.games.game import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import retrace
from qipai.hall.journal.store_interface import Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.hall.rooms.fan_out import FanOut, events_of
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.room import CLOSED, Advanced
from qipai.protocol.notices import SpectatorChat, Unchanged

from .delay_buffer import shifted_step, spectator_lines


class SpectatorDelay:
    """Delivers the steps of delayed rooms."""

    def __init__(self, alarms: Alarms, internal_errors: InternalErrors, now: Now, fan_out: FanOut) -> None:
        self._alarms = alarms
        self._internal_errors = internal_errors
        self._now = now
        self._fan_out = fan_out
        self.listeners: list[Callable[[LiveRoom], None]] = []
        """Called after spectators received further steps of a room."""

    def deliver(
        self, live: LiveRoom, done: Advanced, skip: Connection | None, asker: Connection | None
    ) -> None:
        """Send a step to the seats now and to spectators later; chat lines of spectators reach them now."""
        buffer = live.delay_buffer
        assert buffer is not None
        seats = [(connection, viewer) for connection, viewer in live.members.items() if viewer != SPECTATOR]
        if seats:
            self._fan_out.send_step(seats, events_of(live.rules, done), skip)
        buffer.add(done)
        for line in spectator_lines(done.events):
            spectators = [connection for connection, _ in _spectators(live)]
            self._fan_out.send_notice(spectators, SpectatorChat(done.room.id, line))
        if asker is not None and live.members.get(asker) == SPECTATOR:
            asker.send_notice(Unchanged(done.room.id, buffer.room.version, done.nonce))
        self.release(live)

    def release(self, live: LiveRoom) -> None:
        """Send spectators every step that is due, and set the alarm for the next one."""
        buffer, key = live.delay_buffer, ("buffer", live.durable.id)
        assert buffer is not None
        released = False
        for delayed in buffer.release(self._now(), closed=live.durable.phase is CLOSED):
            released = True
            if delayed.full:
                self._fan_out.send_full_room(live, _spectators(live), self._now())
            elif spectators := _spectators(live):
                step = shifted_step(delayed.step, buffer.delay)
                self._fan_out.send_step(spectators, events_of(live.rules, step), None)
        if buffer.pending:
            self._alarms.set(key, buffer.pending[0].due, partial(self.release, live))
        else:
            self._alarms.clear(key)
        if released:
            for listener in self.listeners:
                listener(live)

    def add_full_room(self, live: LiveRoom) -> None:
        """Send spectators the whole room after the delay, since its steps are not known."""
        if live.delay_buffer is not None:
            live.delay_buffer.add_full_room(live.durable)
            self.release(live)

    def recover(self, live: LiveRoom, store: Store, games: Mapping[str, Game]) -> None:
        """Fill the buffer of a loaded room from the journal."""
        buffer, now = live.delay_buffer, self._now()
        if buffer is None:
            return
        if live.durable.at + buffer.delay > now:
            buffer.pending.clear()
            try:
                history = store.history(live.durable.id)
                for step in retrace(games, history) if history else ():
                    if step.room.version == 1 or step.room.at + buffer.delay <= now:
                        buffer.room = step.room
                    else:
                        buffer.add(step)
            except StoreError as error:
                self._internal_errors.store_unavailable(error)
            # If that failed, spectators see nothing more until they may see everything.
            buffer.add_full_room(live.durable)
        self.release(live)


def _spectators(live: LiveRoom) -> list[tuple[Connection, Seat]]:
    return [(connection, viewer) for connection, viewer in live.members.items() if viewer == SPECTATOR]
