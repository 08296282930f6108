"""Company: sitting down, leaving, dropping out of reach, coming back, and waking up."""

import pytest

from qipai.kernel import commands, room_events
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import LeaveSeat, MakeOffer, Play, Resign, TakeSeat, TimeUp
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import commitment
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Advanced, Phase, Refused, Unchanged, deadline
from qipai.kernel.room_events import GameOver, GameStarted, SeatLeft, SeatTaken
from qipai.kernel.room_view import view
from qipai.kernel.seats import TakenSeat, free_seat, seat_of, with_disconnected, with_seat

from .puppet import FRESH, SEED, A, B, Bench, C, Do, Puppet


def sit(name: str, seat: int | None = None, bot: str = "", player_entropy: bytes = b"") -> TakeSeat:
    return TakeSeat(Person(name.lower()), name, None if seat is None else Seat(seat), bot, player_entropy)


# Sitting


def test_people_get_the_first_free_seat_or_the_one_they_ask_for() -> None:
    bench = Bench(Puppet(seats=3), seated=0)
    bench.do(SYSTEM, sit("Ann", 1), 0)
    bench.do(SYSTEM, sit("Bob"), 0)
    assert [chair and chair.name for chair in bench.room.seats] == ["Bob", "Ann", None]
    assert bench.events == [SeatTaken(A, "Bob")]


def test_the_last_seat_taken_deals_the_game() -> None:
    bench = Bench(seated=1)
    assert bench.room.match == 0
    bench.sit("Bob", 9)
    assert (bench.room.phase, bench.room.match, bench.room.seed) == (Phase.PLAYING, 1, SEED)
    assert bench.events == [SeatTaken(B, "Bob"), GameStarted(1, commitment(SEED), bench.state)]


def test_nobody_is_seated_twice() -> None:
    # The older program seated a player against himself and blocked everybody.
    bench = Bench(seated=1)
    for seat in (None, 0, 1, -5, 99):
        assert bench.try_(SYSTEM, sit("Ann", seat), 0) == Unchanged()
    full = Bench()
    assert full.try_(SYSTEM, sit("Ann"), 0) == Unchanged()
    assert full.try_(SYSTEM, sit("Ann", 1), 0) == Unchanged()


def test_a_seat_is_taken_by_one_person() -> None:
    bench = Bench(Puppet(seats=3), seated=1)
    assert bench.refuses(SYSTEM, sit("Bob", 0), 0) is Refusal.SEAT_TAKEN


@pytest.mark.parametrize("seat", [-1, -2, -5, 2, 99])
def test_a_seat_that_does_not_exist_is_out_of_range(seat: int) -> None:
    assert Bench(seated=1).refuses(SYSTEM, sit("Bob", seat), 0) is Refusal.OUT_OF_RANGE


def test_a_running_game_takes_nobody_in() -> None:
    bench = Bench()
    assert bench.refuses(SYSTEM, sit("Cyd"), 0) is Refusal.ROOM_FULL
    assert bench.refuses(SYSTEM, sit("Cyd", 0), 0) is Refusal.ROOM_FULL


def test_a_full_table_after_a_game_takes_nobody_in() -> None:
    bench = Bench()
    bench.do(A, Resign(), 0)
    assert bench.refuses(SYSTEM, sit("Cyd"), 0) is Refusal.ROOM_FULL
    assert bench.refuses(SYSTEM, sit("Cyd", 1), 0) is Refusal.SEAT_TAKEN


@pytest.mark.parametrize("actor", [0, 1, SPECTATOR, 99, -5])
def test_only_the_system_gives_seats(actor: int) -> None:
    assert Bench(seated=1).refuses(actor, sit("Bob"), 0) is Refusal.NOT_ALLOWED


def test_a_newcomer_after_a_game_is_dealt_a_new_one_from_fresh_chance() -> None:
    bench = Bench()
    bench.do(B, LeaveSeat(), 0)
    bench.sit("Cyd", 5)
    assert bench.room.phase is Phase.PLAYING
    assert (bench.room.match, bench.room.seed, bench.room.result) == (2, FRESH, None)


