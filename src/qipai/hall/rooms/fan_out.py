"""Sends a step to everybody in a room: one view per viewer, one encoding per dialect."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final

from qipai.games.game import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.sliced_sending import SlicedSending
from qipai.hall.journal.room_rebuilding import restore
from qipai.hall.journal.store_interface import Saved
from qipai.kernel.game_interface.rules_interface import AnyRules, Event
from qipai.kernel.ids import SPECTATOR, Millis, Seat
from qipai.kernel.room import PLAYING, Advanced, AnyRoom
from qipai.kernel.room_view import clock_view, view
from qipai.protocol.dialect_interface import AnyNotice
from qipai.protocol.notices import FullRoom, RoomEvents

from .live_room import LiveRoom

CROWD: Final = 32
"""Receivers of one notice above which it is sent in slices."""
ViewerEvents = tuple[RoomEvents, ...]
"""The notices of a step: one for all viewers, or one per seat and a last one for spectators."""


def events_of(rules: AnyRules, step: Advanced) -> ViewerEvents:
    """Return the notices of a step: one for all viewers, or one per seat and one for spectators."""
    events = step.events
    if len(events) == 1 and (only := events[0]).to is None:
        return (_notice(rules, step, (only.event,)),)
    if all(each.to is None for each in events):
        return (_notice(rules, step, tuple(each.event for each in events)),)
    return tuple(_notice(rules, step, _events_for(step, viewer)) for viewer in _viewers(rules))


def events_since(
    games: Mapping[str, Game], saved: Saved | None, version: int, durable: AnyRoom
) -> list[ViewerEvents] | None:
    """Return the notices after a version up to the durable one; None if not all of them are stored."""
    if saved is None or version < saved.snapshot.version:
        return None
    game, room, steps = restore(games, saved)
    if room.version < durable.version:
        return None
    return [events_of(game.rules, step) for step in steps if version < step.room.version <= durable.version]


def notice_for(events: ViewerEvents, viewer: Seat) -> RoomEvents:
    """Return the notice of this viewer; that of spectators is the last."""
    return events[viewer] if len(events) > 1 else events[0]


def full_room(live: LiveRoom, viewer: Seat, now: Millis, spectators: int) -> FullRoom:
    """Return the full room as this viewer may see it."""
    room = live.seen(viewer)
    seen = view(live.rules, room, viewer, now, spectators, live.ratings_for(viewer))
    return FullRoom(seen, room.version, now, viewer if viewer >= 0 else None)


class FanOut:
    """Sends notices to many connections: encoded once per viewer and dialect, crowds served in slices.

    In a crowd the players receive a step first, and spectators in slices that let other rooms go on.
    """

    def __init__(self, slices: SlicedSending) -> None:
        self._slices = slices

    @property
    def waiting(self) -> int:
        """Return the number of connections that wait for their next slice."""
        return self._slices.waiting

    def send_step(
        self, members: Collection[tuple[Connection, Seat]], events: ViewerEvents, skip: Connection | None
    ) -> None:
        """Send each member the notice of its viewer, except `skip`."""
        if len(members) <= CROWD:
            self._send_step(members, events, skip, in_slices=False)
            return
        spectators = [member for member in members if member[1] == SPECTATOR]
        players = [member for member in members if member[1] != SPECTATOR]
        self._send_step(players, events, skip, in_slices=False)
        self._send_step(spectators, events, skip, in_slices=True)

    def send_to_few(self, connections: Collection[Connection], notice: RoomEvents) -> None:
        """Send a step to at most `CROWD` connections that all see the same."""
        shared: Hashable = None
        shared_frames: Sequence[bytes] = ()
        for connection in connections:
            dialect = connection.dialect
            key = dialect.encoding_key
            if key is None:
                frames = dialect.encode(notice)
                if dialect.pending_intents:
                    connection.schedule_pending_intents()
            elif key == shared:
                frames = shared_frames
            else:
                shared, frames = key, dialect.encode(notice)
                shared_frames = frames
            send = connection.outbox.send
            for frame in frames:
                send(frame)

    def send_notice(self, connections: Collection[Connection], notice: AnyNotice) -> None:
        """Send all these connections the same notice."""
        encoded: dict[Hashable, Sequence[bytes]] = {}
        in_slices = len(connections) > CROWD
        for connection in connections:
            dialect = connection.dialect
            key = dialect.encoding_key
            frames = None if key is None else encoded.get(key)
            if frames is None:
                frames = encoded[key] = dialect.encode(notice)
                if key is None and dialect.pending_intents:
                    connection.schedule_pending_intents()
            if in_slices:
                self._slices.send(connection.outbox, frames)
            else:
                for frame in frames:
                    connection.outbox.send(frame)

    def send_full_room(
        self, live: LiveRoom, members: Collection[tuple[Connection, Seat]], now: Millis
    ) -> None:
        """Send each member the full room as its viewer may see it."""
        connections: dict[Seat, list[Connection]] = {}
        for connection, viewer in members:
            connections.setdefault(viewer, []).append(connection)
        for viewer, group in connections.items():
            self.send_notice(group, full_room(live, viewer, now, live.spectators))

    def _send_step(
        self,
        members: Iterable[tuple[Connection, Seat]],
        events: ViewerEvents,
        skip: Connection | None,
        *,
        in_slices: bool,
    ) -> None:
        one = events[0] if len(events) == 1 else None
        encoded: dict[Hashable, Sequence[bytes]] = {}
        for connection, viewer in members:
            if connection is skip:
                continue
            dialect = connection.dialect
            notice = one or events[viewer]
            encoding = dialect.encoding_key
            if encoding is None:
                frames = dialect.encode(notice)
                if dialect.pending_intents:
                    connection.schedule_pending_intents()
            else:
                key = (viewer, encoding) if one is None else encoding
                known = encoded.get(key)
                frames = encoded[key] = dialect.encode(notice) if known is None else known
            if in_slices:
                self._slices.send(connection.outbox, frames)
            else:
                for frame in frames:
                    connection.outbox.send(frame)


def _viewers(rules: AnyRules) -> list[Seat]:
    return [*(Seat(seat) for seat in range(rules.seats)), SPECTATOR]


def _events_for(step: Advanced, viewer: Seat) -> tuple[Event, ...]:
    return tuple(each.event for each in step.events if each.to is None or viewer in each.to)


def _notice(rules: AnyRules, step: Advanced, events: tuple[Event, ...]) -> RoomEvents:
    room = step.room
    return RoomEvents(
        room.id,
        room.version,
        room.at,
        events,
        rules.to_act(room.state) if room.phase is PLAYING else (),
        step.actor if step.actor >= 0 else None,
        step.nonce,
        None if room.clock is None else clock_view(room, room.at),
    )
