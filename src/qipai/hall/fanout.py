"""Telling a table: one projection per distinct viewer, one encoding per voice."""

from collections.abc import Hashable, Sequence

from qipai.kernel.names import SPECTATOR, Seat
from qipai.kernel.rules import AnyRules
from qipai.kernel.talk import Happened
from qipai.kernel.views import acting, clock_view

from .mailbox import Mailbox
from .recall import Step
from .sessions import Connection


def happened(rules: AnyRules, step: Step, viewer: Seat) -> Happened:
    """Return what this viewer is told of a step."""
    room = step.room
    return Happened(
        room.id,
        room.version,
        step.at,
        tuple(told.event for told in step.told if told.to is None or viewer in told.to),
        acting(rules, room),
        step.actor if step.actor >= 0 else None,
        step.nonce,
        None if room.clock is None else clock_view(room, step.at),
    )


def spread(box: Mailbox, step: Step, skip: Connection | None) -> None:
    """Tell a step to everybody at the table but `skip`."""
    shared = all(told.to is None for told in step.told)
    spoken: dict[tuple[Seat, Hashable], Sequence[bytes]] = {}
    for peer, viewer in box.members.items():
        if peer is skip:
            continue
        key = (SPECTATOR if shared else viewer, peer.dialect.voice)
        frames = spoken.get(key)
        if frames is None:
            frames = spoken[key] = peer.dialect.say(happened(box.rules, step, key[0]))
        for frame in frames:
            peer.outbox.send(frame)
