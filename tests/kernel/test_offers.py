"""Offers: answers name an id, one offer of each kind stands, and only the asked seats answer."""

import pytest

from qipai.kernel.commands import AnswerOffer, LeaveSeat, MakeOffer, Play, Resign, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Person, Seat
from qipai.kernel.offers import COOL_DOWN, Offer, OfferKind, accepted_by, find_offer, without_offer
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase, Refused
from qipai.kernel.room_events import (
    GameOver,
    GameStarted,
    MoveUndone,
    OfferAnswered,
    OfferEnded,
    OfferMade,
    SeatLeft,
)
from qipai.kernel.view_values import offer_view

from .scripted_game import FRESH, SEED, A, B, C, Did, Do, RoomDriver, ScriptedRules

DRAW, UNDO, REMATCH, SWAP = OfferKind.DRAW, OfferKind.UNDO, OfferKind.REMATCH, OfferKind.SWAP


def over() -> RoomDriver:
    driver = RoomDriver()
    driver.do(A, Resign(), 0)
    return driver


# Making offers


def test_an_offer_has_an_id_and_the_asked_seats() -> None:
    driver = RoomDriver(ScriptedRules(seats=3))
    driver.do(B, MakeOffer(DRAW), 0)
    offer = Offer(1, DRAW, B, (A, C))
    assert driver.room.offers == (offer,)
    assert driver.events == [OfferMade(offer_view(offer))]


def test_offer_ids_are_not_reused() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    driver.do(A, MakeOffer(DRAW), 0)
    driver.do(A, MakeOffer(UNDO), 0)
    driver.do(B, AnswerOffer(1, yes=False), 0)
    driver.do(B, AnswerOffer(2, yes=False), 0)
    driver.do(B, MakeOffer(DRAW), 0)
    assert [offer.id for offer in driver.room.offers] == [3]
    driver.do(A, Resign(), 0)
    driver.do(A, MakeOffer(REMATCH), 0)
    assert [offer.id for offer in driver.room.offers] == [4]


@pytest.mark.parametrize("actor", [SPECTATOR, SYSTEM, 7, -5])
@pytest.mark.parametrize("kind", OfferKind)
def test_only_a_seat_may_offer(actor: int, kind: OfferKind) -> None:
    assert RoomDriver().refuses(actor, MakeOffer(kind), 0) is Refusal.NOT_SEATED


@pytest.mark.parametrize("kind", [DRAW, UNDO, SWAP])
def test_only_a_rematch_is_offered_without_a_running_game(kind: OfferKind) -> None:
    assert over().refuses(A, MakeOffer(kind), 0) is Refusal.NOT_PLAYING
    assert RoomDriver(seated=1).refuses(A, MakeOffer(kind), 0) is Refusal.NOT_PLAYING


def test_a_rematch_needs_a_finished_game_and_a_full_room() -> None:
    assert RoomDriver().refuses(A, MakeOffer(REMATCH), 0) is Refusal.STILL_PLAYING
    assert RoomDriver(seated=1).refuses(A, MakeOffer(REMATCH), 0) is Refusal.NOT_PLAYING
    driver = over()
    driver.do(B, LeaveSeat(), 0)
    assert driver.refuses(A, MakeOffer(REMATCH), 0) is Refusal.NOT_PLAYING


@pytest.mark.parametrize("kind", [DRAW, UNDO, SWAP])
def test_the_rules_decide_which_offers_are_allowed(kind: OfferKind) -> None:
    driver = RoomDriver(ScriptedRules(offers=frozenset()))
    driver.move(A, 0, B)
    assert driver.refuses(A, MakeOffer(kind), 0) is Refusal.NOT_ALLOWED


def test_a_rematch_may_be_offered_after_any_game() -> None:
    driver = RoomDriver(ScriptedRules(offers=frozenset()))
    driver.do(A, Resign(), 0)
    driver.do(A, MakeOffer(REMATCH), 0)
    assert driver.room.offers


def test_one_offer_of_each_kind_stands_at_a_time() -> None:
    driver = RoomDriver(ScriptedRules(seats=3))
    driver.move(A, 0, B)
    driver.do(A, MakeOffer(UNDO), 0)
    assert driver.refuses(A, MakeOffer(UNDO), 0) is Refusal.OFFER_STANDS
    assert driver.refuses(B, MakeOffer(UNDO), 0) is Refusal.OFFER_STANDS
    driver.do(A, MakeOffer(DRAW), 0)
    assert driver.refuses(A, MakeOffer(DRAW), 0) is Refusal.OFFER_STANDS
    assert {offer.kind for offer in driver.room.offers} == {DRAW, UNDO}


