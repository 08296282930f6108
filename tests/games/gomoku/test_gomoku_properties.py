"""Gomoku: the numbered correctness properties that concern rules and rooms, against a slow oracle."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.games.game_registry import GAMES
from qipai.games.gomoku.lines import GRIDS
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import PLACES
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import read_room
from qipai.kernel.commands import AnswerOffer, LeaveSeat, MakeOffer, Play, Resign, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Person, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase, Refused
from qipai.kernel.room_view import view
from qipai.testing.runs import runs
from tests.kernel.scripted_game import RoomDriver
from tests.laws.subjects import SUBJECTS
from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.journal_writer import snapshot_of

from .gomoku_table import DICE, board_of, pictures, random_cells, random_game, stones, winning

A, B = Seat(0), Seat(1)
GAME = GAMES["gomoku"]
EMPTY = [[0] * 15 for _ in range(15)]

seeds = st.integers(0, 2**32)
widths = st.integers(4, 15)
"""Size of the area of play: the smaller, the earlier a win."""
lengths = st.integers(0, 120)
seats = st.sampled_from((A, B))


def to_move(driver: RoomDriver) -> Seat:
    (seat,) = RULES.to_act(driver.state)
    return seat


def running(seed: int, width: int, length: int) -> RoomDriver:
    """Return a table with a game in progress, with either colours and about so many stones."""
    driver = RoomDriver(RULES)
    if seed % 2:
        driver.do(A, MakeOffer(OfferKind.SWAP), 0)
        driver.do(B, AnswerOffer(1, yes=True), 0)
    for cell in random_cells(seed, width)[:length]:
        seat, move = to_move(driver), PLACES[cell]
        if RULES.outcome(RULES.play(driver.state, seat, move, DICE).state) is None:
            driver.do(seat, Play(move), 0)
    assert driver.room.phase is Phase.PLAYING
    return driver


def ended(seed: int, width: int, length: int, how: str) -> RoomDriver:
    """Return a table whose game has ended: on the board, by a full one, or in another way."""
    driver = running(seed, width, length)
    if how == "five":
        for cell in random_cells(seed, 4):
            if driver.room.phase is Phase.PLAYING and cell not in driver.state.moves:
                driver.do(to_move(driver), Play(PLACES[cell]), 0)
    elif how == "full":
        driver = RoomDriver(RULES)
        cells = pictures("gomoku_draws.txt")[seed % 2].cells
        for number in range(225):
            driver.do(to_move(driver), Play(PLACES[cells["XO"[number % 2]][number // 2]]), 0)
    elif how == "agreed":
        driver.do(A, MakeOffer(OfferKind.DRAW), 0)
        driver.do(B, MakeOffer(OfferKind.DRAW), 0)
    else:
        driver.do(seed % 3 % 2, Resign() if how == "resigned" else LeaveSeat(), 0)
    assert driver.room.result is not None
    assert driver.room.result.reason in (how, "full")
    return driver


@settings(max_examples=200)
@given(data=st.data())
def test_property_2_room_state_serialization_round_trip(data: st.DataObject) -> None:
    """Property 2: Room State Serialization Round-Trip."""
    for room in data.draw(runs(SUBJECTS["gomoku"])).rooms:
        body = snapshot_of(room)
        again = read_room(GAME, body)
        assert again == room
        assert snapshot_of(again) == body
        assert encode(json.loads(body)) == body, "it is plain JSON"
        for name in ("state", "seats", "chat", "nonces", "clock", "offers", "result"):
            assert getattr(again, name) == getattr(room, name)
        if room.state is not None:
            assert isinstance(again.state, State)
            assert stones(again.state) == stones(room.state) == board_of(room.state.moves)


@settings(max_examples=200)
@given(seed=st.binary(min_size=32, max_size=32), rng=st.binary(max_size=32), length=lengths)
def test_property_3_room_id_uniqueness_and_format(seed: bytes, rng: bytes, length: int) -> None:
    """Property 3: Room ID Uniqueness and Format. Here: the initial board is 15×15 and empty, every time."""
    driver = RoomDriver(RULES, seated=1, seed=seed)
    driver.take_seat("Bob", 0, player_entropy=rng)
    for _ in range(2):
        assert stones(driver.state) == EMPTY
        assert (len(EMPTY), {len(column) for column in EMPTY}) == (15, {15})
        position = view(RULES, driver.room, SPECTATOR, driver.room.at).position
        assert (position.moves, position.line) == ((), ())
        assert position.turn == position.black
        for cell in random_cells(length, 15)[:length]:
            if driver.room.phase is Phase.PLAYING:
                driver.do(to_move(driver), Play(PLACES[cell]), 0)
        if driver.room.phase is Phase.PLAYING:
            driver.do(A, Resign(), 0)
        driver.do(A, MakeOffer(OfferKind.REMATCH), 0)
        driver.do(B, MakeOffer(OfferKind.REMATCH), 0)


@settings(max_examples=200)
@given(seed=seeds, width=widths, length=st.integers(1, 120))
def test_property_5_occupied_position_rejection(seed: int, width: int, length: int) -> None:
    """Property 5: Occupied Position Rejection."""
    driver = running(seed, width, length)
    room, board = driver.room, board_of(driver.state.moves)
    for cell in range(225):
        if board[cell % 15][cell // 15] != 0:
            assert driver.refuses(to_move(driver), Play(PLACES[cell]), 0) is Refusal.OCCUPIED
    assert driver.room is room
    assert stones(driver.state) == board


@settings(max_examples=200)
@given(seed=seeds, width=widths, length=lengths, cells=st.lists(st.integers(0, 224), min_size=1, max_size=20))
def test_property_6_turn_enforcement(seed: int, width: int, length: int, cells: list[int]) -> None:
    """Property 6: Turn Enforcement."""
    driver = running(seed, width, length)
    room, board = driver.room, board_of(driver.state.moves)
    colour = len(driver.state.moves) % 2
    mover = driver.state.black if colour == 0 else Seat(1 - driver.state.black)
    assert to_move(driver) == mover
    for cell in cells:
        assert driver.refuses(1 - mover, Play(PLACES[cell]), 0) is Refusal.NOT_YOUR_TURN
        assert driver.refuses(SPECTATOR, Play(PLACES[cell]), 0) is Refusal.NOT_SEATED
    assert driver.room is room
    assert stones(driver.state) == board


@settings(max_examples=400)
@given(seed=seeds, density=st.integers(20, 95), cell=st.integers(0, 224), plant=st.integers(0, 9))
def test_property_7_win_detection_correctness(seed: int, density: int, cell: int, plant: int) -> None:
    """Property 7: Win Detection Correctness. Any board at all, half of them with a line planted."""
    chance = random.Random(seed)
    colour = 1 + seed % 2
    board = [
        [chance.choice((1, 2)) if chance.randrange(100) < density else 0 for _ in range(15)]
        for _ in range(15)
    ]
    x, y = cell % 15, cell // 15
    if plant:
        right, down = ((1, 0), (0, 1), (1, 1), (1, -1))[plant % 4]
        back = chance.randrange(plant + 1)
        for far in range(-back, plant - back):
            a, b = x + far * right, y + far * down
            if 0 <= a <= 14 and 0 <= b <= 14:
                board[a][b] = colour
    board[x][y] = colour
    mine = sum(GRIDS[15].bits[number] for number in range(225) if board[number % 15][number // 15] == colour)
    assert list(GRIDS[15].winning_line(mine, cell)) == winning(board, x, y)


@settings(max_examples=200)
@given(seed=seeds, width=widths)
def test_property_7_win_detection_correctness_in_games(seed: int, width: int) -> None:
    """Property 7: Win Detection Correctness. Every stone of whole games, up to the one that wins."""
    states = random_game(seed, width, 225)
    for state in states[1:]:
        x, y = state.moves[-1] % 15, state.moves[-1] // 15
        found = winning(board_of(state.moves), x, y)
        assert list(state.line) == found
        outcome = RULES.outcome(state)
        if found:
            last = state.black if len(state.moves) % 2 else Seat(1 - state.black)
            assert outcome is not None
            assert (outcome.winners, outcome.reason) == ((last,), "five")
            assert state is states[-1]
        else:
            assert (outcome is None) is (len(state.moves) < 225)


@settings(max_examples=200)
@given(
    seed=seeds,
    width=widths,
    length=lengths,
    how=st.sampled_from(("five", "five", "full", "agreed", "resigned", "left")),
    cells=st.lists(st.integers(0, 224), min_size=1, max_size=20),
)
def test_property_8_post_game_move_prevention(
    seed: int, width: int, length: int, how: str, cells: list[int]
) -> None:
    """Property 8: Post-Game Move Prevention."""
    driver = ended(seed, width, length, how)
    room = driver.room
    free = [cell for cell in range(225) if cell not in driver.state.moves][:5]
    for cell in cells + free:
        for seat in (A, B):
            reasons = {Refusal.NOT_PLAYING} if driver.room.seats[seat] else {Refusal.NOT_SEATED}
            assert driver.refuses(seat, Play(PLACES[cell]), 0) in reasons
    assert driver.room is room


@settings(max_examples=200)
@given(seed=seeds, width=widths, length=st.integers(1, 120), asker=seats)
def test_property_9_undo_operation_correctness(seed: int, width: int, length: int, asker: Seat) -> None:
    """Property 9: Undo Operation Correctness."""
    driver = running(seed, width, length)
    before: State = driver.state
    mover = Seat(1 - to_move(driver))
    driver.do(asker, MakeOffer(OfferKind.UNDO), 0)
    assert driver.state is before, "asking alone changes nothing"
    driver.do(1 - asker, AnswerOffer(driver.room.offered, yes=True), 0)
    after: State = driver.state
    assert after.moves == before.moves[:-1]
    last = before.moves[-1]
    board = board_of(before.moves)
    board[last % 15][last // 15] = 0
    assert stones(after) == board
    assert to_move(driver) == mover
    driver.do(mover, Play(PLACES[last]), 0)
    assert driver.state == before


@settings(max_examples=200)
@given(seed=seeds, width=widths, length=lengths, quitter=seats)
def test_property_10_surrender_result(seed: int, width: int, length: int, quitter: Seat) -> None:
    """Property 10: Surrender Result."""
    driver = running(seed, width, length)
    colour_of = {driver.state.black: "black", Seat(1 - driver.state.black): "white"}
    driver.do(quitter, Resign(), 0)
    assert driver.room.phase is Phase.OVER
    assert driver.over is not None
    (winner,), reason = driver.over
    assert reason == "resigned"
    assert {colour_of[winner], colour_of[quitter]} == {"black", "white"}


@settings(max_examples=200)
@given(seed=seeds, taken=seats, past=st.booleans(), name=st.text(min_size=1, max_size=20))
def test_property_11_room_join_logic(seed: int, taken: Seat, past: bool, name: str) -> None:
    """Property 11: Room Join Logic."""
    driver = RoomDriver(RULES, seated=0)
    driver.take_seat("Ann", 0, seat=taken)
    if past:
        # A finished room whose player left starts clean when a new one sits down.
        driver.take_seat("Bob", 0)
        for cell in random_cells(seed, 6)[:20]:
            if driver.room.phase is Phase.PLAYING:
                driver.do(to_move(driver), Play(PLACES[cell]), 0)
        driver.do(1 - taken, LeaveSeat(), 0)
    assert driver.room.seats[1 - taken] is None
    driver.take_seat(name, 0)
    chair = driver.room.seats[1 - taken]
    assert chair is not None
    assert chair.name == name
    assert driver.room.phase is Phase.PLAYING
    assert stones(driver.state) == EMPTY
    if taken == driver.state.black:
        assert Seat(1 - taken) != driver.state.black, "white if black is taken"
    assert driver.state.black == A


@settings(max_examples=200)
@given(seed=seeds, width=widths, length=lengths, over=st.booleans(), seat=st.none() | seats)
def test_property_12_full_room_rejection(
    seed: int, width: int, length: int, over: bool, seat: Seat | None
) -> None:
    """Property 12: Full Room Rejection."""
    driver = running(seed, width, length)
    if over:
        driver.do(A, Resign(), 0)
    room = driver.room
    result = driver.try_(SYSTEM, TakeSeat(Person("cyd"), "Cyd", seat), 0)
    assert isinstance(result, Refused)
    assert result.code in {Refusal.ROOM_FULL, Refusal.SEAT_TAKEN}
    assert seat is not None or result.code is Refusal.ROOM_FULL
    assert [chair.name for chair in room.seats if chair is not None] == ["Ann", "Bob"]


def at_table(
    simulation: HallSimulation, players: int, spectators: int, moves: int
) -> tuple[str, list[NativeClient]]:
    """Return a table's id and its clients, the players first; with two of them some stones are placed."""
    clients = [simulation.native_client(f"P{number}") for number in range(players + spectators)]
    room = clients[0].ask("open", game="gomoku", nonce="t")[0]["room"]["id"]
    for number, person in enumerate(clients[1:], 1):
        person.ask("join" if number < players else "watch", room=room)
    for number in range(moves if players == 2 else 0):
        clients[number % 2].ask("play", room=room, move={"do": "place", "x": number, "y": number % 2})
    return room, clients


