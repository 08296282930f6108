"""Offers: an id that the answer quotes, one of a kind, and nobody but the asked answers."""

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

from .puppet import FRESH, SEED, A, B, Bench, C, Did, Do, Puppet

DRAW, UNDO, REMATCH, SWAP = OfferKind.DRAW, OfferKind.UNDO, OfferKind.REMATCH, OfferKind.SWAP


def over() -> Bench:
    bench = Bench()
    bench.do(A, Resign(), 0)
    return bench


# Asking


def test_an_offer_stands_with_an_id_and_those_it_asks() -> None:
    bench = Bench(Puppet(seats=3))
    bench.do(B, MakeOffer(DRAW), 0)
    offer = Offer(1, DRAW, B, (A, C))
    assert bench.room.offers == (offer,)
    assert bench.events == [OfferMade(offer)]


def test_ids_are_never_used_again() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    bench.do(A, MakeOffer(DRAW), 0)
    bench.do(A, MakeOffer(UNDO), 0)
    bench.do(B, AnswerOffer(1, yes=False), 0)
    bench.do(B, AnswerOffer(2, yes=False), 0)
    bench.do(B, MakeOffer(DRAW), 0)
    assert [offer.id for offer in bench.room.offers] == [3]
    bench.do(A, Resign(), 0)
    bench.do(A, MakeOffer(REMATCH), 0)
    assert [offer.id for offer in bench.room.offers] == [4]


@pytest.mark.parametrize("actor", [SPECTATOR, SYSTEM, 7, -5])
@pytest.mark.parametrize("kind", OfferKind)
def test_only_a_seat_may_offer(actor: int, kind: OfferKind) -> None:
    assert Bench().refuses(actor, MakeOffer(kind), 0) is Refusal.NOT_SEATED


@pytest.mark.parametrize("kind", [DRAW, UNDO, SWAP])
def test_all_but_a_rematch_is_for_a_running_game(kind: OfferKind) -> None:
    assert over().refuses(A, MakeOffer(kind), 0) is Refusal.NOT_PLAYING
    assert Bench(seated=1).refuses(A, MakeOffer(kind), 0) is Refusal.NOT_PLAYING


def test_a_rematch_is_for_a_game_that_is_over_and_a_full_table() -> None:
    assert Bench().refuses(A, MakeOffer(REMATCH), 0) is Refusal.STILL_PLAYING
    assert Bench(seated=1).refuses(A, MakeOffer(REMATCH), 0) is Refusal.NOT_PLAYING
    bench = over()
    bench.do(B, LeaveSeat(), 0)
    assert bench.refuses(A, MakeOffer(REMATCH), 0) is Refusal.NOT_PLAYING


@pytest.mark.parametrize("kind", [DRAW, UNDO, SWAP])
def test_a_game_says_what_may_be_offered_in_it(kind: OfferKind) -> None:
    bench = Bench(Puppet(offers=frozenset()))
    bench.move(A, 0, B)
    assert bench.refuses(A, MakeOffer(kind), 0) is Refusal.NOT_ALLOWED


def test_a_rematch_may_be_offered_after_any_game() -> None:
    bench = Bench(Puppet(offers=frozenset()))
    bench.do(A, Resign(), 0)
    bench.do(A, MakeOffer(REMATCH), 0)
    assert bench.room.offers


def test_one_offer_of_a_kind_stands_at_a_time_and_other_kinds_beside_it() -> None:
    bench = Bench(Puppet(seats=3))
    bench.move(A, 0, B)
    bench.do(A, MakeOffer(UNDO), 0)
    assert bench.refuses(A, MakeOffer(UNDO), 0) is Refusal.OFFER_STANDS
    assert bench.refuses(B, MakeOffer(UNDO), 0) is Refusal.OFFER_STANDS
    bench.do(A, MakeOffer(DRAW), 0)
    assert bench.refuses(A, MakeOffer(DRAW), 0) is Refusal.OFFER_STANDS
    assert {offer.kind for offer in bench.room.offers} == {DRAW, UNDO}


