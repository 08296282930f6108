"""Seats that are kept for whoever comes, taken over from whoever is gone, or played on by a stand-in."""

import pytest
from msgspec.structs import replace

from qipai.kernel import commands, room_events
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import LeaveSeat, Play, Reconnected, TableRules, TakeSeat
from qipai.kernel.ids import SYSTEM, Millis, Person, Seat
from qipai.kernel.legacy_table_rules import LegacyTableRules
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase, Unchanged, deadline
from qipai.kernel.room_events import HostChanged, SeatTaken
from qipai.kernel.room_view import view
from qipai.kernel.seats import SEAT_OPEN_AFTER, TakenSeat, is_human

from .puppet import A, B, Bench, C, Do, Puppet

OPEN = TableRules(disconnect_timeout=0, legacy=LegacyTableRules(open_seats=True))
KEPT = TableRules(disconnect_timeout=0)
NORMAL = TableRules(disconnect_timeout=0, substitute_bot="normal")


def bench(table: TableRules, *vacant: Seat, seats: int = 3, rules: Puppet | None = None) -> Bench:
    """Return a running game in which these seats are vacant, and bots sit in the others."""
    made = Bench(rules or Puppet(seats), seated=0)
    made.room = replace(made.room, table=table)
    for number in range(seats):
        seat = Seat(number)
        if seat in vacant:
            made.do(SYSTEM, TakeSeat(Person(f"vacant:{seat}"), "", seat, reserved=True), 0)
        else:
            made.do(SYSTEM, TakeSeat(Person(f"bot:normal:{seat}"), "Normal", seat, "normal"), 0)
    return made


def ann(seat: Seat | None = A, name: str = "Ann", move: Do | None = None) -> TakeSeat:
    return TakeSeat(Person(name.lower()), name, seat, move=move)


def test_a_game_with_vacant_seats_is_dealt_at_once_and_nobody_is_said_to_be_away() -> None:
    table = bench(OPEN, A, B)
    assert (table.room.phase, table.room.match) == (Phase.PLAYING, 1)
    assert not any(isinstance(event, room_events.Disconnected) for event in table.events)
    assert deadline(table.room) is None


def test_a_vacant_seat_shows_as_such_and_is_nobody_s() -> None:
    table = bench(OPEN, A)
    shown = view(table.rules, table.room, B, table.room.at).seats
    assert [chair is not None and chair.reserved for chair in shown] == [True, False, False]
    assert [is_human(chair) for chair in table.room.seats] == [False, False, False]


def test_a_vacant_seat_is_taken_at_once_in_a_running_game() -> None:
    table = bench(OPEN, A, B)
    table.do(SYSTEM, ann(B), 5)
    assert table.room.seats[B] == TakenSeat(Person("ann"), "Ann", since=table.room.version)
    assert table.events == [SeatTaken(B, "Ann"), HostChanged(B)]
    assert table.room.phase is Phase.PLAYING


def test_a_taken_seat_and_a_bot_s_are_taken() -> None:
    table = bench(OPEN, A, B)
    table.do(SYSTEM, ann(A), 5)
    assert table.refuses(SYSTEM, ann(A, "Bob"), 6) is Refusal.SEAT_TAKEN
    assert table.refuses(SYSTEM, ann(C, "Bob"), 6) is Refusal.SEAT_TAKEN
    assert table.refuses(SYSTEM, ann(Seat(7), "Bob"), 6) is Refusal.OUT_OF_RANGE
    assert table.refuses(SYSTEM, ann(None, "Bob"), 6) is Refusal.ROOM_FULL


def test_nobody_has_two_seats() -> None:
    table = bench(OPEN, A, B)
    table.do(SYSTEM, ann(A), 5)
    assert isinstance(table.try_(SYSTEM, ann(B), 6), Unchanged)


def test_a_seat_is_taken_over_from_whoever_is_long_gone_and_not_before() -> None:
    table = bench(OPEN, A, B)
    table.do(SYSTEM, ann(A), 5)
    table.do(SYSTEM, commands.Disconnected(A), 1_000)
    assert table.refuses(SYSTEM, ann(A, "Bob"), 999 + SEAT_OPEN_AFTER) is Refusal.SEAT_TAKEN
    table.do(SYSTEM, ann(A, "Bob"), 1_000 + SEAT_OPEN_AFTER)
    assert table.room.seats[A] == TakenSeat(Person("bob"), "Bob", since=table.room.version)
    assert table.refuses(SYSTEM, ann(A), 2_000 + SEAT_OPEN_AFTER) is Refusal.SEAT_TAKEN


