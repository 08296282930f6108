"""Telling a table: one projection per distinct viewer, one encoding per voice."""

from collections.abc import Hashable, Sequence

from qipai.kernel.names import SPECTATOR, Seat
from qipai.kernel.room import Phase
from qipai.kernel.rules import AnyRules, Event
from qipai.kernel.talk import Happened
from qipai.kernel.views import clock_view

from .mailbox import Mailbox
from .recall import Step
from .sessions import Connection

News = tuple[Happened, ...]
"""What a step tells: one notice for everybody, or one per seat and a last one for watchers."""


def news_of(rules: AnyRules, step: Step) -> News:
    """Return what is told of a step: one notice for all, or one per seat and one for watchers."""
    events = []
    for told in step.told:
        if told.to is not None:
            return tuple(_happened(rules, step, _events_for(step, viewer)) for viewer in _viewers(rules))
        events.append(told.event)
    return (_happened(rules, step, events),)


def share(news: News, viewer: Seat) -> Happened:
    """Return this viewer's part; watchers come last."""
    return news[viewer] if len(news) > 1 else news[0]


def spread(box: Mailbox, news: News, skip: Connection | None) -> None:
    """Tell everybody at the table but `skip`."""
    spoken: dict[tuple[int, Hashable], Sequence[bytes]] = {}
    for peer, viewer in box.members.items():
        if peer is skip:
            continue
        notice = news[viewer] if len(news) > 1 else news[0]
        key = (id(notice), peer.dialect.voice)
        frames = spoken.get(key)
        if frames is None:
            frames = spoken[key] = peer.dialect.say(notice)
        send = peer.outbox.send
        for frame in frames:
            send(frame)


def _viewers(rules: AnyRules) -> list[Seat]:
    return [*(Seat(seat) for seat in range(rules.seats)), SPECTATOR]


def _events_for(step: Step, viewer: Seat) -> list[Event]:
    return [told.event for told in step.told if told.to is None or viewer in told.to]


def _happened(rules: AnyRules, step: Step, events: list[Event]) -> Happened:
    room = step.room
    return Happened(
        room.id,
        room.version,
        step.at,
        tuple(events),
        rules.to_act(room.state) if room.phase is Phase.PLAYING else (),
        step.actor if step.actor >= 0 else None,
        step.nonce,
        None if room.clock is None else clock_view(room, step.at),
    )