def test_there_must_be_a_move_to_take_back() -> None:
    bench = Bench()
    assert bench.refuses(A, MakeOffer(UNDO), 0) is Refusal.NOTHING_TO_UNDO
    bench.move(A, 0, B)
    assert bench.refuses(B, MakeOffer(UNDO), 0) is Refusal.NOTHING_TO_UNDO


def test_sides_are_changed_only_as_long_as_the_game_lets_them() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    for seat in (A, B):
        assert bench.refuses(seat, MakeOffer(SWAP), 0) is Refusal.NOT_ALLOWED


# Answering


def test_an_answer_to_no_offer_is_refused() -> None:
    # The older programs took an undo that nobody had asked for.
    bench = Bench()
    bench.move(A, 0, B)
    for number in (-1, 0, 1, 2, 10**9):
        for seat in (A, B):
            assert bench.refuses(seat, AnswerOffer(number, yes=True), 0) is Refusal.NOT_OFFERED


def test_an_answer_must_quote_the_id_of_what_stands() -> None:
    bench = Bench()
    bench.do(A, MakeOffer(DRAW), 0)
    bench.do(B, AnswerOffer(1, yes=False), 0)
    bench.do(A, MakeOffer(DRAW), COOL_DOWN)
    assert bench.refuses(B, AnswerOffer(1, yes=True), COOL_DOWN) is Refusal.NOT_OFFERED
    bench.do(B, AnswerOffer(2, yes=True), COOL_DOWN)
    assert bench.over == ((), "agreed")


def test_only_the_asked_may_answer() -> None:
    bench = Bench(Puppet(seats=3))
    bench.do(A, MakeOffer(DRAW), 0)
    assert bench.refuses(A, AnswerOffer(1, yes=True), 0) is Refusal.NOT_ASKED
    assert bench.refuses(A, AnswerOffer(1, yes=False), 0) is Refusal.NOT_ASKED
    for nobody in (SPECTATOR, SYSTEM, 7, -5):
        assert bench.refuses(nobody, AnswerOffer(1, yes=True), 0) is Refusal.NOT_SEATED
    bench.do(B, AnswerOffer(1, yes=True), 0)
    assert bench.refuses(B, AnswerOffer(1, yes=True), 0) is Refusal.NOT_ASKED, "one answer each"
    assert bench.refuses(B, AnswerOffer(1, yes=False), 0) is Refusal.NOT_ASKED


def test_an_offer_carries_only_when_everybody_asked_agrees() -> None:
    bench = Bench(Puppet(seats=3))
    bench.do(A, MakeOffer(DRAW), 0)
    bench.do(C, AnswerOffer(1, yes=True), 0)
    assert bench.room.phase is Phase.PLAYING
    assert bench.room.offers == (Offer(1, DRAW, A, (B,)),)
    assert bench.events == [OfferAnswered(1, DRAW, C, yes=True)]
    bench.do(B, AnswerOffer(1, yes=True), 0)
    assert bench.over == ((), "agreed")


def test_one_no_ends_an_offer() -> None:
    bench = Bench(Puppet(seats=3))
    bench.do(A, MakeOffer(DRAW), 0)
    bench.do(C, AnswerOffer(1, yes=True), 0)
    bench.do(B, AnswerOffer(1, yes=False), 0)
    assert bench.room.offers == ()
    assert bench.room.phase is Phase.PLAYING
    assert bench.events == [OfferAnswered(1, DRAW, B, yes=False)]


def test_after_a_no_the_same_seat_has_to_wait_before_asking_again() -> None:
    bench = Bench()
    bench.do(A, MakeOffer(DRAW), 1_000)
    bench.do(B, AnswerOffer(1, yes=False), 2_000)
    assert bench.refuses(A, MakeOffer(DRAW), 2_000) is Refusal.TOO_SOON
    assert bench.refuses(A, MakeOffer(DRAW), 2_000 + COOL_DOWN - 1) is Refusal.TOO_SOON
    bench.do(A, MakeOffer(DRAW), 2_000 + COOL_DOWN)


