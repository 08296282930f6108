"""What another chess server got wrong, each shown not to happen here.

How fog and mines are kept from people at our page (6) has the law `blind` behind it as well.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qipai.kernel.ids import RoomId
from qipai.kernel.room import Phase
from tests.clients.qtchess.qtchess_clients import (
    DICE,
    FOG,
    FORMAT,
    ILLEGAL,
    MINES,
    NO_ROOM,
    OUTSIDE,
    TURN,
    Qt,
    actions,
    error,
    game,
    shown,
    squares,
    start,
    two,
)
from tests.support.hall_simulation import HallSimulation, Message


def test_1_moves_of_the_other_side_out_of_turn_or_illegal_are_refused(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    outsider = Qt(simulation)
    assert error(guest.move("e2e4")) == TURN
    assert error(host.move("e7e5")) == ILLEGAL
    assert error(host.move("e1e8")) == ILLEGAL
    assert error(outsider.ask("move", room=host.code, **squares("e2e4"))) == OUTSIDE
    assert shown(simulation, host.code).state.moves == ()


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("startGame", {"hostColor": "White"}),
        ("surrender", {}),
        ("gameOver", {"result": "0-1"}),
        ("drawResponse", {"accepted": True}),
        ("drawOffer", {}),
        ("leaveRoom", {}),
        ("requestDice", {"numMovablePieces": 1}),
        ("diceRoll", {"dice": [1, 1, 1]}),
    ],
)
def test_1_knowing_a_room_code_allows_nothing_in_the_room(
    simulation: HallSimulation, action: str, fields: dict[str, Any]
) -> None:
    host, guest = game(simulation, DICE)
    host.ask("drawOffer")
    guest.received()
    before = shown(simulation, host.code)
    outsider = Qt(simulation)
    assert outsider.ask(action, room=host.code, **fields) == []
    elsewhere = Qt(simulation)
    elsewhere.create()
    assert elsewhere.ask(action, room=host.code, **fields) == []
    assert host.received() == guest.received() == []
    assert shown(simulation, host.code) is before


def test_1_a_guest_neither_starts_nor_ends_a_game_by_message(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    assert guest.ask("startGame", hostColor="Black") == host.received() == []
    start(host)
    guest.received()
    assert guest.ask("gameOver", result="0-1") == host.received() == []
    assert shown(simulation, host.code).phase is Phase.PLAYING


@pytest.mark.parametrize("frame", ["null", "{", "[]", "0", '"move"', "\x00", "[" * 10_000, '{"action":{}}'])
def test_2_a_malformed_frame_does_not_end_the_connection(simulation: HallSimulation, frame: str) -> None:
    host, guest = game(simulation)
    received = host.asked(frame)
    assert received == [] or error(received) == FORMAT
    assert (host.transport.closed, host.transport.aborted) == (None, False)
    assert simulation.hall.internal_errors.count == 0
    assert actions(host.move("e2e4")) == actions(guest.received()) == ["move"]


def test_3_a_fast_reply_gains_no_time(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=60_000, blackTimeMs=60_000)
    host.move("e2e4")
    left = {"timeA": 60_000, "timeB": 60_000}
    walk = ("g8f6", "g1f3", "f6g8", "f3g1", "b8c6", "b1c3", "c6b8", "c3b1")
    for number, uci in enumerate(walk):
        simulation.wait(0.007)
        mover, side = ((guest, "timeB"), (host, "timeA"))[number % 2]
        (received,) = mover.move(uci)
        left[side] -= 7
        assert {key: received["timerState"][key] for key in left} == left


def test_4_the_server_ends_the_game_on_time_for_both(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=30_000, blackTimeMs=30_000)
    host.move("e2e4")
    host.received(), guest.received()
    simulation.wait(30.1)
    assert guest.move("e7e5") == []
    # Clients are sent the result a second late.
    simulation.wait(1)
    over = [{"action": "gameOver", "room": host.code, "result": "1-0"}]
    assert host.received() == guest.received() == over
    assert host.ask("gameOver", result="0-1") == guest.ask("gameOver", result="0-1") == []
    assert host.received() == guest.received() == []


def test_5_the_range_of_dice_does_not_let_a_client_choose_its_pieces(simulation: HallSimulation) -> None:
    host, _ = game(simulation, DICE)
    (rolled,) = host.ask("requestDice", numMovablePieces=6)
    kinds = shown(simulation, host.code).state.dice.rolls[-1].dice
    assert kinds == "".join("PN"[place % 2] for place in rolled["rolls"])


def test_5_dice_are_not_rolled_twice(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    assert actions(host.ask("requestDice", numMovablePieces=1)) == ["diceRolled"]
    for uci in ("a2a3", "b2b3"):
        guest.received()
        for asker in (host, guest):
            asker.received()
            assert asker.ask("requestDice", numMovablePieces=1) == []
            assert asker.ask("diceRoll", dice=[5, 5, 5]) == []
        host.move(uci)


def test_5_dice_that_cannot_move_block_nobody(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    (passed,) = host.ask("diceRoll", dice=[2, 4, 5])
    assert passed["timerState"]["currentPlayer"] == "Black"
    assert passed["diceState"] == {"movesRemaining": 0, "hasInterruption": False}
    guest.received()
    assert actions(guest.ask("requestDice", numMovablePieces=1)) == ["diceRolled"]
    assert actions(guest.move("e7e5")) == ["move"]


def test_5_a_counter_check_does_not_block_the_game(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    for mover, dice, moves in (
        (host, [1, 1, 1], ("e2e4", "d2d4", "d4d5")),
        (guest, [1, 1, 3], ("e7e5", "f7f5", "g8f6")),
        (host, [5, 5, 5], ("d1h5",)),
    ):
        assert mover.ask("diceRoll", dice=dice) is not None
        for uci in moves:
            assert "move" in actions(mover.move(uci)), uci
    state = shown(simulation, host.code).state
    assert (state.dice.free_move, state.turn) == (True, 1)
    # Black captures the queen that gives check: a free move, and white has no queen left for its dice.
    (answer,) = guest.move("f6h5")
    assert answer["diceState"]["hasInterruption"] is False
    assert shown(simulation, host.code).state.dice.free_move is False


def test_5_dice_do_not_carry_over_to_a_game_without_dice(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    host.ask("diceRoll", dice=[1, 1, 1])
    host.move("e2e4")
    host.ask("surrender")
    start(host)
    (received,) = host.move("e2e4")
    assert "diceState" not in received
    assert received["timerState"]["currentPlayer"] == "Black"
    assert actions(guest.move("e7e5")) == ["move"]


def test_6_fog_and_mines_are_hidden_from_web_clients(simulation: HallSimulation) -> None:
    host, web, spectator = (
        Qt(simulation),
        simulation.native_client("Web"),
        simulation.native_client("Watcher"),
    )
    code = host.create()
    room = web.ask("join", room=code, accept_sees_hidden=True)[0]["room"]["id"]
    spectator.ask("watch", room=room)
    host.received()
    start(host, FOG, MINES, minePositions=[{"x": 1, "y": 2}, {"x": 6, "y": 5}])
    host.move("b1c3")
    received = json.dumps([*web.received(), *spectator.received()])
    for secret in ('"b6"', '"g3"', "b1c3"):
        assert secret not in received
    for seen in (web, spectator):
        view = seen.ask("resume", room=room, version=0)[0]["room"]["position"]
        assert view["minefield"]["left"] == 2
        assert "all" not in view["minefield"]
        assert view["board"].count("?") > 20
        assert view["fen"] == ""


class Counted(dict[Any, Any]):
    """A dictionary that tells how often it was gone through."""

    scans = 0

    def __iter__(self) -> Iterator[Any]:
        Counted.scans += 1
        return super().__iter__()

    def values(self) -> Any:
        Counted.scans += 1
        return super().values()

    def items(self) -> Any:
        Counted.scans += 1
        return super().items()

    def keys(self) -> Any:
        Counted.scans += 1
        return super().keys()


def test_7_closing_a_socket_affects_its_own_room_only(simulation: HallSimulation) -> None:
    pairs = [two(simulation) for _ in range(40)]
    hall = simulation.hall.executor
    hall.live_rooms, hall.rooms_by_code = Counted(hall.live_rooms), Counted(hall.rooms_by_code)
    Counted.scans = 0
    untouched = {
        code: hall.live_rooms[RoomId(room)].latest for code, room in dict(hall.rooms_by_code).items()
    }
    Counted.scans = 0
    host, guest = pairs[7]
    guest.leave()
    assert Counted.scans == 0
    assert actions(host.received()) == ["playerLeft"]
    for code, room in untouched.items():
        if code != host.code:
            assert hall.live_rooms[room.id].latest is room


def test_8_private_rooms_cannot_be_found_by_guessing_codes(simulation: HallSimulation) -> None:
    web = simulation.native_client("Web")
    made: Message = web.ask("open", game="chess", nonce="t", table={"public": False})[0]["room"]
    code = made["code"]
    assert len(code) == 8
    assert not code.isdigit()
    thief = Qt(simulation)
    for number in range(1000, 9999, 97):
        assert error(thief.ask("joinRoom", room=str(number))) == NO_ROOM
        simulation.wait(0.03)
    friend = Qt(simulation)
    assert actions(friend.join(code))[0] == "joinedRoom"
