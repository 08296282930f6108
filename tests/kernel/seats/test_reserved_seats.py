"""Reserved seats, open seats of absent players, and substitute bots."""

import pytest
from msgspec.structs import replace

from qipai.kernel import commands, room_events
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import LeaveSeat, LegacyTableRules, Play, Reconnected, TableRules, TakeSeat
from qipai.kernel.ids import SYSTEM, Millis, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase, Unchanged, deadline
from qipai.kernel.room_events import HostChanged, SeatTaken
from qipai.kernel.room_view import view
from qipai.kernel.seats import SEAT_OPEN_AFTER, TakenSeat, is_human
from tests.kernel.scripted_game import A, B, C, Do, RoomDriver, ScriptedRules

OPEN = TableRules(disconnect_timeout=0, legacy=LegacyTableRules(open_seats=True))
RESERVED_ONLY = TableRules(disconnect_timeout=0)
NORMAL = TableRules(disconnect_timeout=0, substitute_bot="normal")


def running_game(
    table: TableRules, *reserved: Seat, seats: int = 3, rules: ScriptedRules | None = None
) -> RoomDriver:
    """Return a running game in which these seats are reserved and bots hold the others."""
    driver = RoomDriver(rules or ScriptedRules(seats), seated=0)
    driver.room = replace(driver.room, table=table)
    for number in range(seats):
        seat = Seat(number)
        if seat in reserved:
            driver.do(SYSTEM, TakeSeat(Person(f"reserved:{seat}"), "", seat, reserved=True), 0)
        else:
            driver.do(SYSTEM, TakeSeat(Person(f"bot:normal:{seat}"), "Normal", seat, "normal"), 0)
    return driver


def take(seat: Seat | None = A, name: str = "Ann", move: Do | None = None) -> TakeSeat:
    return TakeSeat(Person(name.lower()), name, seat, move=move)


def test_a_game_with_reserved_seats_starts_at_once_without_disconnect_events() -> None:
    driver = running_game(OPEN, A, B)
    assert (driver.room.phase, driver.room.match) == (Phase.PLAYING, 1)
    assert not any(isinstance(event, room_events.Disconnected) for event in driver.events)
    assert deadline(driver.room) is None


def test_a_reserved_seat_is_shown_as_reserved_and_held_by_no_person() -> None:
    driver = running_game(OPEN, A)
    views = view(driver.rules, driver.room, B, driver.room.at).seats
    assert [seat is not None and seat.reserved for seat in views] == [True, False, False]
    assert [is_human(taken) for taken in driver.room.seats] == [False, False, False]


def test_a_reserved_seat_can_be_taken_in_a_running_game() -> None:
    driver = running_game(OPEN, A, B)
    driver.do(SYSTEM, take(B), 5)
    assert driver.room.seats[B] == TakenSeat(Person("ann"), "Ann", since=driver.room.version)
    assert driver.events == [SeatTaken(B, "Ann"), HostChanged(B)]
    assert driver.room.phase is Phase.PLAYING


def test_a_seat_of_a_player_or_a_bot_cannot_be_taken() -> None:
    driver = running_game(OPEN, A, B)
    driver.do(SYSTEM, take(A), 5)
    assert driver.refuses(SYSTEM, take(A, "Bob"), 6) is Refusal.SEAT_TAKEN
    assert driver.refuses(SYSTEM, take(C, "Bob"), 6) is Refusal.SEAT_TAKEN
    assert driver.refuses(SYSTEM, take(Seat(7), "Bob"), 6) is Refusal.OUT_OF_RANGE
    assert driver.refuses(SYSTEM, take(None, "Bob"), 6) is Refusal.ROOM_FULL


def test_a_person_cannot_take_a_second_seat() -> None:
    driver = running_game(OPEN, A, B)
    driver.do(SYSTEM, take(A), 5)
    assert isinstance(driver.try_(SYSTEM, take(B), 6), Unchanged)


def test_the_seat_of_a_long_absent_player_can_be_taken() -> None:
    driver = running_game(OPEN, A, B)
    driver.do(SYSTEM, take(A), 5)
    driver.do(SYSTEM, commands.Disconnected(A), 1_000)
    assert driver.refuses(SYSTEM, take(A, "Bob"), 999 + SEAT_OPEN_AFTER) is Refusal.SEAT_TAKEN
    driver.do(SYSTEM, take(A, "Bob"), 1_000 + SEAT_OPEN_AFTER)
    assert driver.room.seats[A] == TakenSeat(Person("bob"), "Bob", since=driver.room.version)
    assert driver.refuses(SYSTEM, take(A), 2_000 + SEAT_OPEN_AFTER) is Refusal.SEAT_TAKEN


