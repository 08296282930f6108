"""The clock as a value: budgets, increments, grants and deadlines."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.kernel import clock as clocks
from qipai.kernel.clock import DAY, Clock, ClockPlan
from qipai.kernel.ids import SYSTEM, Millis, Seat
from qipai.kernel.view_values import ClockPlanView

A, B, C = Seat(0), Seat(1), Seat(2)
NONE = (None, None)
spans = st.integers(0, 100_000)


def at(now: int) -> Millis:
    return Millis(now)


def started(plan: ClockPlan, acting: tuple[Seat, ...] = (A,), seats: int = 2, now: int = 0) -> Clock:
    return clocks.start(plan, (None,) * seats, acting, at(now))


def test_one_budget_applies_to_all_seats_and_zero_is_no_limit() -> None:
    assert started(ClockPlan(main=(60_000,)), seats=3).left == (60_000, 60_000, 60_000)
    assert started(ClockPlan(main=(60_000, 0))).left == (60_000, None)
    assert started(ClockPlan(main=(0,))).left == (None, None)


def test_a_new_clock_runs_for_the_seats_to_act() -> None:
    clock = started(ClockPlan(main=(60_000,)), acting=(A, C), seats=3, now=500)
    assert clock.since == (500, None, 500)
    assert not clock.free


@pytest.mark.parametrize(
    ("plan", "limits"),
    [
        (ClockPlan(), False),
        (ClockPlan(main=(0, 0), increment=5), False),
        (ClockPlan(main=(0, 1)), True),
        (ClockPlan(move=1), True),
        (ClockPlan(main=(1,)), True),
    ],
)
def test_a_plan_without_budget_and_move_limit_is_unlimited(plan: ClockPlan, limits: bool) -> None:
    assert clocks.limited(plan) is limits


@given(old=st.integers(1, 100_000), elapsed=spans, increment=spans)
def test_a_move_costs_the_time_it_took_and_earns_the_increment(
    old: int, elapsed: int, increment: int
) -> None:
    plan = ClockPlan(main=(old,), increment=increment)
    clock = clocks.press(plan, started(plan), A, (B,), NONE, at(elapsed))
    assert clock.left == (max(0, old - elapsed) + increment, old)
    assert clock.since == (None, elapsed)


def test_the_free_first_move_costs_and_earns_nothing_and_the_second_does() -> None:
    plan = ClockPlan(main=(60_000,), increment=2_000, first_free=True)
    clock = clocks.press(plan, started(plan), A, (B,), NONE, at(9_000))
    assert clock.left == (60_000, 60_000)
    clock = clocks.press(plan, clock, B, (A,), NONE, at(14_000))
    assert clock.left == (60_000, 57_000)
    clock = clocks.press(plan, clock, A, (B,), NONE, at(15_000))
    assert clock.left == (61_000, 57_000)


def test_without_that_rule_the_first_move_counts() -> None:
    plan = ClockPlan(main=(60_000,), increment=2_000)
    assert clocks.press(plan, started(plan), A, (B,), NONE, at(9_000)).left == (53_000, 60_000)


def test_a_side_without_a_clock_stays_without_one() -> None:
    plan = ClockPlan(main=(0, 60_000), increment=5_000)
    clock = clocks.press(plan, started(plan), A, (B,), NONE, at(10**9))
    assert clock.left == (None, 60_000)
    assert clocks.seat_deadline(plan, started(plan), A) is None


def test_each_move_of_the_same_seat_is_charged() -> None:
    # Three dice give three moves: each is charged and earns the increment.
    plan = ClockPlan(main=(60_000,), increment=1_000)
    clock = clocks.press(plan, started(plan), A, (A,), NONE, at(4_000))
    assert (clock.left[0], clock.since[0]) == (57_000, 4_000)
    clock = clocks.press(plan, clock, A, (B,), NONE, at(6_000))
    assert (clock.left[0], clock.since[0]) == (56_000, None)


def test_a_seat_that_still_has_to_act_is_not_charged_yet() -> None:
    plan = ClockPlan(main=(60_000,), increment=1_000)
    clock = started(plan, acting=(A, B, C), seats=3)
    clock = clocks.press(plan, clock, B, (A, C), (None,) * 3, at(5_000))
    assert clock.left == (60_000, 56_000, 60_000)
    assert clock.since == (0, None, 0)
    clock = clocks.press(plan, clock, A, (C,), (None,) * 3, at(8_000))
    assert clock.left == (53_000, 56_000, 60_000)
    assert clock.since == (None, None, 0)


def test_a_seat_that_no_longer_has_to_act_is_charged_without_an_increment() -> None:
    # Two seats could claim a tile; one did, so the other no longer decides.
    plan = ClockPlan(main=(60_000,), increment=1_000)
    clock = clocks.press(plan, started(plan, acting=(A, B)), A, (A,), NONE, at(5_000))
    assert clock.left == (56_000, 55_000)
    assert clock.since == (5_000, None)


def test_a_position_change_without_a_move_earns_no_increment() -> None:
    plan = ClockPlan(main=(60_000,), increment=1_000)
    assert clocks.press(plan, started(plan), SYSTEM, (B,), NONE, at(5_000)).left == (55_000, 60_000)


def test_a_grant_is_used_instead_of_the_budget() -> None:
    plan = ClockPlan(main=(60_000,), increment=1_000, move=2_000)
    clock = clocks.start(plan, (15_000, None), (A,), at(0))
    assert clocks.seat_deadline(plan, clock, A) == 15_000
    assert clocks.remaining(clock, at(10_000)) == (60_000, 60_000)
    assert clocks.press(plan, clock, A, (B,), NONE, at(10_000)).left == (60_000, 60_000)


def test_a_grant_limits_a_seat_without_a_budget() -> None:
    plan = ClockPlan(main=(0, 60_000))
    clock = clocks.start(plan, (15_000, None), (A,), at(0))
    assert clocks.seat_deadline(plan, clock, A) == 15_000


def test_the_time_left_decreases_only_while_the_clock_runs_and_never_below_zero() -> None:
    clock = started(ClockPlan(main=(60_000,)), now=1_000)
    assert clocks.remaining(clock, at(1_000)) == (60_000, 60_000)
    assert clocks.remaining(clock, at(4_000)) == (57_000, 60_000)
    assert clocks.remaining(clock, at(500)) == (60_000, 60_000)
    assert clocks.remaining(clock, at(10**9)) == (0, 60_000)


@pytest.mark.parametrize(
    ("plan", "due"),
    [
        (ClockPlan(main=(60_000,)), 61_000),
        (ClockPlan(main=(60_000,), move=5_000), 6_000),
        (ClockPlan(main=(3_000,), move=5_000), 4_000),
        (ClockPlan(move=5_000), 6_000),
        (ClockPlan(), None),
    ],
)
def test_a_seat_runs_out_of_time_at_the_earlier_of_budget_and_move_limit(
    plan: ClockPlan, due: int | None
) -> None:
    clock = started(plan, now=1_000)
    assert clocks.seat_deadline(plan, clock, A) == due
    assert clocks.seat_deadline(plan, clock, B) is None, "a stopped clock has no deadline"
    assert clocks.deadline(plan, clock) == due


def test_the_deadline_is_the_earliest_of_all_running_clocks() -> None:
    plan = ClockPlan(main=(60_000, 20_000, 40_000))
    assert clocks.deadline(plan, started(plan, acting=(A, C), seats=3)) == 40_000
    assert clocks.deadline(plan, started(plan, acting=(A, B, C), seats=3)) == 20_000
    assert clocks.deadline(plan, started(plan, acting=(), seats=3)) is None


def test_a_stopped_clock_charges_all_seats_and_runs_for_none() -> None:
    plan = ClockPlan(main=(60_000,), increment=1_000)
    clock = clocks.stop(started(plan, acting=(A, B)), at(7_000))
    assert clock.left == (53_000, 53_000)
    assert clock.since == (None, None)
    assert clocks.deadline(plan, clock) is None
    assert clocks.remaining(clock, at(10**9)) == (53_000, 53_000)


def test_an_outage_is_not_charged() -> None:
    plan = ClockPlan(main=(60_000,))
    clock = clocks.resume_after_outage(started(plan, now=1_000), at(11_000), at(500_000), at(5_000))
    assert clock.left == (50_000, 60_000)
    assert clocks.remaining(clock, at(500_000)) == (50_000, 60_000)
    assert clocks.remaining(clock, at(505_000)) == (50_000, 60_000)
    assert clocks.remaining(clock, at(506_000)) == (49_000, 60_000)
    assert clocks.seat_deadline(plan, clock, A) == 555_000


def test_a_move_within_the_head_start_costs_nothing() -> None:
    plan = ClockPlan(main=(60_000,), increment=1_000)
    clock = clocks.resume_after_outage(started(plan), at(0), at(100_000), at(5_000))
    assert clocks.press(plan, clock, A, (B,), NONE, at(103_000)).left == (61_000, 60_000)


def test_reconnecting_early_ends_the_head_start() -> None:
    plan = ClockPlan(main=(60_000,))
    clock = clocks.resume_after_outage(started(plan, acting=(A, B)), at(0), at(100_000), at(5_000))
    ended = clocks.end_head_start(clock, A, at(102_000))
    assert ended.since == (102_000, 105_000)
    assert ended.left == clock.left
    assert clocks.end_head_start(clock, A, at(105_000)) is clock, "nothing to end"
    assert clocks.end_head_start(ended, A, at(103_000)) is ended
    single = started(plan)
    assert clocks.end_head_start(single, B, at(0)) is single, "a stopped clock has no head start"


@given(
    mains=st.lists(st.integers(0, 100_000), min_size=3, max_size=3),
    increment=st.integers(0, 3_000),
    moves=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 30_000), st.integers(1, 7)), max_size=20),
)
def test_time_is_gained_only_by_increments_and_charged_once(
    mains: list[int], increment: int, moves: list[tuple[int, int, int]]
) -> None:
    plan = ClockPlan(main=tuple(mains), increment=increment)
    clock, now = started(plan, acting=(A, B, C), seats=3), 0
    spent = [0, 0, 0]
    earned = [0, 0, 0]
    for mover, wait, mask in moves:
        acting = tuple(Seat(seat) for seat in range(3) if mask >> seat & 1)
        thinking = [since is not None for since in clock.since]
        now += wait
        for seat in range(3):
            spent[seat] += wait if thinking[seat] else 0
        if thinking[mover]:
            earned[mover] += increment
        clock = clocks.press(plan, clock, Seat(mover), acting, (None,) * 3, at(now))
        assert [since is not None for since in clock.since] == [seat in acting for seat in range(3)]
    for seat, main in enumerate(mains):
        left = clocks.remaining(clock, at(now))[seat]
        if main == 0:
            assert left is None
        else:
            assert left is not None
            assert left >= 0
            assert left >= main - spent[seat]
            assert left <= main + earned[seat]
            if spent[seat] <= main:
                assert left == main - spent[seat] + earned[seat]


@pytest.mark.parametrize(
    "raw",
    [
        b'{"main":[-1]}',
        b'{"main":[86400001]}',
        b'{"increment":-1}',
        b'{"move":1.5}',
        b'{"main":[true]}',
        b'{"first_free":1}',
        b'{"bonus":3}',
        b'{"main":"60"}',
    ],
)
def test_a_plan_out_of_bounds_is_rejected(raw: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(raw, type=ClockPlanView)


def test_a_plan_within_bounds_is_decoded() -> None:
    raw = b'{"main":[0,86400000],"increment":60000,"move":1,"first_free":true}'
    assert msgspec.json.decode(raw, type=ClockPlanView) == ClockPlanView((0, DAY), 60_000, 1, True)


def test_the_free_first_move_may_take_longer_than_the_time_of_the_game() -> None:
    plan = ClockPlan(main=(60_000,), first_free=True)
    clock = started(plan)
    assert clocks.seat_deadline(plan, clock, A) == clocks.DAY
    assert clocks.seat_deadline(plan, clocks.press(plan, clock, A, (B,), NONE, at(99_000)), B) == 159_000
    limited = ClockPlan(main=(60_000,), move=5_000, first_free=True)
    assert clocks.seat_deadline(limited, started(limited), A) == 5_000
