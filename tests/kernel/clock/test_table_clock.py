"""The clock of a room: which time is charged, and which deadlines a `TimeUp` settles."""

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
from tests.kernel.scripted_game import A, B, C, Did, Do, RoomDriver, ScriptedRules, State

MINUTE = ClockPlan(main=(60_000,))


def left(driver: RoomDriver) -> tuple[int | None, ...]:
    assert driver.room.clock is not None
    return driver.room.clock.left


def test_time_is_counted_from_the_start_and_at_each_move() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,), increment=1_000))
    driver.move(A, 5_000, B)
    driver.move(B, 7_000, A)
    assert left(driver) == (56_000, 59_000)
    assert deadline(driver.room) == 63_000


def test_a_room_without_a_clock_has_no_deadline() -> None:
    driver = RoomDriver()
    assert driver.room.clock is None
    assert deadline(driver.room) is None
    assert driver.try_(SYSTEM, TimeUp(), 10**12) == Unchanged()


def test_a_time_before_the_last_step_charges_nothing() -> None:
    driver = RoomDriver(plan=MINUTE)
    driver.move(A, 5_000, B)
    driver.move(B, 1_000, A)
    assert driver.room.at == 5_000
    assert left(driver) == (55_000, 60_000)


def test_a_player_loses_on_time_at_the_deadline_and_not_before() -> None:
    driver = RoomDriver(plan=MINUTE)
    assert driver.try_(SYSTEM, TimeUp(), 59_999) == Unchanged()
    driver.do(SYSTEM, TimeUp(), 60_000)
    assert driver.over == ((B,), "time")
    assert left(driver) == (0, 60_000)
    assert driver.try_(SYSTEM, TimeUp(), 60_000) == Unchanged()


def test_a_move_at_the_deadline_is_too_late() -> None:
    driver = RoomDriver(plan=MINUTE)
    assert driver.refuses(A, Play(Do((B,))), 60_000) is Refusal.TOO_LATE
    driver.move(A, 59_999, B)
    assert left(driver) == (1, 60_000)


def test_exceeding_the_move_limit_loses_the_game() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,), move=10_000))
    driver.move(A, 9_000, B)
    assert deadline(driver.room) == 19_000
    assert driver.refuses(B, Play(Do((A,))), 19_000) is Refusal.TOO_LATE
    driver.do(SYSTEM, TimeUp(), 19_000)
    assert driver.over == ((A,), "time")


def test_the_rules_may_move_for_an_overdue_seat() -> None:
    driver = RoomDriver(ScriptedRules(overdue=Do((B,))), plan=ClockPlan(move=10_000))
    driver.do(SYSTEM, TimeUp(), 10_000)
    assert driver.room.phase is Phase.PLAYING
    assert driver.state.movers == (A,)
    assert deadline(driver.room) == 20_000
    assert driver.room.version == 4, "one command, one version"


class RandomOverdueRules(ScriptedRules):
    """Rules that draw once to choose the move for an overdue seat, and once to play it."""

    def overdue(self, state: State, seat: Seat, random: Random) -> Do:
        """Return a move whose acting seat is drawn."""
        return Do((Seat(random.below(2)),), rolls=1)


def test_a_move_for_an_overdue_seat_reuses_no_randomness() -> None:
    driver = RoomDriver(RandomOverdueRules(), plan=ClockPlan(move=10_000))
    random = Random(driver.room.random_key)
    chosen, rolled = random.below(2), random.below(6)
    driver.do(SYSTEM, TimeUp(), 10_000)
    assert driver.state.acting == (Seat(chosen),)
    assert driver.events == [Did(A, (rolled,))]
    assert driver.room.random_position == random.position == 2


def test_one_time_up_settles_all_overdue_seats() -> None:
    rules = ScriptedRules(seats=3, acting=(A, B, C), overdue=Do((A, B, C)))
    driver = RoomDriver(rules, plan=ClockPlan(move=10_000))
    driver.do(SYSTEM, TimeUp(), 10_000)
    assert driver.state.movers == (A, B, C)
    assert driver.room.position_version == driver.room.version == 5
    assert deadline(driver.room) == 20_000
    assert driver.try_(SYSTEM, TimeUp(), 10_000) == Unchanged()


def test_one_time_up_settles_only_overdue_seats() -> None:
    rules = ScriptedRules(seats=3, acting=(A, B, C), overdue=Do((A, B, C)))
    driver = RoomDriver(rules, plan=ClockPlan(main=(10_000, 20_000, 10_000), increment=5_000))
    driver.do(SYSTEM, TimeUp(), 10_000)
    assert driver.state.movers == (A, C)
    assert deadline(driver.room) == 15_000


class AlternatingRules(ScriptedRules):
    """Rules that pass the turn of an overdue seat on; the fifth move ends the game."""

    def overdue(self, state: State, seat: Seat, random: Random) -> Do:
        """Pass the turn on, or end the game."""
        return Do(winners=()) if len(state.movers) == 4 else Do((Seat(1 - seat),))


