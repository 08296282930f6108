"""What an older tic-tac-toe server got wrong about the rules, and this one does not."""

from msgspec import json

from qipai.games.game_registry import GAMES
from qipai.games.tictactoe.rules import Mark, Next, Options
from qipai.kernel.commands import (
    AnswerOffer,
    Command,
    LeaveSeat,
    MakeOffer,
    OpenRoom,
    Play,
    Resign,
    TableRules,
    TakeSeat,
)
from qipai.kernel.ids import SPECTATOR, SYSTEM, Code, Millis, Person, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Advanced, AnyRoom, Phase, Refused, Unchanged, create
from qipai.kernel.step import step

from .tictactoe_table import TAKEN

GAME = GAMES["tictactoe"]


def opened(*persons: str) -> AnyRoom:
    command = OpenRoom(RoomId("room"), Code("1234"), GAME.name, Options(), TableRules())
    room = create(GAME.rules, command, Millis(0), bytes(32))
    for person in persons:
        room = done(room, SYSTEM, TakeSeat(Person(person), person))
    return room


def done(room: AnyRoom, actor: int, command: Command) -> AnyRoom:
    result = step(GAME.rules, room, Seat(actor), command, Millis(0), b"e" * 32)
    assert isinstance(result, Advanced), (command, result)
    return result.room


def refused(room: AnyRoom, actor: int, command: Command) -> Refusal:
    result = step(GAME.rules, room, Seat(actor), command, Millis(0), b"e" * 32)
    assert isinstance(result, Refused), (command, result)
    return result.code


def after(room: AnyRoom, kind: str) -> AnyRoom:
    """Return the room after one more round that went this way."""
    for cell in TAKEN[kind]:
        room = done(room, turn(room), Play(Mark(cell)))
    return room


def turn(room: AnyRoom) -> Seat:
    assert room.state is not None
    seat: Seat = room.state.turn
    return seat


def finished() -> AnyRoom:
    room = opened("ann", "bob")
    for number in range(5):
        room = after(room if number == 0 else done(room, 0, Play(Next())), "draw")
    return room


def test_a_player_is_not_paired_with_the_same_person() -> None:
    room = opened("ann")
    result = step(GAME.rules, room, SYSTEM, TakeSeat(Person("ann"), "ann"), Millis(0), b"e" * 32)
    assert result == Unchanged()


def test_a_lost_round_is_not_wiped_by_asking_for_the_next() -> None:
    room = opened("ann", "bob")
    for cell in TAKEN["first"][:-1]:
        room = done(room, turn(room), Play(Mark(cell)))
    before = json.encode(room)
    for actor in (0, 1, SPECTATOR):
        refused(room, actor, Play(Next()))
    assert json.encode(room) == before


def test_two_who_go_on_at_once_skip_no_round() -> None:
    for first, second in ((0, 1), (1, 0)):
        room = done(after(opened("ann", "bob"), "first"), first, Play(Next()))
        assert refused(room, second, Play(Next())) in {Refusal.STALE, Refusal.NOT_YOUR_TURN}
        assert refused(room, first, Play(Next())) in {Refusal.STALE, Refusal.NOT_YOUR_TURN}
        assert room.state is not None
        assert room.state.round == 1


def test_a_match_is_not_ended_or_prolonged_by_going_on_in_round_five() -> None:
    room = opened("ann", "bob")
    for _ in range(4):
        room = done(after(room, "draw"), 0, Play(Next()))
    for seat in (0, 1):
        refused(room, seat, Play(Next()))
    assert room.phase is Phase.PLAYING
    over = finished()
    assert over.phase is Phase.OVER
    for seat in (0, 1):
        assert refused(over, seat, Play(Next())) is Refusal.NOT_PLAYING


def test_a_waiting_room_is_not_corrupted_by_going_on() -> None:
    room = opened("ann")
    for move in (Next(), Mark(4)):
        assert refused(room, 0, Play(move)) is Refusal.NOT_PLAYING
        assert refused(room, 1, Play(move)) is Refusal.NOT_SEATED
    assert done(room, SYSTEM, TakeSeat(Person("bob"), "bob")).state == opened("ann", "bob").state


def test_a_new_match_in_the_middle_of_one_is_refused_and_the_score_stays() -> None:
    room = after(opened("ann", "bob"), "first")
    for seat in (0, 1):
        assert refused(room, seat, MakeOffer(OfferKind.REMATCH)) is Refusal.STILL_PLAYING
    going = done(room, 0, Play(Next()))
    for seat in (0, 1):
        assert refused(going, seat, MakeOffer(OfferKind.REMATCH)) is Refusal.STILL_PLAYING
    assert going.state is not None
    assert sum(going.state.wins) == 1


def test_a_new_match_after_one_begins_from_nothing_with_left() -> None:
    room = done(finished(), 0, MakeOffer(OfferKind.REMATCH))
    room = done(room, 1, AnswerOffer(room.offers[0].id, yes=True))
    state = room.state
    assert state is not None
    assert (state.wins, state.draws, state.round, state.board) == ((0, 0), 0, 0, "." * 9)
    assert state.first == state.turn == state.left
    assert room.match == 2


def test_only_the_two_players_mark_and_only_in_turn() -> None:
    room = opened("ann", "bob")
    for actor in (SPECTATOR, SYSTEM, 2, 99, -5):
        assert refused(room, actor, Play(Mark(4))) is Refusal.NOT_SEATED
    assert refused(room, 1 - turn(room), Play(Mark(4))) is Refusal.NOT_YOUR_TURN


def test_a_finished_match_blocks_no_other_match() -> None:
    room = finished()
    room = done(room, 1, LeaveSeat())
    room = done(room, SYSTEM, TakeSeat(Person("cyd"), "cyd"))
    assert (room.phase, room.match) == (Phase.PLAYING, 2)
    assert done(room, 1, Resign()).phase is Phase.OVER