def test_a_newcomer_to_an_abandoned_table_waits() -> None:
    bench = Bench()
    bench.do(B, LeaveSeat(), 0)
    bench.do(A, LeaveSeat(), 0)
    bench.sit("Cyd", 5)
    assert bench.room.phase is Phase.WAITING
    bench.sit("Dan", 6)
    assert (bench.room.phase, bench.room.match) == (Phase.PLAYING, 2)


@pytest.mark.parametrize("entropy", [b"", bytes(31), bytes(33)])
def test_a_second_game_without_proper_chance_is_not_dealt(entropy: bytes) -> None:
    bench = Bench()
    bench.do(B, LeaveSeat(), 0)
    assert bench.try_(SYSTEM, sit("Cyd"), 0, entropy=entropy) == Refused(Refusal.UNAVAILABLE)


@pytest.mark.parametrize("entropy", [b"", bytes(31), bytes(33), FRESH])
def test_the_first_game_needs_no_chance_but_the_committed_one(entropy: bytes) -> None:
    bench = Bench(seated=1)
    bench.do(SYSTEM, sit("Bob"), 0, entropy=entropy)
    assert bench.room.seed == SEED


@pytest.mark.parametrize("length", [0, 1, 32, 255, 256, 1_000])
def test_any_amount_of_luck_is_answered_and_never_an_exception(length: int) -> None:
    bench = Bench(seated=0)
    results = []
    for name in ("Ann", "Bob"):
        result = bench.try_(SYSTEM, sit(name, player_entropy=b"x" * length), 0)
        if isinstance(result, Advanced):
            bench.room = result.room
        results.append(type(result))
    assert results in ([Advanced, Advanced], [Refused, Refused])


def test_luck_is_told_and_shown_and_changes_the_deal() -> None:
    bench = Bench(seated=0)
    bench.do(SYSTEM, TakeSeat(Person("ann"), "Ann", player_entropy=b"\x01\xff"), 0)
    assert bench.events == [SeatTaken(A, "Ann", player_entropy="01ff")]
    bench.sit("Bob", 0)
    assert bench.room.random_key not in (SEED, b"")
    shown = view(bench.rules, bench.room, SPECTATOR, Millis(0)).seats[0]
    assert shown is not None
    assert shown.player_entropy == "01ff"
    assert shown.name == "Ann"


def test_no_view_tells_who_a_person_is_beyond_the_name() -> None:
    bench = Bench(seated=0)
    bench.do(SYSTEM, TakeSeat(Person("guest:31337"), "Ann"), 0)
    assert "31337" not in repr(view(bench.rules, bench.room, SPECTATOR, Millis(0)))
    assert "31337" not in repr(bench.told)


# Standing


def test_leaving_a_running_game_forfeits_it() -> None:
    bench = Bench(Puppet(seats=3))
    bench.do(B, LeaveSeat(), 0)
    assert bench.over == ((A, C), "left")
    assert bench.events == [GameOver((A, C), "left", SEED.hex()), SeatLeft(B)]
    assert bench.room.seats[B] is None
    assert bench.room.position_version == bench.room.version


def test_leaving_before_or_after_a_game_only_empties_the_seat() -> None:
    bench = Bench(seated=1)
    bench.do(A, LeaveSeat(), 0)
    assert bench.room.phase is Phase.WAITING
    assert bench.room.seats == (None, None)
    bench = Bench()
    bench.do(B, Resign(), 0)
    before = bench.room.result
    bench.do(B, LeaveSeat(), 0)
    assert (bench.room.phase, bench.room.result) == (Phase.OVER, before)


@pytest.mark.parametrize("actor", [1, SPECTATOR, SYSTEM, 99, -5])
def test_only_who_sits_can_stand_up(actor: int) -> None:
    assert Bench(seated=1).refuses(actor, LeaveSeat(), 0) is Refusal.NOT_SEATED


def test_a_newcomer_is_not_taken_for_the_one_who_sat_there_before() -> None:
    # Bob numbers his commands from one, and so does Cyd: hers have not been done before.
    bench = Bench()
    bench.move(A, 0, B)
    bench.do(B, Play(Do((A,))), 0, nonce="1")
    bench.do(B, LeaveSeat(), 0, nonce="2")
    assert bench.try_(B, LeaveSeat(), 0, nonce="2") == Unchanged()
    bench.do(SYSTEM, sit("Cyd"), 0)
    bench.move(A, 0, B)
    bench.do(B, Play(Do((A,))), 0, nonce="1")
    assert bench.state.trail == (A, B)