def test_the_wait_is_for_that_seat_and_that_kind_only() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    bench.do(A, MakeOffer(DRAW), 0)
    bench.do(B, AnswerOffer(1, yes=False), 0)
    bench.do(A, MakeOffer(UNDO), 1)
    bench.do(B, MakeOffer(DRAW), 1)
    assert {offer.kind for offer in bench.room.offers} == {DRAW, UNDO}


def test_a_wait_does_not_outlast_the_game() -> None:
    bench = Bench()
    bench.do(A, MakeOffer(DRAW), 0)
    bench.do(B, AnswerOffer(1, yes=False), 0)
    bench.do(A, Resign(), 1)
    assert bench.room.declined == ()


def test_what_was_declined_is_not_remembered_for_ever() -> None:
    bench = Bench()
    for turn in range(20):
        now = turn * COOL_DOWN
        bench.do(A, MakeOffer(DRAW), now)
        bench.do(B, AnswerOffer(turn + 1, yes=False), now)
    assert len(bench.room.declined) <= 2


@pytest.mark.parametrize("kind", [DRAW, REMATCH, SWAP])
def test_offering_back_what_stands_is_a_yes(kind: OfferKind) -> None:
    bench = over() if kind is REMATCH else Bench()
    bench.do(A, MakeOffer(kind), 0)
    bench.do(B, MakeOffer(kind), 0)
    assert OfferAnswered(1, kind, B, yes=True) in bench.events
    assert bench.room.offers == ()
    done = (bench.over is not None, bench.room.match, bench.state.sides)
    assert done == {DRAW: (True, 1, 0), REMATCH: (False, 2, 0), SWAP: (False, 1, 1)}[kind]


def test_offering_back_an_undo_is_not_a_yes() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    bench.do(A, MakeOffer(UNDO), 0)
    assert bench.refuses(B, MakeOffer(UNDO), 0) is Refusal.OFFER_STANDS


# Lapsing


