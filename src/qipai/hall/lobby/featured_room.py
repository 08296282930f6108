"""The featured room: the public game with the most spectators, for those in the lobby who want to see it."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.fan_out import full_room
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Millis
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import is_human
from qipai.protocol import intents
from qipai.protocol.notices import FeaturedRoom

from .room_list import RoomListFeed

INTERVAL: Final = 1_000
"""Milliseconds between two updates; moves in between are one update."""
INTERVAL_PER_RECEIVER: Final = 2
"""Milliseconds that every receiver adds, because the whole position is sent."""
CHOOSE_EVERY: Final = 5
"""Updates after which another room may be chosen: the end of a game stays visible for a moment."""
_ALARM: Final = "featured room"
_SHOWN: Final = frozenset({Phase.PLAYING, Phase.OVER})


class FeaturedRoomFeed:
    """Chooses a room and sends it when it has changed, off the path of moves: only what spectators see.

    Also subscribes connections to the room list.
    """

    def __init__(self, executor: CommandExecutor, room_list: RoomListFeed, tasks: BackgroundTasks) -> None:
        self._executor = executor
        self._room_list = room_list
        self._tasks = tasks
        self._subscribers: set[Connection] = set()
        self._live: LiveRoom | None = None
        self._sent: AnyRoom | None = None
        self._notice: FeaturedRoom | None = None
        self._updates = 0
        self.handlers: Handlers = {intents.SubscribeLobby: self._subscribe_lobby}

    def _subscribe_lobby(self, connection: Connection, intent: intents.SubscribeLobby, now: Millis) -> None:
        if intent.on:
            self._room_list.subscribe(connection)
        else:
            self._room_list.unsubscribe(connection)
        if intent.on and intent.featured:
            self._subscribe(connection)
        else:
            self.unsubscribe(connection)

    def _subscribe(self, connection: Connection) -> None:
        """Send the featured room, now if it is known, and whenever it changes."""
        if connection in self._subscribers:
            return
        self._subscribers.add(connection)
        if len(self._subscribers) > 1 and self._notice is not None:
            connection.send_notice(self._notice)
        elif len(self._subscribers) == 1:
            self._live = self._notice = None
            self._start()

    def unsubscribe(self, connection: Connection) -> None:
        """End the subscription."""
        self._subscribers.discard(connection)
        if not self._subscribers:
            self._executor.alarms.clear(_ALARM)

    def _start(self) -> None:
        self._tasks.run(self._update())

    async def _update(self) -> None:
        if self._updates % CHOOSE_EVERY == 0 or self._live is None:
            self._live = most_watched(self._room_list.listed, self._live)
        self._updates += 1
        live = self._live
        if live is not None and not self._executor.replication.is_ready(live):
            try:
                # With several workers, this one may not follow the room yet.
                await self._executor.replication.ready(live)
            except StoreError:
                live = None
        self._send(live)
        if self._subscribers:
            pause = max(INTERVAL, INTERVAL_PER_RECEIVER * len(self._subscribers))
            self._executor.alarms.set(_ALARM, Millis(self._executor.now() + pause), self._start)

    def _send(self, live: LiveRoom | None) -> None:
        seen = None if live is None else live.seen(SPECTATOR)
        if seen is not None and seen.phase not in _SHOWN:
            live = seen = None
        known = self._notice is not None and _same(seen, self._sent)
        if known:
            return
        self._sent = seen
        now = self._executor.now()
        if live is None:
            self._notice = FeaturedRoom(None, now)
        else:
            shown = full_room(live, SPECTATOR, now, live.spectators)
            self._notice = FeaturedRoom(replace(shown.room, chat=()), now)
        self._executor.fan_out.send_notice(self._subscribers, self._notice)


def _same(one: AnyRoom | None, other: AnyRoom | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.id, one.version) == (other.id, other.version)


def most_watched(rooms: Sequence[LiveRoom], current: LiveRoom | None = None) -> LiveRoom | None:
    """Return the game with the most spectators; among equals the current one, then one between persons."""
    games = [live for live in rooms if live.listed.phase is Phase.PLAYING and live.durable.table.spectators]
    return max(
        games,
        key=lambda live: (
            live.spectators,
            live is current,
            sum(map(is_human, live.durable.seats)),
            live.durable.opened,
        ),
        default=None,
    )
