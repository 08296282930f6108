"""Telling a table: one projection per distinct viewer, one encoding per voice."""

from collections.abc import Hashable, Sequence

from qipai.kernel.names import SPECTATOR, Seat
from qipai.kernel.rules import AnyRules
from qipai.kernel.talk import Happened
from qipai.kernel.views import acting, clock_view

from .mailbox import Mailbox, News
from .recall import Step
from .sessions import Connection


def news_of(rules: AnyRules, step: Step) -> News:
    """Return what is told of a step: one notice for all, or one per seat and one for watchers."""
    for told in step.told:
        if told.to is not None:
            viewers = [*range(rules.seats), SPECTATOR]
            return tuple(_happened(rules, step, Seat(viewer)) for viewer in viewers)
    return (_happened(rules, step, SPECTATOR),)


def share(news: News, viewer: Seat) -> Happened:
    """Return this viewer's part; watchers come last."""
    return news[viewer] if len(news) > 1 else news[0]


def spread(box: Mailbox, news: News, skip: Connection | None) -> None:
    """Tell everybody at the table but `skip`."""
    spoken: dict[tuple[int, Hashable], Sequence[bytes]] = {}
    for peer, viewer in box.members.items():
        if peer is skip:
            continue
        notice = share(news, viewer)
        key = (id(notice), peer.dialect.voice)
        frames = spoken.get(key)
        if frames is None:
            frames = spoken[key] = peer.dialect.say(notice)
        send = peer.outbox.send
        for frame in frames:
            send(frame)


def _happened(rules: AnyRules, step: Step, viewer: Seat) -> Happened:
    room = step.room
    return Happened(
        room.id,
        room.version,
        step.at,
        tuple([told.event for told in step.told if told.to is None or viewer in told.to]),
        acting(rules, room),
        step.actor if step.actor >= 0 else None,
        step.nonce,
        None if room.clock is None else clock_view(room, step.at),
    )