def test_an_undo_lapses_with_any_move() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    bench.do(A, MakeOffer(UNDO), 0)
    bench.move(B, 0, A)
    assert bench.room.offers == ()
    assert bench.events == [Did(B), OfferEnded(1)]
    assert bench.refuses(B, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED


def test_an_undo_lapses_with_the_offerers_own_next_move_too() -> None:
    bench = Bench()
    bench.move(A, 0, A)
    bench.do(A, MakeOffer(UNDO), 0)
    bench.move(A, 0, B)
    assert bench.room.offers == ()
    assert bench.events == [Did(A), OfferEnded(1)]


def test_a_draw_offered_with_a_move_stands_until_it_is_answered_by_a_move() -> None:
    bench = Bench()
    bench.do(A, MakeOffer(DRAW), 0)
    bench.move(A, 0, B)
    assert [offer.id for offer in bench.room.offers] == [1]
    bench.move(B, 0, A)
    assert bench.room.offers == ()
    assert OfferEnded(1) in bench.events


def test_an_illegal_move_lapses_nothing() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    bench.do(A, MakeOffer(UNDO), 0)
    bench.do(A, MakeOffer(DRAW), 0)
    assert bench.refuses(B, Play(Do()), 0) is Refusal.ILLEGAL
    assert len(bench.room.offers) == 2


def test_every_offer_ends_with_the_game() -> None:
    for end in (Resign(), LeaveSeat()):
        bench = Bench()
        bench.move(A, 0, B)
        bench.do(A, MakeOffer(DRAW), 0)
        bench.do(A, MakeOffer(UNDO), 0)
        bench.do(B, end, 0)
        assert bench.room.offers == ()


def test_a_rematch_lapses_when_somebody_leaves_or_comes() -> None:
    bench = over()
    bench.do(A, MakeOffer(REMATCH), 0)
    bench.do(B, LeaveSeat(), 0)
    assert bench.events == [OfferEnded(1), SeatLeft(B)]
    assert bench.room.offers == ()
    bench.sit("Cyd", 0)
    assert bench.refuses(B, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED


def test_a_stale_rematch_flag_cannot_wipe_a_newcomers_game() -> None:
    bench = over()
    bench.do(A, MakeOffer(REMATCH), 0)
    bench.do(B, LeaveSeat(), 0)
    bench.do(SYSTEM, TakeSeat(Person("cyd"), "Cyd"), 0)
    assert bench.room.phase is Phase.PLAYING
    assert bench.room.match == 2
    assert bench.refuses(B, MakeOffer(REMATCH), 0) is Refusal.STILL_PLAYING
    assert bench.room.offers == ()


# Carrying out


def test_an_agreed_draw_ends_the_game_without_a_winner() -> None:
    bench = Bench()
    bench.do(A, MakeOffer(DRAW), 0)
    bench.do(B, AnswerOffer(1, yes=True), 0)
    assert bench.over == ((), "agreed")
    assert bench.events == [OfferAnswered(1, DRAW, B, yes=True), GameOver((), "agreed", SEED.hex())]
    assert bench.room.position_version == bench.room.version


def test_an_agreed_undo_takes_back_the_offerers_move() -> None:
    bench = Bench()
    bench.move(A, 0, B, rolls=3)
    bench.do(A, MakeOffer(UNDO), 0)
    bench.do(B, AnswerOffer(1, yes=True), 0)
    assert bench.state.trail == ()
    assert bench.state.acting == (A,)
    assert bench.events == [OfferAnswered(1, UNDO, B, yes=True), MoveUndone(bench.state)]
    assert bench.room.position_version == bench.room.version
    assert bench.room.random_position == 3, "chance that was seen is not used again"
    assert bench.room.offers == ()
    bench.move(A, 0, B)


def test_a_move_meant_for_the_position_before_an_undo_is_stale() -> None:
    bench = Bench()
    bench.move(A, 0, B)
    seen = bench.room.version
    bench.do(A, MakeOffer(UNDO), 0)
    bench.do(B, AnswerOffer(1, yes=True), 0)
    assert bench.refuses(A, Play(Do((B,))), 0, at_version=seen) is Refusal.STALE


def test_an_agreed_rematch_deals_a_new_game_from_fresh_chance() -> None:
    bench = over()
    bench.do(A, MakeOffer(REMATCH), 0)
    bench.do(B, AnswerOffer(1, yes=True), 0)
    assert bench.room.phase is Phase.PLAYING
    assert (bench.room.match, bench.room.seed, bench.room.random_key, bench.room.random_position) == (
        2,
        FRESH,
        FRESH,
        0,
    )
    assert bench.room.result is None
    assert isinstance(bench.events[-1], GameStarted)
    assert bench.events[-1].match == 2


def test_a_deal_knows_the_game_before_it_and_whether_it_is_a_rematch() -> None:
    bench = Bench()
    assert (bench.state.after, bench.state.terms.rematch) == (None, False)
    bench.move(A, 0, B)
    bench.do(A, Resign(), 0)
    bench.do(A, MakeOffer(REMATCH), 0)
    bench.do(B, AnswerOffer(1, yes=True), 0)
    assert (bench.state.after, bench.state.terms.rematch) == ((A,), True)
    bench.move(A, 0, B)
    bench.move(B, 0, A)
    bench.do(B, LeaveSeat(), 0)
    bench.sit("Cyd", 0)
    assert (bench.state.after, bench.state.terms.rematch) == ((A, B), False)


@pytest.mark.parametrize("entropy", [b"", bytes(31), bytes(33)])
def test_a_rematch_without_proper_chance_is_not_dealt(entropy: bytes) -> None:
    bench = over()
    bench.do(A, MakeOffer(REMATCH), 0)
    answered = bench.try_(B, AnswerOffer(1, yes=True), 0, entropy=entropy)
    assert answered == Refused(Refusal.UNAVAILABLE)
    assert bench.try_(B, AnswerOffer(1, yes=False), 0, entropy=entropy) != answered


# The small functions


def test_offers_are_found_removed_and_agreed_to() -> None:
    first, second = Offer(1, DRAW, A, (B, C)), Offer(2, UNDO, B, (A,))
    assert find_offer((first, second), UNDO) == second
    assert find_offer((first,), UNDO) is None
    assert without_offer((first, second), 1) == (second,)
    assert without_offer((first, second), 9) == (first, second)
    assert accepted_by(first, Seat(1)).asked == (C,)
    assert accepted_by(accepted_by(first, B), C).asked == ()
