"""People of the qtchess dialect and of the web page at one table."""

from typing import Any

import pytest

from qipai.kernel.ids import Seat
from tests.clients.qtchess.qtchess_room import (
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
from tests.support.stage import Message, Peer, Stage


def events(heard: list[Message]) -> list[Message]:
    """Return the events of what a web player heard."""
    return [event for notice in heard if notice["type"] == "events" for event in notice["events"]]


def page(stage: Stage, name: str = "Web") -> Peer:
    """Return somebody at the web page."""
    return stage.peer(name)


def play(peer: Peer, room: str, uci: str) -> list[Message]:
    """Make a move in the page."""
    return peer.ask("play", room=room, move={"do": "move", "uci": uci}, nonce="")


def web_table(stage: Stage, options: Message | None = None, **table: Any) -> tuple[Peer, Message]:
    """Return somebody who waits at a table of the page, with white, and the table."""
    web = page(stage)
    shown = web.ask("open", game="chess", nonce="t", options=options or {}, table=table, seat=0)
    return web, shown[0]["room"]


# A guest of this dialect at a table of the page


def test_a_guest_receives_the_game_on_joining(stage: Stage) -> None:
    _, room = web_table(stage, clock={"main": [300000], "increment": 2000})
    guest = Qt(stage)
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
        "serverTimestamp": since(stage) + 500,
        "timerState": {
            "timeA": 300000, "timeB": 300000, "currentPlayer": "White", "lastSwitchTime": None,
            "whiteIsA": True, "incrementMs": 2000,
        },
    }  # fmt: skip


def test_moves_are_sent_both_ways(stage: Stage) -> None:
    web, room = web_table(stage, clock={"main": [300000]})
    guest = Qt(stage)
    guest.join(room["code"])
    stage.wait(2)
    play(web, room["id"], "e2e4")
    assert guest.heard() == [
        {
            "action": "move",
            "room": room["code"],
            "fromRow": 6,
            "fromCol": 4,
            "toRow": 4,
            "toCol": 4,
            "promotion": None,
            "timerState": {
                "timeA": 298000, "timeB": 300000, "currentPlayer": "Black", "lastSwitchTime": since(stage),
            },
        }
    ]  # fmt: skip
    web.heard()
    assert actions(guest.move("e7e5", note="kept")) == ["move"]
    (moved,) = events(web.heard())
    assert (moved["e"], moved["uci"]) == ("moved", "e7e5")


def test_a_nonce_of_a_web_client_is_not_taken_for_a_kept_frame(stage: Stage) -> None:
    web, room = web_table(stage)
    guest = Qt(stage)
    guest.join(room["code"])
    guest.send("move", fromRow=1, fromCol=0, toRow=2, toCol=0)
    move = {"do": "move", "uci": "e2e4"}
    web.send("play", room=room["id"], move=move, nonce="move 1")
    heard = guest.heard()
    assert actions(heard) == ["error", "move"]
    assert uci_of(heard[1]) == "e2e4"


def test_a_room_of_a_web_client_starts_by_itself_and_its_guest_cannot_start(stage: Stage) -> None:
    web, room = web_table(stage)
    guest = Qt(stage)
    guest.join(room["code"])
    assert guest.ask("surrender") == []
    assert guest.ask("startGame", hostColor="White") == []
    web.heard()
    web.ask("offer", room=room["id"], kind="rematch", nonce="r")
    heard = guest.heard()
    assert actions(heard) == ["gameStart"]
    assert heard[0]["hostColor"] == "Black"
    assert actions(guest.move("e2e4")) == ["move"]


def test_a_resignation_of_a_web_client_is_sent_as_surrender(stage: Stage) -> None:
    web, room = web_table(stage)
    guest = Qt(stage)
    guest.join(room["code"])
    web.ask("resign", room=room["id"])
    assert guest.heard() == [{"action": "surrender", "room": room["code"]}]


