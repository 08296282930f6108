"""Hosted tables: whoever has been there longest begins each game, and sets it up."""

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

from .puppet import FRESH, A, B, Bench, Options, Puppet

PLAN = ClockPlan(main=(60_000, 30_000), increment=1_000, first_free=True)
DRAW = OfferKind.DRAW


def hosted(seated: int = 2) -> Bench:
    return Bench(hosted=True, seated=seated)


def started() -> Bench:
    bench = hosted()
    bench.do(A, StartGame(Options()), 0)
    return bench


def test_a_full_hosted_table_waits_for_its_host() -> None:
    bench = hosted()
    assert (bench.room.phase, bench.room.match, bench.room.host) == (Phase.WAITING, 0, A)


def test_the_host_begins_a_game_with_options_and_a_clock_of_his_choice() -> None:
    bench = hosted()
    bench.do(A, StartGame(Options(), PLAN), 5)
    assert (bench.room.phase, bench.room.match) == (Phase.PLAYING, 1)
    assert bench.room.table.clock == PLAN
    assert bench.room.clock is not None
    assert bench.room.clock.left == (60_000, 30_000)
    assert bench.events == [
        OptionsChosen(Options(), PLAN),
        GameStarted(1, commitment(bench.room.seed), bench.state),
    ]


def test_what_the_host_gives_reaches_the_rules_and_no_view() -> None:
    bench = hosted()
    bench.do(A, StartGame(Options(), None, b"secret"), 0)
    assert bench.state.terms == StartConditions(host_data=b"secret")
    shown = view(bench.rules, bench.room, B, bench.room.at)
    assert (shown.options, shown.table.legacy.host_starts, shown.host) == (Options(), True, A)


@pytest.mark.parametrize("actor", [B, SPECTATOR, SYSTEM])
def test_nobody_else_begins_it(actor: int) -> None:
    refusal = hosted().refuses(actor, StartGame(Options()), 0)
    assert refusal is (Refusal.NOT_ALLOWED if actor == B else Refusal.NOT_SEATED)


def test_a_game_is_begun_at_a_full_hosted_table_that_does_not_play() -> None:
    assert Bench().refuses(A, StartGame(Options()), 0) is Refusal.NOT_ALLOWED
    assert hosted(seated=1).refuses(A, StartGame(Options()), 0) is Refusal.NOT_PLAYING
    assert started().refuses(A, StartGame(Options()), 0) is Refusal.STILL_PLAYING


def test_a_second_start_is_another_game_from_fresh_chance_and_no_rematch() -> None:
    bench = started()
    bench.do(B, Resign(), 1)
    bench.do(A, MakeOffer(OfferKind.REMATCH), 2)
    bench.do(A, StartGame(Options()), 3)
    assert (bench.room.match, bench.room.seed, bench.state.terms) == (2, FRESH, StartConditions())
    assert bench.events[0] == OfferEnded(1)


def test_when_the_host_leaves_the_next_one_is_host() -> None:
    bench = hosted()
    bench.do(A, LeaveSeat(), 0)
    assert bench.events == [SeatLeft(A), HostChanged(B)]
    assert bench.room.host == B
    bench.sit("Cat", 1)
    assert bench.room.host == B, "who comes later is a guest wherever he sits"
    assert bench.refuses(A, StartGame(Options()), 2) is Refusal.NOT_ALLOWED
    bench.do(B, StartGame(Options()), 2)
    assert bench.room.phase is Phase.PLAYING


def test_when_a_guest_leaves_the_host_stays() -> None:
    bench = hosted()
    bench.do(B, LeaveSeat(), 0)
    assert bench.events == [SeatLeft(B)]
    assert bench.room.host == A


def test_whoever_comes_to_an_empty_table_is_host() -> None:
    bench = hosted(seated=1)
    bench.do(A, LeaveSeat(), 0)
    bench.do(SYSTEM, TakeSeat(Person("cat"), "Cat", B), 1)
    assert bench.events == [SeatTaken(B, "Cat"), HostChanged(B)]
    bench.do(B, LeaveSeat(), 2)
    bench.sit("Dan", 3)
    assert (bench.room.host, bench.events) == (A, [SeatTaken(A, "Dan"), HostChanged(A)])


def test_in_other_rooms_the_player_seated_longest_is_the_host() -> None:
    bench = Bench()
    assert bench.room.host == A
    bench.do(A, LeaveSeat(), 0)
    assert [type(event) for event in bench.events][-2:] == [SeatLeft, HostChanged]
    assert bench.room.host == B


def test_seers_are_known_to_the_rules_and_to_everybody() -> None:
    bench = Bench(Puppet(), hosted=True, seated=1)
    bench.sit("Bob", 0, sees_hidden=True)
    assert bench.events == [SeatTaken(B, "Bob", sees_hidden=True)]
    bench.do(A, StartGame(Options()), 0)
    assert bench.state.terms == StartConditions(sees_hidden=(B,))
    chair = view(bench.rules, bench.room, SPECTATOR, bench.room.at).seats[B]
    assert chair is not None
    assert chair.sees_hidden


# Offers outlast a move


def test_an_offer_stands_until_its_makers_next_move_is_answered_by_a_move() -> None:
    bench = started()
    bench.do(A, MakeOffer(DRAW), 0)
    bench.move(A, 1, B)
    assert [offer.kind for offer in bench.room.offers] == [DRAW]
    bench.move(B, 2, A)
    assert OfferEnded(1) in bench.events
    assert bench.room.offers == ()


def test_an_offer_on_the_others_turn_outlasts_his_move() -> None:
    bench = started()
    bench.do(B, MakeOffer(DRAW), 0)
    bench.move(A, 1, B)
    assert bench.room.offers, "B has not moved since he offered"
    bench.move(B, 2, A)
    assert bench.room.offers
    bench.do(A, AnswerOffer(1, yes=True), 3)
    assert bench.over == ((), "agreed")
