"""The clock at a table: who is charged for what, and what a `TimeUp` settles."""

from hashlib import sha256

import pytest

from qipai.games.tictactoe.rules import RULES as TICTACTOE
from qipai.games.tictactoe.rules import Mark, Next
from qipai.kernel import clock as clocks
from qipai.kernel import commands, room_events
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import AnswerOffer, Disconnected, MakeOffer, Play, Reconnected, Resign, Say, TimeUp
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase, Unchanged, deadline
from qipai.kernel.room_view import view

from .puppet import A, B, Bench, C, Did, Do, Puppet, State

MINUTE = ClockPlan(main=(60_000,))


def left(bench: Bench) -> tuple[int | None, ...]:
    assert bench.room.clock is not None
    return bench.room.clock.left


def test_time_is_counted_from_the_deal_and_at_each_move() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,), increment=1_000))
    bench.move(A, 5_000, B)
    bench.move(B, 7_000, A)
    assert left(bench) == (56_000, 59_000)
    assert deadline(bench.room) == 63_000


def test_a_table_without_a_clock_has_no_deadline() -> None:
    bench = Bench()
    assert bench.room.clock is None
    assert deadline(bench.room) is None
    assert bench.try_(SYSTEM, TimeUp(), 10**12) == Unchanged()


def test_time_that_seems_to_run_backwards_costs_nothing_and_gives_nothing() -> None:
    bench = Bench(plan=MINUTE)
    bench.move(A, 5_000, B)
    bench.move(B, 1_000, A)
    assert bench.room.at == 5_000
    assert left(bench) == (55_000, 60_000)


def test_a_flag_falls_at_the_deadline_and_not_before() -> None:
    bench = Bench(plan=MINUTE)
    assert bench.try_(SYSTEM, TimeUp(), 59_999) == Unchanged()
    bench.do(SYSTEM, TimeUp(), 60_000)
    assert bench.over == ((B,), "time")
    assert left(bench) == (0, 60_000)
    assert bench.try_(SYSTEM, TimeUp(), 60_000) == Unchanged()


def test_a_move_at_the_very_moment_is_too_late() -> None:
    bench = Bench(plan=MINUTE)
    assert bench.refuses(A, Play(Do((B,))), 60_000) is Refusal.TOO_LATE
    bench.move(A, 59_999, B)
    assert left(bench) == (1, 60_000)


def test_the_move_limit_falls_too() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,), move=10_000))
    bench.move(A, 9_000, B)
    assert deadline(bench.room) == 19_000
    assert bench.refuses(B, Play(Do((A,))), 19_000) is Refusal.TOO_LATE
    bench.do(SYSTEM, TimeUp(), 19_000)
    assert bench.over == ((A,), "time")


def test_the_overdue_may_be_played_for_instead_of_losing() -> None:
    bench = Bench(Puppet(overdue=Do((B,))), plan=ClockPlan(move=10_000))
    bench.do(SYSTEM, TimeUp(), 10_000)
    assert bench.room.phase is Phase.PLAYING
    assert bench.state.trail == (A,)
    assert deadline(bench.room) == 20_000
    assert bench.room.version == 4, "one command, one version"


class Chooser(Puppet):
    """Throws a die to choose what is played for the overdue, and another one in playing it."""

    def overdue(self, state: State, seat: Seat, dice: Random) -> Do:
        """Throw once, and say so by who is to act."""
        return Do((Seat(dice.below(2)),), rolls=1)


def test_what_is_played_for_the_overdue_uses_no_chance_twice() -> None:
    bench = Bench(Chooser(), plan=ClockPlan(move=10_000))
    dice = Random(bench.room.random_key)
    chosen, thrown = dice.below(2), dice.below(6)
    bench.do(SYSTEM, TimeUp(), 10_000)
    assert bench.state.acting == (Seat(chosen),)
    assert bench.events == [Did(A, (thrown,))]
    assert bench.room.random_position == dice.position == 2


def test_one_alarm_settles_everybody_who_is_overdue() -> None:
    rules = Puppet(seats=3, acting=(A, B, C), overdue=Do((A, B, C)))
    bench = Bench(rules, plan=ClockPlan(move=10_000))
    bench.do(SYSTEM, TimeUp(), 10_000)
    assert bench.state.trail == (A, B, C)
    assert bench.room.position_version == bench.room.version == 5
    assert deadline(bench.room) == 20_000
    assert bench.try_(SYSTEM, TimeUp(), 10_000) == Unchanged()


def test_one_alarm_settles_only_who_is_overdue() -> None:
    rules = Puppet(seats=3, acting=(A, B, C), overdue=Do((A, B, C)))
    bench = Bench(rules, plan=ClockPlan(main=(10_000, 20_000, 10_000), increment=5_000))
    bench.do(SYSTEM, TimeUp(), 10_000)
    assert bench.state.trail == (A, C)
    assert deadline(bench.room) == 15_000


class Alternate(Puppet):
    """Whoever is overdue has the turn passed on for him; the fifth move ends the game."""

    def overdue(self, state: State, seat: Seat, dice: Random) -> Do:
        """Pass the turn on, or end it."""
        return Do(winners=()) if len(state.trail) == 4 else Do((Seat(1 - seat),))


