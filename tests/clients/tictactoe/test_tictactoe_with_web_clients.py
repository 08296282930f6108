"""Tic-tac-toe clients in rooms with web clients."""

from tests.clients.tictactoe.test_tictactoe_rooms import events, mixed, names, play, room_of
from tests.games.tictactoe.tictactoe_table import TAKEN
from tests.support.hall_simulation import HallSimulation


def test_older_and_web_clients_play_each_other_both_ways(simulation: HallSimulation) -> None:
    for page_first in (False, True):
        ann, bob, start, position = mixed(simulation, page_first=page_first)
        seat = 1 if page_first else 0
        assert start["my_side"] == ("left" if position["left"] == seat else "right")
        assert start["your_symbol"] == ("X" if position["x"] == seat else "O")
        mine, theirs = ("left_player", "right_player")
        if start["my_side"] == "right":
            mine, theirs = theirs, mine
        assert start[mine] == {"sid": ann.sid, "username": "Ann", "symbol": start["your_symbol"]}
        assert start[theirs]["username"] == "Bob"
        assert start[theirs]["sid"] not in {"", ann.sid}
        play(simulation, ann, bob, TAKEN["first"])
        received = ann.received()
        assert names(received)[-2:] == ["move_made", "round_end"]
        assert b'"round_over"' in bob.transport.frames[-1]
        bob.ask("play", room=room_of(simulation), move={"do": "next"})
        (reset,) = ann.received()
        assert reset[0] == "game_reset"
        ann.ask("chat message", "hi")
        assert events(bob.received())[-1]["line"]["text"] == "hi"
        bob.ask("say", room=room_of(simulation), text="hello")
        assert ann.received()[-1][1].endswith("] Bob: hello")
        ann.leave()
        assert [event["e"] for event in events(bob.received())][-2:] == ["game_over", "closed"]


def test_a_resignation_of_a_web_client_ends_the_match_for_the_older_client(
    simulation: HallSimulation,
) -> None:
    ann, bob, start, _ = mixed(simulation, page_first=False)
    bob.ask("resign", room=room_of(simulation))
    (end,) = ann.received()
    assert end == [
        "round_end",
        {
            "winner": start["your_symbol"],
            "scores": {"left": 0, "right": 0, "draw": 0},
            "round_count": 0,
            "match_finished": True,
            "winning_lines": [],
        },
    ]
    assert ann.mark(0) == [["move_rejected", {"reason": "not_playing"}]]


def test_a_rematch_offer_of_a_web_client_is_accepted(simulation: HallSimulation) -> None:
    ann, bob, _, _ = mixed(simulation, page_first=False)
    room = room_of(simulation)
    bob.ask("resign", room=room)
    ann.received()
    assert [event["e"] for event in events(bob.ask("offer", room=room, kind="rematch"))] == [
        "offer_made",
        "offer_answered",
        "game_started",
    ]
    ((name, started),) = ann.received()
    assert name == "new_match_started"
    assert {started["left_player"]["sid"], started["right_player"]["sid"]} > {ann.sid}
    bob.ask("resign", room=room)
    ann.received()
    assert ann.ask("start_new_match") == []
    (offered,) = [event for event in events(bob.received()) if event["e"] == "offer_made"]
    bob.ask("answer", room=room, offer=offered["offer"]["id"], yes=False)
    simulation.wait(11)
    assert ann.ask("start_new_match") == []
    (offered,) = [event for event in events(bob.received()) if event["e"] == "offer_made"]
    bob.ask("answer", room=room, offer=offered["offer"]["id"], yes=True)
    assert names(ann.received()) == ["new_match_started"]


def test_a_web_client_that_leaves_is_reported_as_opponent_left(simulation: HallSimulation) -> None:
    for over in (False, True):
        ann, bob, _, _ = mixed(simulation, page_first=True)
        room = room_of(simulation)
        if over:
            bob.ask("resign", room=room)
            ann.received()
        bob.ask("leave", room=room)
        assert ann.received() == [["opponent_left"]]
        simulation.settle()
        assert simulation.hall.executor.live_rooms == {}
        assert names(ann.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]
        ann.leave()


def test_a_web_client_that_disconnects_is_waited_for_and_then_left(simulation: HallSimulation) -> None:
    ann, bob, _, _ = mixed(simulation, page_first=False)
    bob.disconnect()
    simulation.wait(60)
    assert ann.received() == []
    simulation.wait(10)
    assert ann.received() == [["opponent_left"]]


def test_spectator_chat_to_everybody_is_received(simulation: HallSimulation) -> None:
    ann, bob, _, _ = mixed(simulation, page_first=False)
    room, eve = room_of(simulation), simulation.native_client("Eve")
    eve.ask("watch", room=room)
    eve.ask("say", room=room, text="corner!")
    assert ann.received() == []
    bob.ask("resign", room=room)
    ann.received()
    eve.ask("say", room=room, text="well played")
    ((name, line),) = ann.received()
    assert (name, line[11:]) == ("chat message", "Eve: well played")
