"""Telling a table: one projection per distinct viewer, one encoding per voice."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

from qipai.games.game_registry import Game
from qipai.hall.connections.connection import Connection
from qipai.hall.journal.room_rebuilding import restore
from qipai.hall.journal.store_interface import Saved
from qipai.kernel.game_interface.rules_interface import AnyRules, Event
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.room import PLAYING, Advanced, AnyRoom
from qipai.kernel.room_view import clock_view
from qipai.protocol.notices import RoomEvents

ViewerEvents = tuple[RoomEvents, ...]
"""What a step tells: one notice for everybody, or one per seat and a last one for watchers."""


def news_of(rules: AnyRules, step: Advanced) -> ViewerEvents:
    """Return what is told of a step: one notice for all, or one per seat and one for watchers."""
    told = step.events
    if len(told) == 1 and (only := told[0]).to is None:
        return (_happened(rules, step, (only.event,)),)
    if all(each.to is None for each in told):
        return (_happened(rules, step, tuple(each.event for each in told)),)
    return tuple(_happened(rules, step, _events_for(step, viewer)) for viewer in _viewers(rules))


def news_since(
    games: Mapping[str, Game], saved: Saved | None, version: int, shown: AnyRoom
) -> list[ViewerEvents] | None:
    """Return what was told after a version until the room was as shown; None if not all of it is saved."""
    if saved is None or version < saved.snapshot.version:
        return None
    game, room, steps = restore(games, saved)
    if room.version < shown.version:
        return None
    return [news_of(game.rules, step) for step in steps if version < step.room.version <= shown.version]


def share(news: ViewerEvents, viewer: Seat) -> RoomEvents:
    """Return this viewer's part; watchers come last."""
    return news[viewer] if len(news) > 1 else news[0]


def spread(
    connections: Iterable[tuple[Connection, Seat]], news: ViewerEvents, skip: Connection | None
) -> None:
    """Tell all of these, each by what he is there, but `skip`."""
    one = news[0] if len(news) == 1 else None
    spoken: dict[Hashable, Sequence[bytes]] = {}
    for connection, viewer in connections:
        if connection is skip:
            continue
        dialect = connection.dialect
        notice = one or news[viewer]
        voice = dialect.encoding_key
        if voice is None:
            frames = dialect.encode(notice)
            if dialect.pending_intents:
                connection.wish()
        else:
            key = (viewer, voice) if one is None else voice
            known = spoken.get(key)
            frames = spoken[key] = dialect.encode(notice) if known is None else known
        for frame in frames:
            connection.outbox.send(frame)


def _viewers(rules: AnyRules) -> list[Seat]:
    return [*(Seat(seat) for seat in range(rules.seats)), SPECTATOR]


def _events_for(step: Advanced, viewer: Seat) -> tuple[Event, ...]:
    return tuple(told.event for told in step.events if told.to is None or viewer in told.to)


def _happened(rules: AnyRules, step: Advanced, events: tuple[Event, ...]) -> RoomEvents:
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