def test_a_draw_is_agreed_between_web_and_chess_client(stage: Stage) -> None:
    web, room = web_table(stage)
    guest = Qt(stage)
    guest.join(room["code"])
    web.heard()
    guest.ask("drawOffer")
    (offered,) = events(web.heard())
    web.ask("answer", room=room["id"], offer=offered["offer"]["id"], yes=False)
    assert guest.heard() == [{"action": "drawResponse", "room": room["code"], "accepted": False}]
    web.ask("offer", room=room["id"], kind="draw", nonce="d")
    assert guest.heard() == [{"action": "drawOffer", "room": room["code"]}]
    assert guest.ask("drawResponse", accepted=True) == []
    assert [event["e"] for event in events(web.heard())][-1] == "game_over"


def test_a_draw_offer_answered_by_a_web_client_s_move_is_declined(stage: Stage) -> None:
    web, room = web_table(stage)
    guest = Qt(stage)
    guest.join(room["code"])
    guest.ask("drawOffer")
    play(web, room["id"], "e2e4")
    assert actions(guest.heard()) == ["move", "drawResponse"]


def test_undo_offers_are_declined_automatically(stage: Stage) -> None:
    web, room = web_table(stage)
    guest = Qt(stage)
    guest.join(room["code"])
    play(web, room["id"], "e2e4")
    web.heard()
    heard = web.ask("offer", room=room["id"], kind="undo", nonce="u")
    answers = [event for event in events(heard) if event["e"] == "offer_answered"]
    assert [event["yes"] for event in answers] == [False]


def test_a_web_client_that_stays_disconnected_loses_and_the_guest_is_told(stage: Stage) -> None:
    web, room = web_table(stage, disconnect_timeout=10)
    guest = Qt(stage)
    guest.join(room["code"])
    play(web, room["id"], "e2e4")
    guest.move("e7e5")
    web.cut()
    stage.wait(20)
    assert guest.heard() == [{"action": "gameOver", "room": room["code"], "result": "0-1"}]


def test_when_the_web_client_leaves_the_guest_becomes_host(stage: Stage) -> None:
    web, room = web_table(stage)
    guest = Qt(stage)
    guest.join(room["code"])
    web.ask("leave", room=room["id"])
    assert actions(guest.heard()) == ["playerLeft", "promotedToHost"]
    third = Qt(stage)
    joined, begun = third.join(room["code"])
    assert joined["action"] == "joinedRoom"
    told = guest.heard()
    assert actions(told) == ["playerJoined", "gameStart"]
    assert told[1] == begun
    # The guest of old sits on the second seat, and whoever came last begins.
    assert begun["hostColor"] == "Black"
    assert actions(third.move("e2e4")) == ["move"]


# Dice, fog and mines of the page


def test_dice_are_sent_as_soon_as_they_are_rolled(stage: Stage) -> None:
    for number in range(20):
        web = page(stage, f"W{number}")
        made = web.ask("open", game="chess", nonce="t", options={"dice": "sequential"}, seat=0)
        room = made[0]["room"]
        guest = Qt(stage)
        heard = guest.join(room["code"])
        assert actions(heard)[:3] == ["joinedRoom", "gameStart", "diceRoll"]
        throws = [message for message in heard if message["action"] == "diceRoll"]
        view = shown(stage, room["code"]).state.cup
        kinds = {"P": 1, "R": 2, "N": 3, "B": 4, "Q": 5}
        assert [each["dice"] for each in throws] == [[kinds[k] for k in t.dice] for t in view.thrown]
        assert heard[1]["gameModes"]["骰子"] is True
        turn = "White" if shown(stage, room["code"]).state.turn == 0 else "Black"
        passed = [message for message in heard if message["action"] == "move"]
        assert turn == (passed[-1]["timerState"]["currentPlayer"] if passed else "White")