def participants(simulation: HallSimulation, room: str) -> tuple[list[str], int]:
    """Return the players' names and the number of spectators; none at a closed table."""
    box = simulation.hall.executor.live_rooms.get(RoomId(room))
    if box is None:
        return [], 0
    return [chair.name for chair in box.durable.seats if chair is not None], box.spectators


@settings(max_examples=200)
@given(players=st.integers(1, 2), spectators=st.integers(0, 5), moves=st.integers(0, 8), who=seeds)
def test_property_13_player_leave_cleanup(players: int, spectators: int, moves: int, who: int) -> None:
    """Property 13: Player Leave Cleanup."""
    with HallSimulation() as simulation:
        room, clients = at_table(simulation, players, spectators, moves)
        names, watching = participants(simulation, room)
        assert (len(names), watching) == (players, spectators)
        leaver = who % len(clients)
        clients[leaver].ask("leave", room=room)
        left, still = participants(simulation, room)
        if leaver < players == 1:
            # A native table closes with its last player, with or without spectators.
            assert (left, still) == ([], 0)
            return
        assert len(left) + still == len(clients) - 1
        assert left == [name for name in names if name != f"P{leaver}"]
        assert still == spectators - (leaver >= players)


@settings(max_examples=200)
@given(players=st.integers(1, 2), spectators=st.integers(0, 5), moves=st.integers(0, 8), who=seeds)
def test_property_18_spectator_addition(players: int, spectators: int, moves: int, who: int) -> None:
    """Property 18: Watcher Addition."""
    with HallSimulation() as simulation:
        room, _ = at_table(simulation, players, spectators, moves)
        eve = simulation.native_client(f"Eve {who}")
        names, watching = participants(simulation, room)
        (shown,) = eve.ask("watch", room=room)
        assert shown["type"] == "room"
        assert shown["you"] is None
        assert len(shown["room"]["position"]["moves"] if players == 2 else ()) == moves * (players == 2)
        assert participants(simulation, room) == (names, watching + 1)
        (again,) = eve.ask("watch", room=room)
        assert again["type"] == "room"
        assert participants(simulation, room) == (names, watching + 1), "once is enough"


@pytest.mark.parametrize("number", [2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18])
def test_every_property_of_rules_and_rooms_is_tried_under_its_number(number: int) -> None:
    tests = [test for name, test in globals().items() if name.startswith(f"test_property_{number}_")]
    assert tests
    assert all(f"Property {number}: " in test.__doc__ for test in tests)
