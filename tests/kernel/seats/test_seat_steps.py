"""Seats: take, leave, disconnect, reconnect, and the end of an outage."""

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
from tests.kernel.scripted_game import FRESH, SEED, A, B, C, Do, RoomDriver, ScriptedRules


def take(name: str, seat: int | None = None, bot: str = "", player_entropy: bytes = b"") -> TakeSeat:
    return TakeSeat(Person(name.lower()), name, None if seat is None else Seat(seat), bot, player_entropy)


# Taking seats


def test_a_person_gets_the_first_free_seat_or_the_requested_one() -> None:
    driver = RoomDriver(ScriptedRules(seats=3), seated=0)
    driver.do(SYSTEM, take("Ann", 1), 0)
    driver.do(SYSTEM, take("Bob"), 0)
    assert [taken and taken.name for taken in driver.room.seats] == ["Bob", "Ann", None]
    assert driver.events == [SeatTaken(A, "Bob")]


def test_taking_the_last_seat_starts_the_game() -> None:
    driver = RoomDriver(seated=1)
    assert driver.room.match == 0
    driver.take_seat("Bob", 9)
    assert (driver.room.phase, driver.room.match, driver.room.seed) == (Phase.PLAYING, 1, SEED)
    assert driver.events == [SeatTaken(B, "Bob"), GameStarted(1, commitment(SEED), driver.state)]


def test_a_seated_person_gets_no_second_seat() -> None:
    # The older program gave one player both seats, and the game was blocked.
    driver = RoomDriver(seated=1)
    for seat in (None, 0, 1, -5, 99):
        assert driver.try_(SYSTEM, take("Ann", seat), 0) == Unchanged()
    full = RoomDriver()
    assert full.try_(SYSTEM, take("Ann"), 0) == Unchanged()
    assert full.try_(SYSTEM, take("Ann", 1), 0) == Unchanged()


def test_a_taken_seat_is_refused() -> None:
    driver = RoomDriver(ScriptedRules(seats=3), seated=1)
    assert driver.refuses(SYSTEM, take("Bob", 0), 0) is Refusal.SEAT_TAKEN


@pytest.mark.parametrize("seat", [-1, -2, -5, 2, 99])
def test_a_seat_that_does_not_exist_is_out_of_range(seat: int) -> None:
    assert RoomDriver(seated=1).refuses(SYSTEM, take("Bob", seat), 0) is Refusal.OUT_OF_RANGE


def test_no_seat_can_be_taken_in_a_running_game() -> None:
    driver = RoomDriver()
    assert driver.refuses(SYSTEM, take("Cyd"), 0) is Refusal.ROOM_FULL
    assert driver.refuses(SYSTEM, take("Cyd", 0), 0) is Refusal.ROOM_FULL


def test_no_seat_can_be_taken_in_a_full_room_after_a_game() -> None:
    driver = RoomDriver()
    driver.do(A, Resign(), 0)
    assert driver.refuses(SYSTEM, take("Cyd"), 0) is Refusal.ROOM_FULL
    assert driver.refuses(SYSTEM, take("Cyd", 1), 0) is Refusal.SEAT_TAKEN


@pytest.mark.parametrize("actor", [0, 1, SPECTATOR, 99, -5])
def test_only_the_system_assigns_seats(actor: int) -> None:
    assert RoomDriver(seated=1).refuses(actor, take("Bob"), 0) is Refusal.NOT_ALLOWED


def test_a_new_player_after_a_game_starts_another_with_new_entropy() -> None:
    driver = RoomDriver()
    driver.do(B, LeaveSeat(), 0)
    driver.take_seat("Cyd", 5)
    assert driver.room.phase is Phase.PLAYING
    assert (driver.room.match, driver.room.seed, driver.room.result) == (2, FRESH, None)


def test_a_new_player_in_an_abandoned_room_waits() -> None:
    driver = RoomDriver()
    driver.do(B, LeaveSeat(), 0)
    driver.do(A, LeaveSeat(), 0)
    driver.take_seat("Cyd", 5)
    assert driver.room.phase is Phase.WAITING
    driver.take_seat("Dan", 6)
    assert (driver.room.phase, driver.room.match) == (Phase.PLAYING, 2)


