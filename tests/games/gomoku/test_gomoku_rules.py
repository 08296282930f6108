"""Gomoku: turns, refusals, full boards, taking back, changing colours, time, and moves from the wire."""

from typing import Any

import msgspec
import pytest

from qipai.games.game_registry import GAMES
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import PLACES, FiveInRow, Options, Place, Placed, View
from qipai.kernel.clock import ClockPlan
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import AnswerOffer, Command, LeaveSeat, MakeOffer, Play, Resign, TimeUp
from qipai.kernel.game_interface.rules_interface import IllegalCommand, Outcome
from qipai.kernel.ids import SPECTATOR, SYSTEM, Seat
from qipai.kernel.offers import COOL_DOWN, OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.room_events import (
    GameOver,
    GameStarted,
    MoveUndone,
    OfferAnswered,
    OfferEnded,
    SidesSwapped,
)
from tests.kernel.scripted_game import SEED, RoomDriver

from .gomoku_table import DICE, Picture, cells_of, pictures, play, played, stones

A, B = Seat(0), Seat(1)
DRAW, UNDO, SWAP, REMATCH = OfferKind.DRAW, OfferKind.UNDO, OfferKind.SWAP, OfferKind.REMATCH
GAME = GAMES["gomoku"]
FIVE = cells_of("F8 F1 G8 G1 H8 H1 I8 I1 J8")
"""A game that black wins with its fifth stone."""


def table(cells: list[int] | None = None, **more: Any) -> RoomDriver:
    driver = RoomDriver(RULES, **more)
    for cell in cells or []:
        put(driver, cell)
    return driver


def put(driver: RoomDriver, cell: int, now: int = 0) -> None:
    (seat,) = RULES.to_act(driver.state)
    driver.do(seat, Play(PLACES[cell]), now)


def agree(driver: RoomDriver, seat: Seat, kind: OfferKind, now: int = 0) -> None:
    driver.do(seat, MakeOffer(kind), now)
    driver.do(1 - seat, AnswerOffer(driver.room.offered, yes=True), now)


def refused(state: State, seat: int, move: Place) -> Refusal:
    with pytest.raises(IllegalCommand) as no:
        RULES.play(state, Seat(seat), move, DICE)
    return no.value.code


# Turns


@pytest.mark.parametrize("black", [0, 1])
def test_black_begins_and_they_take_turns(black: int) -> None:
    state = State(Seat(black))
    for number, cell in enumerate((112, 0, 224, 14)):
        mover = Seat(black if number % 2 == 0 else 1 - black)
        assert RULES.to_act(state) == (mover,)
        assert refused(state, 1 - mover, PLACES[100]) is Refusal.NOT_YOUR_TURN
        state, events = play(state, cell)
        assert events == [Placed(mover, cell % 15, cell // 15)]
    assert list(state.moves) == [112, 0, 224, 14]
    assert stones(state)[7][7] == stones(state)[14][14] == 1
    assert stones(state)[0][0] == stones(state)[14][0] == 2


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (15, 0), (0, 15), (-16, 1), (31, -1), (10**9, 0)])
def test_a_point_outside_the_board_is_out_of_range(x: int, y: int) -> None:
    assert refused(State(A), 0, Place(x, y)) is Refusal.OUT_OF_RANGE
    assert refused(State(A), 1, Place(x, y)) is Refusal.NOT_YOUR_TURN, "whose turn it is comes first"


@pytest.mark.parametrize("cell", range(225))
def test_a_stone_stays_where_it_is(cell: int) -> None:
    state = played([cell])
    assert refused(state, 1, PLACES[cell]) is Refusal.OCCUPIED
    assert len(RULES.legal(state, B)) == 224
    assert PLACES[cell] not in RULES.legal(state, B)
    assert RULES.legal(state, A) == ()


