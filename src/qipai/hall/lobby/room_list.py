"""The list of public tables: changes are gathered and told at most ten times a second."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from qipai.games.game_registry import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.spectators.spectator_count import SpectatorCounter
from qipai.kernel.ids import Person, RoomId
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import free_seat, is_human, seat_of
from qipai.protocol.notices import LobbyUpdate

from .room_rows import row, update_interval

FIRST_PAGE: Final = 300


class RoomListFeed:
    """Followers get the list once and then what changes; every change is encoded once per voice."""

    def __init__(
        self, executor: CommandExecutor, online: Callable[[], int], single: frozenset[str] = frozenset()
    ) -> None:
        self._executor = executor
        self._online = online
        self._single = single
        self._followers: set[Connection] = set()
        self._listed: dict[RoomId, None] = {}
        self._dirty: dict[RoomId, None] = {}
        self._told_online = -1
        self._handle: asyncio.TimerHandle | None = None
        self._waiting: dict[str, dict[RoomId, None]] = {name: {} for name in executor.games}
        self._open: dict[str, dict[RoomId, None]] = {name: {} for name in executor.games}
        self._playing: dict[str, set[RoomId]] = {name: set() for name in executor.games}
        self.touched: list[Callable[[LiveRoom], None]] = []
        """Called when the watchers of a table are others."""
        self._audience = SpectatorCounter(executor, update_interval)
        executor.room_listeners.append(self._changed)
        executor.spectator_delay.seen.append(self._seen)

    def follow(self, connection: Connection) -> None:
        """Send the list now and its changes from now on."""
        self._followers.add(connection)
        live_rooms = [self._executor.live_rooms[room] for room in list(self._listed)[:FIRST_PAGE]]
        connection.send_notice(
            LobbyUpdate(self._online(), tuple(row(live) for live in live_rooms), full=True)
        )

    def unfollow(self, connection: Connection) -> None:
        """Send no more."""
        self._followers.discard(connection)

    def touch(self, live: LiveRoom) -> None:
        """Tell followers about this table soon."""
        self._audience.touch(live)
        for told in self.touched:
            told(live)
        if live.durable.id in self._listed and self._followers:
            self._dirty[live.durable.id] = None
            self.stir()

    def stir(self) -> None:
        """Look soon whether there is anything to tell."""
        if self._handle is None and self._followers:
            self._handle = asyncio.get_running_loop().call_later(
                update_interval(len(self._followers)), self._tell
            )

    def waiting(self, game: str, person: Person, *, plain: bool = True) -> LiveRoom | None:
        """Return the table that has waited longest for this person; a plain one has no rules of its own."""
        for room in (self._waiting if plain else self._open).get(game, ()):
            live = self._executor.live_rooms.get(room)
            # The newest value counts, not the spoken one: the last seat may be taken already.
            if (
                live is not None
                and _attended(live)
                and live.latest.phase is Phase.WAITING
                and free_seat(live.latest.seats) is not None
                and seat_of(live.latest.seats, person) is None
            ):
                return live
        return None

    def match_taken(self, game: Game, but: LiveRoom | None = None) -> bool:
        """Tell whether another public room has the one match of this game that the operator allows."""
        return game.name in self._single and self._busy(game.name, but)

    def _busy(self, game: str, but: LiveRoom | None) -> bool:
        rooms = {*self._playing.get(game, ()), *self._waiting.get(game, ())}
        live_rooms = (self._executor.live_rooms.get(room) for room in rooms)
        return any(
            live is not None and live is not but and not live.bots and live.latest.phase is Phase.PLAYING
            for live in live_rooms
        )

    def veil(self, live: LiveRoom) -> None:
        """List a table that waits only while somebody at it is in reach."""
        if live.listed.phase is Phase.WAITING and live.durable.table.public:
            if _out_of_reach(live):
                self._listed.pop(live.durable.id, None)
            else:
                self._listed[live.durable.id] = None
            if self._followers:
                self._dirty[live.durable.id] = None
                self.stir()

    def close(self) -> None:
        """Tell nothing more."""
        if self._handle is not None:
            self._handle.cancel()
        self._followers.clear()
        self._audience.close()

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        room = live.durable
        if not room.table.public:
            return
        quick, waiting = self._waiting[room.game], self._open[room.game]
        # Nobody is led to a table where he would still have to wait for its host.
        free = room.phase is Phase.WAITING and not room.table.legacy.host_starts
        if free:
            waiting[room.id] = None
        else:
            waiting.pop(room.id, None)
        # Whoever wants to play at once does not want to wait for a host.
        own = room.table.clock is not None or room.table.legacy.host_starts
        plain = not own and room.options == live.rules.option_type()
        if free and plain:
            quick[room.id] = None
        else:
            quick.pop(room.id, None)
        if room.phase is Phase.PLAYING:
            self._playing[room.game].add(room.id)
        else:
            self._playing[room.game].discard(room.id)
        self._list(live)

    def _list(self, live: LiveRoom) -> None:
        """Take a public table into the list or out of it, and tell followers soon."""
        room = live.listed
        if room.phase is Phase.PLAYING or (room.phase is Phase.WAITING and not _out_of_reach(live)):
            self._listed[room.id] = None
        elif room.id not in self._listed:
            return
        else:
            del self._listed[room.id]
        if self._followers:
            self._dirty[room.id] = None
            self.stir()

    def _seen(self, live: LiveRoom) -> None:
        """Let everybody know what watchers have just seen."""
        if live.durable.table.public:
            self._list(live)
        for told in self.touched:
            told(live)

    def _tell(self) -> None:
        self._handle = None
        changed = tuple(row(self._executor.live_rooms[room]) for room in self._dirty if room in self._listed)
        gone = tuple(room for room in self._dirty if room not in self._listed)
        self._dirty.clear()
        online = self._online()
        if not changed and not gone and online == self._told_online:
            return
        self._told_online = online
        news = LobbyUpdate(online, changed, gone)
        spoken: dict[Hashable, Sequence[bytes]] = {}
        for connection in self._followers:
            voice = connection.dialect.encoding_key
            frames = None if voice is None else spoken.get(voice)
            if frames is None:
                frames = spoken[voice] = connection.dialect.encode(news)
            for frame in frames:
                connection.outbox.send(frame)


def _out_of_reach(live: LiveRoom) -> bool:
    """Tell whether nobody who sits here is connected; at a table just opened somebody soon will be."""
    return (bool(live.holders) or bool(live.remote_members)) and bool(live.reach) and not any(live.reach)


def _attended(live: LiveRoom) -> bool:
    """Tell whether somebody waits here; of a table that only others follow, as far as is known."""
    if live.followed:
        return any(live.reach)
    return any(
        is_human(taken) and taken is not None and taken.disconnected_at is None for taken in live.latest.seats
    )
