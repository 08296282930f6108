"""Late: time is settled at the deadline, once, and no seat plays after its time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.kernel.commands import Play, TimeUp
from qipai.kernel.ids import SYSTEM, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Advanced, AnyRoom, Phase, Refused, Unchanged, deadline

from .checks import runs_out, time_up
from .runs import runs, take
from .subjects import SUBJECTS, Subject

NAMES = tuple(SUBJECTS)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=200)
@given(st.data())
def test_time_is_settled_at_the_deadline_and_only_once(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    for room in run.rooms:
        due = deadline(room)
        if due is None:
            assert not isinstance(time_up(run.subject, room, room.at + 10**9), Advanced)
            continue
        if due > room.at:
            assert time_up(run.subject, room, room.at) == Unchanged()
            assert time_up(run.subject, room, due - 1) == Unchanged()
        settled(run.subject, room, max(due, room.at))
        settled(run.subject, room, max(due, room.at) + 3_000)


def settled(subject: Subject, room: AnyRoom, now: int) -> None:
    result = time_up(subject, room, now)
    assert isinstance(result, Advanced)
    after = result.room
    moved = deadline(after)
    assert moved is None or moved > now, "everybody overdue is settled"
    assert time_up(subject, after, now) == Unchanged()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100)
@given(st.data())
def test_a_move_after_its_time_is_refused_and_one_in_time_is_not(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    subject, rules = run.subject, run.subject.game.rules
    for room in run.rooms:
        if room.phase is not Phase.PLAYING:
            continue
        for seat in rules.to_act(room.state):
            until = runs_out(room, seat)
            if until is None:
                continue
            for move in rules.legal(room.state, seat)[::4]:
                for now in (until, until + 1, until + 10**8):
                    late = take(subject.game, room, seat, Play(move), max(now, room.at))
                    assert late.result == Refused(Refusal.TOO_LATE)
                if until > room.at:
                    in_time = take(subject.game, room, seat, Play(move), until - 1)
                    assert isinstance(in_time.result, Advanced)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30)
@given(st.data())
def test_only_the_system_can_say_that_time_is_up(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    for run_step in run.run_steps:
        room = run_step.before
        if room.phase is Phase.CLOSED:
            continue
        due = deadline(room)
        for actor in set(run.subject.actors) - {SYSTEM}:
            if due is not None:
                result = take(run.subject.game, room, Seat(actor), TimeUp(), due + 1).result
                assert result == Refused(Refusal.NOT_ALLOWED)