def test_refusals_come_in_the_order_of_the_rules() -> None:
    driver = table([112])
    assert driver.refuses(SPECTATOR, Play(Place(99, 99)), 0) is Refusal.NOT_SEATED
    assert driver.refuses(A, Play(Place(99, 99)), 0) is Refusal.NOT_YOUR_TURN
    assert driver.refuses(B, Play(Place(99, 99)), 0) is Refusal.OUT_OF_RANGE
    assert driver.refuses(B, Play(PLACES[112]), 0) is Refusal.OCCUPIED
    driver.do(A, Resign(), 0)
    assert driver.refuses(B, Play(PLACES[112]), 0) is Refusal.NOT_PLAYING
    assert RoomDriver(RULES, seated=1).refuses(A, Play(PLACES[112]), 0) is Refusal.NOT_PLAYING


# The end


def test_a_won_game_tells_the_stone_the_line_and_the_end_in_this_order() -> None:
    driver = table(FIVE)
    cells = tuple(cells_of("F8 G8 H8 I8 J8"))
    assert driver.events == [Placed(A, 9, 7), FiveInRow(cells), GameOver((A,), "five", SEED.hex())]
    assert driver.over == ((A,), "five")
    assert RULES.view(driver.state, SPECTATOR) == View(A, B, tuple(FIVE), cells)