def test_a_player_who_reconnects_in_time_keeps_the_seat() -> None:
    driver = running_game(OPEN, A, B)
    driver.do(SYSTEM, take(A), 5)
    driver.do(SYSTEM, commands.Disconnected(A), 1_000)
    driver.do(SYSTEM, Reconnected(A), 30_000)
    assert driver.refuses(SYSTEM, take(A, "Bob"), 500_000) is Refusal.SEAT_TAKEN


def test_without_open_seats_only_the_expected_person_takes_a_reserved_seat() -> None:
    driver = running_game(RESERVED_ONLY, A, B)
    assert driver.refuses(SYSTEM, take(A), 5) is Refusal.ROOM_FULL
    driver.do(SYSTEM, TakeSeat(Person("reserved:0"), "Ann", A), 6)
    assert driver.room.seats[A] == TakenSeat(Person("reserved:0"), "Ann", since=driver.room.version)


def test_without_open_seats_an_absent_player_is_not_replaced() -> None:
    driver = running_game(RESERVED_ONLY, A, B)
    driver.do(SYSTEM, TakeSeat(Person("reserved:0"), "Ann", A), 6)
    driver.do(SYSTEM, commands.Disconnected(A), 10)
    assert driver.refuses(SYSTEM, take(A, "Bob"), 10_000_000) is Refusal.ROOM_FULL


def test_taking_a_seat_with_a_move_does_both_or_neither() -> None:
    driver = running_game(OPEN, A, B)
    before = driver.room
    assert driver.refuses(SYSTEM, take(A, move=Do()), 5) is Refusal.ILLEGAL
    assert driver.refuses(SYSTEM, take(B, move=Do((A,))), 5) is Refusal.NOT_YOUR_TURN
    assert driver.room is before
    driver.do(SYSTEM, take(A, move=Do((B,))), 5)
    assert driver.room.version == before.version + 1
    assert driver.state.movers == (A,)
    assert driver.room.seats[A] == TakenSeat(Person("ann"), "Ann", since=driver.room.version)
    assert driver.room.position_version == driver.room.version


def test_disconnect_and_reconnect_do_not_change_a_reserved_seat() -> None:
    driver = running_game(OPEN, A)
    assert isinstance(driver.try_(SYSTEM, commands.Disconnected(A), 5), Unchanged)
    assert isinstance(driver.try_(SYSTEM, Reconnected(A), 5), Unchanged)


def test_a_new_holder_has_the_time_left_of_the_present_decision() -> None:
    clocked = replace(OPEN, clock=ClockPlan())
    driver = running_game(clocked, A, B, rules=ScriptedRules(3, grants=(Millis(20_000), None, None)))
    driver.do(SYSTEM, take(A), 8_000)
    assert deadline(driver.room) == 20_000


def test_a_substitute_bot_replaces_a_player_who_leaves_a_running_game() -> None:
    driver = RoomDriver(ScriptedRules(3))
    driver.room = replace(driver.room, table=NORMAL)
    driver.do(B, LeaveSeat(), 10)
    assert driver.room.phase is Phase.PLAYING
    assert driver.room.seats[B] == TakenSeat(Person("bot:normal:1"), "Normal", "normal")
    assert driver.events == [SeatTaken(B, "Normal", "normal")]
    driver.move(A, 11, B)
    assert driver.state.movers == (A,)


@pytest.mark.parametrize("bots", [(B, C), (B,)])
def test_the_last_person_who_leaves_forfeits_despite_a_substitute_bot(bots: tuple[Seat, ...]) -> None:
    driver = running_game(NORMAL, A, seats=len(bots) + 1, rules=ScriptedRules(len(bots) + 1))
    driver.do(SYSTEM, TakeSeat(Person("reserved:0"), "Ann", A), 1)
    driver.do(A, LeaveSeat(), 10)
    assert driver.over == (bots, "left")
    assert driver.room.seats[A] is None


def test_leaving_without_a_substitute_bot_forfeits() -> None:
    driver = RoomDriver(ScriptedRules(3))
    driver.do(B, LeaveSeat(), 10)
    assert driver.over == ((A, C), "left")


def test_a_reserved_seat_can_make_a_move() -> None:
    driver = running_game(OPEN, A, B)
    driver.do(A, Play(Do((B,))), 5)
    assert driver.state.movers == (A,)
