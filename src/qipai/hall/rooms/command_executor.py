"""Every living room: takes commands, steps, stages the record, and speaks once it is durable."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from qipai.games.game_registry import Game
from qipai.hall.cluster.bus_interface import Bus
from qipai.hall.cluster.replication_interface import Replication, Retry
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.journal.room_rebuilding import JournalRecord, encode, restore
from qipai.hall.journal.store_interface import Conflict, Entropy, Entry, Now, Snapshot, Store, StoreError
from qipai.hall.people.seat_index import SeatIndex
from qipai.hall.spectators.delayed_delivery import SpectatorDelay
from qipai.kernel.commands import (
    AnswerOffer,
    Command,
    MakeOffer,
    OpenRoom,
    OutageEnded,
    StartGame,
    TableRules,
    TakeSeat,
    TimeUp,
)
from qipai.kernel.ids import NO_NONCE, SPECTATOR, SYSTEM, Millis, Nonce, RoomId, Seat
from qipai.kernel.randomness import SEED_BYTES
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import CLOSED, Advanced, AnyRoom, Phase, Unchanged, create, deadline
from qipai.kernel.room_view import view
from qipai.kernel.seats import seat_of
from qipai.kernel.step import step
from qipai.protocol import notices
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import FullRoom, Refused

from .alarms import Alarms
from .fan_out import ViewerEvents, news_of, news_since, spread
from .live_room import LiveRoom
from .room_codes import fresh
from .room_observers import RoomObservers

SNAPSHOT_EVERY: Final = 64
PATIENCE: Final = 1_000
"""Milliseconds before something that failed is tried again by itself."""
HEAD_START: Final = Millis(5_000)
_DEALING: Final = frozenset({TakeSeat, StartGame, MakeOffer, AnswerOffer})
_ENDED: Final = frozenset({Phase.OVER, Phase.CLOSED})

RoomListener = Callable[[LiveRoom, AnyRoom], None]
"""Called after a step changed who sits, what phase it is, or whether the room exists."""


class CommandExecutor:
    """The rooms of this process. Everything here is synchronous and runs on the event loop."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        alarms: Alarms,
        incidents: InternalErrors,
        now: Now,
        entropy: Entropy,
        bus: Bus | None = None,
    ) -> None:
        self.games = games
        self.journal = GroupCommit(store, bus)
        self.replication: Replication | None = None
        self.live_rooms: dict[RoomId, LiveRoom] = {}
        self.rooms_by_code: dict[str, RoomId] = {}
        self.seat_index = SeatIndex()
        self.alarms = alarms
        self.now = now
        self.room_listeners: list[RoomListener] = []
        self.offer_listeners: list[Callable[[LiveRoom], None]] = []
        """Called after a step that made, answered or ended an offer, and nothing structural."""
        self.observers = RoomObservers()
        self.spectator_delay = SpectatorDelay(alarms, incidents, now, self.send_full_room)
        self.moves = 0
        self.refused = 0
        self.conflicts = 0
        """How often another worker was quicker."""
        self._store = store
        self._incidents = incidents
        self._entropy = entropy

    def find(self, key: str) -> LiveRoom | None:
        """Return the living room with this id or short code."""
        live = self.live_rooms.get(RoomId(key))
        if live is None and (room := self.rooms_by_code.get(key.upper())) is not None:
            live = self.live_rooms.get(room)
        return live

    def open(self, game: Game, room_id: RoomId, options: object, table: TableRules, now: Millis) -> LiveRoom:
        """Open an empty room; its record is staged."""
        command = OpenRoom(
            room_id, fresh(self._entropy, self.rooms_by_code, public=table.public), game.name, options, table
        )
        entropy = self._entropy(SEED_BYTES)
        room = create(game.rules, command, now, entropy)
        live = self.adopt(LiveRoom(game, room))
        self._stage(live, Advanced(room, (), SYSTEM), command, entropy, None, None)
        if self.replication is not None:
            self.replication.opened(live)
        return live

    def submit(
        self,
        live: LiveRoom,
        actor: Seat,
        command: Command,
        now: Millis,
        asker: Connection | None = None,
        nonce: Nonce = NO_NONCE,
        at_version: int = 0,
        again: Retry | None = None,
    ) -> None:
        """Do what the command asks, and tell everybody once it is durable; tell a refusal to the asker.

        If another worker was quicker it is done `again`, by default just so.
        """
        if self.replication is not None and again is None:
            again = partial(self.submit, live, actor, command, now, asker, nonce, at_version)
        if (live.broken or self.journal.full) and not self._ready(live, asker, nonce, again):
            return
        if (
            live.deadline is not None
            and live.deadline <= now
            and not isinstance(command, TimeUp | OutageEnded)
        ):
            # The alarm is late: what is due is settled before anything else happens.
            self.submit(live, SYSTEM, TimeUp(), now)
        entropy = self._entropy(SEED_BYTES) if type(command) in _DEALING else b""
        try:
            result = step(live.rules, live.latest, actor, command, now, entropy, nonce, at_version)
        except Exception as error:  # noqa: BLE001 - one command must not take the server down
            incident = self._incidents.report(error, live.latest, actor, command, now, entropy)
            self._deny(asker, live, Refusal.INTERNAL, nonce, incident)
            return
        if isinstance(result, Advanced):
            self._stage(live, result, command, entropy if result.room.seed is entropy else b"", asker, again)
        elif isinstance(result, Unchanged):
            if asker is not None:
                self.journal.after(partial(self._unchanged, live, asker, nonce, again), live.latest.id)
        else:
            self.refused += 1
            if asker is not None:
                self.journal.after(
                    partial(self._refused, live, asker, result.code, nonce, again), live.latest.id
                )

    def recover(self) -> int:
        """Load every living room, thaw its clock, and return how many there are."""
        down, now = self._store.last_heartbeat(), self.now()
        for room_id in self._store.open_rooms():
            try:
                saved = self._store.load(room_id)
                if saved is None:
                    continue
                game, room, _ = restore(self.games, saved)
            except StoreError as error:
                self._incidents.store_broke(error)
                continue
            live = self.adopt(LiveRoom(game, room))
            self.spectator_delay.recover(live, self._store, self.games)
            for watcher in self.room_listeners:
                watcher(live, room)
            if deadline(room) is not None:
                self.submit(live, SYSTEM, OutageEnded(down, HEAD_START), now)
        return len(self.live_rooms)

    def events_since(
        self, live: LiveRoom, version: int, then: Callable[[list[ViewerEvents] | None], None]
    ) -> None:
        """Pass on what was told after this version, or None if a whole view is the better answer.

        The journal knows it; keeping it in memory would cost every move for the sake of a few
        cuts. Version 0 is that of a peer which has seen nothing.
        """
        if version == live.durable.version:
            then([])
        elif not 0 < version < live.durable.version:
            then(None)
        elif self.replication is not None:
            self.replication.recall(
                live, lambda saved: then(news_since(self.games, saved, version, live.durable))
            )
        else:
            then(news_since(self.games, self._store.load(live.durable.id), version, live.durable))

    def send_full_room(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Send the whole table as this peer may see it."""
        now, room = self.now(), live.seen(viewer)
        # Whoever is shown a table for the first time is about to look on.
        newcomer = viewer == SPECTATOR and connection not in live.members
        seen = view(live.rules, room, viewer, now, live.spectators + newcomer)
        connection.send_notice(FullRoom(seen, room.version, now, viewer if viewer >= 0 else None))

    def adopt(self, live: LiveRoom) -> LiveRoom:
        """Have one more room."""
        room = live.latest
        self.live_rooms[room.id] = live
        self.rooms_by_code[room.code] = room.id
        self.seat_index.count(live, None)
        return live

    def _stage(
        self,
        live: LiveRoom,
        done: Advanced,
        command: OpenRoom | Command,
        entropy: bytes,
        asker: Connection | None,
        again: Retry | None,
    ) -> None:
        before, room = live.latest, done.room
        live.latest = room
        version = room.version
        body = encode(JournalRecord(done.actor, command, done.nonce, entropy))
        snapshot = None
        ended = room.phase is not before.phase and room.phase in _ENDED
        # Other workers know by its snapshots who is at a table, and whether it is one.
        told = self.replication is not None and (
            room.seats is not before.seats or room.phase is not before.phase
        )
        if version % SNAPSHOT_EVERY == 0 or version == 1 or ended or told:
            snapshot = Snapshot(room.id, version, room.phase is not CLOSED, encode(room), room.code)
        effect = partial(self._durable, live, before, done, asker, again)
        self.journal.stage(Entry(room.id, version, room.at, body), snapshot, effect)

    def apply_remote_step(self, live: LiveRoom, done: Advanced) -> None:
        """Go along with a step that another worker took."""
        before, live.latest = live.latest, done.room
        self.moves -= 1
        self._durable(live, before, done, None, None, None)

    def _durable(
        self,
        live: LiveRoom,
        before: AnyRoom,
        done: Advanced,
        asker: Connection | None,
        again: Retry | None,
        failure: StoreError | None,
    ) -> None:
        if failure is not None:
            self._failed(live, done, asker, again, failure)
            return
        room = done.room
        live.durable = room
        self.moves += 1
        structural = room.seats is not before.seats or room.phase is not before.phase
        newcomer = None
        if structural and asker is not None and asker.person is not None:
            seat = seat_of(room.seats, asker.person)
            # Whoever sat there before this step has come already, or has gone since.
            if seat is not None and seat_of(before.seats, asker.person) is None:
                newcomer = asker
                if live.members.get(asker) == SPECTATOR:
                    del live.members[asker]
                    self.observers.spectators_changed(live)
                for connection in live.members:
                    connection.send_notice(SeatHeld(room.id, seat, asker.handle, new=True))
        if live.delay_buffer is not None:
            self.spectator_delay.tell(live, done, newcomer, asker)
        elif live.members:
            spread(live.members.items(), news_of(live.rules, done), newcomer)
        if structural or room.version == 1:
            self.seat_index.count(live, before)
            for watcher in self.room_listeners:
                watcher(live, before)
        elif room.offers is not before.offers:
            for told in self.offer_listeners:
                told(live)
        if newcomer is not None:
            self.seated(live, newcomer)
        if live.bots:
            self.ask_bots(live)
        if structural or room.clock is not None:
            self.set_alarm(live)
        if room.phase is CLOSED:
            self._forget(live)

    seated: Callable[[LiveRoom, Connection], None]
    """Called when a peer's own command gave it a seat."""
    ask_bots: Callable[[LiveRoom], None]
    """Called after every step of a table where bots sit."""

    def set_alarm(self, live: LiveRoom) -> None:
        """Look at the table when its deadline passes."""
        live.deadline = due = deadline(live.latest)
        if due is None:
            live.alarm = None
            self.alarms.clear(("deadline", live.latest.id))
        elif live.alarm is None or due < live.alarm:
            # One that rings too early is set again then: a clock that moves with every move costs nothing.
            live.alarm = Millis(max(due, live.retry_after))
            self.alarms.set(("deadline", live.latest.id), live.alarm, partial(self._time_up, live))

    def _time_up(self, live: LiveRoom) -> None:
        live.alarm = None
        before, now = live.latest, self.now()
        if live.deadline is None or live.deadline > now or live.retry_after > now:
            self.set_alarm(live)
            return
        self.submit(live, SYSTEM, TimeUp(), now)
        if live.latest is before:
            # Nothing was settled: too early, or something is wrong that will not pass at once.
            live.retry_after = Millis(now + PATIENCE)
            self.set_alarm(live)

    def _unchanged(
        self, live: LiveRoom, asker: Connection, nonce: Nonce, again: Retry | None, failure: StoreError | None
    ) -> None:
        if failure is None:
            asker.send_notice(
                notices.Unchanged(
                    live.durable.id, live.seen(live.members.get(asker, SPECTATOR)).version, nonce
                )
            )
        elif not self._raced(live, asker, nonce, again, failure):
            self._deny(asker, live, Refusal.UNAVAILABLE, nonce)

    def _refused(
        self,
        live: LiveRoom,
        asker: Connection,
        code: Refusal,
        nonce: Nonce,
        again: Retry | None,
        failure: StoreError | None,
    ) -> None:
        # Why it was refused may rest on what has just been written, or lost.
        if failure is None or not self._raced(live, asker, nonce, again, failure):
            self._deny(asker, live, code if failure is None else Refusal.UNAVAILABLE, nonce)

    def _deny(
        self, asker: Connection | None, live: LiveRoom, code: Refusal, nonce: str, incident: str = ""
    ) -> None:
        if asker is not None:
            asker.send_notice(Refused(code, live.latest.id, nonce, incident=incident))

    def _ready(self, live: LiveRoom, asker: Connection | None, nonce: Nonce, again: Retry | None) -> bool:
        """Tell whether a command can be taken now; what cannot is answered, or waits."""
        if not self.journal.full and self.replication is not None and again is not None:
            self.replication.wait(live, again, partial(self._deny, asker, live, Refusal.UNAVAILABLE, nonce))
            return False
        if not self.journal.full and self._reload(live):
            return True
        self._deny(asker, live, Refusal.UNAVAILABLE, nonce)
        return False

    def _raced(
        self, live: LiveRoom, asker: Connection | None, nonce: Nonce, again: Retry | None, failure: StoreError
    ) -> bool:
        """Do a command again if all that happened is that another worker was quicker."""
        if self.replication is None or again is None or not isinstance(failure, Conflict):
            return False
        if self.live_rooms.get(live.latest.id) is not live:
            return False
        self.conflicts += 1
        live.latest = live.durable
        self.replication.wait(live, again, partial(self._deny, asker, live, Refusal.UNAVAILABLE, nonce))
        return True

    # A batch whose outcome is unknown: have the room again as the store knows it, and show it to all.

    def _failed(
        self,
        live: LiveRoom,
        done: Advanced,
        asker: Connection | None,
        again: Retry | None,
        failure: StoreError,
    ) -> None:
        if self._raced(live, asker, done.nonce, again, failure):
            return
        if self.replication is None or not isinstance(failure, Conflict):
            self._incidents.store_failed(failure, done.room)
        self._deny(asker, live, Refusal.UNAVAILABLE, done.nonce)
        if live.latest is not live.durable or done.room.version == 1:
            live.latest = live.durable
            live.broken = True
            live.retry_after = Millis(self.now() + PATIENCE)
            if not self._reload(live) and done.room.version == 1:
                self._forget(live)

    def _reload(self, live: LiveRoom) -> bool:
        if self.replication is not None:
            self.replication.failed(live)
            return False
        try:
            saved = self._store.load(live.latest.id)
            if saved is None:
                return False
            _, room, _ = restore(self.games, saved)
        except StoreError as error:
            self._incidents.store_failed(error, live.latest)
            return False
        live.broken = False
        self.replace_value(live, room)
        return True

    def replace_value(self, live: LiveRoom, room: AnyRoom) -> None:
        """Have the room as it was read, and show it to all."""
        before, live.latest, live.durable = live.durable, room, room
        self.seat_index.count(live, before)
        self.spectator_delay.jump(live)
        for watcher in self.room_listeners:
            watcher(live, before)
        for connection, viewer in live.members.items():
            self.send_full_room(live, connection, viewer)
        if live.followed:
            self.set_alarm(live)
        if room.phase is CLOSED:
            self._forget(live)

    def _forget(self, live: LiveRoom) -> None:
        room = live.latest
        if self.replication is not None:
            self.replication.forgot(live)
        self.live_rooms.pop(room.id, None)
        if self.rooms_by_code.get(room.code) == room.id:
            del self.rooms_by_code[room.code]
        self.alarms.clear(("deadline", room.id))
        self.seat_index.clear_table(room)
        for connection in live.members:
            connection.rooms.pop(room.id, None)
        live.members.clear()
        live.holders.clear()
