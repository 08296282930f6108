"""Chess clients and web clients in one room."""

from typing import Any

import pytest

from qipai.kernel.ids import Seat
from tests.clients.qtchess.qtchess_clients import (
    DICE,
    FOG,
    MINES,
    Qt,
    actions,
    error,
    shown,
    since,
    start,
    uci_of,
)
from tests.support.hall_simulation import HallSimulation, Message, NativeClient


def events(received: list[Message]) -> list[Message]:
    """Return the events that a web client received."""
    return [event for notice in received if notice["type"] == "events" for event in notice["events"]]


def page(simulation: HallSimulation, name: str = "Web") -> NativeClient:
    """Return a web client."""
    return simulation.native_client(name)


def play(peer: NativeClient, room: str, uci: str) -> list[Message]:
    """Make a move as a web client."""
    return peer.ask("play", room=room, move={"do": "move", "uci": uci}, nonce="")


def web_table(
    simulation: HallSimulation, options: Message | None = None, **table: Any
) -> tuple[NativeClient, Message]:
    """Return a web client that waits in its room with white, and the room."""
    web = page(simulation)
    shown = web.ask("open", game="chess", nonce="t", options=options or {}, table=table, seat=0)
    return web, shown[0]["room"]


# A chess client in a room of a web client


def test_a_guest_receives_the_game_on_joining(simulation: HallSimulation) -> None:
    _, room = web_table(simulation, clock={"main": [300000], "increment": 2000})
    guest = Qt(simulation)
    joined, begun = guest.join(room["code"])
    assert joined == {"action": "joinedRoom", "room": room["code"]}
    assert begun == {
        "action": "gameStart",
        "room": room["code"],
        "whiteTimeMs": 300000,
        "blackTimeMs": 300000,
        "incrementMs": 2000,
        "hostColor": "White",
        "gameModes": {"霧戰": False, "骰子": False, "踩地雷": False},
        "minePositions": [],
        "serverTimestamp": since(simulation) + 500,
        "timerState": {
            "timeA": 300000, "timeB": 300000, "currentPlayer": "White", "lastSwitchTime": None,
            "whiteIsA": True, "incrementMs": 2000,
        },
    }  # fmt: skip


def test_moves_are_sent_both_ways(simulation: HallSimulation) -> None:
    web, room = web_table(simulation, clock={"main": [300000]})
    guest = Qt(simulation)
    guest.join(room["code"])
    simulation.wait(2)
    play(web, room["id"], "e2e4")
    assert guest.received() == [
        {
            "action": "move",
            "room": room["code"],
            "fromRow": 6,
            "fromCol": 4,
            "toRow": 4,
            "toCol": 4,
            "promotion": None,
            "timerState": {
                "timeA": 298000, "timeB": 300000, "currentPlayer": "Black",
                "lastSwitchTime": since(simulation),
            },
        }
    ]  # fmt: skip
    web.received()
    assert actions(guest.move("e7e5", note="kept")) == ["move"]
    (moved,) = events(web.received())
    assert (moved["e"], moved["uci"]) == ("moved", "e7e5")


def test_a_nonce_of_a_web_client_is_not_taken_for_a_kept_frame(simulation: HallSimulation) -> None:
    web, room = web_table(simulation)
    guest = Qt(simulation)
    guest.join(room["code"])
    guest.send("move", fromRow=1, fromCol=0, toRow=2, toCol=0)
    move = {"do": "move", "uci": "e2e4"}
    web.send("play", room=room["id"], move=move, nonce="move 1")
    received = guest.received()
    assert actions(received) == ["error", "move"]
    assert uci_of(received[1]) == "e2e4"


def test_a_room_of_a_web_client_starts_by_itself_and_its_guest_cannot_start(
    simulation: HallSimulation,
) -> None:
    web, room = web_table(simulation)
    guest = Qt(simulation)
    guest.join(room["code"])
    assert guest.ask("surrender") == []
    assert guest.ask("startGame", hostColor="White") == []
    web.received()
    web.ask("offer", room=room["id"], kind="rematch", nonce="r")
    received = guest.received()
    assert actions(received) == ["gameStart"]
    assert received[0]["hostColor"] == "Black"
    assert actions(guest.move("e2e4")) == ["move"]


