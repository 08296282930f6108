"""Nicknames and whole lists of tables, for dialects whose people have no login and follow no changes."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.lobby.room_list import pause, row
from qipai.hall.people.identity import Guest, Identity
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, RoomId
from qipai.kernel.room import AnyRoom, Phase
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
from .nicknames import Nicknames
from .spectator_names import gather

LISTED: Final = 500
"""How many tables a list has at the most; those where somebody waits come first, deserted ones last."""
_USE: Final = {Phase.WAITING: 0, Phase.PLAYING: 1, Phase.OVER: 2, Phase.CLOSED: 3}


class LegacyLobby:
    """Who came in for which game and under what name, and the list that they are told."""

    def __init__(
        self,
        host: CommandExecutor,
        identity: Identity,
        admit: Callable[[Connection, Guest], None],
        inbox: Inbox,
        ledger: SharedCounters | None,
    ) -> None:
        self._host = host
        self._identity = identity
        self._admit = admit
        self._inbox = inbox
        self.nicknames = Nicknames(inbox, ledger, self._stir, self._renamed)
        self._rows: dict[str, dict[RoomId, ListedRoom | None]] = {name: {} for name in host.games}
        self._unsorted: set[str] = set()
        self._stale: set[RoomId] = set()
        self._listings: dict[str, RoomList] = {}
        self._stirred: set[str] = set()
        self._closed = False
        self._handle: asyncio.TimerHandle | None = None
        host.changed.append(self._changed)
        host.bargained.append(self.touch)
        self.deeds: Handlers = {
            SetNickname: self._enter,
            LookUpRoom: self._look,
            ListRooms: self._list,
            SetReminder: self._remind,
        }

    def leave(self, peer: Connection) -> None:
        """Forget the peer."""
        self._host.alarms.clear(("remind", peer))
        self.nicknames.release(peer)

    def touch(self, box: LiveRoom) -> None:
        """Tell everybody soon that this table's row may be another."""
        room = box.durable
        if room.id in self._rows[room.game]:
            self._stale.add(room.id)
            self._stir(room.game)

    def close(self) -> None:
        """Tell nothing more."""
        self._closed = True
        if self._handle is not None:
            self._handle.cancel()

    # Names

    def _enter(self, peer: Connection, intent: SetNickname, now: Millis) -> None:
        if self._inbox.defer(peer, partial(self._enter, peer, intent, now)):
            return
        if peer not in self.nicknames.claims:
            # Places belong to sockets here: two tabs of one login are two people.
            guest = self._identity.guest()
            self._admit(peer, guest if peer.root is None else Guest(peer.root, guest.name))
        self.nicknames.claim(peer, intent.game, intent.name, partial(self._entered, peer, now))

    def _entered(self, peer: Connection, now: Millis) -> None:
        self._tell_name(peer)
        self._rename(peer, now)

    def again(self, peer: Connection, game: str, wanted: str, name: str) -> None:
        """Give somebody the name back that he had at another worker, if nobody has it."""
        self.nicknames.again(peer, game, wanted, name)
        self._tell_name(peer)

    def wanted(self, peer: Connection) -> str:
        """Return the name that somebody asked for, empty if he did not."""
        claim = self.nicknames.claims.get(peer)
        return "" if claim is None else claim.wanted

    def tell(self, peer: Connection) -> None:
        """Show somebody the list of the game that he came in for."""
        if (claim := self.nicknames.claims.get(peer)) is not None:
            peer.tell(self._listing(claim.game))

    def _tell_name(self, peer: Connection) -> None:
        claim = self.nicknames.claims[peer]
        peer.name = claim.name
        peer.tell(NicknameSet(claim.name))
        self._stir(claim.game)

    def _renamed(self, peer: Connection) -> None:
        self._tell_name(peer)
        self._rename(peer, self._host.now())

    def _rename(self, peer: Connection, now: Millis) -> None:
        assert peer.person is not None
        for room, viewer in peer.rooms.items():
            box = self._host.live_rooms.get(room)
            if box is None:
                continue
            if viewer == SPECTATOR:
                gather(box)
            else:
                self._host.submit(box, SYSTEM, TakeSeat(peer.person, peer.name), now)

    # Looking around

    def _look(self, peer: Connection, intent: LookUpRoom, now: Millis) -> None:
        # Whoever has asked for a seat just before sits in it when this is answered.
        self._host.journal.after(lambda _: self._show(peer, intent))

    def _show(self, peer: Connection, intent: LookUpRoom) -> None:
        box = self._host.find(intent.room)
        if box is None and self._host.sharing is not None and intent.room:
            told = partial(self._tell_seen, peer, intent)
            self._host.sharing.reach(intent.room, told, partial(told, None))
        else:
            self._tell_seen(peer, intent, box)

    def _tell_seen(self, peer: Connection, intent: LookUpRoom, box: LiveRoom | None) -> None:
        seen = None if box is None else view(box.rules, box.seen(SPECTATOR), SPECTATOR, self._host.now())
        peer.tell(RoomFound(intent.room, seen, 0 if box is None else box.spectators, intent.about))

    def _list(self, peer: Connection, intent: ListRooms, now: Millis) -> None:
        # Who has just come in is told when his name is known.
        if not self._inbox.defer(peer, partial(self._list, peer, intent, now)):
            self._host.journal.after(lambda _: peer.tell(self._listing(intent.game)))

    def _listing(self, game: str) -> RoomList:
        """Return the list as it is now: the same value until something has changed."""
        rows, people = self._rows[game], self.nicknames.count(game)
        if game in self._unsorted:
            self._unsorted.discard(game)
            ages = sorted(rows, key=lambda room: self._host.live_rooms[room].durable.opened)
            rows = self._rows[game] = {room: rows[room] for room in ages}
        fresh = [room for room in self._stale if room in rows]
        self._stale.difference_update(fresh)
        for room in fresh:
            box = self._host.live_rooms[room]
            rows[room] = ListedRoom(
                row(box), box.first(box.latest if box.delay_buffer is None else box.delay_buffer.room)
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

    def _changed(self, box: LiveRoom, before: AnyRoom) -> None:
        room = box.durable
        rows = self._rows[room.game]
        if not room.table.public:
            return
        if room.phase is Phase.CLOSED:
            rows.pop(room.id, None)
            self._stale.discard(room.id)
            self._listings.pop(room.game, None)
        else:
            if room.id not in rows:
                self._add(box)
            self._stale.add(room.id)
        self._stir(room.game)

    def _add(self, box: LiveRoom) -> None:
        room = box.durable
        rows = self._rows[room.game]
        last = next(reversed(rows), None)
        # Rooms that are opened come in order; those that a restart brings back need not.
        if last is not None and self._host.live_rooms[last].durable.opened > room.opened:
            self._unsorted.add(room.game)
        rows[room.id] = None

    def _stir(self, game: str) -> None:
        """Look soon whether there is anything to tell."""
        if self.nicknames.people.get(game) and not self._closed:
            self._stirred.add(game)
            if self._handle is None:
                self._handle = asyncio.get_running_loop().call_later(
                    pause(len(self.nicknames.claims)), self._tell
                )

    def _tell(self) -> None:
        self._handle = None
        stirred, self._stirred = self._stirred, set()
        for game in stirred:
            listing = self._listing(game)
            for peer in self.nicknames.people.get(game, {}).values():
                peer.tell(listing)

    # Later

    def _remind(self, peer: Connection, intent: SetReminder, now: Millis) -> None:
        due = Millis(now + intent.after)
        self._host.alarms.set(("remind", peer), due, partial(peer.tell, ReminderDue(intent.about)))


def _use(listed: ListedRoom) -> int:
    """Return how much use a table is to somebody who reads the list: the less, the more."""
    return _USE[listed.row.phase] if any(listed.row.names) else len(_USE)
