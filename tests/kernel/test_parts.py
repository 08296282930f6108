"""Parts of a decision: what is done before the move itself earns no time and answers no offer."""

from msgspec.structs import replace

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import MakeOffer, Play
from qipai.kernel.game_interface.rules_interface import MoveResult
from qipai.kernel.ids import Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.room import deadline

from .puppet import A, B, Bench, Do, Puppet, State

PLAN = ClockPlan(main=(60_000,), increment=2_000)


class Thrower(Puppet):
    """Whatever is done is only a part of a decision."""

    def play(self, state: State, seat: Seat, move: Do, dice: Random) -> MoveResult:
        return replace(super().play(state, seat, move, dice), ends_decision=False)


def left(bench: Bench) -> tuple[int | None, ...]:
    assert bench.room.clock is not None
    return bench.room.clock.left


def test_a_part_earns_nothing_and_the_time_goes_on() -> None:
    bench = Bench(Thrower(), plan=PLAN)
    bench.do(A, Play(Do((A,))), 10_000)
    assert left(bench) == (60_000, 60_000)
    assert bench.room.clock is not None
    assert bench.room.clock.since == (0, None)
    assert deadline(bench.room) == 60_000


def test_a_part_that_passes_the_turn_is_paid_for_and_earns_nothing() -> None:
    bench = Bench(Thrower(), plan=PLAN)
    bench.do(A, Play(Do((B,))), 10_000)
    assert left(bench) == (50_000, 60_000)
    assert bench.room.clock is not None
    assert bench.room.clock.since == (None, 10_000)


def test_a_part_does_not_use_the_free_first_move_up() -> None:
    bench = Bench(Thrower(), plan=ClockPlan(main=(60_000,), increment=2_000, first_free=True))
    bench.do(A, Play(Do((B,))), 10_000)
    assert bench.room.clock is not None
    assert bench.room.clock.free
    assert left(bench) == (60_000, 60_000)


def test_a_part_answers_no_offer() -> None:
    bench = Bench(Thrower(acting=(A, B)))
    bench.do(B, MakeOffer(OfferKind.DRAW), 1)
    bench.do(A, Play(Do((A,))), 2)
    assert [offer.kind for offer in bench.room.offers] == [OfferKind.DRAW]


class Voter(Puppet):
    """What is done is a secret, and leaves the position as it was for the others."""

    def play(self, state: State, seat: Seat, move: Do, dice: Random) -> MoveResult:
        return replace(super().play(state, seat, move, dice), changes_position=False)


def test_a_secret_vote_makes_no_other_vote_stale() -> None:
    seen = Bench(Voter(acting=(A, B)))
    version = seen.room.version
    seen.do(A, Play(Do((A, B))), 1, at_version=version)
    seen.do(B, Play(Do((A, B))), 2, at_version=version)
    assert seen.room.position_version == version
