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
        self, executor: CommandExecutor, presence: Presence, bus: Bus, incidents: InternalErrors
    ) -> None:
        self._executor = executor
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
        self.afar = RemotePresence(executor, presence, bus, self.following)
        self._losses = MissingRooms(executor, bus, lambda: {*self.following, *self._asking})
        self._lingering = UnusedReplicas(self.following, self._let_go)
        self._drift = SubscriptionCheck(bus, self.following, self._asking, self.catch_up)
        self.told: Callable[[bytes], None] = lambda _: None
        """Called with what another worker says to all."""
        self.crewed: list[Callable[[frozenset[str]], None]] = []
        """Called with the names of all workers that are alive."""
        self.others = 0
        """How many people are with the other workers."""
        self._counted: Callable[[], None] = lambda: None
        executor.replication = self
        presence.afar = self.afar

    def share(self, think: Callable[[LiveRoom], None], counted: Callable[[], None]) -> None:
        """Let only the worker in charge think for bots; call `counted` when other people are online."""
        self._executor.ask_bots = lambda live: think(live) if self.afar.in_charge(live) else None
        self._counted = counted

    def meet(self, store: Store) -> int:
        """Know every table that lives, before anything is heard; return how many there are."""
        for room in store.open_rooms():
            if (saved := store.load(room)) is not None:
                self.shown(saved.snapshot)
        return len(self._executor.live_rooms)

    # What the host asks for

    def opened(self, live: LiveRoom) -> None:
        """Hear of it if anybody else does something there: whoever opens a room follows it."""
        room = live.latest.id
        self.following[room] = live
        self._opening.add(room)
        self._executor.journal.after(lambda _: self._opening.discard(room), room)

    def forgot(self, live: LiveRoom) -> None:
        """Hear no more of it."""
        room = live.latest.id
        if self.following.pop(room, None) is not None:
            self.afar.forget(live)
            self._bus.unsubscribe(room)
        self._lingering.forget(room)
        self._heirs.discard(room)
        if live.broken and live.durable.version == 1 and self._bus.open:
            # It could not be opened; perhaps it is open already, by another worker.
            self.reach(room, lambda _: None, lambda: None)

    def wait(self, live: LiveRoom, again: Retry, sorry: Retry) -> None:
        """Catch up, and do it then."""
        room = live.latest.id
        waiting = self._waiting.get(room, ())
        # Of a room that is not here any more nothing would ever be read.
        if (
            not self._bus.open
            or len(waiting) >= MOST_WAITING
            or self._executor.live_rooms.get(room) is not live
        ):
            sorry()
        else:
            self._waiting.setdefault(room, []).append((again, sorry))
            self.catch_up(live)

    def failed(self, live: LiveRoom) -> None:
        """Read the room again in a while: its deadline and its bots wait for that."""
        if self._bus.open:
            asyncio.get_running_loop().call_later(PATIENCE / 1000, self.catch_up, live)

    def reach(self, key: str, then: Callable[[LiveRoom | None], None], sorry: Retry) -> None:
        """Find a room that others may know: by its id, or by its code."""

        def loaded(room: RoomId, saved: Saved | StoreError | None) -> None:
            if isinstance(saved, StoreError):
                sorry()
            elif saved is not None and saved.snapshot.live:
                self.shown(saved.snapshot)
                then(self._executor.find(room))
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

    def announce(self, live: LiveRoom, connection: Connection) -> None:
        """Say what a peer is known by, before anybody hears of what it does."""
        self.afar.announce(live, connection)

    def recall(self, live: LiveRoom, then: Callable[[Saved | None], None]) -> None:
        """Read a room as it is written; nothing if that cannot be."""
        self._bus.load(live.durable.id, lambda saved: then(saved if isinstance(saved, Saved) else None))

    def send_room_message(self, room: RoomId, body: bytes) -> None:
        """Send a message to the observers of the room on other workers."""
        self.afar.send_room_message(room, body)

    def exclusively(self, name: str, work: Retry) -> None:
        """Work while no other worker does work of this name."""
        journal = self._executor.journal

        def held(_held: bool) -> None:
            work()
            # First what was to be done before, then what this work has staged.
            journal.after(lambda _: journal.after(lambda _: self._bus.unlock(name)))

        self._bus.lock(name, held)

    # Catching up

    def catch_up(self, live: LiveRoom) -> None:
        """Read what others did; until that is done the room takes no commands."""
        room = live.durable.id
        if room in self._asking or self._executor.live_rooms.get(room) is not live:
            return
        live.broken = True
        if live.latest is not live.durable or room in self._opening:
            # What is under way will be written or lost first.
            asyncio.get_running_loop().call_later(SOON, self.catch_up, live)
            return
        self._asking[room] = 0
        self._bus.subscribe(room, live.durable.version, partial(self._caught, live))

    def _caught(self, live: LiveRoom, told: CatchUp | StoreError) -> None:
        room, shown = live.durable.id, live.durable
        heard = self._asking.pop(room, 0)
        if self._executor.live_rooms.get(room) is not live:
            self._sorry(room)
            self._bus.unsubscribe(room)
        elif live.latest is not live.durable:
            # Something was staged after all, by what the last catching up brought about: it comes first.
            self.catch_up(live)
        elif isinstance(told, StoreError) or self._executor.journal.full:
            self._sorry(room)
            self.failed(live)
        elif told.length < shown.version or told.at != shown.at or not follows(told.tail, shown.version):
            # The store has lost what it had; others may have gone on from there.
            self._asking[room] = heard
            self._bus.load(room, partial(self._loaded, live))
        else:
            live.followed = True
            self.following[room] = live
            self.afar.set(live, told.places)
            self._apply(live, told.tail)
            self._settle(live, heard)

    def _loaded(self, live: LiveRoom, saved: Saved | StoreError | None) -> None:
        room = live.durable.id
        heard = self._asking.pop(room, 0)
        if live.latest is not live.durable:
            self.catch_up(live)
            return
        if saved is None:
            self._sorry(room)
            self._losses.close(live)
            return
        try:
            if isinstance(saved, StoreError):
                raise saved
            _, value, _ = restore(self._executor.games, saved)
        except StoreError as error:
            self._incidents.store_failed(error, live.latest)
            self._sorry(room)
            self.failed(live)
            return
        live.followed, live.broken = True, False
        self.following[room] = live
        self._executor.replace_value(live, value)
        self._do(live)
        self._settle(live, heard)

    def _apply(self, live: LiveRoom, entries: Sequence[Entry]) -> None:
        # What a step makes somebody do must wait until all of them are taken.
        live.broken = True
        try:
            for done in replay(live.game, live.durable, entries):
                self.afar.introduce(live, done.room)
                self._executor.apply_remote_step(live, done)
        except JournalError as error:
            self._incidents.store_failed(error, live.latest)
            self._asking[live.durable.id] = 0
            self._bus.load(live.durable.id, partial(self._loaded, live))
            return
        live.broken = False
        self._do(live)

    def _settle(self, live: LiveRoom, heard: int) -> None:
        """Look after a room that is followed from now on."""
        room = live.durable.id
        if self._executor.live_rooms.get(room) is not live or live.broken:
            return
        if heard > live.durable.version:
            # A hint came by its own line before the answer that it was not yet part of.
            self.catch_up(live)
            return
        if room in self._heirs:
            self._heirs.discard(room)
            self._presence.inherit(live)
        self._executor.set_alarm(live)
        self._presence.settle(live)
        self._presence.review(live)
        if live.bots:
            self._executor.ask_bots(live)

    def _do(self, live: LiveRoom) -> None:
        self._wake(live)
        if live.latest is not live.durable:
            # What waits shall see the clock as it is then.
            self.catch_up(live)
            return
        for again, _ in self._waiting.pop(live.durable.id, ()):
            again()

    def _wake(self, live: LiveRoom) -> None:
        """Take no time from anybody for an outage, unless that was done, here or elsewhere."""
        outage, room = self._outage, live.latest
        if outage is None or room.at >= outage.up or deadline(room) is None:
            return
        there = all(live.held(Seat(number)) for number, taken in enumerate(room.seats) if is_human(taken))
        woke = OutageEnded(outage.down, Millis(PATIENCE) if there else HEAD_START)
        self._executor.submit(live, SYSTEM, woke, self._executor.now(), again=partial(self._wake, live))

    def _sorry(self, room: RoomId) -> None:
        for _, sorry in self._waiting.pop(room, ()):
            sorry()

    # What the bus tells

    def heard(self, room: RoomId, entries: Sequence[Entry]) -> None:
        """Go along if they follow; read the stream if something is missing."""
        if room in self._asking:
            self._asking[room] = max(self._asking[room], entries[-1].version)
            return
        if (live := self.following.get(room)) is None:
            return
        if live.latest is not live.durable:
            asyncio.get_running_loop().call_later(SOON, self.heard, room, entries)
            return
        version = live.durable.version
        if not follows(entries, version):
            entries = [entry for entry in entries if entry.version > version]
        if not entries:
            return
        if live.broken or not follows(entries, version):
            self.catch_up(live)
        else:
            self._apply(live, entries)

    def shown(self, snapshot: Snapshot) -> None:
        """Know who is at a table that is not followed here."""
        live = self._executor.live_rooms.get(snapshot.room)
        if not self.behind(snapshot.room, snapshot.version) or (live is None and not snapshot.live):
            return
        try:
            game = self._executor.games[msgspec.json.decode(snapshot.body, type=RoomHeader).game]
            room = game.read_room(snapshot.body)
        except (KeyError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._incidents.store_broke(error)
            return
        if live is None:
            live = LiveRoom(game, room)
            live.followed, live.broken = False, True
            self._executor.adopt(live)
        self._executor.replace_value(live, room)

    def behind(self, room: RoomId, version: int) -> bool:
        """Tell whether a snapshot is news: it is not where every record is heard."""
        live = self._executor.live_rooms.get(room)
        return live is None or (
            room not in self.following and room not in self._asking and live.durable.version < version
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
            for live in list(self.following.values()):
                # Before anything else happens there its clock has to be set.
                self.catch_up(live)
        self.afar.crew(workers)
        for listener in self.crewed:
            listener(workers)
        if people != self.others:
            self.others = people
            self._counted()
        self._lingering.sweep(self._executor.now())

    def claimed(self, rooms: Iterable[RoomId]) -> None:
        """Look after rooms that nobody looks after."""
        for room in rooms:
            if room in self.following:
                continue
            self._heirs.add(room)
            live = self._executor.live_rooms.get(room)
            if live is None:
                self.reach(room, self._inherit, lambda: None)
            else:
                self.catch_up(live)

    def _inherit(self, live: LiveRoom | None) -> None:
        if live is not None:
            self.catch_up(live)

    def followed(self) -> Sequence[tuple[RoomId, int]]:
        """Return the rooms that are followed, and how far."""
        return [(room, live.durable.version) for room, live in self.following.items()]

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
        for live in list(self.following.values()):
            self.catch_up(live)
            self.afar.enroll(live)
        self._losses.look()

    def _let_go(self, live: LiveRoom) -> None:
        """Follow no longer what others look after."""
        self.forgot(live)
        live.followed, live.broken = False, True
        live.remote_members = {}
        self._presence.let_go(live)
