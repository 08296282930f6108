"""A seat that moves to another device: the person changes, and nothing else."""

import pytest
from msgspec.structs import replace

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Disconnected, TakeSeat, TransferSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Unchanged
from qipai.kernel.room_events import Reconnected

from .puppet import A, B, Bench

ANN, BOB, NEW = Person("ann"), Person("bob"), Person("new")


def test_the_seat_is_the_new_persons_and_everything_else_stays() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,)))
    before = bench.room
    after = bench.do(SYSTEM, TransferSeat(A, ANN, NEW), 500)
    was, now = before.seats[A], after.seats[A]
    assert was is not None
    assert now == replace(was, person=NEW, transfers=1)
    assert (after.seats[B], after.state, after.clock, after.offers, after.nonces) == (
        before.seats[B],
        before.state,
        before.clock,
        before.offers,
        before.nonces,
    )
    assert bench.told == ()
    assert after.position_version == before.position_version, "what was meant for this position still is"


def test_whoever_was_lost_is_back() -> None:
    bench = Bench()
    bench.do(SYSTEM, Disconnected(A), 10)
    bench.do(SYSTEM, TransferSeat(A, ANN, NEW), 20)
    assert bench.events == [Reconnected(A)]
    chair = bench.room.seats[A]
    assert chair is not None
    assert chair.disconnected_at is None


def test_only_the_seat_of_the_person_that_is_named_moves() -> None:
    bench = Bench()
    assert bench.refuses(SYSTEM, TransferSeat(A, BOB, NEW), 0) is Refusal.BAD_TICKET
    bench.do(SYSTEM, TransferSeat(A, ANN, NEW), 0)
    assert bench.refuses(SYSTEM, TransferSeat(A, ANN, Person("other")), 0) is Refusal.BAD_TICKET
    assert bench.refuses(SYSTEM, TransferSeat(A, ANN, ANN), 0) is Refusal.BAD_TICKET


@pytest.mark.parametrize("seat", [-1, 1, 2, 15])
def test_a_seat_where_nobody_sits_does_not_move(seat: int) -> None:
    assert Bench(seated=1).refuses(SYSTEM, TransferSeat(Seat(seat), ANN, NEW), 0) is Refusal.BAD_TICKET


def test_nobody_gets_a_second_seat() -> None:
    assert Bench().refuses(SYSTEM, TransferSeat(A, ANN, BOB), 0) is Refusal.NOT_ALLOWED


def test_moving_to_the_same_person_changes_nothing() -> None:
    assert Bench().try_(SYSTEM, TransferSeat(A, ANN, ANN), 0) == Unchanged()


def test_a_bots_seat_does_not_move() -> None:
    bench = Bench(seated=1)
    bench.do(SYSTEM, TakeSeat(Person("bot:1"), "Easy", B, "easy"), 0)
    assert bench.refuses(SYSTEM, TransferSeat(B, Person("bot:1"), NEW), 0) is Refusal.BAD_TICKET


@pytest.mark.parametrize("actor", [A, B, SPECTATOR])
def test_nobody_but_the_system_moves_a_seat(actor: int) -> None:
    assert Bench().refuses(actor, TransferSeat(A, ANN, NEW), 0) is Refusal.NOT_ALLOWED
