"""The lag of a move: written down always, not charged where the table compensates it, within a quota."""

from hypothesis import given
from hypothesis import strategies as st

from qipai.kernel import clock as clocks
from qipai.kernel.clock import (
    COMPENSATION_QUOTA,
    COMPENSATION_REFILL,
    MAX_COMPENSATION,
    ClockPlan,
)
from qipai.kernel.commands import Play, TimeUp
from qipai.kernel.ids import SYSTEM, Millis, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Unchanged, deadline
from qipai.kernel.room_view import clock_view
from qipai.kernel.view_values import ClockPlanView, clock_plan_of, clock_plan_view
from tests.kernel.scripted_game import A, B, Do, RoomDriver, ScriptedRules

CHARGED = ClockPlan(main=(60_000,))
COMPENSATED = ClockPlan(main=(60_000,), lag_compensation=True)
PASS = {A: Do((B,)), B: Do((A,))}


def play(driver: RoomDriver, seat: Seat, now: int, lag: int | None) -> clocks.Clock:
    room = driver.do(seat, Play(PASS[seat], lag), now)
    assert room.clock is not None
    return room.clock


def test_without_compensation_the_lag_is_shown_and_charged() -> None:
    driver = RoomDriver(plan=CHARGED)
    assert play(driver, A, 5_000, 300).left == (55_000, 60_000)
    shown = clock_view(driver.room, Millis(5_000))
    assert shown is not None
    assert (shown.lags, shown.compensated) == ((300, None), (0, 0))
    assert deadline(driver.room) == 65_000


def test_with_compensation_a_move_is_not_charged_for_its_lag() -> None:
    driver = RoomDriver(plan=COMPENSATED)
    assert play(driver, A, 5_000, 300).left == (55_300, 60_000)
    assert play(driver, B, 6_000, 40).left == (55_300, 59_040)
    shown = clock_view(driver.room, Millis(6_000))
    assert shown is not None
    assert (shown.lags, shown.compensated) == ((300, 40), (300, 40))


def test_one_move_is_compensated_by_half_a_second_at_most() -> None:
    driver = RoomDriver(plan=COMPENSATED)
    clock = play(driver, A, 5_000, 4_000)
    assert clock.left == (55_500, 60_000)
    assert (clock.lags[A], clock.compensated[A]) == (4_000, 500)
    assert clock.quotas[A] == COMPENSATION_QUOTA - 500 + COMPENSATION_REFILL


def test_no_move_costs_less_than_nothing() -> None:
    driver = RoomDriver(plan=COMPENSATED)
    assert play(driver, A, 100, 400).left == (60_000, 60_000)
    assert play(driver, B, 100, 400).left == (60_000, 60_000)


def test_the_increment_is_added_to_the_compensated_time() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,), increment=2_000, lag_compensation=True))
    assert play(driver, A, 5_000, 300).left == (57_300, 60_000)


def test_a_move_that_was_under_way_when_the_time_ran_out_is_in_time() -> None:
    driver = RoomDriver(plan=COMPENSATED)
    play(driver, A, 1_000, 300)
    play(driver, B, 1_000, 0)
    # 59,300 ms are left from 1,000 on, and the network is known to take 300.
    assert deadline(driver.room) == 1_000 + 59_300 + 300
    assert driver.try_(SYSTEM, TimeUp(), 60_599) == Unchanged()
    assert driver.refuses(A, Play(PASS[A], 200), 60_500) == Refusal.TOO_LATE
    assert driver.refuses(A, Play(PASS[A], None), 60_300) == Refusal.TOO_LATE
    assert play(driver, A, 60_599, 300).left == (1, 60_000)


def test_a_player_whose_lag_is_not_known_loses_when_the_time_runs_out() -> None:
    driver = RoomDriver(plan=COMPENSATED)
    assert deadline(driver.room) == 60_000
    play(driver, A, 1_000, None)
    play(driver, B, 1_000, None)
    assert deadline(driver.room) == 60_000


def test_the_last_move_of_a_game_is_compensated_too() -> None:
    driver = RoomDriver(plan=COMPENSATED)
    room = driver.do(A, Play(Do(winners=(A,)), 300), 5_000)
    assert room.clock is not None
    assert room.clock.left == (55_300, 60_000)
    assert room.clock.compensated[A] == 300


def test_a_refused_move_uses_no_quota() -> None:
    driver = RoomDriver(plan=COMPENSATED)
    before = driver.room
    assert driver.refuses(A, Play(Do(), 300), 5_000) == Refusal.ILLEGAL
    assert driver.room is before


def test_a_decision_with_its_own_time_and_a_free_first_move_are_not_compensated() -> None:
    granted = RoomDriver(ScriptedRules(grants=(Millis(9_000), None)), plan=COMPENSATED)
    clock = play(granted, A, 5_000, 300)
    assert (clock.lags[A], clock.compensated[A], clock.quotas[A]) == (300, 0, COMPENSATION_QUOTA)
    free = RoomDriver(plan=ClockPlan(main=(60_000,), first_free=True, lag_compensation=True))
    clock = play(free, A, 5_000, 300)
    assert (clock.lags[A], clock.compensated[A], clock.quotas[A]) == (300, 0, COMPENSATION_QUOTA)
    assert play(free, B, 10_000, 300).compensated[B] == 300


@given(st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 10_000)), min_size=1, max_size=60))
def test_a_client_that_delays_its_answers_gains_at_most_the_quota(moves: list[tuple[int, int]]) -> None:
    driver = RoomDriver(plan=ClockPlan(main=(10_000_000,), lag_compensation=True))
    now = gained = used = 0
    for number, (thought, lag) in enumerate(moves, 1):
        now += thought
        used += thought
        clock = play(driver, A, now, lag)
        compensated = clock.compensated[A]
        assert 0 <= compensated <= min(MAX_COMPENSATION, lag, thought)
        gained += compensated
        assert gained <= COMPENSATION_QUOTA + COMPENSATION_REFILL * (number - 1)
        assert clock.left[A] == 10_000_000 - used + gained, "every millisecond is charged or compensated"
        play(driver, B, now, None)


def test_budgets_under_ten_minutes_are_compensated_unless_chosen_otherwise() -> None:
    cases = {
        ClockPlanView(main=(599_999,)): True,
        ClockPlanView(main=(180_000, 300_000), increment=2_000): True,
        ClockPlanView(main=(600_000,)): False,
        ClockPlanView(main=(60_000, 900_000)): False,
        ClockPlanView(move=30_000): False,
        ClockPlanView(main=(60_000,), lag_compensation=False): False,
        ClockPlanView(main=(900_000,), lag_compensation=True): True,
    }
    for view, expected in cases.items():
        plan = clock_plan_of(view)
        assert plan is not None
        assert plan.lag_compensation is expected, view
        shown = clock_plan_view(plan)
        assert shown is not None
        assert shown.lag_compensation is expected, "clients are always told"
