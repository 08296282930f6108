"""Dice in the qtchess dialect: both generations of clients, and useless dice."""

from typing import Any

import pytest
from msgspec.structs import replace

from qipai.games.chess.state import State
from qipai.games.chess.wire_types import DiceMode
from tests.clients.qtchess.qtchess_clients import (
    DICE,
    FOG,
    ILLEGAL,
    TURN,
    Messages,
    Qt,
    actions,
    error,
    game,
    live_room_of,
    shown,
    start,
    uci_of,
)
from tests.support.hall_simulation import HallSimulation

PAWN, ROOK, KNIGHT, BISHOP, QUEEN = 1, 2, 3, 4, 5


def roll(thrower: Qt, other: Qt, *dice: int) -> Messages:
    """Send dice, and return what the opponent receives."""
    thrower.received(), other.received()
    assert thrower.ask("diceRoll", dice=list(dice)) == []
    return other.received()


def dice_of(received: Messages) -> tuple[int, bool, str]:
    """Return the fields of the last move: dice left, whether interrupted, who is to move."""
    state = received[-1]["diceState"]
    return state["movesRemaining"], state["hasInterruption"], received[-1]["timerState"]["currentPlayer"]


def position(simulation: HallSimulation, host: Qt, fen: str) -> None:
    """Put another position on the board of a running game with dice, before the first roll."""
    live_room = live_room_of(simulation, host.code)
    state: State = replace(
        shown(simulation, host.code).state, fen=fen, position_keys=(fen.rsplit(" ", 2)[0],)
    )
    live_room.latest = live_room.durable = replace(live_room.latest, state=state)


# The server's dice