def test_a_resignation_of_a_web_client_is_sent_as_surrender(simulation: HallSimulation) -> None:
    web, room = web_table(simulation)
    guest = Qt(simulation)
    guest.join(room["code"])
    web.ask("resign", room=room["id"])
    assert guest.received() == [{"action": "surrender", "room": room["code"]}]


def test_a_draw_is_agreed_between_web_and_chess_client(simulation: HallSimulation) -> None:
    web, room = web_table(simulation)
    guest = Qt(simulation)
    guest.join(room["code"])
    web.received()
    guest.ask("drawOffer")
    (offered,) = events(web.received())
    web.ask("answer", room=room["id"], offer=offered["offer"]["id"], yes=False)
    assert guest.received() == [{"action": "drawResponse", "room": room["code"], "accepted": False}]
    web.ask("offer", room=room["id"], kind="draw", nonce="d")
    assert guest.received() == [{"action": "drawOffer", "room": room["code"]}]
    assert guest.ask("drawResponse", accepted=True) == []
    assert [event["e"] for event in events(web.received())][-1] == "game_over"


def test_a_draw_offer_answered_by_a_web_client_s_move_is_declined(simulation: HallSimulation) -> None:
    web, room = web_table(simulation)
    guest = Qt(simulation)
    guest.join(room["code"])
    guest.ask("drawOffer")
    play(web, room["id"], "e2e4")
    assert actions(guest.received()) == ["move", "drawResponse"]


def test_undo_offers_are_declined_automatically(simulation: HallSimulation) -> None:
    web, room = web_table(simulation)
    guest = Qt(simulation)
    guest.join(room["code"])
    play(web, room["id"], "e2e4")
    web.received()
    received = web.ask("offer", room=room["id"], kind="undo", nonce="u")
    answers = [event for event in events(received) if event["e"] == "offer_answered"]
    assert [event["yes"] for event in answers] == [False]


def test_a_web_client_that_stays_disconnected_loses_and_the_guest_is_told(simulation: HallSimulation) -> None:
    web, room = web_table(simulation, disconnect_timeout=10)
    guest = Qt(simulation)
    guest.join(room["code"])
    play(web, room["id"], "e2e4")
    guest.move("e7e5")
    web.disconnect()
    simulation.wait(20)
    assert guest.received() == [{"action": "gameOver", "room": room["code"], "result": "0-1"}]


def test_when_the_web_client_leaves_the_guest_becomes_host(simulation: HallSimulation) -> None:
    web, room = web_table(simulation)
    guest = Qt(simulation)
    guest.join(room["code"])
    web.ask("leave", room=room["id"])
    assert actions(guest.received()) == ["playerLeft", "promotedToHost"]
    third = Qt(simulation)
    joined, begun = third.join(room["code"])
    assert joined["action"] == "joinedRoom"
    received = guest.received()
    assert actions(received) == ["playerJoined", "gameStart"]
    assert received[1] == begun
    # The former guest has the second seat, and the client that came last starts.
    assert begun["hostColor"] == "Black"
    assert actions(third.move("e2e4")) == ["move"]


# A web client in a room of a chess client


def hosted(simulation: HallSimulation, *modes: str, **fields: Any) -> tuple[Qt, NativeClient, str]:
    """Return a chess host and a web guest in a running game."""
    host, web = Qt(simulation), page(simulation)
    code = host.create()
    room = web.ask("join", room=code, accept_sees_hidden=True)[0]["room"]
    assert host.received() == [{"action": "playerJoined", "room": code}]
    start(host, *modes, **fields)
    return host, web, room["id"]


def test_a_web_client_waits_for_the_host_and_plays(simulation: HallSimulation) -> None:
    host, web, room = hosted(simulation, whiteTimeMs=60000, blackTimeMs=60000)
    assert [event["e"] for event in events(web.received())] == ["options_chosen", "game_started"]
    host.move("e2e4")
    play(web, room, "e7e5")
    (moved,) = host.received()
    assert uci_of(moved) == "e7e5"