def test_free_dice_are_sent_as_indices(stage: Stage) -> None:
    web, room = web_table(stage, {"dice": "free"})
    guest = Qt(stage)
    heard = guest.join(room["code"])
    assert actions(heard) == ["joinedRoom", "gameStart", "diceRolled"]
    hand = shown(stage, room["code"]).state.cup.thrown[-1].dice
    assert heard[2]["rolls"] == ["PN".index(kind) for kind in hand]
    first = {"P": "a2a3", "N": "b1c3"}[hand[0]]
    play(web, room["id"], first)
    (moved,) = guest.heard()
    assert moved["diceState"]["movesRemaining"] == 2


def test_a_guest_rolls_or_requests_dice_in_a_room_of_a_web_client(stage: Stage) -> None:
    web, room = web_table(stage, {"dice": "free"})
    guest = Qt(stage)
    guest.join(room["code"])
    options = {"P": ["a2a3", "b2b3", "c2c3"], "N": ["g1f3", "f3g1", "g1f3"]}
    for kind in shown(stage, room["code"]).state.cup.thrown[-1].dice:
        play(web, room["id"], options[kind].pop(0))
    heard = guest.heard()
    assert actions(heard) == ["move", "move", "move"]
    assert heard[2]["diceState"] == {"movesRemaining": 0, "hasInterruption": False}
    assert heard[2]["timerState"]["currentPlayer"] == "Black"
    (rolled,) = guest.ask("requestDice", numMovablePieces=2)
    assert (rolled["action"], rolled["currentPlayer"]) == ("diceRolled", "Black")
    assert guest.ask("requestDice", numMovablePieces=2) == []


def test_dice_of_a_guest_hold_for_one_turn_only(
    stage: Stage,
) -> None:
    web, room = web_table(stage, {"dice": "free"})
    guest = Qt(stage)
    guest.join(room["code"])
    options = {"P": ["a2a3", "b2b3", "c2c3"], "N": ["g1f3", "f3g1", "g1f3"]}
    for kind in shown(stage, room["code"]).state.cup.thrown[-1].dice:
        play(web, room["id"], options[kind].pop(0))
    guest.heard()
    guest.ask("diceRoll", dice=[1, 1, 3])
    assert error(guest.move("b8c6")) == "不合法的棋步", "a pawn's die comes first"
    assert actions(guest.move("a7a6")) == ["move"]
    assert actions(guest.move("b7b6")) == ["move"]
    heard = guest.move("b8c6")
    assert actions(heard)[:2] == ["move", "diceRolled"], "the page's own dice are free again"


def test_a_chess_client_receives_hidden_moves_and_the_web_client_does_not(stage: Stage) -> None:
    web, room = web_table(stage, {"fog": True, "mines": 3})
    guest = Qt(stage)
    heard = guest.join(room["code"])
    assert heard[1]["gameModes"] == {"霧戰": True, "骰子": False, "踩地雷": True}
    assert len(heard[1]["minePositions"]) == 3
    play(web, room["id"], "e2e4")
    assert uci_of(guest.heard()[0]) == "e2e4"
    web.heard()
    guest.move("a7a6")
    told = [event["e"] for event in events(web.heard())]
    assert "moved" not in told
    assert "moved_in_fog" in told
    assert not any("minefield" in str(event) and "all" in str(event) for event in events(web.heard()))


# Somebody of the page at a room of this dialect


def hosted(stage: Stage, *modes: str, **fields: Any) -> tuple[Qt, Peer, str]:
    """Return a host of this dialect and a guest from the page in a running game."""
    host, web = Qt(stage), page(stage)
    code = host.create()
    room = web.ask("join", room=code)[0]["room"]
    assert host.heard() == [{"action": "playerJoined", "room": code}]
    start(host, *modes, **fields)
    return host, web, room["id"]


def test_a_web_client_waits_for_the_host_and_plays(stage: Stage) -> None:
    host, web, room = hosted(stage, whiteTimeMs=60000, blackTimeMs=60000)
    assert [event["e"] for event in events(web.heard())] == ["options_chosen", "game_started"]
    host.move("e2e4")
    play(web, room, "e7e5")
    (moved,) = host.heard()
    assert uci_of(moved) == "e7e5"