def test_the_server_rolls_when_the_side_to_move_requests_it(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    assert guest.ask("requestDice", numMovablePieces=2) == []
    received = host.ask("requestDice", numMovablePieces=2)
    assert received == guest.received()
    (rolled,) = received
    assert list(rolled) == ["action", "room", "rolls", "currentPlayer"]
    assert (rolled["action"], rolled["room"], rolled["currentPlayer"]) == ("diceRolled", host.code, "White")
    assert len(rolled["rolls"]) == 3
    assert set(rolled["rolls"]) <= {0, 1}
    assert host.ask("requestDice", numMovablePieces=2) == guest.received() == []


@pytest.mark.parametrize("number", [0, 7, -1, None, "2", 2.0, True, 10**9, [2]])
def test_an_invalid_number_of_movable_kinds_is_replaced_by_the_server_s(
    simulation: HallSimulation, number: Any
) -> None:
    seen = set()
    host, guest = game(simulation, DICE)
    for _ in range(12):
        seen |= set(host.ask("requestDice", numMovablePieces=number)[-1]["rolls"])
        host.ask("surrender")
        start(host, DICE)
        host.received(), guest.received()
        simulation.wait(1)
    assert seen == {0, 1}


def test_rolled_indices_may_exceed_the_server_s_list_of_movable_kinds(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    seen = set()
    for _ in range(30):
        seen |= set(host.ask("requestDice", numMovablePieces=6)[-1]["rolls"])
        host.ask("surrender")
        start(host, DICE)
        host.received(), guest.received()
        simulation.wait(1)
    assert seen == set(range(6))


def test_dice_of_the_server_can_be_used_in_any_order(simulation: HallSimulation) -> None:
    for _ in range(40):
        host, guest = game(simulation, DICE)
        rolls = host.ask("requestDice", numMovablePieces=2)[0]["rolls"]
        if sorted(rolls) == [0, 0, 1]:
            break
    guest.received()
    assert error(guest.move("e7e5")) == TURN
    first = host.move("g1f3") if rolls[0] == 0 else host.move("e2e4")
    assert dice_of(first) == (2, False, "White")
    assert dice_of(host.move("e2e4" if rolls[0] == 0 else "g1f3")) == (1, False, "White")
    assert error(host.move("b1c3")) == ILLEGAL
    assert dice_of(host.move("d2d4")) == (0, False, "Black")
    assert error(guest.move("e7e5")) == ILLEGAL
    assert actions(guest.ask("requestDice", numMovablePieces=2)) == ["diceRolled"]


def test_a_move_before_the_roll_is_illegal(simulation: HallSimulation) -> None:
    host, _ = game(simulation, DICE)
    assert error(host.move("e2e4")) == ILLEGAL


def test_the_first_request_switches_to_free_dice(simulation: HallSimulation) -> None:
    host, _ = game(simulation, DICE)
    host.ask("requestDice", numMovablePieces=2)
    assert shown(simulation, host.code).state.dice.mode is DiceMode.FREE


# The clients' dice


def test_dice_of_a_client_are_relayed_unchanged_to_the_opponent(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    assert host.ask("diceRoll", dice=[1, 3, 1], shaken="well") == []
    assert guest.received() == [
        {"action": "diceRoll", "room": host.code, "dice": [1, 3, 1], "shaken": "well"}
    ]
    assert shown(simulation, host.code).state.dice.mode is DiceMode.SEQUENTIAL


@pytest.mark.parametrize(
    "dice",
    [None, [], [1, 1], [1, 1, 1, 1], [0, 1, 1], [6, 1, 1], [1.0, 1, 1], [True, 1, 1], "111", [1, "1", 1]],
)
def test_invalid_dice_are_ignored(simulation: HallSimulation, dice: Any) -> None:
    host, guest = game(simulation, DICE)
    assert host.ask("diceRoll", dice=dice) == guest.received() == []
    assert roll(host, guest, 1, 1, 1)


def test_dice_of_the_wrong_side_or_a_second_roll_are_ignored(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    assert guest.ask("diceRoll", dice=[1, 1, 1]) == host.received() == []
    roll(host, guest, 1, 1, 1)
    assert roll(host, guest, 3, 3, 3) == []
    host.move("e2e4")
    assert roll(host, guest, 3, 3, 3) == []
    assert host.ask("requestDice", numMovablePieces=2) == []


def test_dice_in_a_game_without_dice_are_ignored(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    assert host.ask("diceRoll", dice=[1, 1, 1]) == host.ask("requestDice") == guest.received() == []
    (received,) = host.move("e2e4")
    assert "diceState" not in received


def test_dice_of_clients_are_used_from_left_to_right(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    roll(host, guest, PAWN, KNIGHT, PAWN)
    assert error(host.move("g1f3")) == ILLEGAL
    received = host.move("e2e4", diceCheckInterruption=False, savedDiceMoves=0)
    assert dice_of(received) == (2, False, "White")
    assert received[0]["savedDiceMoves"] == 0
    assert received == guest.received()
    assert error(host.move("d2d4")) == ILLEGAL
    assert dice_of(host.move("g1f3")) == (1, False, "White")
    assert dice_of(host.move("d2d4")) == (0, False, "Black")


def test_the_king_may_always_move_and_uses_the_present_die(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    roll(host, guest, PAWN, QUEEN, QUEEN)
    host.move("e2e4")
    assert dice_of(host.move("e1e2")) == (1, False, "White")
    assert dice_of(host.move("e2e1")) == (0, False, "Black")


def test_each_move_of_a_turn_uses_time_and_earns_the_increment(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE, whiteTimeMs=60000, blackTimeMs=60000, incrementMs=1000)
    roll(host, guest, PAWN, PAWN, PAWN)
    simulation.wait(30)
    (first,) = host.move("e2e4")
    assert first["timerState"]["timeA"] == 60000
    simulation.wait(4)
    assert host.move("d2d4")[0]["timerState"]["timeA"] == 57000
    simulation.wait(4)
    (third,) = host.move("a2a3")
    assert (third["timerState"]["timeA"], third["timerState"]["currentPlayer"]) == (54000, "Black")


def test_rolling_earns_no_increment_and_keeps_the_first_move_free(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE, whiteTimeMs=60000, blackTimeMs=60000, incrementMs=1000)
    simulation.wait(70)
    roll(host, guest, PAWN, PAWN, PAWN)
    simulation.wait(70)
    assert host.move("e2e4")[0]["timerState"]["timeA"] == 60000
    host.move("d2d4")
    host.move("a2a3")
    simulation.wait(2)
    roll(guest, host, PAWN, PAWN, PAWN)
    simulation.wait(3)
    assert guest.move("e7e5")[0]["timerState"]["timeB"] == 60000 - 5000 + 1000


# Useless dice


def test_a_useless_roll_passes_the_turn_with_a_null_move(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE, whiteTimeMs=60000, blackTimeMs=60000)
    host.received(), guest.received()
    received = host.ask("diceRoll", dice=[QUEEN, ROOK, BISHOP])
    (passed,) = received
    assert uci_of(passed) == "e1e1"
    assert dice_of(received) == (0, False, "Black")
    assert passed["timerState"]["lastSwitchTime"] is None
    relayed, same = guest.received()
    assert (relayed["action"], same) == ("diceRoll", passed)
    assert roll(guest, host, PAWN, PAWN, PAWN)


def test_a_useless_die_at_the_start_is_reported(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    received = host.ask("diceRoll", dice=[ROOK, PAWN, KNIGHT])
    assert uci_of(received[0]) == "e1e1"
    assert dice_of(received) == (2, False, "White")
    assert dice_of(host.move("e2e4")) == (1, False, "White")
    assert actions(guest.received()) == ["diceRoll", "move", "move"]


def test_a_die_made_useless_by_a_move_is_dropped_with_that_move(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    position(simulation, host, "7k/8/8/p7/8/8/P6p/K7 w - - 0 1")
    roll(host, guest, PAWN, KNIGHT, QUEEN)
    received = host.move("a2a4")
    assert dice_of(received)[:2] == (2, False)
    received = host.move("a1b1")
    assert dice_of(received) == (1, False, "White")
    position(simulation, host, shown(simulation, host.code).state.fen)
    assert dice_of(host.move("b1c1")) == (0, False, "Black")


def test_a_move_that_makes_all_dice_useless_passes_the_turn(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    position(simulation, host, "k5r1/8/8/8/3P4/8/r7/7K w - - 0 1")
    roll(host, guest, PAWN, QUEEN, QUEEN)
    assert dice_of(host.move("d4d5")) == (0, False, "Black")
    assert actions(guest.received()) == ["move"]
    assert guest.ask("requestDice", numMovablePieces=2)[0]["currentPlayer"] == "Black"


# With other modes


def test_dice_with_fog_send_both_the_same_frames(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE, FOG)
    roll(host, guest, PAWN, PAWN, PAWN)
    received = host.move("e2e4")
    assert received == guest.received()
    assert dice_of(received) == (2, False, "White")


def test_unchecked_dice_games_use_one_die_per_move(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE, "地吸引力")
    roll(host, guest, PAWN, PAWN, PAWN)
    assert dice_of(host.move("a1h8")) == (2, False, "White")
    assert dice_of(host.move("h1a8")) == (1, False, "White")
    assert dice_of(host.move("d1d8")) == (0, False, "Black")


def test_a_game_end_in_mid_turn_is_sent(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    position(simulation, host, "7k/R7/8/8/8/8/8/1R2K3 w - - 0 1")
    roll(host, guest, ROOK, ROOK, ROOK)
    received = host.move("b1b8")
    assert actions(received) == ["move", "gameOver"]
    assert received[1]["result"] == "1-0"
