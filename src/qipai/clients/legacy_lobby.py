"""Nicknames and whole lists of tables, for dialects whose people have no login and follow no changes."""

import asyncio
from functools import partial
from typing import Final

from qipai.hall.client_interface import HallServices
from qipai.hall.connections.connection import Connection, Handlers
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
from .nicknames import Nicknames
from .spectator_names import send_spectator_names

LISTED: Final = 500
"""How many tables a list has at the most; those where somebody waits come first, deserted ones last."""
_USE: Final = {Phase.WAITING: 0, Phase.PLAYING: 1, Phase.OVER: 2, Phase.CLOSED: 3}


class LegacyLobby:
    """Who came in for which game and under what name, and the list that they are told."""

    def __init__(self, hall: HallServices, broadcasts: LegacyBroadcasts) -> None:
        self._executor = executor = hall.executor
        self._identity = hall.identity
        self._admission = hall.admission
        self._inbox = hall.inbox
        counters = None if hall.bus is None else hall.bus.counters
        self.nicknames = Nicknames(hall.inbox, counters, self._stir, self._renamed, broadcasts)
        self._rows: dict[str, dict[RoomId, ListedRoom | None]] = {name: {} for name in executor.games}
        self._unsorted: set[str] = set()
        self._stale: set[RoomId] = set()
        self._listings: dict[str, RoomList] = {}
        self._stirred: set[str] = set()
        self._closed = False
        self._handle: asyncio.TimerHandle | None = None
        self.handlers: Handlers = {
            SetNickname: self._enter,
            LookUpRoom: self._look,
            ListRooms: self._list,
            SetReminder: self._remind,
        }

    def leave(self, connection: Connection) -> None:
        """Forget the peer."""
        self._executor.alarms.clear(("remind", connection))
        self.nicknames.release(connection)

    def touch(self, live: LiveRoom) -> None:
        """Tell everybody soon that this table's row may be another."""
        room = live.durable
        if room.id in self._rows[room.game]:
            self._stale.add(room.id)
            self._stir(room.game)

    def close(self) -> None:
        """Tell nothing more."""
        self._closed = True
        if self._handle is not None:
            self._handle.cancel()

    # Names

    def _enter(self, connection: Connection, intent: SetNickname, now: Millis) -> None:
        if self._inbox.defer(connection, partial(self._enter, connection, intent, now)):
            return
        if connection not in self.nicknames.claims:
            # Places belong to sockets here: two tabs of one login are two people.
            guest = self._identity.guest()
            self._admission.admit(
                connection, guest if connection.root is None else Guest(connection.root, guest.name)
            )
        self.nicknames.claim(connection, intent.game, intent.name, partial(self._entered, connection, now))

    def _entered(self, connection: Connection, now: Millis) -> None:
        self._tell_name(connection)
        self._rename(connection, now)

    def again(self, connection: Connection, game: str, wanted: str, name: str) -> None:
        """Give somebody the name back that he had at another worker, if nobody has it."""
        self.nicknames.again(connection, game, wanted, name)
        self._tell_name(connection)

    def wanted(self, connection: Connection) -> str:
        """Return the name that somebody asked for, empty if he did not."""
        claim = self.nicknames.claims.get(connection)
        return "" if claim is None else claim.wanted

    def tell(self, connection: Connection) -> None:
        """Show somebody the list of the game that he came in for."""
        if (claim := self.nicknames.claims.get(connection)) is not None:
            connection.send_notice(self._listing(claim.game))

    def _tell_name(self, connection: Connection) -> None:
        claim = self.nicknames.claims[connection]
        connection.name = claim.name
        connection.send_notice(NicknameSet(claim.name))
        self._stir(claim.game)

    def _renamed(self, connection: Connection) -> None:
        self._tell_name(connection)
        self._rename(connection, self._executor.now())

    def _rename(self, connection: Connection, now: Millis) -> None:
        assert connection.person is not None
        for room, viewer in connection.rooms.items():
            live = self._executor.live_rooms.get(room)
            if live is None:
                continue
            if viewer == SPECTATOR:
                send_spectator_names(live)
            else:
                self._executor.submit(live, SYSTEM, TakeSeat(connection.person, connection.name), now)

    # Looking around

    def _look(self, connection: Connection, intent: LookUpRoom, now: Millis) -> None:
        # Whoever has asked for a seat just before sits in it when this is answered.
        self._executor.journal.after(lambda _: self._show(connection, intent))

    def _show(self, connection: Connection, intent: LookUpRoom) -> None:
        live = self._executor.find(intent.room)
        if live is None and self._executor.replication is not None and intent.room:
            told = partial(self._tell_seen, connection, intent)
            self._executor.replication.reach(intent.room, told, partial(told, None))
        else:
            self._tell_seen(connection, intent, live)

    def _tell_seen(self, connection: Connection, intent: LookUpRoom, live: LiveRoom | None) -> None:
        seen = (
            None if live is None else view(live.rules, live.seen(SPECTATOR), SPECTATOR, self._executor.now())
        )
        connection.send_notice(
            RoomFound(intent.room, seen, 0 if live is None else live.spectators, intent.about)
        )

    def _list(self, connection: Connection, intent: ListRooms, now: Millis) -> None:
        # Who has just come in is told when his name is known.
        if not self._inbox.defer(connection, partial(self._list, connection, intent, now)):
            self._executor.journal.after(lambda _: connection.send_notice(self._listing(intent.game)))

    def _listing(self, game: str) -> RoomList:
        """Return the list as it is now: the same value until something has changed."""
        rows, people = self._rows[game], self.nicknames.count(game)
        if game in self._unsorted:
            self._unsorted.discard(game)
            ages = sorted(rows, key=lambda room: self._executor.live_rooms[room].durable.opened)
            rows = self._rows[game] = {room: rows[room] for room in ages}
        fresh = [room for room in self._stale if room in rows]
        self._stale.difference_update(fresh)
        for room in fresh:
            live = self._executor.live_rooms[room]
            rows[room] = ListedRoom(
                row(live), live.first(live.latest if live.delay_buffer is None else live.delay_buffer.room)
            )
        known = self._listings.get(game)
        if known is None or fresh or known.people != people:
            whole = [each for each in rows.values() if each is not None]
            if len(whole) > LISTED:
                best = sorted(whole, key=_use)[:LISTED]
                kept = {each.row.id for each in best}
                whole = [each for each in whole if each.row.id in kept]
            known = self._listings[game] = RoomList(game, tuple(whole), people)
        return known

    def room_changed(self, live: LiveRoom) -> None:
        """Update the row of a public room whose seats or phase changed."""
        room = live.durable
        rows = self._rows[room.game]
        if not room.table.public:
            return
        if room.phase is Phase.CLOSED:
            rows.pop(room.id, None)
            self._stale.discard(room.id)
            self._listings.pop(room.game, None)
        else:
            if room.id not in rows:
                self._add(live)
            self._stale.add(room.id)
        self._stir(room.game)

    def _add(self, live: LiveRoom) -> None:
        room = live.durable
        rows = self._rows[room.game]
        last = next(reversed(rows), None)
        # Rooms that are opened come in order; those that a restart brings back need not.
        if last is not None and self._executor.live_rooms[last].durable.opened > room.opened:
            self._unsorted.add(room.game)
        rows[room.id] = None

    def _stir(self, game: str) -> None:
        """Look soon whether there is anything to tell."""
        if self.nicknames.people.get(game) and not self._closed:
            self._stirred.add(game)
            if self._handle is None:
                self._handle = asyncio.get_running_loop().call_later(
                    update_interval(len(self.nicknames.claims)), self._tell
                )

    def _tell(self) -> None:
        self._handle = None
        stirred, self._stirred = self._stirred, set()
        for game in stirred:
            listing = self._listing(game)
            for connection in self.nicknames.people.get(game, {}).values():
                connection.send_notice(listing)

    # Later

    def _remind(self, connection: Connection, intent: SetReminder, now: Millis) -> None:
        due = Millis(now + intent.after)
        self._executor.alarms.set(
            ("remind", connection), due, partial(connection.send_notice, ReminderDue(intent.about))
        )


def _use(listed: ListedRoom) -> int:
    """Return how much use a table is to somebody who reads the list: the less, the more."""
    return _USE[listed.row.phase] if any(listed.row.names) else len(_USE)
