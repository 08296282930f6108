"""`step`: order of checks, nonces, versions, times, and phases of a room."""

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
    TakeSeat,
    TimeUp,
)
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.repeated_commands import NONCES_KEPT
from qipai.kernel.room import Advanced, Phase, Refused, Unchanged, deadline
from qipai.kernel.room_events import Closed, GameOver
from qipai.kernel.room_view import view
from qipai.kernel.view_values import TableRulesView

from .scripted_game import SEED, A, B, Did, Do, RoomDriver, ScriptedRules

COMMANDS: tuple[Command, ...] = (
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
SYSTEM_COMMANDS = (TakeSeat, Disconnected, Reconnected, TimeUp, OutageEnded, Close)
OTHER_ACTORS = (Seat(-1), Seat(-2), Seat(-3), Seat(-5), Seat(2), Seat(99), Seat(2**31), Seat(-(2**63)))


def test_a_new_room_is_empty_waiting_and_version_one() -> None:
    room = RoomDriver(seated=0).room
    assert (room.version, room.position_version, room.phase, room.match) == (1, 0, Phase.WAITING, 0)
    assert (room.seed, room.random_key, room.seats, room.nonces) == (SEED, b"", (None, None), ((), (), ()))
    assert (room.state, room.clock, room.result) == (None, None, None)


# Who may do what


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("actor", OTHER_ACTORS)
def test_an_actor_without_a_seat_is_refused_without_an_exception(command: Command, actor: Seat) -> None:
    for driver in (RoomDriver(seated=0), RoomDriver(seated=1), RoomDriver()):
        result = driver.try_(actor, command, 0)
        if (actor == SPECTATOR and isinstance(command, Say)) or (
            actor == SYSTEM and isinstance(command, SYSTEM_COMMANDS)
        ):
            continue
        expected = Refusal.NOT_ALLOWED if isinstance(command, SYSTEM_COMMANDS) else Refusal.NOT_SEATED
        assert result == Refused(expected)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_a_seat_cannot_issue_system_commands(command: Command) -> None:
    if isinstance(command, SYSTEM_COMMANDS):
        assert RoomDriver().refuses(A, command, 0) is Refusal.NOT_ALLOWED


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_every_command_is_refused_in_a_closed_room(command: Command) -> None:
    for phase_before in (0, 1, 2):
        driver = RoomDriver(seated=phase_before)
        driver.do(SYSTEM, Close(), 0)
        assert driver.events[-1] == Closed()
        assert any(isinstance(event, GameOver) for event in driver.events) is (phase_before == 2)
        for actor in (A, B, SPECTATOR, SYSTEM, Seat(99)):
            assert driver.refuses(actor, command, 0) is Refusal.ROOM_CLOSED


def test_closing_a_running_room_stops_its_clock_and_its_offers() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,)))
    driver.do(A, MakeOffer(OfferKind.DRAW), 0)
    driver.do(SYSTEM, Close(), 0)
    assert deadline(driver.room) is None
    assert driver.room.offers == ()
    assert view(driver.rules, driver.room, A, Millis(0)).phase is Phase.CLOSED


# Moves


def test_a_move_is_checked_for_a_game_the_turn_and_legality_in_this_order() -> None:
    assert RoomDriver(seated=1).refuses(A, Play(Do()), 0) is Refusal.NOT_PLAYING
    driver = RoomDriver()
    assert driver.refuses(B, Play(Do()), 0) is Refusal.NOT_YOUR_TURN
    assert driver.refuses(A, Play(Do()), 0) is Refusal.ILLEGAL
    driver.do(A, Play(Do((B,))), 0)
    assert driver.events == [Did(A)]
    assert driver.room.position_version == driver.room.version


def test_a_move_for_an_older_position_is_stale() -> None:
    driver = RoomDriver()
    version = driver.room.version
    driver.move(A, 0, B)
    for old in range(1, driver.room.position_version):
        assert driver.refuses(B, Play(Do((A,))), 0, at_version=old) is Refusal.STALE
    assert version < driver.room.position_version
    driver.do(B, Play(Do((A,))), 0, at_version=driver.room.position_version)


def test_a_move_for_any_version_or_the_current_position_is_accepted() -> None:
    for at_version in (0, -1):
        driver = RoomDriver()
        driver.move(A, 0, B)
        driver.do(B, Play(Do((A,))), 0, at_version=at_version)
    driver = RoomDriver()
    driver.do(B, Say("hm"), 0)
    driver.do(A, Play(Do((B,))), 0, at_version=driver.room.version)


def test_a_move_advances_the_random_position() -> None:
    driver = RoomDriver()
    driver.move(A, 0, A, rolls=2)
    (first,) = driver.events
    assert driver.room.random_position == 2
    driver.move(A, 0, B, rolls=3)
    (second,) = driver.events
    assert driver.room.random_position == 5
    other = RoomDriver()
    other.move(A, 0, B, rolls=5)
    assert other.events[0].rolled == first.rolled + second.rolled


def test_a_refused_move_uses_no_randomness() -> None:
    class DrawingRules(ScriptedRules):
        """Rules that draw before they check whether the move is legal."""

        def play(self, state, seat, move, random):  # type: ignore[no-untyped-def] # as in ScriptedRules
            """Draw, then check."""
            random.below(6)
            return super().play(state, seat, move, random)

    driver = RoomDriver(DrawingRules())
    before = driver.room
    assert driver.refuses(A, Play(Do()), 0) is Refusal.ILLEGAL
    assert driver.room is before
    driver.move(A, 0, B)
    assert driver.room.random_position == 1