def test_an_undo_needs_a_move_to_undo() -> None:
    driver = RoomDriver()
    assert driver.refuses(A, MakeOffer(UNDO), 0) is Refusal.NOTHING_TO_UNDO
    driver.move(A, 0, B)
    assert driver.refuses(B, MakeOffer(UNDO), 0) is Refusal.NOTHING_TO_UNDO


def test_a_swap_is_refused_when_the_rules_no_longer_allow_it() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    for seat in (A, B):
        assert driver.refuses(seat, MakeOffer(SWAP), 0) is Refusal.NOT_ALLOWED


# Answers


def test_an_answer_without_an_offer_is_refused() -> None:
    # The older programs accepted an undo without an offer.
    driver = RoomDriver()
    driver.move(A, 0, B)
    for number in (-1, 0, 1, 2, 10**9):
        for seat in (A, B):
            assert driver.refuses(seat, AnswerOffer(number, yes=True), 0) is Refusal.NOT_OFFERED


def test_an_answer_must_name_the_id_of_a_standing_offer() -> None:
    driver = RoomDriver()
    driver.do(A, MakeOffer(DRAW), 0)
    driver.do(B, AnswerOffer(1, yes=False), 0)
    driver.do(A, MakeOffer(DRAW), COOL_DOWN)
    assert driver.refuses(B, AnswerOffer(1, yes=True), COOL_DOWN) is Refusal.NOT_OFFERED
    driver.do(B, AnswerOffer(2, yes=True), COOL_DOWN)
    assert driver.over == ((), "agreed")


def test_only_the_asked_seats_may_answer() -> None:
    driver = RoomDriver(ScriptedRules(seats=3))
    driver.do(A, MakeOffer(DRAW), 0)
    assert driver.refuses(A, AnswerOffer(1, yes=True), 0) is Refusal.NOT_ASKED
    assert driver.refuses(A, AnswerOffer(1, yes=False), 0) is Refusal.NOT_ASKED
    for other in (SPECTATOR, SYSTEM, 7, -5):
        assert driver.refuses(other, AnswerOffer(1, yes=True), 0) is Refusal.NOT_SEATED
    driver.do(B, AnswerOffer(1, yes=True), 0)
    assert driver.refuses(B, AnswerOffer(1, yes=True), 0) is Refusal.NOT_ASKED, "one answer each"
    assert driver.refuses(B, AnswerOffer(1, yes=False), 0) is Refusal.NOT_ASKED


def test_an_offer_is_carried_out_when_all_asked_seats_accept() -> None:
    driver = RoomDriver(ScriptedRules(seats=3))
    driver.do(A, MakeOffer(DRAW), 0)
    driver.do(C, AnswerOffer(1, yes=True), 0)
    assert driver.room.phase is Phase.PLAYING
    assert driver.room.offers == (Offer(1, DRAW, A, (B,)),)
    assert driver.events == [OfferAnswered(1, DRAW, C, yes=True)]
    driver.do(B, AnswerOffer(1, yes=True), 0)
    assert driver.over == ((), "agreed")


def test_one_refusal_ends_an_offer() -> None:
    driver = RoomDriver(ScriptedRules(seats=3))
    driver.do(A, MakeOffer(DRAW), 0)
    driver.do(C, AnswerOffer(1, yes=True), 0)
    driver.do(B, AnswerOffer(1, yes=False), 0)
    assert driver.room.offers == ()
    assert driver.room.phase is Phase.PLAYING
    assert driver.events == [OfferAnswered(1, DRAW, B, yes=False)]


def test_a_seat_must_wait_before_it_repeats_a_declined_offer() -> None:
    driver = RoomDriver()
    driver.do(A, MakeOffer(DRAW), 1_000)
    driver.do(B, AnswerOffer(1, yes=False), 2_000)
    assert driver.refuses(A, MakeOffer(DRAW), 2_000) is Refusal.TOO_SOON
    assert driver.refuses(A, MakeOffer(DRAW), 2_000 + COOL_DOWN - 1) is Refusal.TOO_SOON
    driver.do(A, MakeOffer(DRAW), 2_000 + COOL_DOWN)


def test_the_wait_applies_to_one_seat_and_one_kind() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    driver.do(A, MakeOffer(DRAW), 0)
    driver.do(B, AnswerOffer(1, yes=False), 0)
    driver.do(A, MakeOffer(UNDO), 1)
    driver.do(B, MakeOffer(DRAW), 1)
    assert {offer.kind for offer in driver.room.offers} == {DRAW, UNDO}