def test_one_alarm_also_settles_who_becomes_overdue_by_what_it_does() -> None:
    bench = Bench(Alternate(acting=(B,)), plan=ClockPlan(main=(10_000,)))
    bench.do(SYSTEM, TimeUp(), 10_000)
    assert left(bench) == (10_000, 0)
    # A runs out, his move is made, and B is to act with nothing left; then A again, with nothing left.
    bench.do(SYSTEM, TimeUp(), 20_000)
    assert bench.try_(SYSTEM, TimeUp(), 20_000) == Unchanged()
    assert bench.over == ((), "said so")


def test_a_late_alarm_lets_him_lose_who_ran_out_first() -> None:
    bench = Bench(Puppet(acting=(A, B)), plan=ClockPlan(main=(20_000, 10_000)))
    bench.do(SYSTEM, TimeUp(), 25_000)
    assert bench.over == ((A,), "time")


def test_a_late_alarm_lets_a_fallen_flag_count_before_a_later_absence() -> None:
    bench = Bench(plan=ClockPlan(main=(20_000,)), away=15)
    bench.do(SYSTEM, Disconnected(B), 6_000)
    assert deadline(bench.room) == 20_000
    bench.do(SYSTEM, TimeUp(), 25_000)
    assert bench.over == ((B,), "time"), "A's flag fell at 20 s, B was waited for until 21 s"


def test_a_late_alarm_lets_an_absence_count_before_a_later_flag() -> None:
    bench = Bench(plan=ClockPlan(main=(20_000,)), away=15)
    bench.do(SYSTEM, Disconnected(B), 4_000)
    bench.do(SYSTEM, TimeUp(), 25_000)
    assert bench.over == ((A,), "left")


def test_a_grant_is_for_one_decision_and_leaves_the_budget_alone() -> None:
    bench = Bench(plan=MINUTE)
    bench.move(A, 1_000, B, grants=(None, Millis(5_000)))
    assert deadline(bench.room) == 6_000
    bench.move(B, 5_500, A)
    assert left(bench) == (59_000, 60_000)


def test_a_grant_that_ends_is_not_charged_to_the_budget_of_the_next_decision() -> None:
    # Both rest; A goes on, and B, who was resting too, is now to act: his time begins now.
    bench = Bench(plan=MINUTE)
    bench.move(A, 1_000, A, B, grants=(Millis(15_000), Millis(15_000)))
    bench.move(A, 11_000, B)
    assert bench.room.clock is not None
    assert clocks.remaining(bench.room.clock, Millis(11_000)) == (59_000, 60_000)
    assert deadline(bench.room) == 71_000


def test_a_decision_that_turns_into_a_granted_one_has_the_whole_grant() -> None:
    bench = Bench(Puppet(acting=(A, B)), plan=MINUTE)
    bench.move(A, 30_000, A, B, grants=(Millis(15_000), Millis(15_000)))
    assert deadline(bench.room) == 45_000
    assert bench.try_(SYSTEM, TimeUp(), 30_000) == Unchanged()


def rest_of_tic_tac_toe(plan: ClockPlan, first: Seat) -> Bench:
    """Return a table where this seat began the first round and won it at once."""
    seeds = (sha256(bytes([number])).digest() for number in range(100))
    tables = (Bench(TICTACTOE, plan=plan, seed=seed) for seed in seeds)
    bench = next(table for table in tables if table.state.first == first)
    for cell in (0, 3, 1, 4, 2):
        bench.do(bench.state.turn, Play(Mark(cell)), 0)
    assert bench.state.resting
    return bench


@pytest.mark.parametrize("first", [A, B])
@pytest.mark.parametrize("goes_on", [A, B])
def test_a_rest_in_tic_tac_toe_costs_neither_side_anything(first: Seat, goes_on: Seat) -> None:
    bench = rest_of_tic_tac_toe(MINUTE, first)
    assert deadline(bench.room) == 15_000
    bench.do(goes_on, Play(Next()), 14_000)
    shown = view(TICTACTOE, bench.room, SPECTATOR, Millis(14_000)).clock
    assert shown is not None
    assert shown.left == (60_000, 60_000)
    assert deadline(bench.room) == 74_000


@pytest.mark.parametrize("first", [A, B])
def test_tic_tac_toe_goes_on_after_the_rest_and_nobody_loses_by_it(first: Seat) -> None:
    bench = rest_of_tic_tac_toe(ClockPlan(move=10_000), first)
    bench.do(SYSTEM, TimeUp(), 15_000)
    assert bench.room.phase is Phase.PLAYING
    assert bench.state.round == 1
    assert deadline(bench.room) == 25_000


def test_an_outage_is_charged_to_nobody_at_the_table() -> None:
    bench = Bench(plan=MINUTE)
    bench.move(A, 1_000, B)
    bench.do(SYSTEM, commands.OutageEnded(Millis(11_000), Millis(5_000)), 500_000)
    assert left(bench) == (59_000, 50_000)
    assert deadline(bench.room) == 555_000
    assert bench.events == [room_events.OutageEnded(Millis(11_000))]
    bench.move(B, 507_000, A)
    assert left(bench) == (59_000, 48_000)


