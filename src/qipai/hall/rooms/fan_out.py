"""Sends a step to everybody in a room: one view per viewer, one encoding per dialect."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

from qipai.games.game import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.journal.room_rebuilding import restore
from qipai.hall.journal.store_interface import Saved
from qipai.kernel.game_interface.rules_interface import AnyRules, Event
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.room import PLAYING, Advanced, AnyRoom
from qipai.kernel.room_view import clock_view
from qipai.protocol.notices import RoomEvents

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


def send_to_all(
    connections: Iterable[tuple[Connection, Seat]], events: ViewerEvents, skip: Connection | None
) -> None:
    """Send each connection the notice of its viewer, except `skip`; equal frames are encoded once."""
    one = events[0] if len(events) == 1 else None
    encoded: dict[Hashable, Sequence[bytes]] = {}
    for connection, viewer in connections:
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