@pytest.mark.parametrize("entropy", [b"", bytes(31), bytes(33)])
def test_a_second_game_without_enough_entropy_is_refused(entropy: bytes) -> None:
    driver = RoomDriver()
    driver.do(B, LeaveSeat(), 0)
    assert driver.try_(SYSTEM, take("Cyd"), 0, entropy=entropy) == Refused(Refusal.UNAVAILABLE)


@pytest.mark.parametrize("entropy", [b"", bytes(31), bytes(33), FRESH])
def test_the_first_game_uses_the_committed_seed(entropy: bytes) -> None:
    driver = RoomDriver(seated=1)
    driver.do(SYSTEM, take("Bob"), 0, entropy=entropy)
    assert driver.room.seed == SEED


@pytest.mark.parametrize("length", [0, 1, 32, 255, 256, 1_000])
def test_player_entropy_of_any_length_raises_nothing(length: int) -> None:
    driver = RoomDriver(seated=0)
    results = []
    for name in ("Ann", "Bob"):
        result = driver.try_(SYSTEM, take(name, player_entropy=b"x" * length), 0)
        if isinstance(result, Advanced):
            driver.room = result.room
        results.append(type(result))
    assert results in ([Advanced, Advanced], [Refused, Refused])


def test_player_entropy_is_shown_and_changes_the_key() -> None:
    driver = RoomDriver(seated=0)
    driver.do(SYSTEM, TakeSeat(Person("ann"), "Ann", player_entropy=b"\x01\xff"), 0)
    assert driver.events == [SeatTaken(A, "Ann", player_entropy="01ff")]
    driver.take_seat("Bob", 0)
    assert driver.room.random_key not in (SEED, b"")
    shown = view(driver.rules, driver.room, SPECTATOR, Millis(0)).seats[0]
    assert shown is not None
    assert shown.player_entropy == "01ff"
    assert shown.name == "Ann"


def test_no_view_contains_the_id_of_a_person() -> None:
    driver = RoomDriver(seated=0)
    driver.do(SYSTEM, TakeSeat(Person("guest:31337"), "Ann"), 0)
    assert "31337" not in repr(view(driver.rules, driver.room, SPECTATOR, Millis(0)))
    assert "31337" not in repr(driver.addressed_events)


# Leaving


def test_leaving_a_running_game_forfeits_it() -> None:
    driver = RoomDriver(ScriptedRules(seats=3))
    driver.do(B, LeaveSeat(), 0)
    assert driver.over == ((A, C), "left")
    assert driver.events == [GameOver((A, C), "left", SEED.hex()), SeatLeft(B)]
    assert driver.room.seats[B] is None
    assert driver.room.position_version == driver.room.version


def test_leaving_before_or_after_a_game_only_empties_the_seat() -> None:
    driver = RoomDriver(seated=1)
    driver.do(A, LeaveSeat(), 0)
    assert driver.room.phase is Phase.WAITING
    assert driver.room.seats == (None, None)
    driver = RoomDriver()
    driver.do(B, Resign(), 0)
    before = driver.room.result
    driver.do(B, LeaveSeat(), 0)
    assert (driver.room.phase, driver.room.result) == (Phase.OVER, before)


@pytest.mark.parametrize("actor", [1, SPECTATOR, SYSTEM, 99, -5])
def test_only_a_seated_player_can_leave(actor: int) -> None:
    assert RoomDriver(seated=1).refuses(actor, LeaveSeat(), 0) is Refusal.NOT_SEATED


def test_a_new_holder_may_reuse_the_nonces_of_the_previous_one() -> None:
    # Bob and Cyd both number their commands from one: those of Cyd are new.
    driver = RoomDriver()
    driver.move(A, 0, B)
    driver.do(B, Play(Do((A,))), 0, nonce="1")
    driver.do(B, LeaveSeat(), 0, nonce="2")
    assert driver.try_(B, LeaveSeat(), 0, nonce="2") == Unchanged()
    driver.do(SYSTEM, take("Cyd"), 0)
    driver.move(A, 0, B)
    driver.do(B, Play(Do((A,))), 0, nonce="1")
    assert driver.state.movers == (A, B)