@pytest.mark.parametrize("case", pictures("gomoku_draws.txt"), ids=lambda case: case.title)
def test_a_full_board_is_a_draw_and_the_game_is_open_until_its_last_stone(case: Picture) -> None:
    # In the older program a full board never ended.
    black, white = case.cells["X"], case.cells["O"]
    assert (len(black), len(white)) == (113, 112)
    order = [cell for pair in zip(black, white, strict=False) for cell in pair]
    driver = table(order)
    assert driver.room.phase is Phase.PLAYING
    assert RULES.to_act(driver.state) == (A,)
    assert RULES.legal(driver.state, A) == (PLACES[black[-1]],)
    put(driver, black[-1])
    assert driver.events == [
        Placed(A, black[-1] % 15, black[-1] // 15),
        GameOver((), "full", SEED.hex()),
    ]
    assert driver.over == ((), "full")
    assert driver.state.line == ()
    assert RULES.undo(driver.state, A) is None
    assert driver.refuses(B, Play(PLACES[0]), 0) is Refusal.NOT_PLAYING


def test_a_line_with_the_very_last_stone_wins() -> None:
    (case, _) = pictures("gomoku_draws.txt")
    black, white = list(case.cells["X"]), list(case.cells["O"])
    # Two white stones of the top row become black, and two black ones elsewhere white.
    for cell in (2, 3):
        white.remove(cell)
        black.append(cell)
    for cell in (56, 111):
        black.remove(cell)
        white.append(cell)
    black.remove(2)
    black.append(2)
    order = [cell for pair in zip(black, white, strict=False) for cell in pair]
    state = played([*order, black[-1]])
    assert len(state.moves) == 225
    assert RULES.outcome(state) == Outcome((A,), "five")
    assert list(state.line) == list(range(6))


def test_after_the_end_nothing_moves() -> None:
    driver = table(FIVE)
    commands: list[Command] = [Play(PLACES[0]), Resign(), *map(MakeOffer, (DRAW, UNDO, SWAP))]
    for command in commands:
        for seat in (A, B):
            assert driver.refuses(seat, command, 0) is Refusal.NOT_PLAYING
    assert RULES.undo(driver.state, A) is RULES.undo(driver.state, B) is None


# Taking back


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("seat", [A, B])
def test_either_seat_may_ask_and_exactly_the_last_stone_goes(seat: Seat, count: int) -> None:
    driver = table(FIVE[:count])
    before = table(FIVE[: count - 1]).state
    agree(driver, seat, UNDO)
    assert driver.state == before
    assert driver.events == [
        OfferAnswered(1, UNDO, Seat(1 - seat), yes=True),
        MoveUndone(RULES.view(before, SPECTATOR)),
    ]
    assert RULES.to_act(driver.state) == (Seat((count - 1) % 2),), "the colour of that stone is to move"
    put(driver, FIVE[count - 1])


def test_there_is_nothing_to_take_back_on_an_empty_board() -> None:
    driver = table()
    assert driver.refuses(A, MakeOffer(UNDO), 0) is Refusal.NOTHING_TO_UNDO
    driver = table([112])
    agree(driver, B, UNDO)
    assert driver.refuses(A, MakeOffer(UNDO), 0) is Refusal.NOTHING_TO_UNDO


def test_an_unasked_for_or_forged_answer_takes_nothing_back() -> None:
    driver = table([112, 113])
    for seat in (A, B):
        for number in (0, 1, 2):
            assert driver.refuses(seat, AnswerOffer(number, yes=True), 0) is Refusal.NOT_OFFERED
    driver.do(A, MakeOffer(UNDO), 0)
    assert driver.refuses(A, AnswerOffer(1, yes=True), 0) is Refusal.NOT_ASKED
    assert driver.refuses(SPECTATOR, AnswerOffer(1, yes=True), 0) is Refusal.NOT_SEATED
    put(driver, 114)
    assert driver.events[-1] == OfferEnded(1)
    assert driver.refuses(B, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED
    assert len(driver.state.moves) == 3


# Changing colours


@pytest.mark.parametrize("seat", [A, B])
def test_before_the_first_stone_colours_are_changed_by_agreement(seat: Seat) -> None:
    driver = table()
    agree(driver, seat, SWAP)
    assert driver.state == State(B)
    assert driver.events == [
        OfferAnswered(1, SWAP, Seat(1 - seat), yes=True),
        SidesSwapped(View(B, B, (), ())),
    ]
    assert driver.room.position_version == driver.room.version
    assert driver.refuses(A, Play(PLACES[0]), 0) is Refusal.NOT_YOUR_TURN
    put(driver, 112)
    assert driver.events == [Placed(B, 7, 7)]


def test_a_no_changes_no_colours_and_has_to_be_waited_out() -> None:
    driver = table()
    driver.do(B, MakeOffer(SWAP), 0)
    driver.do(A, AnswerOffer(1, yes=False), 0)
    assert driver.state == State(A)
    assert driver.refuses(B, MakeOffer(SWAP), COOL_DOWN - 1) is Refusal.TOO_SOON
    agree(driver, A, SWAP)
    assert driver.state == State(B)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_with_a_stone_on_the_board_colours_stay(count: int) -> None:
    driver = table(FIVE[:count])
    for seat in (A, B):
        assert driver.refuses(seat, MakeOffer(SWAP), 0) is Refusal.NOT_ALLOWED
    assert RULES.swap(driver.state) is None


def test_a_stone_ends_a_standing_swap_offer_of_either_seat() -> None:
    for seat in (A, B):
        driver = table()
        driver.do(seat, MakeOffer(SWAP), 0)
        put(driver, 112)
        assert driver.events == [Placed(A, 7, 7), OfferEnded(1)]
        assert driver.refuses(1 - seat, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED
        assert driver.state.black == A


def test_only_the_other_seat_may_accept_a_swap() -> None:
    # The older program swapped on an unasked answer, even from the lobby.
    driver = table()
    for seat in (A, B):
        assert driver.refuses(seat, AnswerOffer(1, yes=True), 0) is Refusal.NOT_OFFERED
    driver.do(A, MakeOffer(SWAP), 0)
    assert driver.refuses(A, AnswerOffer(1, yes=True), 0) is Refusal.NOT_ASKED
    assert driver.refuses(SPECTATOR, AnswerOffer(1, yes=True), 0) is Refusal.NOT_SEATED
    assert driver.state.black == A


def test_an_undo_to_the_empty_board_lets_colours_be_changed_again() -> None:
    driver = table([112])
    agree(driver, A, UNDO)
    agree(driver, A, SWAP)
    assert driver.state == State(B)


# The next game


def test_the_first_seat_has_black_in_the_first_game() -> None:
    assert RULES.deal(Options(), Random(SEED)) == State(A)
    assert table().state == State(A)


def test_a_rematch_changes_colours_every_time() -> None:
    driver = table(FIVE)
    blacks = []
    for _ in range(4):
        agree(driver, A, REMATCH)
        assert isinstance(driver.events[-1], GameStarted)
        assert driver.events[-1].position == View(driver.state.black, driver.state.black, (), ())
        blacks.append(driver.state.black)
        driver.do(B, Resign(), 0)
    assert blacks == [B, A, B, A]


def test_a_rematch_changes_the_colours_that_were_played_after_a_swap() -> None:
    driver = table()
    agree(driver, A, SWAP)
    driver.do(A, Resign(), 0)
    agree(driver, B, REMATCH)
    assert driver.state == State(A)


@pytest.mark.parametrize("leaver", [A, B])
def test_a_new_opponent_gets_an_empty_board_and_the_same_colours(leaver: Seat) -> None:
    driver = table()
    agree(driver, A, SWAP)
    put(driver, 112)
    driver.do(leaver, LeaveSeat(), 0)
    assert driver.over == ((Seat(1 - leaver),), "left")
    driver.take_seat("Cyd", 0)
    assert driver.room.phase is Phase.PLAYING
    assert driver.state == State(B)


# Ends without a stone


@pytest.mark.parametrize("seat", [A, B])
def test_who_gives_up_loses(seat: Seat) -> None:
    driver = table([112])
    driver.do(seat, Resign(), 0)
    assert driver.over == ((Seat(1 - seat),), "resigned")


def test_a_draw_may_be_agreed() -> None:
    driver = table([112])
    agree(driver, A, DRAW)
    assert driver.over == ((), "agreed")


@pytest.mark.parametrize("plan", [ClockPlan(move=30_000), ClockPlan(main=(30_000,))])
def test_running_out_of_time_loses_and_puts_no_stone(plan: ClockPlan) -> None:
    # The older program put a stone at random instead.
    driver = table(plan=plan)
    put(driver, 112, now=29_999)
    assert driver.refuses(B, Play(PLACES[0]), 59_999) is Refusal.TOO_LATE
    driver.do(SYSTEM, TimeUp(), 59_999)
    assert driver.over == ((A,), "time")
    assert list(driver.state.moves) == [112]


def test_every_stone_has_thirty_seconds_of_its_own() -> None:
    driver = table(plan=ClockPlan(move=30_000))
    for number in range(8):
        put(driver, FIVE[number], now=(number + 1) * 29_999)
    assert driver.room.phase is Phase.PLAYING


# From the wire


def test_each_point_can_be_played_from_the_wire() -> None:
    for cell, place in enumerate(PLACES):
        raw = f'{{"do":"place","x":{cell % 15},"y":{cell // 15}}}'.encode()
        assert GAME.decode_move(raw) == place
        assert GAME.read_move(msgspec.json.decode(raw), GAME.rules_number) == place
        assert msgspec.json.encode(place) == raw


@pytest.mark.parametrize(
    "bad", ['"0"', "1.5", "1.0", "null", "true", "[3]", "{}", "-1", "19", "1e2", "99999999999999999999"]
)
def test_what_is_no_coordinate_is_no_move(bad: str) -> None:
    # In the older program "0" put a stone without passing the turn, and others crashed it.
    for raw in (f'{{"do":"place","x":{bad},"y":0}}', f'{{"do":"place","x":0,"y":{bad}}}'):
        with pytest.raises(msgspec.MsgspecError):
            GAME.decode_move(raw.encode())
        with pytest.raises(Malformed):
            GAME.read_move(msgspec.json.decode(raw), GAME.rules_number)


@pytest.mark.parametrize(
    "raw", ["null", "[]", "{}", '{"do":"mark","x":0,"y":0}', '{"x":0}', '{"x":0,"y":0,"z":0}']
)
def test_anything_else_is_no_move(raw: str) -> None:
    with pytest.raises(msgspec.MsgspecError):
        GAME.decode_move(raw.encode())


@pytest.mark.parametrize("value", [{"size": 17}, {"size": "19"}, {"rule": "swap"}, {"komi": 1}, [], "x", 1])
def test_other_options_are_refused(value: Any) -> None:
    assert GAME.read_chosen_options(None) == GAME.read_chosen_options({}) == Options()
    assert GAME.read_chosen_options({"rule": "free", "size": 15}) == Options()
    with pytest.raises(Malformed):
        GAME.read_chosen_options(value)


def test_everybody_sees_everything() -> None:
    assert not RULES.hidden(Options())
    state = played(FIVE[:5], black=1)
    for viewer in (A, B, SPECTATOR):
        assert RULES.view(state, viewer) == View(B, A, tuple(FIVE[:5]), ())