def test_an_outage_begins_no_sooner_than_the_last_thing_that_happened() -> None:
    bench = Bench(plan=MINUTE)
    bench.move(A, 10_000, B)
    bench.do(SYSTEM, commands.OutageEnded(Millis(4_000), Millis(0)), 500_000)
    assert left(bench) == (50_000, 60_000)
    assert deadline(bench.room) == 560_000


def test_an_outage_that_would_begin_in_the_future_did_not_happen() -> None:
    bench = Bench(plan=MINUTE)
    bench.do(SYSTEM, commands.OutageEnded(Millis(10**9), Millis(0)), 10_000)
    assert left(bench) == (50_000, 60_000)
    assert deadline(bench.room) == 60_000


def test_an_outage_during_the_free_first_move_costs_nothing() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,), first_free=True))
    bench.do(SYSTEM, commands.OutageEnded(Millis(20_000), Millis(5_000)), 500_000)
    bench.move(A, 510_000, B)
    assert left(bench) == (60_000, 60_000)


def test_one_who_is_back_ends_only_his_own_head_start() -> None:
    bench = Bench(Puppet(acting=(A, B)), plan=MINUTE)
    bench.do(SYSTEM, commands.OutageEnded(Millis(0), Millis(5_000)), 100_000)
    bench.do(SYSTEM, Reconnected(A), 101_000)
    assert bench.room.clock is not None
    assert bench.room.clock.since == (101_000, 105_000)
    assert bench.try_(SYSTEM, Reconnected(A), 102_000) == Unchanged()


def test_what_a_view_says_is_left_is_true_at_the_moment_it_names() -> None:
    bench = Bench(Puppet(acting=(A, B)), plan=MINUTE)
    bench.do(SYSTEM, commands.OutageEnded(Millis(0), Millis(5_000)), 100_000)
    bench.do(SYSTEM, Reconnected(A), 101_000)
    for now in (101_000, 103_000, 105_000, 110_000):
        shown = view(bench.rules, bench.room, SPECTATOR, Millis(now)).clock
        assert shown is not None
        assert bench.room.clock is not None
        assert shown.left == clocks.remaining(bench.room.clock, shown.at)


def test_a_view_counts_grants_down() -> None:
    bench = Bench(plan=MINUTE)
    bench.move(A, 1_000, B, grants=(None, Millis(5_000)))
    shown = view(bench.rules, bench.room, SPECTATOR, Millis(3_000)).clock
    assert shown is not None
    assert shown.grants == (None, 3_000)
    assert shown.running == (B,)
    late = view(bench.rules, bench.room, SPECTATOR, Millis(90_000)).clock
    assert late is not None
    assert late.grants == (None, 0)


def test_the_clock_stops_when_the_game_ends_however_it_ends() -> None:
    for end in (Play(Do(winners=(A,))), Resign()):
        bench = Bench(plan=MINUTE)
        bench.do(A, end, 10_000)
        assert bench.over is not None
        assert left(bench)[1] == 60_000
        assert left(bench)[0] == 50_000
        assert deadline(bench.room) is None


def test_talking_and_offering_do_not_touch_the_clock() -> None:
    bench = Bench(plan=MINUTE)
    before = bench.room.clock
    bench.do(A, Say("hm"), 5_000)
    bench.do(A, MakeOffer(OfferKind.DRAW), 6_000)
    bench.do(B, AnswerOffer(1, yes=False), 7_000)
    assert bench.room.clock == before
    assert deadline(bench.room) == 60_000


def test_an_undo_gives_the_turn_back_without_an_increment() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,), increment=1_000))
    bench.move(A, 5_000, B)
    bench.do(A, MakeOffer(OfferKind.UNDO), 6_000)
    bench.do(B, AnswerOffer(1, yes=True), 9_000)
    assert bench.room.clock is not None
    assert bench.room.clock.since == (9_000, None)
    assert left(bench) == (56_000, 56_000)


def test_a_rematch_begins_with_full_clocks() -> None:
    bench = Bench(plan=MINUTE)
    bench.move(A, 30_000, B)
    bench.do(B, Resign(), 40_000)
    bench.do(A, MakeOffer(OfferKind.REMATCH), 50_000)
    bench.do(B, AnswerOffer(1, yes=True), 51_000)
    assert bench.room.clock == clocks.Clock((60_000, 60_000), (Millis(51_000), None), (None, None))


def test_a_view_tells_since_when_each_seat_has_been_thinking() -> None:
    bench = Bench(plan=ClockPlan(move=30_000))
    began = bench.room.at
    seen = view(bench.rules, bench.room, A, Millis(began + 7_000))
    assert seen.clock is not None
    assert seen.clock.since == (began, None)
    assert seen.clock.at == began + 7_000
    bench.move(A, 9_000, B)
    seen = view(bench.rules, bench.room, B, Millis(bench.room.at + 1))
    assert seen.clock is not None
    assert seen.clock.since == (None, bench.room.at)
