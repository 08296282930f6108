"""Any commands in any order, and every law of a single step checked after each of them."""

from typing import Final

from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase

from . import step_checks
from .law import Law, over
from .runs import PLANS, Opening, Run, live, random_actions, runs, short_runs
from .subject import Subject


def check_steps(run: Run) -> None:
    """Check every law of a single step along a run."""
    subject = run.subject
    body = step_checks.stored(subject, run.first)
    for run_step in run.run_steps:
        step_checks.total(run_step)
        step_checks.exact(subject, run_step, body)
        step_checks.plain_as_general(subject, run_step)
        step_checks.counted(run_step)
        step_checks.over_is_over(run_step)
        step_checks.resend(subject, run_step)
        step_checks.randomness_never_refuses(subject, run_step)
        step_checks.chance_moves_on(run_step)
        step_checks.secrets_stay_secret(subject, run_step)
        step_checks.addressed(subject, run_step.result)
        if run_step.after is run_step.before:
            continue
        room = run_step.after
        body = step_checks.stored(subject, room)
        step_checks.whole(room)
        step_checks.someone_acts(subject, room)
        step_checks.legal_is_legal(subject, room)
        step_checks.over_stays_over(subject, room)
        if room.state is not None:
            subject.conserved(room.state)


def check_coverage(subject: Subject) -> None:
    """Check the runs themselves: without progress they would prove nothing."""
    rooms = [room for number in range(150) for room in _numbered_run(subject, number).rooms]
    reasons = {room.result.reason for room in rooms if room.result is not None}
    assert {room.phase for room in rooms} == set(Phase)
    assert max(room.match for room in rooms) >= 3
    assert {"resigned", "left", "abandoned", *subject.ends} <= reasons
    assert any(
        taken is not None and taken.disconnected_at is not None for room in rooms for taken in room.seats
    )
    if offers := subject.game.rules.offers:
        assert {offer.kind for room in rooms for offer in room.offers} == offers | {OfferKind.REMATCH}
        assert "agreed" in reasons or OfferKind.DRAW not in offers


def _numbered_run(subject: Subject, number: int) -> Run:
    opening = Opening(number, PLANS[number % len(PLANS)], number % 2 * 30, bytes([number]) * 32)
    return live(subject, opening, subject.game.rules.seats, random_actions(number, 60))


STEP_LAWS: Final = (
    Law("every law of a single step holds in a long run", over(runs, 250)(check_steps)),
    Law("every law of a single step holds in a short run", over(short_runs, 100)(check_steps)),
    Law(
        "runs reach every phase and the ends of the game",
        check_coverage,
        lambda subject: not subject.variant,
    ),
)
