"""Checks in mid-turn with dice in the qtchess dialect: interruptions and saved dice."""

from msgspec.structs import replace

from qipai.games.chess.state import State
from tests.clients.qtchess.dice.test_qtchess_dice import PAWN, QUEEN, ROOK, dice_of, position, roll
from tests.clients.qtchess.qtchess_clients import (
    DICE,
    ILLEGAL,
    TURN,
    Qt,
    actions,
    error,
    game,
    live_room_of,
    shown,
    uci_of,
)
from tests.support.hall_simulation import HallSimulation


def free_roll(simulation: HallSimulation, roller: Qt, other: Qt, dice: str) -> None:
    """Request dice, and replace what was rolled by these kinds."""
    roller.ask("requestDice"), other.received()
    live_room = live_room_of(simulation, roller.code)
    current: State = shown(simulation, roller.code).state
    assert current.dice is not None
    rolled = replace(current.dice.rolls[-1], dice=dice)
    dice_state = replace(current.dice, rolls=(*current.dice.rolls[:-1], rolled), movers=dice)
    state = replace(current, dice=dice_state)
    live_room.latest = live_room.durable = replace(live_room.latest, state=state)


def checking(simulation: HallSimulation) -> tuple[Qt, Qt]:
    """Return a game in which white has just given check with the second of three dice."""
    host, guest = game(simulation, DICE, whiteTimeMs=60000, blackTimeMs=60000)
    position(simulation, host, "4k3/8/8/8/8/8/4P3/R3K2R w - - 0 1")
    roll(host, guest, PAWN, ROOK, PAWN)
    host.move("e2e4")
    return host, guest


def test_a_check_interrupts_the_turn_and_its_answer_restores_it(simulation: HallSimulation) -> None:
    host, guest = checking(simulation)
    received = host.move("a1a8")
    assert dice_of(received) == (0, True, "Black")
    assert error(host.move("e4e5")) == TURN
    guest.received()
    assert guest.ask("requestDice", numMovablePieces=1) == []
    answer = guest.move("e8e7")
    assert dice_of(answer) == (1, False, "White")
    assert dice_of(host.move("e4e5")) == (0, False, "Black")


def test_dice_saved_by_an_interruption_count_as_a_roll(simulation: HallSimulation) -> None:
    host, guest = checking(simulation)
    host.move("a1a8")
    host.received(), guest.received()
    assert host.ask("diceRoll", dice=[1, 1, 1]) == guest.ask("diceRoll", dice=[1, 1, 1]) == []
    assert (host.received(), guest.received()) == ([], [])


def test_a_counter_check_is_answered_by_a_free_move_too(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    position(simulation, host, "4r3/4k3/8/8/8/8/7P/R3K3 w - - 0 1")
    roll(host, guest, ROOK, PAWN, PAWN)
    assert dice_of(host.move("a1a7")) == (0, True, "Black")
    assert dice_of(guest.move("e7d6")) == (0, True, "White")
    assert error(host.move("h2h3")) == ILLEGAL
    assert dice_of(host.move("e1d1")) == (2, False, "White")
    assert dice_of(host.move("h2h3")) == (1, False, "White")


def test_after_an_answered_counter_check_both_are_sent_the_dice_that_are_left(
    simulation: HallSimulation,
) -> None:
    # The client has cleared its dice and takes a count alone for a turn in which no piece may move.
    host, guest = game(simulation, DICE)
    position(simulation, host, "4r3/4k3/8/8/8/8/7P/R2QK3 w - - 0 1")
    free_roll(simulation, host, guest, "RQP")
    host.move("a1a7"), guest.move("e7f6"), guest.received()
    moved, rolled, null_move = host.move("d1e2")
    assert guest.received()[-3:] == [moved, rolled, null_move]
    assert dice_of([moved]) == (2, False, "White")
    # White can move pawn, rook, queen and king.
    expected = {"action": "diceRolled", "room": host.code, "rolls": [2, 0], "currentPlayer": "White"}
    assert rolled == expected
    # The client counts three dice after every roll: a move of no piece corrects it.
    assert dice_of([null_move]) == (2, False, "White")
    assert uci_of(null_move) == "e1e1"
    assert null_move["timerState"] == moved["timerState"]
    assert dice_of(host.move("h2h3")) == (1, False, "White")


def test_dice_are_not_sent_again_after_a_check_that_was_answered_without_a_counter_check(
    simulation: HallSimulation,
) -> None:
    host, guest = game(simulation, DICE)
    position(simulation, host, "8/4k3/8/8/8/8/7P/R2QK3 w - - 0 1")
    free_roll(simulation, host, guest, "RQP")
    host.move("a1a7"), guest.received()
    assert actions(guest.move("e7f6")) == ["move"]
    assert actions(host.received()) == ["move"]
    assert actions(host.move("h2h3")) == ["move"]


def test_saved_dice_that_are_useless_pass_the_turn_with_the_answer(simulation: HallSimulation) -> None:
    host, guest = game(simulation, DICE)
    position(simulation, host, "k5r1/8/8/N7/8/8/r7/1R5K w - - 0 1")
    roll(host, guest, ROOK, QUEEN, QUEEN)
    assert dice_of(host.move("b1b8")) == (0, True, "Black")
    assert dice_of(guest.move("a8b8")) == (0, False, "Black")
    guest.received(), host.received()
    assert guest.ask("diceCheckResolved") == []
    assert actions(guest.ask("requestDice")) == ["diceRolled"]


def test_true_check_messages_are_answered(simulation: HallSimulation) -> None:
    host, guest = checking(simulation)
    host.received()
    assert host.ask("diceCheckInterruption", savedMovesRemaining=1) == []
    host.send("move", fromRow=7, fromCol=0, toRow=0, toCol=0)
    host.send("diceCheckInterruption", savedMovesRemaining=1)
    received = host.received()
    interruption = {"action": "diceCheckInterrupted", "room": host.code, "currentPlayer": "Black"}
    assert actions(received) == ["move", "diceCheckInterrupted"]
    assert received[1] == interruption
    assert guest.received()[-1] == interruption
    for wrong in (2, 0, "1", None, True, 1.0):
        assert host.ask("diceCheckInterruption", savedMovesRemaining=wrong) == []
    assert host.ask("diceCheckResolved") == []
    guest.send("move", fromRow=0, fromCol=4, toRow=1, toCol=4)
    guest.send("diceCheckResolved")
    restored = {
        "action": "diceCheckRestored", "room": host.code, "currentPlayer": "White", "movesRemaining": 1,
    }  # fmt: skip
    assert guest.received()[-1] == restored
    assert host.received()[-1] == restored
    assert host.ask("diceCheckInterruption", savedMovesRemaining=1) == []
    host.move("e4e5")
    assert host.ask("diceCheckResolved") == []


def test_check_messages_from_outside_or_without_dice_are_ignored(simulation: HallSimulation) -> None:
    host, _ = checking(simulation)
    host.move("a1a8")
    outsider = Qt(simulation)
    assert outsider.ask("diceCheckInterruption", room=host.code, savedMovesRemaining=1) == []
    plain, _ = game(simulation)
    assert plain.ask("diceCheckInterruption", savedMovesRemaining=0) == []
    assert plain.ask("diceCheckResolved") == []
