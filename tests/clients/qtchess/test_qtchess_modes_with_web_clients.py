"""Dice, fog and mines in rooms of web clients, for a chess client."""

from tests.clients.qtchess.qtchess_clients import Qt, actions, error, shown, uci_of
from tests.clients.qtchess.test_qtchess_with_web_clients import events, page, play, web_table
from tests.support.hall_simulation import HallSimulation


def test_dice_are_sent_as_soon_as_they_are_rolled(simulation: HallSimulation) -> None:
    for number in range(20):
        web = page(simulation, f"W{number}")
        made = web.ask("open", game="chess", nonce="t", options={"dice": "sequential"}, seat=0)
        room = made[0]["room"]
        guest = Qt(simulation)
        received = guest.join(room["code"])
        assert actions(received)[:3] == ["joinedRoom", "gameStart", "diceRoll"]
        rolls = [message for message in received if message["action"] == "diceRoll"]
        view = shown(simulation, room["code"]).state.dice
        kinds = {"P": 1, "R": 2, "N": 3, "B": 4, "Q": 5}
        assert [each["dice"] for each in rolls] == [[kinds[k] for k in t.dice] for t in view.rolls]
        assert received[1]["gameModes"]["骰子"] is True
        turn = "White" if shown(simulation, room["code"]).state.turn == 0 else "Black"
        passed = [message for message in received if message["action"] == "move"]
        assert turn == (passed[-1]["timerState"]["currentPlayer"] if passed else "White")


def test_free_dice_are_sent_as_indices(simulation: HallSimulation) -> None:
    web, room = web_table(simulation, {"dice": "free"})
    guest = Qt(simulation)
    received = guest.join(room["code"])
    assert actions(received) == ["joinedRoom", "gameStart", "diceRolled"]
    hand = shown(simulation, room["code"]).state.dice.rolls[-1].dice
    assert received[2]["rolls"] == ["PN".index(kind) for kind in hand]
    first = {"P": "a2a3", "N": "b1c3"}[hand[0]]
    play(web, room["id"], first)
    (moved,) = guest.received()
    assert moved["diceState"]["movesRemaining"] == 2


def test_a_guest_rolls_or_requests_dice_in_a_room_of_a_web_client(simulation: HallSimulation) -> None:
    web, room = web_table(simulation, {"dice": "free"})
    guest = Qt(simulation)
    guest.join(room["code"])
    options = {"P": ["a2a3", "b2b3", "c2c3"], "N": ["g1f3", "f3g1", "g1f3"]}
    for kind in shown(simulation, room["code"]).state.dice.rolls[-1].dice:
        play(web, room["id"], options[kind].pop(0))
    received = guest.received()
    assert actions(received) == ["move", "move", "move"]
    assert received[2]["diceState"] == {"movesRemaining": 0, "hasInterruption": False}
    assert received[2]["timerState"]["currentPlayer"] == "Black"
    (rolled,) = guest.ask("requestDice", numMovablePieces=2)
    assert (rolled["action"], rolled["currentPlayer"]) == ("diceRolled", "Black")
    assert guest.ask("requestDice", numMovablePieces=2) == []


def test_dice_of_a_guest_hold_for_one_turn_only(
    simulation: HallSimulation,
) -> None:
    web, room = web_table(simulation, {"dice": "free"})
    guest = Qt(simulation)
    guest.join(room["code"])
    options = {"P": ["a2a3", "b2b3", "c2c3"], "N": ["g1f3", "f3g1", "g1f3"]}
    for kind in shown(simulation, room["code"]).state.dice.rolls[-1].dice:
        play(web, room["id"], options[kind].pop(0))
    guest.received()
    guest.ask("diceRoll", dice=[1, 1, 3])
    assert error(guest.move("b8c6")) == "不合法的棋步", "a pawn's die comes first"
    assert actions(guest.move("a7a6")) == ["move"]
    assert actions(guest.move("b7b6")) == ["move"]
    received = guest.move("b8c6")
    assert actions(received)[:2] == ["move", "diceRolled"], "the page's own dice are free again"


def test_a_chess_client_receives_hidden_moves_and_the_web_client_does_not(simulation: HallSimulation) -> None:
    web, room = web_table(simulation, {"fog": True, "mines": 3}, sees_hidden_allowed=True)
    guest = Qt(simulation)
    received = guest.join(room["code"])
    assert received[1]["gameModes"] == {"霧戰": True, "骰子": False, "踩地雷": True}
    assert len(received[1]["minePositions"]) == 3
    play(web, room["id"], "e2e4")
    assert uci_of(guest.received()[0]) == "e2e4"
    web.received()
    guest.move("a7a6")
    kinds = [event["e"] for event in events(web.received())]
    assert "moved" not in kinds
    assert "moved_in_fog" in kinds
    assert not any("minefield" in str(event) and "all" in str(event) for event in events(web.received()))
