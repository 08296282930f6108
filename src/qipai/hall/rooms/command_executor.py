"""Executes commands: steps the room, stages the record, notifies once it is durable."""

from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.games.game import Game
from qipai.hall.cluster.replica_transitions import FOLLOWING, FORGOTTEN, OPENING
from qipai.hall.cluster.replication_interface import Callback, Replication
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.journal.record_conversion import record_of
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Conflict, Entropy, Entry, Now, Snapshot, StoreError
from qipai.hall.spectators.spectator_delay import SpectatorDelay
from qipai.kernel.commands import (
    AnswerOffer,
    Command,
    MakeOffer,
    OpenRoom,
    OutageEnded,
    Play,
    StartGame,
    TableRules,
    TakeSeat,
    TimeUp,
)
from qipai.kernel.ids import NO_NONCE, SPECTATOR, SYSTEM, Millis, Nonce, RoomId, Seat
from qipai.kernel.randomness import SEED_BYTES
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import CLOSED, Advanced, AnyRoom, Phase, Unchanged
from qipai.kernel.seats import persons_of, seat_of
from qipai.kernel.step import step
from qipai.protocol import notices
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import Refused

from .alarms import Alarms
from .fan_out import FanOut, events_of, full_room
from .live_room import LiveRoom
from .plain_moves import SNAPSHOT_EVERY, PlainMoves
from .room_deadlines import RETRY_PAUSE, RoomDeadlines
from .room_directory import RoomDirectory
from .room_observers import RoomObservers

HEAD_START: Final = Millis(5_000)
"""Milliseconds that players get to reconnect after an outage before their clocks run again."""
_NEEDS_ENTROPY: Final = frozenset({TakeSeat, StartGame, MakeOffer, AnswerOffer})
_ENDED: Final = frozenset({Phase.OVER, Phase.CLOSED})

RoomListener = Callable[[LiveRoom, AnyRoom], None]
"""Called with the earlier value after a step changed the seats, the phase, or whether the room exists."""