# Out of reach


def test_a_lost_player_forfeits_when_he_stays_away() -> None:
    bench = Bench(away=30)
    bench.do(SYSTEM, commands.Disconnected(A), 5_000)
    assert bench.events == [room_events.Disconnected(A, Millis(35_000))]
    assert deadline(bench.room) == 35_000
    assert bench.try_(SYSTEM, TimeUp(), 34_999) == Unchanged()
    bench.do(SYSTEM, TimeUp(), 35_000)
    assert bench.over == ((B,), "left")


def test_who_comes_back_in_time_plays_on() -> None:
    bench = Bench(away=30)
    bench.do(SYSTEM, commands.Disconnected(A), 5_000)
    bench.do(SYSTEM, commands.Reconnected(A), 34_999)
    assert bench.events == [room_events.Reconnected(A)]
    assert deadline(bench.room) is None
    assert bench.try_(SYSTEM, TimeUp(), 10**9) == Unchanged()


def test_a_table_may_wait_for_ever() -> None:
    bench = Bench(away=0)
    bench.do(SYSTEM, commands.Disconnected(A), 5_000)
    assert bench.events == [room_events.Disconnected(A, None)]
    assert deadline(bench.room) is None
    assert bench.try_(SYSTEM, TimeUp(), 10**9) == Unchanged()


def test_losing_twice_or_coming_back_twice_is_nothing_new() -> None:
    bench = Bench()
    assert bench.try_(SYSTEM, commands.Reconnected(A), 0) == Unchanged()
    bench.do(SYSTEM, commands.Disconnected(A), 0)
    assert bench.try_(SYSTEM, commands.Disconnected(A), 9_000) == Unchanged()
    bench.do(SYSTEM, commands.Reconnected(A), 10_000)
    assert bench.try_(SYSTEM, commands.Reconnected(A), 10_000) == Unchanged()


@pytest.mark.parametrize("seat", [-1, -2, -5, 2, 99])
@pytest.mark.parametrize("kind", [commands.Disconnected, commands.Reconnected])
def test_a_seat_that_is_not_there_is_neither_lost_nor_back(
    seat: int, kind: type[commands.Disconnected] | type[commands.Reconnected]
) -> None:
    assert Bench().try_(SYSTEM, kind(Seat(seat)), 0) == Unchanged()
    assert Bench(seated=1).try_(SYSTEM, kind(B), 0) == Unchanged(), "nor an empty one"


def test_a_bot_is_never_lost() -> None:
    bench = Bench(seated=1)
    bench.do(SYSTEM, sit("Robo", bot="perfect"), 0)
    assert bench.try_(SYSTEM, commands.Disconnected(B), 0) == Unchanged()


@pytest.mark.parametrize("actor", [0, 1, SPECTATOR, 99, -5])
def test_only_the_system_knows_who_is_in_reach(actor: int) -> None:
    bench = Bench()
    for command in (
        commands.Disconnected(A),
        commands.Reconnected(A),
        commands.OutageEnded(Millis(0), Millis(0)),
    ):
        assert bench.refuses(actor, command, 0) is Refusal.NOT_ALLOWED


def test_when_both_are_gone_nobody_wins() -> None:
    bench = Bench(away=30)
    bench.do(SYSTEM, commands.Disconnected(A), 0)
    bench.do(SYSTEM, commands.Disconnected(B), 1_000)
    bench.do(SYSTEM, TimeUp(), 30_000)
    assert bench.over == ((), "abandoned")


def test_a_bot_alone_does_not_win() -> None:
    bench = Bench(away=30, seated=1)
    bench.do(SYSTEM, sit("Robo", bot="perfect"), 0)
    bench.do(SYSTEM, commands.Disconnected(A), 0)
    bench.do(SYSTEM, TimeUp(), 30_000)
    assert bench.over == ((), "abandoned")


def test_a_lost_player_may_still_be_shown_as_away() -> None:
    bench = Bench(away=30)
    bench.do(SYSTEM, commands.Disconnected(A), 5_000)
    shown = view(bench.rules, bench.room, B, Millis(6_000)).seats[0]
    assert shown is not None
    assert (shown.disconnected, shown.forfeits_at) == (True, 35_000)


