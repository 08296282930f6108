"""Late: time is settled at the deadline, once, and nobody plays after his time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.kernel.commands import Play, TimeUp
from qipai.kernel.ids import SYSTEM, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Advanced, AnyRoom, Phase, Refused, Unchanged, deadline

from .checks import runs_out, time_up
from .runs import lives, take
from .subjects import SUBJECTS, Subject

NAMES = tuple(SUBJECTS)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=200)
@given(st.data())
def test_time_is_settled_at_the_deadline_and_only_once(name: str, data: st.DataObject) -> None:
    life = data.draw(lives(name))
    for room in life.rooms:
        due = deadline(room)
        if due is None:
            assert not isinstance(time_up(life.subject, room, room.at + 10**9), Advanced)
            continue
        if due > room.at:
            assert time_up(life.subject, room, room.at) == Unchanged()
            assert time_up(life.subject, room, due - 1) == Unchanged()
        settled(life.subject, room, max(due, room.at))
        settled(life.subject, room, max(due, room.at) + 3_000)


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
    life = data.draw(lives(name))
    subject, rules = life.subject, life.subject.game.rules
    for room in life.rooms:
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
    life = data.draw(lives(name))
    for moment in life.moments:
        room = moment.before
        if room.phase is Phase.CLOSED:
            continue
        due = deadline(room)
        for actor in set(life.subject.actors) - {SYSTEM}:
            if due is not None:
                result = take(life.subject.game, room, Seat(actor), TimeUp(), due + 1).result
                assert result == Refused(Refusal.NOT_ALLOWED)