def test_mines_of_the_host_are_hidden_from_the_web_client(simulation: HallSimulation) -> None:
    _, web, _ = hosted(simulation, MINES, minePositions=[{"x": 4, "y": 4}])
    received = web.received()
    (dealt,) = [event for event in events(received) if event["e"] == "game_started"]
    assert dealt["position"]["minefield"]["left"] == 1
    assert "all" not in dealt["position"]["minefield"]
    assert "e4" not in str(dealt)


def test_the_server_rolls_for_the_web_client_and_the_host_rolls_its_own_dice(
    simulation: HallSimulation,
) -> None:
    host, _, _ = hosted(simulation, DICE)
    host.ask("diceRoll", dice=[1, 1, 1])
    for uci in ("a2a3", "b2b3"):
        host.move(uci)
    received = host.move("c2c3")
    assert actions(received)[:2] == ["move", "diceRoll"]
    assert received[0]["diceState"]["movesRemaining"] == 0
    assert received[0]["timerState"]["currentPlayer"] == "Black"


def test_dice_requested_by_the_host_are_shown_to_the_web_client(simulation: HallSimulation) -> None:
    host, web, _ = hosted(simulation, DICE)
    web.received()
    (rolled,) = host.ask("requestDice", numMovablePieces=2)
    roll_events = [event for event in events(web.received()) if event["e"] == "rolled"]
    assert roll_events[0]["picks"] == rolled["rolls"]


def test_dice_that_the_web_client_gives_up_are_reported(simulation: HallSimulation) -> None:
    for number in range(30):
        host, web = Qt(simulation), page(simulation, f"S{number}")
        code = host.create()
        room = web.ask("join", room=code, accept_sees_hidden=True)[0]["room"]["id"]
        host.received()
        start(host, DICE, hostColor="Black")
        for _ in range(6):
            state = shown(simulation, code).state
            if state.turn != 1 or state.result is not None:
                break
            if state.dice.may_skip:
                host.received()
                web.ask("play", room=room, move={"do": "skip"}, nonce="")
                received = host.received()
                assert actions(received)[0] == "move"
                assert uci_of(received[0])[:2] == uci_of(received[0])[2:]
                return
            moves = [
                move.uci
                for move in simulation.hall.executor.games["chess"].rules.legal(state, Seat(1))
                if hasattr(move, "uci")
            ]
            king = [uci for uci in moves if uci in {"e2e4", "e2e3"}]
            play(web, room, (king or moves)[0])
    pytest.fail("nobody could let a die go")


def test_fog_hides_moves_from_the_web_client_only(simulation: HallSimulation) -> None:
    host, web, _ = hosted(simulation, FOG)
    web.received()
    received = host.move("e2e4", extra=[1])
    assert received[0]["extra"] == [1]
    assert all(event["e"] != "moved" for event in events(web.received()))


def test_a_web_host_starts_a_game_for_a_chess_client(simulation: HallSimulation) -> None:
    host, web, room = hosted(simulation)
    code = host.code
    host.leave()
    web.received()
    guest = Qt(simulation)
    assert actions(guest.join(code)) == ["joinedRoom"]
    web.ask("start", room=room, options={}, clock={"main": [60000]}, nonce="s")
    (begun,) = guest.received()
    assert (begun["action"], begun["whiteTimeMs"]) == ("gameStart", 60000)
    white = shown(simulation, code).state.white
    mine = shown(simulation, code).seats[white].sees_hidden
    assert begun["hostColor"] == ("Black" if mine else "White")
    if mine:
        assert actions(guest.move("e2e4")) == ["move"]


def test_a_web_client_outside_the_room_cannot_relay_notes(simulation: HallSimulation) -> None:
    host, _, room = hosted(simulation)
    spectator = page(simulation, "Watcher")
    spectator.ask("watch", room=room)
    assert error(Qt(simulation).ask("move", room=host.code, fromRow=6, fromCol=4, toRow=4, toCol=4))
    assert host.received() == []
