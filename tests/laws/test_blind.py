"""Blind: what is hidden from a viewer changes no byte of its views, events and refusals."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.ids import SPECTATOR, Millis, Nonce, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.room import Advanced, AnyRoom, Refused, Result
from qipai.kernel.room_events import GameStarted
from qipai.kernel.room_view import view
from qipai.kernel.step import step

from . import toy
from .checks import addressed, read_by
from .runs import Opening, Run, RunStep, live, runs
from .subjects import SUBJECTS, Subject

NAMES = tuple(SUBJECTS)


def hides(name: str) -> bool:
    """Tell whether a game has secrets, with any options it is tried with."""
    subject = SUBJECTS[name]
    return any(subject.game.rules.hidden(options) for options in subject.options)


def twin_of(subject: Subject, room: AnyRoom, viewer: Seat, number: int) -> AnyRoom:
    """Return a room that differs only in what this viewer may not know."""
    if room.state is None or room.result is not None:
        return room
    dice = Random(bytes([number % 256, viewer % 256]) * 16)
    return replace(room, state=subject.scramble(room.state, viewer, dice))


def again(subject: Subject, room: AnyRoom, run_step: RunStep) -> Result:
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


def seen(subject: Subject, room: AnyRoom, viewer: Seat, now: Millis) -> bytes:
    return encode(view(subject.game.rules, room, viewer, now))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=200)
@given(st.data())
def test_a_viewer_cannot_tell_two_rooms_apart_by_hidden_parts(name: str, data: st.DataObject) -> None:
    blind(data.draw(runs(name)))


def blind(run: Run) -> None:
    """Check the views and events of every viewer, along a run and in its twins."""
    subject = run.subject
    for number, run_step in enumerate(run.run_steps):
        for viewer in subject.viewers:
            twin = twin_of(subject, run_step.before, viewer, number)
            assert seen(subject, run_step.before, viewer, run_step.now) == seen(
                subject, twin, viewer, run_step.now
            )
            other = again(subject, twin, run_step)
            ours, theirs = addressed(subject, run_step.result), addressed(subject, other)
            events, other_events = read_by(ours, viewer), read_by(theirs, viewer)
            if any(isinstance(event, subject.telling) for event in events + other_events):
                continue
            assert encode(events) == encode(other_events)
            assert type(other) is type(run_step.result)
            if isinstance(run_step.result, Refused):
                assert other == run_step.result, "an error is part of a view"
            if isinstance(other, Advanced):
                assert seen(subject, run_step.after, viewer, run_step.now) == seen(
                    subject, other.room, viewer, run_step.now
                )


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(st.data())
def test_no_view_depends_on_the_key_the_nonces_or_how_much_chance_was_used(
    name: str, data: st.DataObject
) -> None:
    run = data.draw(runs(name))
    subject = run.subject
    for room in run.rooms:
        nonces = tuple((Nonce("another"),) for _ in room.nonces)
        twin = replace(room, random_key=b"k" * 32, random_position=room.random_position + 77, nonces=nonces)
        for viewer in subject.viewers:
            assert seen(subject, room, viewer, room.at) == seen(subject, twin, viewer, room.at)


@pytest.mark.parametrize("name", [name for name in NAMES if hides(name)])
@settings(max_examples=20)
@given(st.data())
def test_scrambling_really_changes_a_state_with_secrets(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    subject = run.subject
    for room in run.rooms:
        if room.state is None or room.result is not None:
            continue
        if not subject.hides(room.state):
            continue
        for viewer in subject.viewers:
            twins = [twin_of(subject, room, viewer, number).state for number in range(6)]
            assert any(twin != room.state for twin in twins)
            for twin in twins:
                subject.conserved(twin)
            # Another viewer must see the difference, or the test proves nothing.
            others = [other for other in subject.viewers if other not in (viewer, SPECTATOR)]
            rules = subject.game.rules
            assert any(
                rules.view(twin, other) != rules.view(room.state, other) for twin in twins for other in others
            )


@pytest.mark.parametrize("name", [name for name in NAMES if not hides(name)])
@settings(max_examples=40)
@given(st.data())
def test_a_game_without_secrets_shows_and_tells_everybody_the_same(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    subject = run.subject
    for run_step in run.run_steps:
        room = run_step.after
        if room.state is None:
            continue
        positions = {encode(subject.game.rules.view(room.state, viewer)) for viewer in subject.viewers}
        assert len(positions) == 1
        for one in addressed(subject, run_step.result):
            # Only what watchers say among themselves is not for everybody.
            assert one.to in (None, (SPECTATOR,))


def test_the_law_would_notice_a_leak() -> None:
    # The check of the check: a view that shows the stock is caught by the very same comparison.
    class Leaky(toy.Duel):
        def view(self, state: toy.State, viewer: Seat, *, over: bool = False) -> toy.View:
            return replace(super().view(state, viewer), stock=state.stock[0])

    honest, leaky = toy.Duel(), Leaky()
    state = honest.deal(toy.Options(), Random(bytes(32)))
    twin = next(
        twin
        for number in range(20)
        if (twin := toy.scramble(state, Seat(0), Random(bytes([number]) * 32))).stock[0] != state.stock[0]
    )
    assert encode(honest.view(state, Seat(0))) == encode(honest.view(twin, Seat(0)))
    assert encode(leaky.view(state, Seat(0))) != encode(leaky.view(twin, Seat(0)))


def test_a_deal_with_secrets_is_sent_to_each_viewer_separately() -> None:
    run = live(SUBJECTS["duel"], Opening(0, None, 0, bytes(32)), 2, [])
    result = run.run_steps[-1].result
    assert isinstance(result, Advanced)
    dealt = [one for one in result.events if isinstance(one.event, GameStarted)]
    assert [one.to for one in dealt] == [(Seat(0),), (Seat(1),), (SPECTATOR,)]
    hands = [one.event.position.hand for one in dealt if isinstance(one.event, GameStarted)]
    assert result.room.state is not None
    assert hands == [*result.room.state.hands, ()]
