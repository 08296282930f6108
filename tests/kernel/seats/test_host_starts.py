"""Rooms in which the host starts each game and chooses its options."""

import pytest

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import AnswerOffer, LeaveSeat, MakeOffer, Resign, StartGame, TakeSeat
from qipai.kernel.game_interface.rules_interface import StartConditions
from qipai.kernel.ids import SPECTATOR, SYSTEM, Person
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import commitment
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.room_events import GameStarted, HostChanged, OfferEnded, OptionsChosen, SeatLeft, SeatTaken
from qipai.kernel.room_view import view
from qipai.kernel.view_values import clock_plan_view
from tests.kernel.scripted_game import FRESH, A, B, Options, RoomDriver, ScriptedRules

PLAN = ClockPlan(main=(60_000, 30_000), increment=1_000, first_free=True)
DRAW = OfferKind.DRAW


def room_of_host(seated: int = 2) -> RoomDriver:
    return RoomDriver(host_starts=True, seated=seated)


def started() -> RoomDriver:
    driver = room_of_host()
    driver.do(A, StartGame(Options()), 0)
    return driver


def test_a_full_room_waits_for_its_host() -> None:
    driver = room_of_host()
    assert (driver.room.phase, driver.room.match, driver.room.host) == (Phase.WAITING, 0, A)


def test_the_host_starts_a_game_with_chosen_options_and_clock() -> None:
    driver = room_of_host()
    driver.do(A, StartGame(Options(), PLAN), 5)
    assert (driver.room.phase, driver.room.match) == (Phase.PLAYING, 1)
    assert driver.room.table.clock == PLAN
    assert driver.room.clock is not None
    assert driver.room.clock.left == (60_000, 30_000)
    assert driver.events == [
        OptionsChosen(Options(), clock_plan_view(PLAN)),
        GameStarted(1, commitment(driver.room.seed), driver.state),
    ]


def test_host_data_is_passed_to_the_rules_and_is_in_no_view() -> None:
    driver = room_of_host()
    driver.do(A, StartGame(Options(), None, b"secret"), 0)
    assert driver.state.conditions == StartConditions(host_data=b"secret")
    shown = view(driver.rules, driver.room, B, driver.room.at)
    assert (shown.options, shown.table.legacy.host_starts, shown.host) == (Options(), True, A)


@pytest.mark.parametrize("actor", [B, SPECTATOR, SYSTEM])
def test_only_the_host_starts_a_game(actor: int) -> None:
    refusal = room_of_host().refuses(actor, StartGame(Options()), 0)
    assert refusal is (Refusal.NOT_ALLOWED if actor == B else Refusal.NOT_SEATED)


def test_a_start_needs_a_full_room_where_hosts_start_games_and_no_running_game() -> None:
    assert RoomDriver().refuses(A, StartGame(Options()), 0) is Refusal.NOT_ALLOWED
    assert room_of_host(seated=1).refuses(A, StartGame(Options()), 0) is Refusal.NOT_PLAYING
    assert started().refuses(A, StartGame(Options()), 0) is Refusal.STILL_PLAYING


def test_a_second_start_uses_new_entropy_and_is_no_rematch() -> None:
    driver = started()
    driver.do(B, Resign(), 1)
    driver.do(A, MakeOffer(OfferKind.REMATCH), 2)
    driver.do(A, StartGame(Options()), 3)
    assert (driver.room.match, driver.room.seed, driver.state.conditions) == (2, FRESH, StartConditions())
    assert driver.events[0] == OfferEnded(1)


def test_the_next_player_becomes_host_when_the_host_leaves() -> None:
    driver = room_of_host()
    driver.do(A, LeaveSeat(), 0)
    assert driver.events == [SeatLeft(A), HostChanged(B)]
    assert driver.room.host == B
    driver.take_seat("Cat", 1)
    assert driver.room.host == B, "a later player is not the host, whatever the seat"
    assert driver.refuses(A, StartGame(Options()), 2) is Refusal.NOT_ALLOWED
    driver.do(B, StartGame(Options()), 2)
    assert driver.room.phase is Phase.PLAYING


def test_the_host_stays_the_same_when_another_player_leaves() -> None:
    driver = room_of_host()
    driver.do(B, LeaveSeat(), 0)
    assert driver.events == [SeatLeft(B)]
    assert driver.room.host == A


def test_the_first_player_in_an_empty_room_becomes_host() -> None:
    driver = room_of_host(seated=1)
    driver.do(A, LeaveSeat(), 0)
    driver.do(SYSTEM, TakeSeat(Person("cat"), "Cat", B), 1)
    assert driver.events == [SeatTaken(B, "Cat"), HostChanged(B)]
    driver.do(B, LeaveSeat(), 2)
    driver.take_seat("Dan", 3)
    assert (driver.room.host, driver.events) == (A, [SeatTaken(A, "Dan"), HostChanged(A)])


def test_in_other_rooms_the_player_seated_longest_is_the_host() -> None:
    driver = RoomDriver()
    assert driver.room.host == A
    driver.do(A, LeaveSeat(), 0)
    assert [type(event) for event in driver.events][-2:] == [SeatLeft, HostChanged]
    assert driver.room.host == B


def test_the_rules_and_all_viewers_know_which_seats_see_hidden_information() -> None:
    driver = RoomDriver(ScriptedRules(), host_starts=True, seated=1)
    driver.take_seat("Bob", 0, sees_hidden=True)
    assert driver.events == [SeatTaken(B, "Bob", sees_hidden=True)]
    driver.do(A, StartGame(Options()), 0)
    assert driver.state.conditions == StartConditions(sees_hidden=(B,))
    seat_view = view(driver.rules, driver.room, SPECTATOR, driver.room.at).seats[B]
    assert seat_view is not None
    assert seat_view.sees_hidden


# Offers that stand after a move


def test_an_offer_stands_until_the_next_move_of_its_maker_is_answered_by_a_move() -> None:
    driver = started()
    driver.do(A, MakeOffer(DRAW), 0)
    driver.move(A, 1, B)
    assert [offer.kind for offer in driver.room.offers] == [DRAW]
    driver.move(B, 2, A)
    assert OfferEnded(1) in driver.events
    assert driver.room.offers == ()


def test_an_offer_on_the_opponents_turn_stands_after_the_opponents_move() -> None:
    driver = started()
    driver.do(B, MakeOffer(DRAW), 0)
    driver.move(A, 1, B)
    assert driver.room.offers, "B has not moved since making the offer"
    driver.move(B, 2, A)
    assert driver.room.offers
    driver.do(A, AnswerOffer(1, yes=True), 3)
    assert driver.over == ((), "agreed")