def test_before_a_game_nobody_forfeits_by_being_away() -> None:
    bench = Bench(away=30, seated=1)
    bench.do(SYSTEM, commands.Disconnected(A), 0)
    assert bench.events == [room_events.Disconnected(A, None)]
    assert deadline(bench.room) is None
    shown = view(bench.rules, bench.room, SPECTATOR, Millis(0)).seats[0]
    assert shown is not None
    assert (shown.disconnected, shown.forfeits_at) == (True, None)


def test_who_was_lost_before_the_deal_has_the_whole_time_from_the_deal() -> None:
    # Ann waits alone and drops out; Bob comes two minutes later. Ann was being waited for.
    bench = Bench(away=30, seated=1)
    bench.do(SYSTEM, commands.Disconnected(A), 0)
    bench.sit("Bob", 120_000)
    assert bench.events[-1] == room_events.Disconnected(A, Millis(150_000)), "and everybody hears until when"
    assert deadline(bench.room) == 150_000
    assert bench.try_(SYSTEM, TimeUp(), 149_999) == Unchanged()
    bench.do(SYSTEM, TimeUp(), 150_000)
    assert bench.over == ((B,), "left")


def test_who_was_lost_before_a_rematch_has_the_whole_time_from_its_deal() -> None:
    bench = Bench(away=30)
    bench.do(B, Resign(), 0)
    bench.do(A, MakeOffer(OfferKind.REMATCH), 1_000)
    bench.do(SYSTEM, commands.Disconnected(A), 2_000)
    bench.do(B, MakeOffer(OfferKind.REMATCH), 120_000)
    assert deadline(bench.room) == 150_000


def test_the_sooner_of_clock_and_absence_counts() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,)), away=30)
    bench.do(SYSTEM, commands.Disconnected(B), 10_000)
    assert deadline(bench.room) == 40_000
    bench = Bench(plan=ClockPlan(main=(20_000,)), away=30)
    bench.do(SYSTEM, commands.Disconnected(B), 10_000)
    assert deadline(bench.room) == 20_000
    bench.do(SYSTEM, TimeUp(), 20_000)
    assert bench.over == ((B,), "time")


# Waking up


def test_nothing_to_thaw_is_nothing_to_do() -> None:
    woke = commands.OutageEnded(Millis(0), Millis(5_000))
    assert Bench().try_(SYSTEM, woke, 10_000) == Unchanged()
    assert Bench(seated=1).try_(SYSTEM, woke, 10_000) == Unchanged()
    bench = Bench(plan=ClockPlan(main=(60_000,)))
    bench.do(A, Resign(), 0)
    assert bench.try_(SYSTEM, woke, 10_000) == Unchanged()


def test_an_outage_does_not_count_as_absence() -> None:
    bench = Bench(away=30)
    bench.do(SYSTEM, commands.Disconnected(A), 5_000)
    bench.do(SYSTEM, commands.OutageEnded(Millis(15_000), Millis(5_000)), 500_000)
    assert bench.events == [
        room_events.OutageEnded(Millis(15_000)),
        room_events.Disconnected(A, Millis(520_000)),
    ]
    assert deadline(bench.room) == 520_000, "ten of thirty seconds had passed"


def test_waking_up_changes_neither_position_nor_turn() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,)))
    bench.move(A, 0, B)
    turned = bench.room.position_version
    bench.do(SYSTEM, commands.OutageEnded(Millis(0), Millis(5_000)), 10_000)
    assert bench.room.position_version == turned


# The small functions


def test_chairs_are_found_filled_and_emptied() -> None:
    ann, bob = TakenSeat(Person("ann"), "Ann"), TakenSeat(Person("bob"), "Bob")
    assert seat_of((ann, None, bob), Person("bob")) == 2
    assert seat_of((ann, None, bob), Person("cyd")) is None
    assert free_seat((ann, None, None)) == 1
    assert free_seat((ann, bob)) is None
    assert with_seat((ann, None), B, bob) == (ann, bob)
    assert with_seat((ann, bob), A, None) == (None, bob)
    assert with_disconnected((ann, None), A, Millis(7)) == (
        TakenSeat(Person("ann"), "Ann", disconnected_at=Millis(7)),
        None,
    )
    assert with_disconnected((ann, None), B, Millis(7)) == (ann, None)
