"""Tables whose watchers see everything later."""

from collections.abc import Callable, Mapping
from functools import partial

from qipai.games.game_registry import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import retrace
from qipai.hall.journal.store_interface import Now, Store, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.hall.rooms.fan_out import news_of, spread
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.room import CLOSED, Advanced
from qipai.protocol.notices import SpectatorChat, Unchanged

from . import delayed_view


class SpectatorDelay:
    """Tells watchers in their time. `show` sends a peer the whole table as it may see it."""

    def __init__(
        self,
        alarms: Alarms,
        incidents: InternalErrors,
        now: Now,
        show: Callable[[LiveRoom, Connection, Seat], None],
    ) -> None:
        self._alarms = alarms
        self._incidents = incidents
        self._now = now
        self._show = show
        self.seen: list[Callable[[LiveRoom], None]] = []
        """Called after watchers have seen something more of a table."""

    def tell(self, live: LiveRoom, done: Advanced, skip: Connection | None, asker: Connection | None) -> None:
        """Tell the seats of a step now and the watchers later, except what one of these said."""
        trail = live.delay_buffer
        assert trail is not None
        seats = [(connection, viewer) for connection, viewer in live.members.items() if viewer != SPECTATOR]
        if seats:
            spread(seats, news_of(live.rules, done), skip)
        trail.add(done)
        for line in delayed_view.whispers(done.events):
            for connection, _ in _watchers(live):
                connection.send_notice(SpectatorChat(done.room.id, line))
        if asker is not None and live.members.get(asker) == SPECTATOR:
            asker.send_notice(Unchanged(done.room.id, trail.room.version, done.nonce))
        self.go(live)

    def go(self, live: LiveRoom) -> None:
        """Show watchers what they may see by now, and come back for the rest."""
        trail, key = live.delay_buffer, ("trail", live.durable.id)
        assert trail is not None
        moved = False
        for late in trail.go(self._now(), closed=live.durable.phase is CLOSED):
            moved = True
            if late.whole:
                for connection, viewer in _watchers(live):
                    self._show(live, connection, viewer)
            elif watchers := _watchers(live):
                spread(watchers, news_of(live.rules, delayed_view.retold(late.step, trail.delay)), None)
        if trail.pending:
            self._alarms.set(key, trail.pending[0].due, partial(self.go, live))
        else:
            self._alarms.clear(key)
        if moved:
            for told in self.seen:
                told(live)

    def jump(self, live: LiveRoom) -> None:
        """Show watchers in its time a table of which it is not known how it became so."""
        if live.delay_buffer is not None:
            live.delay_buffer.jump(live.durable)
            self.go(live)

    def recover(self, live: LiveRoom, store: Store, games: Mapping[str, Game]) -> None:
        """Find out from the journal what watchers may see of a table that was loaded."""
        trail, now = live.delay_buffer, self._now()
        if trail is None:
            return
        if live.durable.at + trail.delay > now:
            trail.pending.clear()
            try:
                history = store.history(live.durable.id)
                for step in retrace(games, history) if history else ():
                    if step.room.version == 1 or step.room.at + trail.delay <= now:
                        trail.room = step.room
                    else:
                        trail.add(step)
            except StoreError as error:
                self._incidents.store_broke(error)
            # If that failed, nothing more is seen until everything may be.
            trail.jump(live.durable)
        self.go(live)


def _watchers(live: LiveRoom) -> list[tuple[Connection, Seat]]:
    return [(connection, viewer) for connection, viewer in live.members.items() if viewer == SPECTATOR]