# Disconnect and reconnect


def test_a_disconnected_player_forfeits_after_the_timeout() -> None:
    driver = RoomDriver(disconnect_timeout=30)
    driver.do(SYSTEM, commands.Disconnected(A), 5_000)
    assert driver.events == [room_events.Disconnected(A, Millis(35_000))]
    assert deadline(driver.room) == 35_000
    assert driver.try_(SYSTEM, TimeUp(), 34_999) == Unchanged()
    driver.do(SYSTEM, TimeUp(), 35_000)
    assert driver.over == ((B,), "left")


def test_a_player_who_reconnects_in_time_plays_on() -> None:
    driver = RoomDriver(disconnect_timeout=30)
    driver.do(SYSTEM, commands.Disconnected(A), 5_000)
    driver.do(SYSTEM, commands.Reconnected(A), 34_999)
    assert driver.events == [room_events.Reconnected(A)]
    assert deadline(driver.room) is None
    assert driver.try_(SYSTEM, TimeUp(), 10**9) == Unchanged()


def test_a_timeout_of_zero_waits_without_limit() -> None:
    driver = RoomDriver(disconnect_timeout=0)
    driver.do(SYSTEM, commands.Disconnected(A), 5_000)
    assert driver.events == [room_events.Disconnected(A, None)]
    assert deadline(driver.room) is None
    assert driver.try_(SYSTEM, TimeUp(), 10**9) == Unchanged()


def test_a_repeated_disconnect_or_reconnect_changes_nothing() -> None:
    driver = RoomDriver()
    assert driver.try_(SYSTEM, commands.Reconnected(A), 0) == Unchanged()
    driver.do(SYSTEM, commands.Disconnected(A), 0)
    assert driver.try_(SYSTEM, commands.Disconnected(A), 9_000) == Unchanged()
    driver.do(SYSTEM, commands.Reconnected(A), 10_000)
    assert driver.try_(SYSTEM, commands.Reconnected(A), 10_000) == Unchanged()


@pytest.mark.parametrize("seat", [-1, -2, -5, 2, 99])
@pytest.mark.parametrize("kind", [commands.Disconnected, commands.Reconnected])
def test_a_seat_without_a_person_cannot_disconnect_or_reconnect(
    seat: int, kind: type[commands.Disconnected] | type[commands.Reconnected]
) -> None:
    assert RoomDriver().try_(SYSTEM, kind(Seat(seat)), 0) == Unchanged()
    assert RoomDriver(seated=1).try_(SYSTEM, kind(B), 0) == Unchanged(), "nor an empty one"


def test_a_bot_never_disconnects() -> None:
    driver = RoomDriver(seated=1)
    driver.do(SYSTEM, take("Robo", bot="perfect"), 0)
    assert driver.try_(SYSTEM, commands.Disconnected(B), 0) == Unchanged()


@pytest.mark.parametrize("actor", [0, 1, SPECTATOR, 99, -5])
def test_only_the_system_reports_presence_and_outages(actor: int) -> None:
    driver = RoomDriver()
    for command in (
        commands.Disconnected(A),
        commands.Reconnected(A),
        commands.OutageEnded(Millis(0), Millis(0)),
    ):
        assert driver.refuses(actor, command, 0) is Refusal.NOT_ALLOWED


def test_a_game_without_connected_players_has_no_winner() -> None:
    driver = RoomDriver(disconnect_timeout=30)
    driver.do(SYSTEM, commands.Disconnected(A), 0)
    driver.do(SYSTEM, commands.Disconnected(B), 1_000)
    driver.do(SYSTEM, TimeUp(), 30_000)
    assert driver.over == ((), "abandoned")


def test_a_bot_does_not_win_when_no_person_is_connected() -> None:
    driver = RoomDriver(disconnect_timeout=30, seated=1)
    driver.do(SYSTEM, take("Robo", bot="perfect"), 0)
    driver.do(SYSTEM, commands.Disconnected(A), 0)
    driver.do(SYSTEM, TimeUp(), 30_000)
    assert driver.over == ((), "abandoned")


