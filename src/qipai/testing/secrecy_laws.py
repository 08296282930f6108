"""What is hidden from a viewer changes no byte of its views, events and refusals."""

from typing import Final

from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.ids import SPECTATOR, Millis, Nonce, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.room import Advanced, AnyRoom, Refused, Result
from qipai.kernel.room_view import view
from qipai.kernel.step import step

from .law import Law, over
from .runs import Run, RunStep, runs
from .step_checks import addressed, read_by
from .subject import Subject


def check_blindness(run: Run) -> None:
    """A viewer cannot tell two rooms apart that differ only in what is hidden from that viewer."""
    subject = run.subject
    for number, run_step in enumerate(run.run_steps):
        for viewer in subject.viewers:
            scrambled = _scrambled(subject, run_step.before, viewer, number)
            assert _seen(subject, run_step.before, viewer, run_step.now) == _seen(
                subject, scrambled, viewer, run_step.now
            )
            other = _again(subject, scrambled, run_step)
            ours, theirs = addressed(subject, run_step.result), addressed(subject, other)
            events, other_events = read_by(ours, viewer), read_by(theirs, viewer)
            if any(isinstance(event, subject.revealing_events) for event in events + other_events):
                continue
            assert encode(events) == encode(other_events)
            assert type(other) is type(run_step.result)
            if isinstance(run_step.result, Refused):
                assert other == run_step.result, "an error is part of a view"
            if isinstance(other, Advanced):
                assert _seen(subject, run_step.after, viewer, run_step.now) == _seen(
                    subject, other.room, viewer, run_step.now
                )


def _check_views(run: Run) -> None:
    subject = run.subject
    for room in run.rooms:
        nonces = tuple((Nonce("another"),) for _ in room.nonces)
        changed = replace(
            room, random_key=b"k" * 32, random_position=room.random_position + 77, nonces=nonces
        )
        for viewer in subject.viewers:
            assert _seen(subject, room, viewer, room.at) == _seen(subject, changed, viewer, room.at)


def _check_scrambling(run: Run) -> None:
    subject = run.subject
    for room in run.rooms:
        if room.state is None or room.result is not None:
            continue
        if not subject.hides(room.state):
            continue
        for viewer in subject.viewers:
            states = [_scrambled(subject, room, viewer, number).state for number in range(6)]
            assert any(state != room.state for state in states)
            for state in states:
                subject.conserved(state)
            # Another viewer must see the difference, or the test proves nothing.
            others = [other for other in subject.viewers if other not in (viewer, SPECTATOR)]
            rules = subject.game.rules
            assert any(
                rules.view(state, other) != rules.view(room.state, other)
                for state in states
                for other in others
            )


def _check_openness(run: Run) -> None:
    subject = run.subject
    for run_step in run.run_steps:
        room = run_step.after
        if room.state is None:
            continue
        positions = {encode(subject.game.rules.view(room.state, viewer)) for viewer in subject.viewers}
        assert len(positions) == 1
        for one in addressed(subject, run_step.result):
            # Only what spectators say among themselves is not for everybody.
            assert one.to in (None, (SPECTATOR,))


def _scrambled(subject: Subject, room: AnyRoom, viewer: Seat, number: int) -> AnyRoom:
    """Return a room that differs only in what this viewer may not know."""
    if room.state is None or room.result is not None:
        return room
    dice = Random(bytes([number % 256, viewer % 256]) * 16)
    return replace(room, state=subject.scramble(room.state, viewer, dice))


def _again(subject: Subject, room: AnyRoom, run_step: RunStep) -> Result:
    return step(
        subject.game.rules,
        room,
        run_step.actor,
        run_step.command,
        run_step.now,
        run_step.entropy,
        run_step.nonce,
        run_step.at_version,
    )


def _seen(subject: Subject, room: AnyRoom, viewer: Seat, now: Millis) -> bytes:
    return encode(view(subject.game.rules, room, viewer, now))


SECRECY_LAWS: Final = (
    Law("a viewer cannot tell two rooms apart by hidden parts", over(runs, 200)(check_blindness)),
    Law(
        "no view depends on the key, the nonces or how much randomness was used",
        over(runs, 40)(_check_views),
    ),
    Law(
        "scrambling really changes a state with secrets",
        over(runs, 20)(_check_scrambling),
        lambda subject: subject.has_secrets,
    ),
    Law(
        "a game without secrets shows everybody the same",
        over(runs, 40)(_check_openness),
        lambda subject: not subject.has_secrets,
    ),
)
