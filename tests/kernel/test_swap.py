"""Changing sides by consent, as long as the game allows it."""

import pytest

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import AnswerOffer, MakeOffer, Play, TimeUp
from qipai.kernel.ids import SYSTEM, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_events import OfferAnswered, OfferEnded, SidesSwapped

from .puppet import A, B, Bench, C, Did, Do, Puppet

DRAW, SWAP = OfferKind.DRAW, OfferKind.SWAP


@pytest.mark.parametrize("seat", [A, B])
def test_a_swap_lapses_with_any_move(seat: Seat) -> None:
    bench = Bench()
    bench.do(seat, MakeOffer(SWAP), 0)
    bench.do(seat, MakeOffer(DRAW), 0)
    bench.move(A, 0, B)
    assert OfferEnded(1) in bench.events
    assert bench.refuses(1 - seat, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED
    assert bench.state.sides == 0


def test_a_swap_lapses_with_a_move_that_is_made_for_somebody_too() -> None:
    bench = Bench(Puppet(overdue=Do((B,))), plan=ClockPlan(move=1_000))
    bench.do(B, MakeOffer(SWAP), 0)
    bench.do(SYSTEM, TimeUp(), 1_000)
    assert bench.events == [Did(A), OfferEnded(1)]
    assert bench.room.offers == ()


@pytest.mark.parametrize("seat", [A, B])
def test_an_agreed_swap_changes_the_sides(seat: Seat) -> None:
    bench = Bench()
    bench.do(seat, MakeOffer(SWAP), 0)
    bench.do(1 - seat, AnswerOffer(1, yes=True), 0)
    assert bench.state.sides == 1
    assert bench.events == [OfferAnswered(1, SWAP, Seat(1 - seat), yes=True), SidesSwapped(bench.state)]
    assert bench.room.position_version == bench.room.version
    assert bench.room.offers == ()
    assert bench.refuses(A, Play(Do((B,))), 0) is Refusal.NOT_YOUR_TURN
    bench.move(B, 0, A)


def test_a_move_meant_for_the_position_before_a_swap_is_stale() -> None:
    bench = Bench()
    seen = bench.room.version
    for number in (1, 2):
        bench.do(A, MakeOffer(SWAP), 0)
        bench.do(B, AnswerOffer(number, yes=True), 0)
    assert bench.refuses(A, Play(Do((B,))), 0, at_version=seen) is Refusal.STALE


def test_a_swap_needs_everybody_asked_and_the_draw_beside_it_stays() -> None:
    bench = Bench(Puppet(seats=3))
    bench.do(B, MakeOffer(DRAW), 0)
    bench.do(B, MakeOffer(SWAP), 0)
    bench.do(A, AnswerOffer(2, yes=True), 0)
    assert bench.state.sides == 0
    bench.do(C, AnswerOffer(2, yes=True), 0)
    assert bench.state.sides == 1
    assert [offer.kind for offer in bench.room.offers] == [DRAW]


def test_after_a_swap_the_other_sides_time_runs_and_a_free_first_move_stays_free() -> None:
    for free in (False, True):
        bench = Bench(plan=ClockPlan(main=(60_000,), increment=1_000, first_free=free))
        bench.do(A, MakeOffer(SWAP), 1_000)
        bench.do(B, AnswerOffer(1, yes=True), 5_000)
        assert bench.room.clock is not None
        assert bench.room.clock.since == (None, 5_000)
        assert bench.room.clock.left == (60_000 if free else 55_000, 60_000)
        assert bench.room.clock.free is free
        bench.move(B, 15_000, A)
        assert bench.room.clock is not None
        assert bench.room.clock.left[B] == (60_000 if free else 51_000)
        assert bench.room.clock.free is False