def test_a_view_shows_a_disconnected_player() -> None:
    driver = RoomDriver(disconnect_timeout=30)
    driver.do(SYSTEM, commands.Disconnected(A), 5_000)
    shown = view(driver.rules, driver.room, B, Millis(6_000)).seats[0]
    assert shown is not None
    assert (shown.disconnected, shown.forfeits_at) == (True, 35_000)


def test_no_player_forfeits_by_a_disconnect_before_a_game() -> None:
    driver = RoomDriver(disconnect_timeout=30, seated=1)
    driver.do(SYSTEM, commands.Disconnected(A), 0)
    assert driver.events == [room_events.Disconnected(A, None)]
    assert deadline(driver.room) is None
    shown = view(driver.rules, driver.room, SPECTATOR, Millis(0)).seats[0]
    assert shown is not None
    assert (shown.disconnected, shown.forfeits_at) == (True, None)


def test_a_player_disconnected_before_the_start_has_the_whole_timeout_from_the_start() -> None:
    # Ann waits alone and disconnects; Bob joins two minutes later.
    driver = RoomDriver(disconnect_timeout=30, seated=1)
    driver.do(SYSTEM, commands.Disconnected(A), 0)
    driver.take_seat("Bob", 120_000)
    assert driver.events[-1] == room_events.Disconnected(A, Millis(150_000)), "with the time of the forfeit"
    assert deadline(driver.room) == 150_000
    assert driver.try_(SYSTEM, TimeUp(), 149_999) == Unchanged()
    driver.do(SYSTEM, TimeUp(), 150_000)
    assert driver.over == ((B,), "left")


def test_a_player_disconnected_before_a_rematch_has_the_whole_timeout_from_its_start() -> None:
    driver = RoomDriver(disconnect_timeout=30)
    driver.do(B, Resign(), 0)
    driver.do(A, MakeOffer(OfferKind.REMATCH), 1_000)
    driver.do(SYSTEM, commands.Disconnected(A), 2_000)
    driver.do(B, MakeOffer(OfferKind.REMATCH), 120_000)
    assert deadline(driver.room) == 150_000


def test_the_earlier_of_clock_and_absence_counts() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,)), disconnect_timeout=30)
    driver.do(SYSTEM, commands.Disconnected(B), 10_000)
    assert deadline(driver.room) == 40_000
    driver = RoomDriver(plan=ClockPlan(main=(20_000,)), disconnect_timeout=30)
    driver.do(SYSTEM, commands.Disconnected(B), 10_000)
    assert deadline(driver.room) == 20_000
    driver.do(SYSTEM, TimeUp(), 20_000)
    assert driver.over == ((B,), "time")


# Outages


def test_an_outage_without_running_deadlines_changes_nothing() -> None:
    command = commands.OutageEnded(Millis(0), Millis(5_000))
    assert RoomDriver().try_(SYSTEM, command, 10_000) == Unchanged()
    assert RoomDriver(seated=1).try_(SYSTEM, command, 10_000) == Unchanged()
    driver = RoomDriver(plan=ClockPlan(main=(60_000,)))
    driver.do(A, Resign(), 0)
    assert driver.try_(SYSTEM, command, 10_000) == Unchanged()


def test_an_outage_does_not_count_as_absence() -> None:
    driver = RoomDriver(disconnect_timeout=30)
    driver.do(SYSTEM, commands.Disconnected(A), 5_000)
    driver.do(SYSTEM, commands.OutageEnded(Millis(15_000), Millis(5_000)), 500_000)
    assert driver.events == [
        room_events.OutageEnded(Millis(15_000)),
        room_events.Disconnected(A, Millis(520_000)),
    ]
    assert deadline(driver.room) == 520_000, "ten of thirty seconds have passed"


def test_the_end_of_an_outage_does_not_change_the_position() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,)))
    driver.move(A, 0, B)
    version = driver.room.position_version
    driver.do(SYSTEM, commands.OutageEnded(Millis(0), Millis(5_000)), 10_000)
    assert driver.room.position_version == version


# Functions on seats


def test_seats_are_found_taken_and_emptied() -> None:
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
