"""The laws can be checked for games with any number of seats and of options."""

import pytest

from qipai.kernel.commands import TakeSeat
from qipai.kernel.ids import SEATS
from qipai.kernel.room import Advanced
from qipai.testing import Law, Subject, law_cases
from qipai.testing.law import over
from qipai.testing.runs import Opening, Run, live, runs
from qipai.testing.step_laws import check_coverage

from .counting import COUNTERS, Options, counting

MOST: int = len(SEATS)


@pytest.mark.parametrize(("law", "subject"), law_cases(counting(6)))
def test_laws_of_a_game_with_six_seats(law: Law, subject: Subject) -> None:
    law.check(subject)


@pytest.mark.parametrize("seats", [5, 6, 8])
def test_runs_of_a_game_with_many_seats_reach_every_phase(seats: int) -> None:
    check_coverage(counting(seats))


@pytest.mark.parametrize("seats", [5, 6, MOST])
def test_all_seats_are_taken_by_different_persons(seats: int) -> None:
    run = live(counting(seats), Opening(0, None, 0, bytes(32)), seats, [])
    results = [one.result for one in run.run_steps if isinstance(one.command, TakeSeat)]
    assert all(isinstance(result, Advanced) for result in results)
    assert len({seat.person for seat in run.last.seats if seat is not None}) == seats
    assert run.last.state is not None


def test_runs_use_every_set_of_options() -> None:
    seen: set[Options] = set()

    def note(run: Run) -> None:
        seen.add(run.first.options)

    over(runs, 200)(note)(counting(2))
    assert seen == {Options(number) for number in COUNTERS}
