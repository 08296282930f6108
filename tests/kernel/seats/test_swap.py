"""Offers to swap sides, while the game allows it."""

import pytest

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import AnswerOffer, MakeOffer, Play, TimeUp
from qipai.kernel.ids import SYSTEM, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_events import OfferAnswered, OfferEnded, SidesSwapped
from tests.kernel.scripted_game import A, B, C, Did, Do, RoomDriver, ScriptedRules

DRAW, SWAP = OfferKind.DRAW, OfferKind.SWAP


@pytest.mark.parametrize("seat", [A, B])
def test_any_move_ends_a_swap_offer(seat: Seat) -> None:
    driver = RoomDriver()
    driver.do(seat, MakeOffer(SWAP), 0)
    driver.do(seat, MakeOffer(DRAW), 0)
    driver.move(A, 0, B)
    assert OfferEnded(1) in driver.events
    assert driver.refuses(1 - seat, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED
    assert driver.state.swaps == 0


def test_a_move_made_for_an_overdue_seat_ends_a_swap_offer() -> None:
    driver = RoomDriver(ScriptedRules(overdue=Do((B,))), plan=ClockPlan(move=1_000))
    driver.do(B, MakeOffer(SWAP), 0)
    driver.do(SYSTEM, TimeUp(), 1_000)
    assert driver.events == [Did(A), OfferEnded(1)]
    assert driver.room.offers == ()


@pytest.mark.parametrize("seat", [A, B])
def test_an_agreed_swap_swaps_the_sides(seat: Seat) -> None:
    driver = RoomDriver()
    driver.do(seat, MakeOffer(SWAP), 0)
    driver.do(1 - seat, AnswerOffer(1, yes=True), 0)
    assert driver.state.swaps == 1
    assert driver.events == [OfferAnswered(1, SWAP, Seat(1 - seat), yes=True), SidesSwapped(driver.state)]
    assert driver.room.position_version == driver.room.version
    assert driver.room.offers == ()
    assert driver.refuses(A, Play(Do((B,))), 0) is Refusal.NOT_YOUR_TURN
    driver.move(B, 0, A)


def test_a_move_for_the_position_before_a_swap_is_stale() -> None:
    driver = RoomDriver()
    version = driver.room.version
    for number in (1, 2):
        driver.do(A, MakeOffer(SWAP), 0)
        driver.do(B, AnswerOffer(number, yes=True), 0)
    assert driver.refuses(A, Play(Do((B,))), 0, at_version=version) is Refusal.STALE


def test_a_swap_needs_all_asked_seats_and_leaves_a_draw_offer_standing() -> None:
    driver = RoomDriver(ScriptedRules(seats=3))
    driver.do(B, MakeOffer(DRAW), 0)
    driver.do(B, MakeOffer(SWAP), 0)
    driver.do(A, AnswerOffer(2, yes=True), 0)
    assert driver.state.swaps == 0
    driver.do(C, AnswerOffer(2, yes=True), 0)
    assert driver.state.swaps == 1
    assert [offer.kind for offer in driver.room.offers] == [DRAW]


def test_after_a_swap_the_other_clock_runs_and_a_free_first_move_stays_free() -> None:
    for free in (False, True):
        driver = RoomDriver(plan=ClockPlan(main=(60_000,), increment=1_000, first_free=free))
        driver.do(A, MakeOffer(SWAP), 1_000)
        driver.do(B, AnswerOffer(1, yes=True), 5_000)
        assert driver.room.clock is not None
        assert driver.room.clock.since == (None, 5_000)
        assert driver.room.clock.left == (60_000 if free else 55_000, 60_000)
        assert driver.room.clock.free is free
        driver.move(B, 15_000, A)
        assert driver.room.clock is not None
        assert driver.room.clock.left[B] == (60_000 if free else 51_000)
        assert driver.room.clock.free is False
