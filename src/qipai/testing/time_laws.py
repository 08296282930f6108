"""Time is settled at the deadline, once, and no seat plays after its time."""

from typing import Final

from qipai.kernel.commands import Play, TimeUp
from qipai.kernel.ids import SYSTEM, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Advanced, AnyRoom, Phase, Refused, Unchanged, deadline

from .law import Law, over
from .runs import Run, runs, take
from .step_checks import runs_out, time_up
from .subject import Subject


def _check_deadlines(run: Run) -> None:
    for room in run.rooms:
        due = deadline(room)
        if due is None:
            assert not isinstance(time_up(run.subject, room, room.at + 10**9), Advanced)
            continue
        if due > room.at:
            assert time_up(run.subject, room, room.at) == Unchanged()
            assert time_up(run.subject, room, due - 1) == Unchanged()
        _check_settled(run.subject, room, max(due, room.at))
        _check_settled(run.subject, room, max(due, room.at) + 3_000)


def _check_settled(subject: Subject, room: AnyRoom, now: int) -> None:
    result = time_up(subject, room, now)
    assert isinstance(result, Advanced)
    after = result.room
    moved = deadline(after)
    assert moved is None or moved > now, "everybody overdue is settled"
    assert time_up(subject, after, now) == Unchanged()


def _check_late_moves(run: Run) -> None:
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


def _check_time_up(run: Run) -> None:
    for run_step in run.run_steps:
        room = run_step.before
        if room.phase is Phase.CLOSED:
            continue
        due = deadline(room)
        for actor in set(run.subject.actors) - {SYSTEM}:
            if due is not None:
                result = take(run.subject.game, room, Seat(actor), TimeUp(), due + 1).result
                assert result == Refused(Refusal.NOT_ALLOWED)


TIME_LAWS: Final = (
    Law("time is settled at the deadline and only once", over(runs, 200)(_check_deadlines)),
    Law("a move after its time is refused, one in time is not", over(runs, 100)(_check_late_moves)),
    Law("only the system can say that time is up", over(runs, 30)(_check_time_up)),
)