class CommandExecutor:
    """Executes the commands of all live rooms, synchronously and on the event loop."""

    def __init__(
        self,
        directory: RoomDirectory,
        journal: GroupCommit,
        alarms: Alarms,
        errors: InternalErrors,
        now: Now,
        entropy: Entropy,
        fan_out: FanOut,
        replication: Callable[["CommandExecutor"], Replication],
    ) -> None:
        self.directory = directory
        self.games = directory.games
        self.live_rooms = directory.live_rooms
        self.rooms_by_code = directory.rooms_by_code
        self.seat_index = directory.seat_index
        self.find = directory.find
        self.journal = journal
        self.alarms = alarms
        self.now = now
        self.fan_out = fan_out
        self.room_listeners: list[RoomListener] = []
        self.offer_listeners: list[Callable[[LiveRoom], None]] = []
        """Called after a step that made, answered or ended an offer and changed neither seats nor phase."""
        self.seat_listeners: list[Callable[[LiveRoom, Connection], None]] = []
        """Called when the command of a connection gave it a seat."""
        self.bot_listeners: list[Callable[[LiveRoom], None]] = []
        """Called after every step of a room with bots, on the worker that computes them."""
        self.match_end_listeners: list[Callable[[RoomId, StoreError | None], None]] = []
        """Called when a step that ended a match is written or lost, on the worker that made the step."""
        self.observers = RoomObservers()
        self.deadlines = RoomDeadlines(alarms, now, self.submit)
        self.spectator_delay = SpectatorDelay(alarms, errors, now, fan_out)
        self.moves = 0
        self.refused = 0
        self.conflicts = 0
        """How often another worker committed first."""
        self._errors = errors
        self._entropy = entropy
        self.replication = replication(self)
        self._may_conflict = self.replication.may_conflict
        self._plain_moves = PlainMoves(self, journal, fan_out, self.deadlines)

    def open(self, game: Game, room_id: RoomId, options: object, table: TableRules, now: Millis) -> LiveRoom:
        """Open an empty room; its record is staged."""
        live, command, entropy = self.directory.open(game, room_id, options, table, now)
        self._stage(live, Advanced(live.latest, (), SYSTEM), command, entropy, None, None)
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
        again: Callback | None = None,
    ) -> None:
        """Execute a command and notify all members once it is durable; send a refusal to `asker`.

        If another worker committed first, `again` is called; by default the command is executed again.
        """
        if again is None and self._may_conflict:
            again = partial(self.submit, live, actor, command, now, asker, nonce, at_version)
        if live.replica is not FOLLOWING or self.journal.full:
            run = again or partial(self.submit, live, actor, command, now, asker, nonce, at_version)
            if not self._takes(live, command, asker, nonce, run):
                return
        if (
            live.deadline is not None
            and live.deadline <= now
            and not isinstance(command, TimeUp | OutageEnded)
        ):
            # The alarm is late: what is overdue comes first.
            self.submit(live, SYSTEM, TimeUp(), now)
        entropy = self._entropy(SEED_BYTES) if type(command) in _NEEDS_ENTROPY else b""
        try:
            result = step(live.rules, live.latest, actor, command, now, entropy, nonce, at_version)
        except Exception as error:  # noqa: BLE001 - one command must not take the server down
            incident = self._errors.command_failed(
                error, live.game, live.latest, actor, command, now, entropy, nonce
            )
            _refuse(asker, live, Refusal.INTERNAL, nonce, incident)
            return
        if isinstance(result, Advanced):
            if (
                type(command) is Play
                and not self._may_conflict
                and self._plain_moves.stage(live, result, command, asker)
            ):
                return
            self._stage(live, result, command, entropy if result.room.seed is entropy else b"", asker, again)
            return
        refusal = None if isinstance(result, Unchanged) else result.code
        self.refused += refusal is not None
        if asker is not None:
            self.journal.after(partial(self._reply, live, asker, refusal, nonce, again), live.latest.id)

    def send_full_room(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Send the full room as this viewer may see it."""
        # A connection that is sent the room before it is a member is about to become a spectator.
        newcomer = viewer == SPECTATOR and connection not in live.members
        connection.send_notice(full_room(live, viewer, self.now(), live.spectators + newcomer))

    def _stage(
        self,
        live: LiveRoom,
        done: Advanced,
        command: OpenRoom | Command,
        entropy: bytes,
        asker: Connection | None,
        again: Callback | None,
    ) -> None:
        before, room = live.latest, done.room
        live.latest = room
        version, rules_number = room.version, live.game.rules_number
        body = encode(record_of(command, done.actor, done.nonce, entropy, rules_number))
        snapshot = None
        ended = room.phase is not before.phase and room.phase in _ENDED
        seats_changed = room.seats is not before.seats
        # A start learns the persons from snapshots, other workers seats and phase.
        published = (seats_changed and persons_of(room.seats) != persons_of(before.seats)) or (
            self._may_conflict and (seats_changed or room.phase is not before.phase)
        )
        if version % SNAPSHOT_EVERY == 0 or version == 1 or ended or published:
            stored = encode_snapshot(room, rules_number)
            snapshot = Snapshot(room.id, version, room.phase is not CLOSED, stored, room.code)
        effect = partial(self._durable, live, before, done, asker, again)
        self.journal.stage(Entry(room.id, version, room.at, body), snapshot, effect)
        for listener in self.match_end_listeners if ended and room.phase is not CLOSED else ():
            self.journal.after(partial(listener, room.id), room.id)

    def apply_remote_step(self, live: LiveRoom, done: Advanced) -> None:
        """Apply a step that another worker committed."""
        before, live.latest = live.latest, done.room
        self.moves -= 1
        self._durable(live, before, done, None, None, None)

    def _durable(
        self,
        live: LiveRoom,
        before: AnyRoom,
        done: Advanced,
        asker: Connection | None,
        again: Callback | None,
        failure: StoreError | None,
    ) -> None:
        if failure is not None:
            self.commit_failed(live, done, asker, again, failure)
            return
        room = done.room
        live.durable = room
        self.moves += 1
        structural = room.seats is not before.seats or room.phase is not before.phase
        newcomer = None
        if structural and asker is not None and asker.person is not None:
            seat = seat_of(room.seats, asker.person)
            # A person who had the seat before this step is a member already, or has left since.
            if seat is not None and seat_of(before.seats, asker.person) is None:
                newcomer = asker
                if live.members.get(asker) == SPECTATOR:
                    del live.members[asker]
                    self.observers.spectators_changed(live)
                self.fan_out.send_notice(live.members, SeatHeld(room.id, seat, asker.handle, new=True))
        if live.delay_buffer is not None:
            self.spectator_delay.deliver(live, done, newcomer, asker)
        elif live.members:
            self.fan_out.send_step(live.members.items(), events_of(live.rules, done), newcomer)
        if structural or room.version == 1:
            self.seat_index.count(live, before)
            for room_listener in self.room_listeners:
                room_listener(live, before)
        elif room.offers is not before.offers:
            for offer_listener in self.offer_listeners:
                offer_listener(live)
        if newcomer is not None:
            for seat_listener in self.seat_listeners:
                seat_listener(live, newcomer)
        if live.bots:
            self.ask_bots(live)
        if structural or room.clock is not None:
            self.deadlines.set(live)
        if room.phase is CLOSED:
            self._forget(live)

    def ask_bots(self, live: LiveRoom) -> None:
        """Let the bots of a room answer, if this worker computes them."""
        if self.replication.computes_bots(live):
            for listener in self.bot_listeners:
                listener(live)

    def _reply(
        self,
        live: LiveRoom,
        asker: Connection,
        refusal: Refusal | None,
        nonce: Nonce,
        again: Callback | None,
        failure: StoreError | None,
    ) -> None:
        """Answer a command without a record: refused, or nothing was to do."""
        if failure is not None:
            # The answer may rest on a record that was in flight and is lost.
            if not self._retried(live, asker, nonce, again, failure):
                _refuse(asker, live, Refusal.UNAVAILABLE, nonce)
        elif refusal is not None:
            _refuse(asker, live, refusal, nonce)
        else:
            version = live.seen(live.members.get(asker, SPECTATOR)).version
            asker.send_notice(notices.Unchanged(live.durable.id, version, nonce))

    def _takes(
        self, live: LiveRoom, command: Command, asker: Connection | None, nonce: Nonce, run: Callback
    ) -> bool:
        """Tell whether a command can be executed now; one that cannot is deferred or refused."""
        refuse = partial(_refuse, asker, live, Refusal.UNAVAILABLE, nonce)
        if self.journal.full:
            refuse()
            return False
        # The end of an outage comes before all other commands. A closed room refuses by the rules.
        closed = live.replica is FORGOTTEN and live.latest.phase is CLOSED
        if live.replica is OPENING or isinstance(command, OutageEnded) or closed:
            return True
        self.replication.defer(live, run, refuse)
        return False

    def _retried(
        self,
        live: LiveRoom,
        asker: Connection | None,
        nonce: Nonce,
        again: Callback | None,
        failure: StoreError,
    ) -> bool:
        """Execute a command again if the only failure is that another worker committed first."""
        if again is None or not self._may_conflict or not isinstance(failure, Conflict):
            return False
        if self.live_rooms.get(live.latest.id) is not live:
            return False
        self.conflicts += 1
        live.latest = live.durable
        self.replication.reread(live, again, partial(_refuse, asker, live, Refusal.UNAVAILABLE, nonce))
        return True

    def commit_failed(
        self,
        live: LiveRoom,
        done: Advanced,
        asker: Connection | None,
        again: Callback | None,
        failure: StoreError,
    ) -> None:
        """Execute a command again that lost a race, or refuse it and return to the durable value."""
        if self._retried(live, asker, done.nonce, again, failure):
            return
        if not (self._may_conflict and isinstance(failure, Conflict)):
            self._errors.commit_failed(failure, done.room)
        _refuse(asker, live, Refusal.UNAVAILABLE, done.nonce)
        if live.latest is not live.durable or done.room.version == 1:
            live.latest = live.durable
            live.retry_after = Millis(self.now() + RETRY_PAUSE)
            if not self.replication.commit_failed(live) and done.room.version == 1:
                self._forget(live)

    def replace_value(self, live: LiveRoom, room: AnyRoom) -> None:
        """Replace the value of a room by one that was read, and send it to all members."""
        before, live.latest, live.durable = live.durable, room, room
        self.seat_index.count(live, before)
        self.spectator_delay.add_full_room(live)
        for listener in self.room_listeners:
            listener(live, before)
        self.fan_out.send_full_room(live, live.members.items(), self.now())
        if live.replica.subscribed:
            self.deadlines.set(live)
        if room.phase is CLOSED:
            self._forget(live)

    def _forget(self, live: LiveRoom) -> None:
        self.replication.forgotten(live)
        self.directory.forget(live)
        self.deadlines.clear(live)


def _refuse(asker: Connection | None, live: LiveRoom, code: Refusal, nonce: str, incident: str = "") -> None:
    if asker is not None:
        asker.send_notice(Refused(code, live.latest.id, nonce, incident=incident))