def test_the_wait_ends_with_the_game() -> None:
    driver = RoomDriver()
    driver.do(A, MakeOffer(DRAW), 0)
    driver.do(B, AnswerOffer(1, yes=False), 0)
    driver.do(A, Resign(), 1)
    assert driver.room.declined == ()


def test_expired_declined_offers_are_dropped() -> None:
    driver = RoomDriver()
    for turn in range(20):
        now = turn * COOL_DOWN
        driver.do(A, MakeOffer(DRAW), now)
        driver.do(B, AnswerOffer(turn + 1, yes=False), now)
    assert len(driver.room.declined) <= 2


@pytest.mark.parametrize("kind", [DRAW, REMATCH, SWAP])
def test_making_the_same_offer_back_accepts_it(kind: OfferKind) -> None:
    driver = over() if kind is REMATCH else RoomDriver()
    driver.do(A, MakeOffer(kind), 0)
    driver.do(B, MakeOffer(kind), 0)
    assert OfferAnswered(1, kind, B, yes=True) in driver.events
    assert driver.room.offers == ()
    result = (driver.over is not None, driver.room.match, driver.state.swaps)
    assert result == {DRAW: (True, 1, 0), REMATCH: (False, 2, 0), SWAP: (False, 1, 1)}[kind]


def test_making_an_undo_offer_back_does_not_accept_it() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    driver.do(A, MakeOffer(UNDO), 0)
    assert driver.refuses(B, MakeOffer(UNDO), 0) is Refusal.OFFER_STANDS


# Offers that end