def test_whoever_is_back_in_time_keeps_his_seat() -> None:
    table = bench(OPEN, A, B)
    table.do(SYSTEM, ann(A), 5)
    table.do(SYSTEM, commands.Disconnected(A), 1_000)
    table.do(SYSTEM, Reconnected(A), 30_000)
    assert table.refuses(SYSTEM, ann(A, "Bob"), 500_000) is Refusal.SEAT_TAKEN


def test_where_seats_are_not_open_only_the_one_it_is_kept_for_takes_it() -> None:
    table = bench(KEPT, A, B)
    assert table.refuses(SYSTEM, ann(A), 5) is Refusal.ROOM_FULL
    table.do(SYSTEM, TakeSeat(Person("vacant:0"), "Ann", A), 6)
    assert table.room.seats[A] == TakenSeat(Person("vacant:0"), "Ann", since=table.room.version)


def test_where_seats_are_not_open_nobody_is_replaced_however_long_he_is_gone() -> None:
    table = bench(KEPT, A, B)
    table.do(SYSTEM, TakeSeat(Person("vacant:0"), "Ann", A), 6)
    table.do(SYSTEM, commands.Disconnected(A), 10)
    assert table.refuses(SYSTEM, ann(A, "Bob"), 10_000_000) is Refusal.ROOM_FULL


def test_a_seat_and_a_move_are_taken_together_or_not_at_all() -> None:
    table = bench(OPEN, A, B)
    before = table.room
    assert table.refuses(SYSTEM, ann(A, move=Do()), 5) is Refusal.ILLEGAL
    assert table.refuses(SYSTEM, ann(B, move=Do((A,))), 5) is Refusal.NOT_YOUR_TURN
    assert table.room is before
    table.do(SYSTEM, ann(A, move=Do((B,))), 5)
    assert table.room.version == before.version + 1
    assert table.state.trail == (A,)
    assert table.room.seats[A] == TakenSeat(Person("ann"), "Ann", since=table.room.version)
    assert table.room.position_version == table.room.version


def test_neither_lost_nor_back_changes_a_vacant_seat() -> None:
    table = bench(OPEN, A)
    assert isinstance(table.try_(SYSTEM, commands.Disconnected(A), 5), Unchanged)
    assert isinstance(table.try_(SYSTEM, Reconnected(A), 5), Unchanged)


def test_whoever_takes_a_seat_has_the_time_of_the_present_decision() -> None:
    clocked = replace(OPEN, clock=ClockPlan())
    table = bench(clocked, A, B, rules=Puppet(3, grants=(Millis(20_000), None, None)))
    table.do(SYSTEM, ann(A), 8_000)
    assert deadline(table.room) == 20_000


def test_a_stand_in_goes_on_for_whoever_leaves_a_running_game() -> None:
    table = Bench(Puppet(3))
    table.room = replace(table.room, table=NORMAL)
    table.do(B, LeaveSeat(), 10)
    assert table.room.phase is Phase.PLAYING
    assert table.room.seats[B] == TakenSeat(Person("bot:normal:1"), "Normal", "normal")
    assert table.events == [SeatTaken(B, "Normal", "normal")]
    table.move(A, 11, B)
    assert table.state.trail == (A,)


@pytest.mark.parametrize("bots", [(B, C), (B,)])
def test_where_nobody_else_is_there_the_one_who_leaves_forfeits(bots: tuple[Seat, ...]) -> None:
    table = bench(NORMAL, A, seats=len(bots) + 1, rules=Puppet(len(bots) + 1))
    table.do(SYSTEM, TakeSeat(Person("vacant:0"), "Ann", A), 1)
    table.do(A, LeaveSeat(), 10)
    assert table.over == (bots, "left")
    assert table.room.seats[A] is None


def test_without_a_stand_in_leaving_is_a_forfeit_as_ever() -> None:
    table = Bench(Puppet(3))
    table.do(B, LeaveSeat(), 10)
    assert table.over == ((A, C), "left")


def test_a_vacant_seat_may_be_played_for_by_the_house_only_as_any_seat() -> None:
    table = bench(OPEN, A, B)
    table.do(A, Play(Do((B,))), 5)
    assert table.state.trail == (A,)
