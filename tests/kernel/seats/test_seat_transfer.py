"""Seat transfer: the person of a seat changes, and nothing else."""

import pytest
from msgspec.structs import replace

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Disconnected, TakeSeat, TransferSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Unchanged
from qipai.kernel.room_events import Reconnected
from tests.kernel.scripted_game import A, B, RoomDriver

ANN, BOB, NEW = Person("ann"), Person("bob"), Person("new")


def test_a_transfer_changes_only_the_person_of_the_seat() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,)))
    before = driver.room
    after = driver.do(SYSTEM, TransferSeat(A, ANN, NEW), 500)
    old, new = before.seats[A], after.seats[A]
    assert old is not None
    assert new == replace(old, person=NEW, transfers=1)
    assert (after.seats[B], after.state, after.clock, after.offers, after.nonces) == (
        before.seats[B],
        before.state,
        before.clock,
        before.offers,
        before.nonces,
    )
    assert driver.addressed_events == ()
    assert after.position_version == before.position_version, "moves for this position stay valid"


def test_a_transfer_reconnects_a_disconnected_seat() -> None:
    driver = RoomDriver()
    driver.do(SYSTEM, Disconnected(A), 10)
    driver.do(SYSTEM, TransferSeat(A, ANN, NEW), 20)
    assert driver.events == [Reconnected(A)]
    taken = driver.room.seats[A]
    assert taken is not None
    assert taken.disconnected_at is None


def test_only_the_seat_of_the_named_person_is_transferred() -> None:
    driver = RoomDriver()
    assert driver.refuses(SYSTEM, TransferSeat(A, BOB, NEW), 0) is Refusal.BAD_TICKET
    driver.do(SYSTEM, TransferSeat(A, ANN, NEW), 0)
    assert driver.refuses(SYSTEM, TransferSeat(A, ANN, Person("other")), 0) is Refusal.BAD_TICKET
    assert driver.refuses(SYSTEM, TransferSeat(A, ANN, ANN), 0) is Refusal.BAD_TICKET


@pytest.mark.parametrize("seat", [-1, 1, 2, 15])
def test_an_empty_seat_cannot_be_transferred(seat: int) -> None:
    assert RoomDriver(seated=1).refuses(SYSTEM, TransferSeat(Seat(seat), ANN, NEW), 0) is Refusal.BAD_TICKET


def test_a_seated_person_cannot_receive_a_second_seat() -> None:
    assert RoomDriver().refuses(SYSTEM, TransferSeat(A, ANN, BOB), 0) is Refusal.NOT_ALLOWED


def test_a_transfer_to_the_same_person_changes_nothing() -> None:
    assert RoomDriver().try_(SYSTEM, TransferSeat(A, ANN, ANN), 0) == Unchanged()


def test_the_seat_of_a_bot_cannot_be_transferred() -> None:
    driver = RoomDriver(seated=1)
    driver.do(SYSTEM, TakeSeat(Person("bot:1"), "Easy", B, "easy"), 0)
    assert driver.refuses(SYSTEM, TransferSeat(B, Person("bot:1"), NEW), 0) is Refusal.BAD_TICKET


@pytest.mark.parametrize("actor", [A, B, SPECTATOR])
def test_only_the_system_transfers_a_seat(actor: int) -> None:
    assert RoomDriver().refuses(actor, TransferSeat(A, ANN, NEW), 0) is Refusal.NOT_ALLOWED