def test_one_time_up_also_settles_seats_that_become_overdue_by_it() -> None:
    driver = RoomDriver(AlternatingRules(acting=(B,)), plan=ClockPlan(main=(10_000,)))
    driver.do(SYSTEM, TimeUp(), 10_000)
    assert left(driver) == (10_000, 0)
    # A runs out and a move is made for A; then B is to act with no time left, then A again.
    driver.do(SYSTEM, TimeUp(), 20_000)
    assert driver.try_(SYSTEM, TimeUp(), 20_000) == Unchanged()
    assert driver.over == ((), "named")


def test_with_a_late_time_up_the_seat_that_ran_out_first_loses() -> None:
    driver = RoomDriver(ScriptedRules(acting=(A, B)), plan=ClockPlan(main=(20_000, 10_000)))
    driver.do(SYSTEM, TimeUp(), 25_000)
    assert driver.over == ((A,), "time")


def test_with_a_late_time_up_a_clock_counts_before_a_later_absence() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(20_000,)), disconnect_timeout=15)
    driver.do(SYSTEM, Disconnected(B), 6_000)
    assert deadline(driver.room) == 20_000
    driver.do(SYSTEM, TimeUp(), 25_000)
    assert driver.over == ((B,), "time"), "A ran out at 20 s, before the absence of B at 21 s"


def test_with_a_late_time_up_an_absence_counts_before_a_later_clock() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(20_000,)), disconnect_timeout=15)
    driver.do(SYSTEM, Disconnected(B), 4_000)
    driver.do(SYSTEM, TimeUp(), 25_000)
    assert driver.over == ((A,), "left")


def test_a_grant_is_for_one_decision_and_leaves_the_budget_alone() -> None:
    driver = RoomDriver(plan=MINUTE)
    driver.move(A, 1_000, B, grants=(None, Millis(5_000)))
    assert deadline(driver.room) == 6_000
    driver.move(B, 5_500, A)
    assert left(driver) == (59_000, 60_000)


def test_a_grant_that_ends_is_not_charged_to_the_budget_of_the_next_decision() -> None:
    # Both pause; A continues, and B is now to act: the time of B starts now.
    driver = RoomDriver(plan=MINUTE)
    driver.move(A, 1_000, A, B, grants=(Millis(15_000), Millis(15_000)))
    driver.move(A, 11_000, B)
    assert driver.room.clock is not None
    assert clocks.remaining(driver.room.clock, Millis(11_000)) == (59_000, 60_000)
    assert deadline(driver.room) == 71_000


def test_a_decision_that_receives_a_grant_has_the_whole_grant() -> None:
    driver = RoomDriver(ScriptedRules(acting=(A, B)), plan=MINUTE)
    driver.move(A, 30_000, A, B, grants=(Millis(15_000), Millis(15_000)))
    assert deadline(driver.room) == 45_000
    assert driver.try_(SYSTEM, TimeUp(), 30_000) == Unchanged()


def paused_tic_tac_toe(plan: ClockPlan, first: Seat) -> RoomDriver:
    """Return a room where this seat started the first round and won it."""
    seeds = (sha256(bytes([number])).digest() for number in range(100))
    tables = (RoomDriver(TICTACTOE, plan=plan, seed=seed) for seed in seeds)
    driver = next(table for table in tables if table.state.first == first)
    for cell in (0, 3, 1, 4, 2):
        driver.do(driver.state.turn, Play(Mark(cell)), 0)
    assert driver.state.resting
    return driver


@pytest.mark.parametrize("first", [A, B])
@pytest.mark.parametrize("continues", [A, B])
def test_the_pause_between_tic_tac_toe_rounds_charges_no_clock(first: Seat, continues: Seat) -> None:
    driver = paused_tic_tac_toe(MINUTE, first)
    assert deadline(driver.room) == 15_000
    driver.do(continues, Play(Next()), 14_000)
    shown = view(TICTACTOE, driver.room, SPECTATOR, Millis(14_000)).clock
    assert shown is not None
    assert shown.left == (60_000, 60_000)
    assert deadline(driver.room) == 74_000


@pytest.mark.parametrize("first", [A, B])
def test_tic_tac_toe_continues_after_the_pause_without_a_loss(first: Seat) -> None:
    driver = paused_tic_tac_toe(ClockPlan(move=10_000), first)
    driver.do(SYSTEM, TimeUp(), 15_000)
    assert driver.room.phase is Phase.PLAYING
    assert driver.state.round == 1
    assert deadline(driver.room) == 25_000


def test_an_outage_charges_no_clock_of_a_room() -> None:
    driver = RoomDriver(plan=MINUTE)
    driver.move(A, 1_000, B)
    driver.do(SYSTEM, commands.OutageEnded(Millis(11_000), Millis(5_000)), 500_000)
    assert left(driver) == (59_000, 50_000)
    assert deadline(driver.room) == 555_000
    assert driver.events == [room_events.OutageEnded(Millis(11_000))]
    driver.move(B, 507_000, A)
    assert left(driver) == (59_000, 48_000)


