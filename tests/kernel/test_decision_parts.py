"""Parts of a decision, such as a dice roll: they earn no increment and end no offer."""

from msgspec.structs import replace

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import MakeOffer, Play
from qipai.kernel.game_interface.rules_interface import MoveResult
from qipai.kernel.ids import Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.room import deadline

from .scripted_game import A, B, Do, RoomDriver, ScriptedRules, State

PLAN = ClockPlan(main=(60_000,), increment=2_000)


class PartialRules(ScriptedRules):
    """Rules whose moves are only parts of a decision."""

    def play(self, state: State, seat: Seat, move: Do, random: Random) -> MoveResult:
        return replace(super().play(state, seat, move, random), ends_decision=False)


def left(driver: RoomDriver) -> tuple[int | None, ...]:
    assert driver.room.clock is not None
    return driver.room.clock.left


def test_a_part_of_a_decision_earns_no_increment_and_the_clock_runs_on() -> None:
    driver = RoomDriver(PartialRules(), plan=PLAN)
    driver.do(A, Play(Do((A,))), 10_000)
    assert left(driver) == (60_000, 60_000)
    assert driver.room.clock is not None
    assert driver.room.clock.since == (0, None)
    assert deadline(driver.room) == 60_000


def test_a_part_that_passes_the_turn_is_charged_without_an_increment() -> None:
    driver = RoomDriver(PartialRules(), plan=PLAN)
    driver.do(A, Play(Do((B,))), 10_000)
    assert left(driver) == (50_000, 60_000)
    assert driver.room.clock is not None
    assert driver.room.clock.since == (None, 10_000)


def test_a_part_of_a_decision_leaves_the_free_first_move() -> None:
    driver = RoomDriver(PartialRules(), plan=ClockPlan(main=(60_000,), increment=2_000, first_free=True))
    driver.do(A, Play(Do((B,))), 10_000)
    assert driver.room.clock is not None
    assert driver.room.clock.free
    assert left(driver) == (60_000, 60_000)


def test_a_part_of_a_decision_ends_no_offer() -> None:
    driver = RoomDriver(PartialRules(acting=(A, B)))
    driver.do(B, MakeOffer(OfferKind.DRAW), 1)
    driver.do(A, Play(Do((A,))), 2)
    assert [offer.kind for offer in driver.room.offers] == [OfferKind.DRAW]


class HiddenAnswerRules(ScriptedRules):
    """Rules whose moves are secret and leave the position unchanged for the others."""

    def play(self, state: State, seat: Seat, move: Do, random: Random) -> MoveResult:
        return replace(super().play(state, seat, move, random), changes_position=False)


def test_a_hidden_answer_makes_no_other_answer_stale() -> None:
    driver = RoomDriver(HiddenAnswerRules(acting=(A, B)))
    version = driver.room.version
    driver.do(A, Play(Do((A, B))), 1, at_version=version)
    driver.do(B, Play(Do((A, B))), 2, at_version=version)
    assert driver.room.position_version == version
