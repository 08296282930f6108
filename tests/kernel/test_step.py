"""The step: order of checks, nonces, versions, times, and the four ages of a room."""

import itertools

import msgspec
import pytest

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import (
    AnswerOffer,
    Close,
    Command,
    Disconnected,
    LeaveSeat,
    MakeOffer,
    OutageEnded,
    Play,
    Reconnected,
    Resign,
    Say,
    TableRules,
    TakeSeat,
    TimeUp,
)
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import NONCES_KEPT, Advanced, Phase, Refused, Unchanged, deadline
from qipai.kernel.room_events import Closed, GameOver
from qipai.kernel.room_view import view

from .puppet import SEED, A, B, Bench, Did, Do, Puppet

EVERY: tuple[Command, ...] = (
    Play(Do((B,))),
    TakeSeat(Person("new"), "New"),
    LeaveSeat(),
    MakeOffer(OfferKind.DRAW),
    AnswerOffer(1, yes=True),
    Resign(),
    Say("hello"),
    Disconnected(A),
    Reconnected(A),
    TimeUp(),
    OutageEnded(Millis(0), Millis(0)),
    Close(),
)
SYSTEMS = (TakeSeat, Disconnected, Reconnected, TimeUp, OutageEnded, Close)
ODD = (Seat(-1), Seat(-2), Seat(-3), Seat(-5), Seat(2), Seat(99), Seat(2**31), Seat(-(2**63)))


def test_a_new_room_is_empty_waiting_and_version_one() -> None:
    room = Bench(seated=0).room
    assert (room.version, room.position_version, room.phase, room.match) == (1, 0, Phase.WAITING, 0)
    assert (room.seed, room.random_key, room.seats, room.nonces) == (SEED, b"", (None, None), ((), (), ()))
    assert (room.state, room.clock, room.result) == (None, None, None)


# Who may do what


@pytest.mark.parametrize("command", EVERY, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("actor", ODD)
def test_an_actor_that_is_nobody_is_refused_and_never_an_exception(command: Command, actor: Seat) -> None:
    for bench in (Bench(seated=0), Bench(seated=1), Bench()):
        result = bench.try_(actor, command, 0)
        if (actor == SPECTATOR and isinstance(command, Say)) or (
            actor == SYSTEM and isinstance(command, SYSTEMS)
        ):
            continue
        expected = Refusal.NOT_ALLOWED if isinstance(command, SYSTEMS) else Refusal.NOT_SEATED
        assert result == Refused(expected)


@pytest.mark.parametrize("command", EVERY, ids=lambda command: type(command).__name__)
def test_a_seat_cannot_do_what_is_the_systems(command: Command) -> None:
    if isinstance(command, SYSTEMS):
        assert Bench().refuses(A, command, 0) is Refusal.NOT_ALLOWED


@pytest.mark.parametrize("command", EVERY, ids=lambda command: type(command).__name__)
def test_nothing_is_done_in_a_closed_room(command: Command) -> None:
    for phase_before in (0, 1, 2):
        bench = Bench(seated=phase_before)
        bench.do(SYSTEM, Close(), 0)
        assert bench.events[-1] == Closed()
        assert any(isinstance(event, GameOver) for event in bench.events) is (phase_before == 2)
        for actor in (A, B, SPECTATOR, SYSTEM, Seat(99)):
            assert bench.refuses(actor, command, 0) is Refusal.ROOM_CLOSED


def test_closing_a_running_room_stops_its_clock_and_its_offers() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,)))
    bench.do(A, MakeOffer(OfferKind.DRAW), 0)
    bench.do(SYSTEM, Close(), 0)
    assert deadline(bench.room) is None
    assert bench.room.offers == ()
    assert view(bench.rules, bench.room, A, Millis(0)).phase is Phase.CLOSED


# Moves