def test_an_outage_starts_no_earlier_than_the_last_step() -> None:
    driver = RoomDriver(plan=MINUTE)
    driver.move(A, 10_000, B)
    driver.do(SYSTEM, commands.OutageEnded(Millis(4_000), Millis(0)), 500_000)
    assert left(driver) == (50_000, 60_000)
    assert deadline(driver.room) == 560_000


def test_an_outage_that_starts_in_the_future_is_ignored() -> None:
    driver = RoomDriver(plan=MINUTE)
    driver.do(SYSTEM, commands.OutageEnded(Millis(10**9), Millis(0)), 10_000)
    assert left(driver) == (50_000, 60_000)
    assert deadline(driver.room) == 60_000


def test_an_outage_during_the_free_first_move_costs_nothing() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,), first_free=True))
    driver.do(SYSTEM, commands.OutageEnded(Millis(20_000), Millis(5_000)), 500_000)
    driver.move(A, 510_000, B)
    assert left(driver) == (60_000, 60_000)


def test_reconnecting_ends_only_the_head_start_of_that_seat() -> None:
    driver = RoomDriver(ScriptedRules(acting=(A, B)), plan=MINUTE)
    driver.do(SYSTEM, commands.OutageEnded(Millis(0), Millis(5_000)), 100_000)
    driver.do(SYSTEM, Reconnected(A), 101_000)
    assert driver.room.clock is not None
    assert driver.room.clock.since == (101_000, 105_000)
    assert driver.try_(SYSTEM, Reconnected(A), 102_000) == Unchanged()


def test_the_time_left_in_a_view_is_correct_at_its_own_time() -> None:
    driver = RoomDriver(ScriptedRules(acting=(A, B)), plan=MINUTE)
    driver.do(SYSTEM, commands.OutageEnded(Millis(0), Millis(5_000)), 100_000)
    driver.do(SYSTEM, Reconnected(A), 101_000)
    for now in (101_000, 103_000, 105_000, 110_000):
        shown = view(driver.rules, driver.room, SPECTATOR, Millis(now)).clock
        assert shown is not None
        assert driver.room.clock is not None
        assert shown.left == clocks.remaining(driver.room.clock, shown.at)


def test_a_view_counts_grants_down() -> None:
    driver = RoomDriver(plan=MINUTE)
    driver.move(A, 1_000, B, grants=(None, Millis(5_000)))
    shown = view(driver.rules, driver.room, SPECTATOR, Millis(3_000)).clock
    assert shown is not None
    assert shown.grants == (None, 3_000)
    assert shown.running == (B,)
    late = view(driver.rules, driver.room, SPECTATOR, Millis(90_000)).clock
    assert late is not None
    assert late.grants == (None, 0)


def test_the_clock_stops_when_the_game_ends() -> None:
    for end in (Play(Do(winners=(A,))), Resign()):
        driver = RoomDriver(plan=MINUTE)
        driver.do(A, end, 10_000)
        assert driver.over is not None
        assert left(driver)[1] == 60_000
        assert left(driver)[0] == 50_000
        assert deadline(driver.room) is None


def test_chat_and_offers_do_not_change_the_clock() -> None:
    driver = RoomDriver(plan=MINUTE)
    before = driver.room.clock
    driver.do(A, Say("hm"), 5_000)
    driver.do(A, MakeOffer(OfferKind.DRAW), 6_000)
    driver.do(B, AnswerOffer(1, yes=False), 7_000)
    assert driver.room.clock == before
    assert deadline(driver.room) == 60_000


def test_an_undo_gives_the_turn_back_without_an_increment() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,), increment=1_000))
    driver.move(A, 5_000, B)
    driver.do(A, MakeOffer(OfferKind.UNDO), 6_000)
    driver.do(B, AnswerOffer(1, yes=True), 9_000)
    assert driver.room.clock is not None
    assert driver.room.clock.since == (9_000, None)
    assert left(driver) == (56_000, 56_000)


def test_a_rematch_begins_with_full_clocks() -> None:
    driver = RoomDriver(plan=MINUTE)
    driver.move(A, 30_000, B)
    driver.do(B, Resign(), 40_000)
    driver.do(A, MakeOffer(OfferKind.REMATCH), 50_000)
    driver.do(B, AnswerOffer(1, yes=True), 51_000)
    assert driver.room.clock == clocks.Clock((60_000, 60_000), (Millis(51_000), None), (None, None))


def test_a_view_shows_since_when_each_clock_runs() -> None:
    driver = RoomDriver(plan=ClockPlan(move=30_000))
    started = driver.room.at
    shown = view(driver.rules, driver.room, A, Millis(started + 7_000))
    assert shown.clock is not None
    assert shown.clock.since == (started, None)
    assert shown.clock.at == started + 7_000
    driver.move(A, 9_000, B)
    shown = view(driver.rules, driver.room, B, Millis(driver.room.at + 1))
    assert shown.clock is not None
    assert shown.clock.since == (None, driver.room.at)