def test_mines_of_the_host_are_hidden_from_the_web_client(stage: Stage) -> None:
    _, web, _ = hosted(stage, MINES, minePositions=[{"x": 4, "y": 4}])
    heard = web.heard()
    (dealt,) = [event for event in events(heard) if event["e"] == "game_started"]
    assert dealt["position"]["minefield"]["left"] == 1
    assert "all" not in dealt["position"]["minefield"]
    assert "e4" not in str(dealt)


def test_the_server_rolls_for_the_web_client_and_the_host_rolls_its_own_dice(stage: Stage) -> None:
    host, _, _ = hosted(stage, DICE)
    host.ask("diceRoll", dice=[1, 1, 1])
    for uci in ("a2a3", "b2b3"):
        host.move(uci)
    heard = host.move("c2c3")
    assert actions(heard)[:2] == ["move", "diceRoll"]
    assert heard[0]["diceState"]["movesRemaining"] == 0
    assert heard[0]["timerState"]["currentPlayer"] == "Black"


def test_dice_requested_by_the_host_are_shown_to_the_web_client(stage: Stage) -> None:
    host, web, _ = hosted(stage, DICE)
    web.heard()
    (rolled,) = host.ask("requestDice", numMovablePieces=2)
    told = [event for event in events(web.heard()) if event["e"] == "rolled"]
    assert told[0]["picks"] == rolled["rolls"]


def test_dice_that_the_web_client_gives_up_are_reported(stage: Stage) -> None:
    for number in range(30):
        host, web = Qt(stage), page(stage, f"S{number}")
        code = host.create()
        room = web.ask("join", room=code)[0]["room"]["id"]
        host.heard()
        start(host, DICE, hostColor="Black")
        for _ in range(6):
            state = shown(stage, code).state
            if state.turn != 1 or state.result is not None:
                break
            if state.cup.skip:
                host.heard()
                web.ask("play", room=room, move={"do": "skip"}, nonce="")
                heard = host.heard()
                assert actions(heard)[0] == "move"
                assert uci_of(heard[0])[:2] == uci_of(heard[0])[2:]
                return
            moves = [
                move.uci
                for move in stage.hall.executor.games["chess"].rules.legal(state, Seat(1))
                if hasattr(move, "uci")
            ]
            king = [uci for uci in moves if uci in {"e2e4", "e2e3"}]
            play(web, room, (king or moves)[0])
    pytest.fail("nobody could let a die go")


def test_fog_hides_moves_from_the_web_client_only(stage: Stage) -> None:
    host, web, _ = hosted(stage, FOG)
    web.heard()
    heard = host.move("e2e4", extra=[1])
    assert heard[0]["extra"] == [1]
    assert all(event["e"] != "moved" for event in events(web.heard()))


def test_a_web_host_starts_a_game_for_a_chess_client(stage: Stage) -> None:
    host, web, room = hosted(stage)
    code = host.code
    host.leave()
    web.heard()
    guest = Qt(stage)
    assert actions(guest.join(code)) == ["joinedRoom"]
    web.ask("start", room=room, options={}, clock={"main": [60000]}, nonce="s")
    (begun,) = guest.heard()
    assert (begun["action"], begun["whiteTimeMs"]) == ("gameStart", 60000)
    white = shown(stage, code).state.white
    mine = shown(stage, code).seats[white].sees_hidden
    assert begun["hostColor"] == ("Black" if mine else "White")
    if mine:
        assert actions(guest.move("e2e4")) == ["move"]


def test_a_web_client_outside_the_room_cannot_relay_notes(stage: Stage) -> None:
    host, _, room = hosted(stage)
    watcher = page(stage, "Watcher")
    watcher.ask("watch", room=room)
    assert error(Qt(stage).ask("move", room=host.code, fromRow=6, fromCol=4, toRow=4, toCol=4))
    assert host.heard() == []