def test_a_move_needs_a_game_a_turn_and_a_legal_move_in_this_order() -> None:
    assert Bench(seated=1).refuses(A, Play(Do()), 0) is Refusal.NOT_PLAYING
    bench = Bench()
    assert bench.refuses(B, Play(Do()), 0) is Refusal.NOT_YOUR_TURN
    assert bench.refuses(A, Play(Do()), 0) is Refusal.ILLEGAL
    bench.do(A, Play(Do((B,))), 0)
    assert bench.events == [Did(A)]
    assert bench.room.position_version == bench.room.version


def test_a_move_meant_for_an_older_position_is_stale() -> None:
    bench = Bench()
    version = bench.room.version
    bench.move(A, 0, B)
    for old in range(1, bench.room.position_version):
        assert bench.refuses(B, Play(Do((A,))), 0, at_version=old) is Refusal.STALE
    assert version < bench.room.position_version
    bench.do(B, Play(Do((A,))), 0, at_version=bench.room.position_version)


def test_a_move_meant_for_no_version_or_for_a_later_one_without_a_move_is_taken() -> None:
    for at_version in (0, -1):
        bench = Bench()
        bench.move(A, 0, B)
        bench.do(B, Play(Do((A,))), 0, at_version=at_version)
    bench = Bench()
    bench.do(B, Say("hm"), 0)
    bench.do(A, Play(Do((B,))), 0, at_version=bench.room.version)


def test_a_move_that_takes_chance_remembers_how_much() -> None:
    bench = Bench()
    bench.move(A, 0, A, rolls=2)
    (first,) = bench.events
    assert bench.room.random_position == 2
    bench.move(A, 0, B, rolls=3)
    (second,) = bench.events
    assert bench.room.random_position == 5
    twin = Bench()
    twin.move(A, 0, B, rolls=5)
    assert twin.events[0].rolled == first.rolled + second.rolled


def test_a_refused_move_takes_no_chance() -> None:
    class Thrower(Puppet):
        """Throws a die before it looks whether the move is legal."""

        def play(self, state, seat, move, dice):  # type: ignore[no-untyped-def] # as Puppet's
            """Throw, then look."""
            dice.below(6)
            return super().play(state, seat, move, dice)

    bench = Bench(Thrower())
    before = bench.room
    assert bench.refuses(A, Play(Do()), 0) is Refusal.ILLEGAL
    assert bench.room is before
    bench.move(A, 0, B)
    assert bench.room.random_position == 1


def test_resigning_ends_the_game_even_out_of_turn() -> None:
    bench = Bench()
    bench.do(B, Resign(), 0)
    assert bench.over == ((A,), "resigned")
    assert bench.events == [GameOver((A,), "resigned", SEED.hex())]
    for seat in (A, B):
        assert bench.refuses(seat, Resign(), 0) is Refusal.NOT_PLAYING
    assert Bench(seated=1).refuses(A, Resign(), 0) is Refusal.NOT_PLAYING


def test_the_last_move_ends_the_game_in_the_same_version() -> None:
    bench = Bench()
    version = bench.room.version
    bench.do(A, Play(Do(winners=(A,))), 0)
    assert bench.room.version == version + 1
    assert bench.over == ((A,), "said so")
    assert bench.events == [Did(A), GameOver((A,), "said so", SEED.hex())]


# Nonces


def test_the_same_nonce_is_done_once() -> None:
    bench = Bench()
    bench.do(A, Say("hello"), 0, nonce="n")
    assert bench.try_(A, Say("hello"), 0, nonce="n") == Unchanged()
    assert bench.try_(A, Resign(), 0, nonce="n") == Unchanged(), "whatever it is now said to be"
    assert len(bench.room.chat) == 1


def test_a_nonce_is_one_seats_own() -> None:
    bench = Bench()
    bench.do(A, Say("hello"), 0, nonce="n")
    bench.do(B, Say("hello"), 0, nonce="n")
    assert len(bench.room.chat) == 2


