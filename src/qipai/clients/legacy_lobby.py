"""Lobby of the older clients: nicknames, and whole room lists instead of changes."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

from qipai.hall.client_interface import HallServices
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.lobby.room_rows import row, update_interval
from qipai.hall.people.identity import Guest
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, RoomId
from qipai.kernel.room import Phase
from qipai.kernel.room_view import view

from .legacy_messages import (
    ListedRoom,
    ListRooms,
    LookUpRoom,
    NicknameSet,
    ReminderDue,
    RoomFound,
    RoomList,
    SetNickname,
    SetReminder,
)
from .legacy_worker_messages import LegacyBroadcasts
from .nicknames import Claim, Nicknames
from .spectator_names import SpectatorNamesFeed

MAX_ROWS: Final = 500
"""Rows of a list; waiting rooms are kept before others, empty rooms last."""
_PRIORITY: Final = {Phase.WAITING: 0, Phase.PLAYING: 1, Phase.OVER: 2, Phase.CLOSED: 3}


class LegacyLobby:
    """The connections with a nickname for each game, and the room list that they receive."""

    def __init__(
        self, hall: HallServices, broadcasts: LegacyBroadcasts, spectator_names: SpectatorNamesFeed
    ) -> None:
        self._executor = executor = hall.executor
        self._spectator_names = spectator_names
        self._identity = hall.identity
        self._admission = hall.admission
        self._inbox = hall.inbox
        self.nicknames = Nicknames(
            hall.tasks,
            hall.counters,
            self._schedule,
            self._renamed,
            broadcasts,
            hall.names.is_reserved,
        )
        self._rows: dict[str, dict[RoomId, ListedRoom | None]] = {name: {} for name in executor.games}
        self._unsorted: set[str] = set()
        self._stale: set[RoomId] = set()
        self._listings: dict[str, RoomList] = {}
        self._absent: dict[Connection, Claim] = {}
        """The nicknames that connections without a transport had."""
        self._changed_games: set[str] = set()
        self._closed = False
        self._handle: asyncio.TimerHandle | None = None
        self.handlers: Handlers = {
            SetNickname: hall.inbox.handler(self._set_nickname),
            LookUpRoom: self._look_up,
            ListRooms: self._list,
            SetReminder: self._remind,
        }

    def leave(self, connection: Connection) -> None:
        """Release the nickname and the reminder of the connection."""
        self._executor.alarms.clear(("remind", connection))
        self._absent.pop(connection, None)
        self.nicknames.release(connection)

    def set_present(self, connection: Connection, *, present: bool) -> None:
        """Count only people who are there; the nickname of one who is not in a room is free meanwhile."""
        claim = self.nicknames.claims.get(connection)
        if present and (absent := self._absent.pop(connection, None)) is not None:
            self.restore(connection, *absent)
        elif claim is not None and not present and not connection.rooms:
            self._absent[connection] = claim
            self.nicknames.release(connection)
        elif claim is not None:
            self.nicknames.set_present(connection, present=present)

    def row_changed(self, live: LiveRoom) -> None:
        """Send the lists of the game again after the interval, with a new row of the room."""
        room = live.durable
        if room.id in self._rows[room.game]:
            self._stale.add(room.id)
            self._schedule(room.game)

    def close(self) -> None:
        """Send nothing more."""
        self._closed = True
        if self._handle is not None:
            self._handle.cancel()

    # Nicknames

    async def _set_nickname(self, connection: Connection, intent: SetNickname, now: Millis) -> None:
        if connection not in self.nicknames.claims:
            # Seats belong to sockets here: two tabs of one login are two persons.
            guest = self._identity.guest()
            if connection.root is not None:
                guest = Guest(connection.root, guest.name)
            if not self._admission.admit_new(connection, guest, now):
                return
        if await self.nicknames.claim(connection, intent.game, intent.name):
            self._send_name(connection)
            self._rename(connection, now)

    def restore(self, connection: Connection, game: str, wanted: str, name: str) -> None:
        """Give the connection the nickname that it had before, if it is free."""
        self.nicknames.restore(connection, game, wanted, name)
        self._send_name(connection)

    def requested_name(self, connection: Connection) -> str:
        """Return the nickname that the connection asked for, empty if it has not."""
        claim = self.nicknames.claims.get(connection) or self._absent.get(connection)
        return "" if claim is None else claim.wanted

    def send_list(self, connection: Connection) -> None:
        """Send the room list of the game for which the connection has a nickname."""
        if (claim := self.nicknames.claims.get(connection)) is not None:
            connection.send_notice(self._listing(claim.game))

    def _send_name(self, connection: Connection) -> None:
        claim = self.nicknames.claims[connection]
        connection.name = claim.name
        connection.send_notice(NicknameSet(claim.name))
        self._schedule(claim.game)

    def _renamed(self, connection: Connection) -> None:
        self._send_name(connection)
        self._rename(connection, self._executor.now())

    def _rename(self, connection: Connection, now: Millis) -> None:
        assert connection.person is not None
        for room, viewer in connection.rooms.items():
            live = self._executor.live_rooms.get(room)
            if live is None:
                continue
            if viewer == SPECTATOR:
                self._spectator_names.changed(live)
            else:
                self._executor.submit(live, SYSTEM, TakeSeat(connection.person, connection.name), now)

    # Rooms

    def _look_up(self, connection: Connection, intent: LookUpRoom, _now: Millis) -> None:
        # A seat that was asked for just before is taken when this is answered.
        work = partial(self._find, connection, intent)
        self._executor.journal.after(lambda _failure: self._inbox.run(connection, work))

    async def _find(self, connection: Connection, intent: LookUpRoom) -> None:
        live = self._executor.find(intent.room)
        if live is None and intent.room:
            with suppress(StoreError):
                live = await self._executor.replication.find(intent.room)
        self._send_found_room(connection, intent, live)

    def _send_found_room(self, connection: Connection, intent: LookUpRoom, live: LiveRoom | None) -> None:
        found = (
            None if live is None else view(live.rules, live.seen(SPECTATOR), SPECTATOR, self._executor.now())
        )
        connection.send_notice(
            RoomFound(intent.room, found, 0 if live is None else live.spectators, intent.about)
        )

    def _list(self, connection: Connection, intent: ListRooms, now: Millis) -> None:
        # A connection that just asked for a nickname receives the list once it has one.
        if not self._inbox.defer(connection, partial(self._list, connection, intent, now)):
            self._executor.journal.after(lambda _: connection.send_notice(self._listing(intent.game)))

    def _listing(self, game: str) -> RoomList:
        """Return the current list: the same object until something changed."""
        rows, persons = self._rows[game], self.nicknames.count(game)
        if game in self._unsorted:
            self._unsorted.discard(game)
            by_age = sorted(rows, key=lambda room: self._executor.live_rooms[room].durable.opened)
            rows = self._rows[game] = {room: rows[room] for room in by_age}
        changed = [room for room in self._stale if room in rows]
        self._stale.difference_update(changed)
        for room in changed:
            live = self._executor.live_rooms[room]
            rows[room] = ListedRoom(
                row(live), live.first(live.latest if live.delay_buffer is None else live.delay_buffer.room)
            )
        room_list = self._listings.get(game)
        if room_list is None or changed or room_list.people != persons:
            listed = [each for each in rows.values() if each is not None]
            if len(listed) > MAX_ROWS:
                best = sorted(listed, key=_priority)[:MAX_ROWS]
                ids = {each.row.id for each in best}
                listed = [each for each in listed if each.row.id in ids]
            room_list = self._listings[game] = RoomList(game, tuple(listed), persons)
        return room_list

    def room_changed(self, live: LiveRoom) -> None:
        """Update the row of a public room whose seats or phase changed."""
        room = live.durable
        rows = self._rows[room.game]
        if not room.table.public:
            return
        # The clients of this lobby know no options. The host of a room may choose some for the next game.
        if room.phase is Phase.CLOSED or room.options != live.rules.option_type():
            if room.id not in rows:
                return
            del rows[room.id]
            self._stale.discard(room.id)
            self._listings.pop(room.game, None)
        else:
            if room.id not in rows:
                self._add(live)
            self._stale.add(room.id)
        self._schedule(room.game)

    def _add(self, live: LiveRoom) -> None:
        room = live.durable
        rows = self._rows[room.game]
        last = next(reversed(rows), None)
        # Rooms are opened in order; those that a restart loads need not be.
        if last is not None and self._executor.live_rooms[last].durable.opened > room.opened:
            self._unsorted.add(room.game)
        rows[room.id] = None

    def _schedule(self, game: str) -> None:
        """Send the lists of the game after the interval."""
        if self.nicknames.by_name.get(game) and not self._closed:
            self._changed_games.add(game)
            if self._handle is None:
                self._handle = asyncio.get_running_loop().call_later(
                    update_interval(len(self.nicknames.claims)), self._send_lists
                )

    def _send_lists(self) -> None:
        self._handle = None
        games, self._changed_games = self._changed_games, set()
        for game in games:
            room_list = self._listing(game)
            receivers = self.nicknames.by_name.get(game, {}).values()
            self._executor.fan_out.send_notice(receivers, room_list)

    # Reminders

    def _remind(self, connection: Connection, intent: SetReminder, now: Millis) -> None:
        due = Millis(now + intent.after)
        self._executor.alarms.set(
            ("remind", connection), due, partial(connection.send_notice, ReminderDue(intent.about))
        )


def _priority(listed: ListedRoom) -> int:
    """Return the rank of a row when a list is cut: the lower, the more useful."""
    return _PRIORITY[listed.row.phase] if any(listed.row.names) else len(_PRIORITY)