def test_resigning_ends_the_game_even_out_of_turn() -> None:
    driver = RoomDriver()
    driver.do(B, Resign(), 0)
    assert driver.over == ((A,), "resigned")
    assert driver.events == [GameOver((A,), "resigned", SEED.hex())]
    for seat in (A, B):
        assert driver.refuses(seat, Resign(), 0) is Refusal.NOT_PLAYING
    assert RoomDriver(seated=1).refuses(A, Resign(), 0) is Refusal.NOT_PLAYING


def test_the_last_move_ends_the_game_in_the_same_version() -> None:
    driver = RoomDriver()
    version = driver.room.version
    driver.do(A, Play(Do(winners=(A,))), 0)
    assert driver.room.version == version + 1
    assert driver.over == ((A,), "named")
    assert driver.events == [Did(A), GameOver((A,), "named", SEED.hex())]


# Nonces


def test_a_repeated_nonce_is_carried_out_once() -> None:
    driver = RoomDriver()
    driver.do(A, Say("hello"), 0, nonce="n")
    assert driver.try_(A, Say("hello"), 0, nonce="n") == Unchanged()
    assert driver.try_(A, Resign(), 0, nonce="n") == Unchanged(), "even with another command"
    assert len(driver.room.chat) == 1


def test_two_seats_may_use_the_same_nonce() -> None:
    driver = RoomDriver()
    driver.do(A, Say("hello"), 0, nonce="n")
    driver.do(B, Say("hello"), 0, nonce="n")
    assert len(driver.room.chat) == 2


def test_a_refused_command_may_be_repeated_with_its_nonce() -> None:
    driver = RoomDriver()
    assert driver.refuses(B, Play(Do((A,))), 0, nonce="n") is Refusal.NOT_YOUR_TURN
    driver.move(A, 0, B)
    driver.do(B, Play(Do((A,))), 0, nonce="n")


def test_a_command_without_a_nonce_is_not_remembered() -> None:
    driver = RoomDriver()
    driver.do(A, Say("hello"), 0)
    driver.do(A, Say("hello"), 0)
    assert not any(driver.room.nonces)


def test_only_the_last_nonces_of_a_seat_are_stored() -> None:
    driver = RoomDriver()
    for number in range(NONCES_KEPT + 3):
        driver.do(A, Say("hello"), 0, nonce=str(number))
    assert driver.room.nonces[0] == tuple(str(number) for number in range(3, NONCES_KEPT + 3))
    assert driver.try_(A, Say("hello"), 0, nonce="3") == Unchanged()
    assert isinstance(driver.try_(A, Say("hello"), 0, nonce="2"), Advanced)


def test_a_repeated_line_of_a_spectator_is_added_once() -> None:
    driver = RoomDriver()
    driver.do(SPECTATOR, Say("hello", "Eve"), 0, nonce="n")
    assert driver.try_(SPECTATOR, Say("hello", "Eve"), 0, nonce="n") == Unchanged()
    assert len(driver.room.chat) == 1


def test_nonces_of_other_actors_do_not_block_a_seat() -> None:
    driver = RoomDriver()
    for actor in OTHER_ACTORS:
        driver.try_(actor, Say("hello", "Eve"), 0, nonce="n")
    driver.do(SPECTATOR, Say("hello", "Eve"), 0, nonce="n")
    for seat in (A, B):
        driver.do(seat, Say("hello"), 0, nonce="n")
    assert len(driver.room.chat) == 3


# Time


def test_the_time_of_a_room_never_decreases() -> None:
    driver = RoomDriver()
    driver.do(A, Say("one"), 5_000)
    driver.do(A, Say("two"), 4_000)
    assert driver.room.at == 5_000
    assert [line.at for line in driver.room.chat] == [5_000, 5_000]


def test_a_refused_or_unchanged_command_does_not_change_the_time() -> None:
    driver = RoomDriver()
    before = driver.room
    driver.refuses(B, Play(Do((A,))), 10**9)
    driver.try_(SYSTEM, TimeUp(), 10**9)
    assert driver.room is before


# Immutability


def test_a_step_does_not_mutate_the_room() -> None:
    driver = RoomDriver(plan=ClockPlan(main=(60_000,)))
    bodies = []
    for actor, command in itertools.product((A, B, SPECTATOR, SYSTEM), COMMANDS):
        before = msgspec.json.encode(driver.room)
        driver.try_(actor, command, 100, nonce="n")
        bodies.append(msgspec.json.encode(driver.room) == before)
    assert all(bodies)


def test_table_rules_out_of_bounds_are_rejected() -> None:
    for raw in (
        b'{"disconnect_timeout":-1}',
        b'{"disconnect_timeout":3601}',
        b'{"disconnect_timeout":true}',
        b'{"public":1}',
        b'{"price":3}',
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(raw, type=TableRulesView)
    assert msgspec.json.decode(b'{"disconnect_timeout":0}', type=TableRulesView) == TableRulesView(
        disconnect_timeout=0
    )


def test_spectators_with_the_same_nonces_do_not_block_each_other() -> None:
    driver = RoomDriver()
    driver.do(SPECTATOR, Say("hi", "Eve"), 0, nonce="1")
    driver.do(SPECTATOR, Say("hello", "Dan"), 0, nonce="1")
    assert driver.try_(SPECTATOR, Say("hi", "Eve"), 0, nonce="1") == Unchanged()
    assert [line.text for line in driver.room.chat] == ["hi", "hello"]


def test_closing_a_running_game_reveals_its_seed() -> None:
    driver = RoomDriver()
    seed = driver.room.seed.hex()
    driver.do(SYSTEM, Close(), 0)
    assert [event.seed for event in driver.events if isinstance(event, GameOver)] == [seed]