def test_a_refused_command_may_be_tried_again_with_its_nonce() -> None:
    bench = Bench()
    assert bench.refuses(B, Play(Do((A,))), 0, nonce="n") is Refusal.NOT_YOUR_TURN
    bench.move(A, 0, B)
    bench.do(B, Play(Do((A,))), 0, nonce="n")


def test_no_nonce_is_no_memory() -> None:
    bench = Bench()
    bench.do(A, Say("hello"), 0)
    bench.do(A, Say("hello"), 0)
    assert not any(bench.room.nonces)


def test_a_seat_is_recognised_by_its_last_nonces_only() -> None:
    bench = Bench()
    for number in range(NONCES_KEPT + 3):
        bench.do(A, Say("hello"), 0, nonce=str(number))
    assert bench.room.nonces[0] == tuple(str(number) for number in range(3, NONCES_KEPT + 3))
    assert bench.try_(A, Say("hello"), 0, nonce="3") == Unchanged()
    assert isinstance(bench.try_(A, Say("hello"), 0, nonce="2"), Advanced)


def test_a_watchers_line_sent_again_is_said_once() -> None:
    bench = Bench()
    bench.do(SPECTATOR, Say("hello", "Eve"), 0, nonce="n")
    assert bench.try_(SPECTATOR, Say("hello", "Eve"), 0, nonce="n") == Unchanged()
    assert len(bench.room.chat) == 1


def test_nobody_elses_nonce_is_taken_for_a_seats() -> None:
    bench = Bench()
    for actor in ODD:
        bench.try_(actor, Say("hello", "Eve"), 0, nonce="n")
    bench.do(SPECTATOR, Say("hello", "Eve"), 0, nonce="n")
    for seat in (A, B):
        bench.do(seat, Say("hello"), 0, nonce="n")
    assert len(bench.room.chat) == 3


# Time


def test_time_never_runs_backwards() -> None:
    bench = Bench()
    bench.do(A, Say("one"), 5_000)
    bench.do(A, Say("two"), 4_000)
    assert bench.room.at == 5_000
    assert [line.at for line in bench.room.chat] == [5_000, 5_000]


def test_what_is_refused_or_unchanged_does_not_move_the_time() -> None:
    bench = Bench()
    before = bench.room
    bench.refuses(B, Play(Do((A,))), 10**9)
    bench.try_(SYSTEM, TimeUp(), 10**9)
    assert bench.room is before


# Values


def test_a_step_writes_on_nothing() -> None:
    bench = Bench(plan=ClockPlan(main=(60_000,)))
    bodies = []
    for actor, command in itertools.product((A, B, SPECTATOR, SYSTEM), EVERY):
        before = msgspec.json.encode(bench.room)
        bench.try_(actor, command, 100, nonce="n")
        bodies.append(msgspec.json.encode(bench.room) == before)
    assert all(bodies)


def test_a_table_out_of_bounds_is_not_read() -> None:
    for raw in (
        b'{"disconnect_timeout":-1}',
        b'{"disconnect_timeout":3601}',
        b'{"disconnect_timeout":true}',
        b'{"public":1}',
        b'{"price":3}',
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(raw, type=TableRules)
    assert msgspec.json.decode(b'{"disconnect_timeout":0}', type=TableRules) == TableRules(
        disconnect_timeout=0
    )


def test_watchers_who_count_from_one_do_not_silence_each_other() -> None:
    bench = Bench()
    bench.do(SPECTATOR, Say("hi", "Eve"), 0, nonce="1")
    bench.do(SPECTATOR, Say("hello", "Dan"), 0, nonce="1")
    assert bench.try_(SPECTATOR, Say("hi", "Eve"), 0, nonce="1") == Unchanged()
    assert [line.text for line in bench.room.chat] == ["hi", "hello"]


def test_closing_a_running_game_reveals_its_seed() -> None:
    bench = Bench()
    seed = bench.room.seed.hex()
    bench.do(SYSTEM, Close(), 0)
    assert [event.seed for event in bench.events if isinstance(event, GameOver)] == [seed]