def test_any_move_ends_an_undo_offer() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    driver.do(A, MakeOffer(UNDO), 0)
    driver.move(B, 0, A)
    assert driver.room.offers == ()
    assert driver.events == [Did(B), OfferEnded(1)]
    assert driver.refuses(B, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED


def test_the_next_move_of_the_maker_ends_an_undo_offer() -> None:
    driver = RoomDriver()
    driver.move(A, 0, A)
    driver.do(A, MakeOffer(UNDO), 0)
    driver.move(A, 0, B)
    assert driver.room.offers == ()
    assert driver.events == [Did(A), OfferEnded(1)]


def test_a_draw_offered_with_a_move_stands_until_it_is_answered_by_a_move() -> None:
    driver = RoomDriver()
    driver.do(A, MakeOffer(DRAW), 0)
    driver.move(A, 0, B)
    assert [offer.id for offer in driver.room.offers] == [1]
    driver.move(B, 0, A)
    assert driver.room.offers == ()
    assert OfferEnded(1) in driver.events


def test_an_illegal_move_ends_no_offer() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    driver.do(A, MakeOffer(UNDO), 0)
    driver.do(A, MakeOffer(DRAW), 0)
    assert driver.refuses(B, Play(Do()), 0) is Refusal.ILLEGAL
    assert len(driver.room.offers) == 2


def test_every_offer_ends_with_the_game() -> None:
    for end in (Resign(), LeaveSeat()):
        driver = RoomDriver()
        driver.move(A, 0, B)
        driver.do(A, MakeOffer(DRAW), 0)
        driver.do(A, MakeOffer(UNDO), 0)
        driver.do(B, end, 0)
        assert driver.room.offers == ()


def test_a_rematch_offer_ends_when_a_player_leaves_or_joins() -> None:
    driver = over()
    driver.do(A, MakeOffer(REMATCH), 0)
    driver.do(B, LeaveSeat(), 0)
    assert driver.events == [OfferEnded(1), SeatLeft(B)]
    assert driver.room.offers == ()
    driver.take_seat("Cyd", 0)
    assert driver.refuses(B, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED


def test_an_old_rematch_offer_does_not_affect_the_game_of_a_new_player() -> None:
    driver = over()
    driver.do(A, MakeOffer(REMATCH), 0)
    driver.do(B, LeaveSeat(), 0)
    driver.do(SYSTEM, TakeSeat(Person("cyd"), "Cyd"), 0)
    assert driver.room.phase is Phase.PLAYING
    assert driver.room.match == 2
    assert driver.refuses(B, MakeOffer(REMATCH), 0) is Refusal.STILL_PLAYING
    assert driver.room.offers == ()


# Agreed offers


def test_an_agreed_draw_ends_the_game_without_a_winner() -> None:
    driver = RoomDriver()
    driver.do(A, MakeOffer(DRAW), 0)
    driver.do(B, AnswerOffer(1, yes=True), 0)
    assert driver.over == ((), "agreed")
    assert driver.events == [OfferAnswered(1, DRAW, B, yes=True), GameOver((), "agreed", SEED.hex())]
    assert driver.room.position_version == driver.room.version


def test_an_agreed_undo_restores_the_position_before_the_makers_move() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B, rolls=3)
    driver.do(A, MakeOffer(UNDO), 0)
    driver.do(B, AnswerOffer(1, yes=True), 0)
    assert driver.state.movers == ()
    assert driver.state.acting == (A,)
    assert driver.events == [OfferAnswered(1, UNDO, B, yes=True), MoveUndone(driver.state)]
    assert driver.room.position_version == driver.room.version
    assert driver.room.random_position == 3, "revealed randomness is not used again"
    assert driver.room.offers == ()
    driver.move(A, 0, B)


def undos(driver: RoomDriver) -> tuple[int, ...]:
    return driver.room.undos


def test_agreed_undos_are_counted_by_seat_until_the_next_game() -> None:
    driver = RoomDriver()
    assert undos(driver) == ()
    for mover, other, count in ((A, B, (1, 0)), (A, B, (2, 0)), (B, A, (2, 1))):
        driver.move(mover, 0, other)
        driver.do(mover, MakeOffer(UNDO), 0)
        driver.do(other, AnswerOffer(driver.room.offered, yes=True), 0)
        assert undos(driver) == count
        if count == (2, 0):
            driver.move(A, 0, B)
    driver.move(B, 0, A)
    driver.do(B, MakeOffer(UNDO), 0)
    driver.do(A, AnswerOffer(driver.room.offered, yes=False), 0)
    assert undos(driver) == (2, 1)
    driver.do(A, Resign(), 0)
    assert undos(driver) == (2, 1)
    driver.do(A, MakeOffer(REMATCH), 0)
    driver.do(B, AnswerOffer(driver.room.offered, yes=True), 0, entropy=bytes(32))
    assert undos(driver) == ()


def test_a_move_for_the_position_before_an_undo_is_stale() -> None:
    driver = RoomDriver()
    driver.move(A, 0, B)
    version = driver.room.version
    driver.do(A, MakeOffer(UNDO), 0)
    driver.do(B, AnswerOffer(1, yes=True), 0)
    assert driver.refuses(A, Play(Do((B,))), 0, at_version=version) is Refusal.STALE


def test_an_agreed_rematch_starts_a_new_game_with_new_entropy() -> None:
    driver = over()
    driver.do(A, MakeOffer(REMATCH), 0)
    driver.do(B, AnswerOffer(1, yes=True), 0)
    assert driver.room.phase is Phase.PLAYING
    assert (driver.room.match, driver.room.seed, driver.room.random_key, driver.room.random_position) == (
        2,
        FRESH,
        FRESH,
        0,
    )
    assert driver.room.result is None
    assert isinstance(driver.events[-1], GameStarted)
    assert driver.events[-1].match == 2


def test_the_rules_know_the_previous_game_and_whether_it_is_a_rematch() -> None:
    driver = RoomDriver()
    assert (driver.state.previous_movers, driver.state.conditions.rematch) == (None, False)
    driver.move(A, 0, B)
    driver.do(A, Resign(), 0)
    driver.do(A, MakeOffer(REMATCH), 0)
    driver.do(B, AnswerOffer(1, yes=True), 0)
    assert (driver.state.previous_movers, driver.state.conditions.rematch) == ((A,), True)
    driver.move(A, 0, B)
    driver.move(B, 0, A)
    driver.do(B, LeaveSeat(), 0)
    driver.take_seat("Cyd", 0)
    assert (driver.state.previous_movers, driver.state.conditions.rematch) == ((A, B), False)


@pytest.mark.parametrize("entropy", [b"", bytes(31), bytes(33)])
def test_a_rematch_without_enough_entropy_is_refused(entropy: bytes) -> None:
    driver = over()
    driver.do(A, MakeOffer(REMATCH), 0)
    answered = driver.try_(B, AnswerOffer(1, yes=True), 0, entropy=entropy)
    assert answered == Refused(Refusal.UNAVAILABLE)
    assert driver.try_(B, AnswerOffer(1, yes=False), 0, entropy=entropy) != answered


# Functions on offers


def test_offers_are_found_removed_and_agreed_to() -> None:
    first, second = Offer(1, DRAW, A, (B, C)), Offer(2, UNDO, B, (A,))
    assert find_offer((first, second), UNDO) == second
    assert find_offer((first,), UNDO) is None
    assert without_offer((first, second), 1) == (second,)
    assert without_offer((first, second), 9) == (first, second)
    assert accepted_by(first, Seat(1)).asked == (C,)
    assert accepted_by(accepted_by(first, B), C).asked == ()
