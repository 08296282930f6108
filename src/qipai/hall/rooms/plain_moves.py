"""Plain moves: staged and sent in two short passes, with the same records and frames as all other commands.

A move is plain here if it changes neither seats nor phase nor offers, needs no snapshot, and spectators see
it at once. `CommandExecutor` does the same for every command, and tests compare the two.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from qipai.hall.connections.connection import Connection
from qipai.hall.journal.format_numbers import JOURNAL_FORMAT
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.journal.record_format import PlayRecord
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.clock import Clock, seat_deadline
from qipai.kernel.commands import Play
from qipai.kernel.ids import Seat
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_view import ClockView, clock_view
from qipai.protocol.notices import RoomEvents

from .fan_out import CROWD, FanOut, events_of
from .live_room import LiveRoom
from .room_deadlines import RoomDeadlines

SNAPSHOT_EVERY: Final = 64
"""Versions of a room after which its whole value is stored."""


class Executor(Protocol):
    """What remains with the executor of all commands."""

    moves: int

    def commit_failed(
        self,
        live: LiveRoom,
        done: Advanced,
        asker: Connection | None,
        again: Callable[[], None] | None,
        failure: StoreError,
    ) -> None:
        """Refuse a step that could not be written, and return to the durable value."""

    def ask_bots(self, live: LiveRoom) -> None:
        """Let the bots of a room answer."""


class PlainMoves:
    """Stages and sends plain moves of rooms that only this process writes."""

    def __init__(
        self, executor: Executor, journal: GroupCommit, fan_out: FanOut, deadlines: RoomDeadlines
    ) -> None:
        self._executor = executor
        self._journal = journal
        self._fan_out = fan_out
        self._deadlines = deadlines

    def stage(self, live: LiveRoom, done: Advanced, command: Play, asker: Connection | None) -> bool:
        """Stage the record of a plain move; False if the move is not plain."""
        before, room = live.latest, done.room
        version = room.version
        if (
            room.phase is not before.phase
            or room.seats is not before.seats
            or room.offers is not before.offers
            or not version % SNAPSHOT_EVERY
            or live.delay_buffer is not None
        ):
            return False
        live.latest = room
        record = PlayRecord(
            done.actor, command.move, done.nonce, b"", JOURNAL_FORMAT, live.game.rules_number, command.lag
        )
        self._journal.stage(
            Entry(room.id, version, room.at, encode(record)), None, partial(self._durable, live, done, asker)
        )
        return True

    def _durable(
        self, live: LiveRoom, done: Advanced, asker: Connection | None, failure: StoreError | None
    ) -> None:
        """Tell the room of a move that is stored, and set the alarm for its clock."""
        if failure is not None:
            self._executor.commit_failed(live, done, asker, None, failure)
            return
        room, events, members = done.room, done.events, live.members
        live.durable = room
        self._executor.moves += 1
        acting = live.rules.to_act(room.state)
        if members:
            if len(members) > CROWD or len(events) != 1 or events[0].to is not None:
                self._fan_out.send_step(members.items(), events_of(live.rules, done), None)
            else:
                event = events[0].event
                clock = None if room.clock is None else _view_after_move(room, room.clock, acting)
                notice = RoomEvents(
                    room.id, room.version, room.at, (event,), acting, done.actor, done.nonce, clock
                )
                self._fan_out.send_to_few(members, notice)
        if live.bots:
            self._executor.ask_bots(live)
        if room.clock is not None:
            self._set_deadline(live, room, room.clock, acting)

    def _set_deadline(self, live: LiveRoom, room: AnyRoom, clock: Clock, acting: tuple[Seat, ...]) -> None:
        plan = room.table.clock
        if plan is not None and live.latest is room and _runs_alone(clock, acting):
            for taken in room.seats:
                if taken is None or taken.disconnected_at is not None:
                    break
            else:
                due = seat_deadline(plan, clock, acting[0])
                if due is not None and live.alarm is not None and due >= live.alarm:
                    live.deadline = due
                    return
        self._deadlines.set(live)


def _runs_alone(clock: Clock, acting: tuple[Seat, ...]) -> bool:
    """Tell whether, of two clocks, that of the only acting seat is the only one that runs."""
    since = clock.since
    if len(acting) != 1 or len(since) != 2:
        return False
    (seat,) = acting
    return since[seat] is not None and since[1 - seat] is None


def _view_after_move(room: AnyRoom, clock: Clock, acting: tuple[Seat, ...]) -> ClockView | None:
    """Return what `clock_view` returns, quickly if a clock has just begun to run alone."""
    at = room.at
    if _runs_alone(clock, acting) and clock.since[acting[0]] == at:
        return ClockView(clock.left, acting, clock.grants, clock.since, at, clock.lags, clock.compensated)
    return clock_view(room, at)
