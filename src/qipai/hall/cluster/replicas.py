"""The same rooms at several workers: following, catching up, trying again, taking over.

A room that is *followed* here is exact: every record of it comes to this worker. Of any other room it is
known who sits there and what phase it is, because every snapshot goes to everybody. Whatever was heard is a
hint: truth is what the store has, and `step` makes the same of it everywhere.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

import msgspec

from qipai.clients.legacy_messages import NoteRelayed
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError, RoomHeader, follows, replay, restore
from qipai.hall.journal.store_interface import Entry, Saved, Snapshot, Store, StoreError
from qipai.hall.people.presence import Presence
from qipai.hall.rooms.command_executor import HEAD_START, PATIENCE, CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import OutageEnded
from qipai.kernel.ids import SYSTEM, Millis, RoomId, Seat
from qipai.kernel.room import deadline
from qipai.kernel.seats import is_human

from .bus_interface import Bus, CatchUp, Outage
from .lingering import UnusedReplicas
from .losses import MissingRooms
from .periodic_checks import SubscriptionCheck
from .remote_presence import RemotePresence
from .replication_interface import Retry

MOST_WAITING: Final = 1_000
"""Commands that may wait for one room to be read."""
SOON: Final = 0.002
"""Seconds until it is looked again whether what is under way is written."""


class Replicas:
    """What the hall does where it is one of several; `Listener` to the bus, `Sharing` to the host."""

    def __init__(
        self, host: CommandExecutor, presence: Presence, bus: Bus, incidents: InternalErrors
    ) -> None:
        self._host = host
        self._presence = presence
        self._bus = bus
        self._incidents = incidents
        self._waiting: dict[RoomId, list[tuple[Retry, Retry]]] = {}
        self._asking: dict[RoomId, int] = {}
        """The rooms that are being read, and the last version that was heard of meanwhile."""
        self._opening: set[RoomId] = set()
        """Those that the store does not have yet."""
        self._heirs: set[RoomId] = set()
        self._outage: Outage | None = None
        self.following: dict[RoomId, LiveRoom] = {}
        self.afar = RemotePresence(host, presence, bus, self.following)
        self._losses = MissingRooms(host, bus, lambda: {*self.following, *self._asking})
        self._lingering = UnusedReplicas(self.following, self._let_go)
        self._drift = SubscriptionCheck(bus, self.following, self._asking, self.catch_up)
        self.told: Callable[[bytes], None] = lambda _: None
        """Called with what another worker says to all."""
        self.crewed: list[Callable[[frozenset[str]], None]] = []
        """Called with the names of all workers that are alive."""
        self.others = 0
        """How many people are with the other workers."""
        self._counted: Callable[[], None] = lambda: None
        host.sharing = self
        presence.afar = self.afar

    def share(self, think: Callable[[LiveRoom], None], counted: Callable[[], None]) -> None:
        """Let only the worker in charge think for bots; call `counted` when other people are online."""
        self._host.consult = lambda box: think(box) if self.afar.in_charge(box) else None
        self._counted = counted

    def meet(self, store: Store) -> int:
        """Know every table that lives, before anything is heard; return how many there are."""
        for room in store.open_rooms():
            if (saved := store.load(room)) is not None:
                self.shown(saved.snapshot)
        return len(self._host.live_rooms)

    # What the host asks for

    def opened(self, box: LiveRoom) -> None:
        """Hear of it if anybody else does something there: whoever opens a room follows it."""
        room = box.latest.id
        self.following[room] = box
        self._opening.add(room)
        self._host.journal.after(lambda _: self._opening.discard(room), room)

    def forgot(self, box: LiveRoom) -> None:
        """Hear no more of it."""
        room = box.latest.id
        if self.following.pop(room, None) is not None:
            self.afar.forget(box)
            self._bus.unsubscribe(room)
        self._lingering.forget(room)
        self._heirs.discard(room)
        if box.broken and box.durable.version == 1 and self._bus.open:
            # It could not be opened; perhaps it is open already, by another worker.
            self.reach(room, lambda _: None, lambda: None)

    def wait(self, box: LiveRoom, again: Retry, sorry: Retry) -> None:
        """Catch up, and do it then."""
        room = box.latest.id
        waiting = self._waiting.get(room, ())
        # Of a room that is not here any more nothing would ever be read.
        if not self._bus.open or len(waiting) >= MOST_WAITING or self._host.live_rooms.get(room) is not box:
            sorry()
        else:
            self._waiting.setdefault(room, []).append((again, sorry))
            self.catch_up(box)

    def failed(self, box: LiveRoom) -> None:
        """Read the room again in a while: its deadline and its bots wait for that."""
        if self._bus.open:
            asyncio.get_running_loop().call_later(PATIENCE / 1000, self.catch_up, box)

    def reach(self, key: str, then: Callable[[LiveRoom | None], None], sorry: Retry) -> None:
        """Find a room that others may know: by its id, or by its code."""

        def loaded(room: RoomId, saved: Saved | StoreError | None) -> None:
            if isinstance(saved, StoreError):
                sorry()
            elif saved is not None and saved.snapshot.live:
                self.shown(saved.snapshot)
                then(self._host.find(room))
            elif room == key:
                self._bus.find(key.upper(), coded)
            else:
                then(None)

        def coded(room: RoomId | StoreError | None) -> None:
            if isinstance(room, StoreError):
                sorry()
            elif room is None or room == key:
                then(None)
            else:
                self._bus.load(room, partial(loaded, room))

        self._bus.load(RoomId(key), partial(loaded, RoomId(key)))

    def announce(self, box: LiveRoom, peer: Connection) -> None:
        """Say what a peer is known by, before anybody hears of what it does."""
        self.afar.announce(box, peer)

    def recall(self, box: LiveRoom, then: Callable[[Saved | None], None]) -> None:
        """Read a room as it is written; nothing if that cannot be."""
        self._bus.load(box.durable.id, lambda saved: then(saved if isinstance(saved, Saved) else None))

    def hand(self, note: NoteRelayed) -> None:
        """Give a note to the other players of a table who are connected elsewhere."""
        self.afar.hand(note)

    def exclusively(self, name: str, work: Retry) -> None:
        """Work while no other worker does work of this name."""
        journal = self._host.journal

        def held(_held: bool) -> None:
            work()
            # First what was to be done before, then what this work has staged.
            journal.after(lambda _: journal.after(lambda _: self._bus.unlock(name)))

        self._bus.lock(name, held)

    # Catching up

    def catch_up(self, box: LiveRoom) -> None:
        """Read what others did; until that is done the room takes no commands."""
        room = box.durable.id
        if room in self._asking or self._host.live_rooms.get(room) is not box:
            return
        box.broken = True
        if box.latest is not box.durable or room in self._opening:
            # What is under way will be written or lost first.
            asyncio.get_running_loop().call_later(SOON, self.catch_up, box)
            return
        self._asking[room] = 0
        self._bus.subscribe(room, box.durable.version, partial(self._caught, box))

    def _caught(self, box: LiveRoom, told: CatchUp | StoreError) -> None:
        room, shown = box.durable.id, box.durable
        heard = self._asking.pop(room, 0)
        if self._host.live_rooms.get(room) is not box:
            self._sorry(room)
            self._bus.unsubscribe(room)
        elif box.latest is not box.durable:
            # Something was staged after all, by what the last catching up brought about: it comes first.
            self.catch_up(box)
        elif isinstance(told, StoreError) or self._host.journal.full:
            self._sorry(room)
            self.failed(box)
        elif told.length < shown.version or told.at != shown.at or not follows(told.tail, shown.version):
            # The store has lost what it had; others may have gone on from there.
            self._asking[room] = heard
            self._bus.load(room, partial(self._loaded, box))
        else:
            box.followed = True
            self.following[room] = box
            self.afar.set(box, told.places)
            self._apply(box, told.tail)
            self._settle(box, heard)

    def _loaded(self, box: LiveRoom, saved: Saved | StoreError | None) -> None:
        room = box.durable.id
        heard = self._asking.pop(room, 0)
        if box.latest is not box.durable:
            self.catch_up(box)
            return
        if saved is None:
            self._sorry(room)
            self._losses.close(box)
            return
        try:
            if isinstance(saved, StoreError):
                raise saved
            _, value, _ = restore(self._host.games, saved)
        except StoreError as error:
            self._incidents.store_failed(error, box.latest)
            self._sorry(room)
            self.failed(box)
            return
        box.followed, box.broken = True, False
        self.following[room] = box
        self._host.put(box, value)
        self._do(box)
        self._settle(box, heard)

    def _apply(self, box: LiveRoom, entries: Sequence[Entry]) -> None:
        # What a step makes somebody do must wait until all of them are taken.
        box.broken = True
        try:
            for done in replay(box.game, box.durable, entries):
                self.afar.introduce(box, done.room)
                self._host.take(box, done)
        except JournalError as error:
            self._incidents.store_failed(error, box.latest)
            self._asking[box.durable.id] = 0
            self._bus.load(box.durable.id, partial(self._loaded, box))
            return
        box.broken = False
        self._do(box)

    def _settle(self, box: LiveRoom, heard: int) -> None:
        """Look after a room that is followed from now on."""
        room = box.durable.id
        if self._host.live_rooms.get(room) is not box or box.broken:
            return
        if heard > box.durable.version:
            # A hint came by its own line before the answer that it was not yet part of.
            self.catch_up(box)
            return
        if room in self._heirs:
            self._heirs.discard(room)
            self._presence.inherit(box)
        self._host.set_alarm(box)
        self._presence.settle(box)
        self._presence.review(box)
        if box.bots:
            self._host.consult(box)

    def _do(self, box: LiveRoom) -> None:
        self._wake(box)
        if box.latest is not box.durable:
            # What waits shall see the clock as it is then.
            self.catch_up(box)
            return
        for again, _ in self._waiting.pop(box.durable.id, ()):
            again()

    def _wake(self, box: LiveRoom) -> None:
        """Take no time from anybody for an outage, unless that was done, here or elsewhere."""
        outage, room = self._outage, box.latest
        if outage is None or room.at >= outage.up or deadline(room) is None:
            return
        there = all(box.held(Seat(number)) for number, chair in enumerate(room.seats) if is_human(chair))
        woke = OutageEnded(outage.down, Millis(PATIENCE) if there else HEAD_START)
        self._host.submit(box, SYSTEM, woke, self._host.now(), again=partial(self._wake, box))

    def _sorry(self, room: RoomId) -> None:
        for _, sorry in self._waiting.pop(room, ()):
            sorry()

    # What the bus tells

    def heard(self, room: RoomId, entries: Sequence[Entry]) -> None:
        """Go along if they follow; read the stream if something is missing."""
        if room in self._asking:
            self._asking[room] = max(self._asking[room], entries[-1].version)
            return
        if (box := self.following.get(room)) is None:
            return
        if box.latest is not box.durable:
            asyncio.get_running_loop().call_later(SOON, self.heard, room, entries)
            return
        version = box.durable.version
        if not follows(entries, version):
            entries = [entry for entry in entries if entry.version > version]
        if not entries:
            return
        if box.broken or not follows(entries, version):
            self.catch_up(box)
        else:
            self._apply(box, entries)

    def shown(self, snapshot: Snapshot) -> None:
        """Know who is at a table that is not followed here."""
        box = self._host.live_rooms.get(snapshot.room)
        if not self.behind(snapshot.room, snapshot.version) or (box is None and not snapshot.live):
            return
        try:
            game = self._host.games[msgspec.json.decode(snapshot.body, type=RoomHeader).game]
            room = game.read_room(snapshot.body)
        except (KeyError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._incidents.store_broke(error)
            return
        if box is None:
            box = LiveRoom(game, room)
            box.followed, box.broken = False, True
            self._host.adopt(box)
        self._host.put(box, room)

    def behind(self, room: RoomId, version: int) -> bool:
        """Tell whether a snapshot is news: it is not where every record is heard."""
        box = self._host.live_rooms.get(room)
        return box is None or (
            room not in self.following and room not in self._asking and box.durable.version < version
        )

    def placed(self, room: RoomId, key: str, place: bytes) -> None:
        """Somebody came or went elsewhere."""
        self.afar.placed(room, key, place)

    def noted(self, room: RoomId, note: bytes) -> None:
        """Another worker has a note for those who sit here, or says something about them."""
        self.afar.noted(room, note)

    def called(self, note: bytes) -> None:
        """Another worker says something to all."""
        self.told(note)

    def met(self, workers: frozenset[str], people: int, outage: Outage | None, follows: int) -> None:
        """Know who is alive; give up whoever was with those who are not."""
        self._drift.compare(follows)
        if outage != self._outage:
            self._outage = outage
            for box in list(self.following.values()):
                # Before anything else happens there its clock has to be set.
                self.catch_up(box)
        self.afar.crew(workers)
        for listener in self.crewed:
            listener(workers)
        if people != self.others:
            self.others = people
            self._counted()
        self._lingering.sweep(self._host.now())

    def claimed(self, rooms: Iterable[RoomId]) -> None:
        """Look after rooms that nobody looks after."""
        for room in rooms:
            if room in self.following:
                continue
            self._heirs.add(room)
            box = self._host.live_rooms.get(room)
            if box is None:
                self.reach(room, self._inherit, lambda: None)
            else:
                self.catch_up(box)

    def _inherit(self, box: LiveRoom | None) -> None:
        if box is not None:
            self.catch_up(box)

    def followed(self) -> Sequence[tuple[RoomId, int]]:
        """Return the rooms that are followed, and how far."""
        return [(room, box.durable.version) for room, box in self.following.items()]

    def cut(self) -> None:
        """Nothing can be done; whoever asks is told so."""
        for room in list(self._waiting):
            self._sorry(room)
        self._asking.clear()

    def back(self) -> None:
        """Read every room again, and say again who is here."""
        for listener in self.crewed:
            # What was called meanwhile was not heard: everybody has to be met anew.
            listener(frozenset())
        self._asking.clear()
        for box in list(self.following.values()):
            self.catch_up(box)
            self.afar.enroll(box)
        self._losses.look()

    def _let_go(self, box: LiveRoom) -> None:
        """Follow no longer what others look after."""
        self.forgot(box)
        box.followed, box.broken = False, True
        box.remote_members = {}
        self._presence.let_go(box)
