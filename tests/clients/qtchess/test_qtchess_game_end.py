"""How games of the qtchess dialect end: results, clock, resignation and draws; and modes."""

import pytest

from qipai.kernel.room import Phase
from tests.clients.qtchess.qtchess_clients import (
    FOG,
    GRAVITY,
    ILLEGAL,
    MINES,
    RANGE,
    TELEPORT,
    TURN,
    Qt,
    actions,
    error,
    game,
    live_room_of,
    shown,
    since,
    start,
    two,
    uci_of,
)
from tests.support.hall_simulation import HallSimulation

FOOLS = ("f2f3", "e7e5", "g2g4", "d8h4")


def play(white: Qt, black: Qt, *moves: str) -> None:
    """Make moves in turn and discard what was received."""
    for number, uci in enumerate(moves):
        mover = (white, black)[number % 2]
        assert actions(mover.move(uci))[:1] == ["move"], uci
    white.received(), black.received()


# Results


def test_mate_is_sent_to_both_after_the_move(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    play(host, guest, *FOOLS[:3])
    received = guest.move(FOOLS[3])
    assert actions(received) == ["move", "gameOver"]
    assert received == host.received()
    assert received[0]["timerState"]["currentPlayer"] == "White"
    assert received[1] == {"action": "gameOver", "room": host.code, "result": "0-1"}


@pytest.mark.parametrize("said", ["0-1", "1-0", "1/2-1/2"])
def test_a_client_s_result_after_the_server_s_is_dropped(simulation: HallSimulation, said: str) -> None:
    host, guest = game(simulation)
    play(host, guest, *FOOLS)
    assert host.ask("gameOver", result=said) == guest.ask("gameOver", result=said) == []
    assert (host.received(), guest.received()) == ([], [])


def test_a_client_s_result_during_a_game_changes_nothing(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    for said in ("1-0", "0-1", "1/2-1/2", "*", None, 5, ["1-0"]):
        assert host.ask("gameOver", result=said) == []
    assert guest.received() == []
    assert actions(host.move("e2e4")) == ["move"]


def test_a_correct_result_is_relayed_once_if_the_server_sent_none(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    host.ask("surrender")
    guest.received()
    assert guest.ask("gameOver", result="1-0") == []
    assert host.received() == []
    guest.ask("gameOver", result="0-1", more=1)
    assert host.received() == [{"action": "gameOver", "room": host.code, "result": "0-1", "more": 1}]
    guest.ask("gameOver", result="0-1")
    assert host.received() == []


def test_stalemate_is_a_draw(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    moves = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6"
    play(host, guest, *moves.split())
    assert [each.get("result") for each in host.move("c8e6")] == [None, "1/2-1/2"]


def test_threefold_repetition_does_not_end_the_game_but_fivefold_does(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    for turn in range(1, 5):
        for number, uci in enumerate(("g1f3", "g8f6", "f3g1", "f6g8")):
            received = (host, guest)[number % 2].move(uci)
            last = turn == 4 and number == 3
            assert actions(received) == (["move", "gameOver"] if last else ["move"])
        host.received()
    assert received[1]["result"] == "1/2-1/2"


# The clock


def test_the_first_move_takes_no_time_and_later_moves_do(simulation: HallSimulation) -> None:
    host, guest = game(simulation, hostColor="Black", whiteTimeMs=60000, blackTimeMs=30000, incrementMs=1000)
    simulation.wait(100)
    (first,) = guest.move("e2e4")
    assert first["timerState"] == {
        "timeA": 30000, "timeB": 60000, "currentPlayer": "Black", "lastSwitchTime": since(simulation),
    }  # fmt: skip
    simulation.wait(0.25)
    host.received()
    (second,) = host.move("e7e5")
    assert second["timerState"] == {
        "timeA": 30750, "timeB": 60000, "currentPlayer": "White", "lastSwitchTime": since(simulation),
    }  # fmt: skip
    simulation.wait(10)
    guest.received()
    (third,) = guest.move("g1f3")
    assert (third["timerState"]["timeA"], third["timerState"]["timeB"]) == (30750, 51000)


def test_a_side_without_time_stays_at_zero(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=0, blackTimeMs=30000, incrementMs=5000)
    host.move("e2e4")
    simulation.wait(1)
    (received,) = guest.received()
    assert (received["timerState"]["timeA"], received["timerState"]["timeB"]) == (0, 30000)
    guest.move("e7e5")
    simulation.wait(3600)
    host.received()
    (received,) = host.move("g1f3")
    assert (received["timerState"]["timeA"], received["timerState"]["timeB"]) == (0, 34000)


def test_the_server_ends_the_game_at_the_deadline(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=30000, blackTimeMs=30000)
    simulation.wait(3600)
    host.move("e2e4")
    guest.received()
    simulation.wait(29.9)
    assert guest.received() == host.received() == []
    simulation.wait(0.2)
    assert shown(simulation, host.code).result.reason == "time"
    assert guest.move("e7e5") == []
    assert guest.ask("gameOver", result="1-0") == host.received() == []


def test_a_time_forfeit_is_sent_a_second_late(simulation: HallSimulation) -> None:
    # The clients' display runs behind: they take an earlier result for mate.
    host, guest = game(simulation, whiteTimeMs=30000, blackTimeMs=30000)
    host.move("e2e4"), guest.received()
    simulation.wait(30.1)
    assert shown(simulation, host.code).phase is Phase.OVER
    simulation.wait(0.8)
    assert guest.received() == host.received() == []
    simulation.wait(0.2)
    over = [{"action": "gameOver", "room": host.code, "result": "1-0"}]
    assert (host.received(), guest.received()) == (over, over)
    assert guest.ask("gameOver", result="1-0") == host.received() == []
    simulation.wait(5)
    assert guest.received() == host.received() == []


def test_a_new_game_within_that_second_has_no_result(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=30000, blackTimeMs=30000)
    host.move("e2e4"), guest.received()
    simulation.wait(30.5)
    start(host)
    simulation.wait(5)
    assert (host.received(), actions(guest.received())) == ([], ["gameStart"])


def test_a_player_who_stays_receives_the_result_before_the_other_leaves(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=30000, blackTimeMs=30000)
    host.move("e2e4"), guest.received()
    simulation.wait(30.5)
    guest.leave()
    assert actions(host.received()) == ["gameOver", "playerLeft"]
    simulation.wait(5)
    assert host.received() == []


def test_a_client_that_has_left_receives_no_result(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=30000, blackTimeMs=30000)
    host.move("e2e4"), guest.received()
    simulation.wait(30.5)
    guest.ask("leaveRoom")
    guest.create()
    simulation.wait(5)
    assert guest.received() == []


def test_a_player_out_of_time_loses_whatever_the_opponent_has_left(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=30000, blackTimeMs=30000)
    room = live_room_of(simulation, host.code)
    host.move("e2e4"), guest.move("e7e5")
    assert room.durable.options.legacy_rules
    simulation.wait(31)
    simulation.wait(1)
    assert host.received()[-1]["result"] == "0-1"


def test_the_last_move_earns_its_increment_too(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=60000, blackTimeMs=60000, incrementMs=1000)
    play(host, guest, *FOOLS[:3])
    simulation.wait(2)
    received = guest.move(FOOLS[3])
    assert received[0]["timerState"]["timeB"] == 60000 + 1000 - 2000 + 1000


# Resignation and draws


def test_a_resignation_is_relayed_unchanged_and_ends_the_game(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    assert guest.ask("surrender", mood="sad") == []
    assert host.received() == [{"action": "surrender", "room": host.code, "mood": "sad"}]
    result = shown(simulation, host.code).result
    assert (result.winners, result.reason) == ((0,), "resigned")


def test_a_resignation_after_the_end_is_relayed_too(simulation: HallSimulation) -> None:
    # A client whose king stepped on a mine misses the result, and its opponent leaves the game only so.
    host, guest = game(simulation, MINES, minePositions=[{"x": 4, "y": 5}])
    play(host, guest, "f2f3", "a7a6", "e2e4", "a6a5", "e1e2", "a5a4", "e2e3")
    before = shown(simulation, host.code)
    assert host.ask("surrender", mood="sad") == []
    assert guest.received() == [{"action": "surrender", "room": host.code, "mood": "sad"}]
    assert shown(simulation, host.code) is before
    start(host)
    guest.received()
    assert actions(host.move("e2e4")) == ["move"]


def test_a_resignation_after_the_opponent_has_left_is_ignored(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    play(host, guest, *FOOLS)
    guest.leave()
    other = Qt(simulation)
    other.join(host.code)
    host.received()
    assert host.ask("surrender") == other.received() == []


def test_a_resignation_before_the_game_or_from_outside_is_ignored(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    assert host.ask("surrender") == guest.received() == []
    start(host)
    guest.received()
    assert Qt(simulation).ask("surrender", room=host.code) == []
    assert host.received() == guest.received() == []
    assert shown(simulation, host.code).phase is Phase.PLAYING


def test_a_draw_is_offered_and_accepted(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    assert host.ask("drawOffer") == []
    assert guest.received() == [{"action": "drawOffer", "room": host.code}]
    assert guest.ask("drawResponse", accepted=True) == []
    assert host.received() == [{"action": "drawResponse", "room": host.code, "accepted": True}]
    assert guest.received() == []
    assert shown(simulation, host.code).result.reason == "agreed"


def test_a_draw_is_declined_and_a_second_answer_is_ignored(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    host.ask("drawOffer")
    guest.ask("drawResponse", accepted=False)
    assert host.received() == [{"action": "drawResponse", "room": host.code, "accepted": False}]
    simulation.wait(5)
    assert guest.ask("drawResponse", accepted=False) == []
    assert host.received() == []
    host.ask("drawOffer")
    assert actions(guest.received())[-1] == "drawOffer"


def test_an_answer_without_an_offer_or_to_the_own_offer_does_nothing(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    assert guest.ask("drawResponse", accepted=True) == host.received() == []
    host.ask("drawOffer")
    guest.received()
    assert host.ask("drawResponse", accepted=True) == []
    for accepted in (None, 1, "true", 0):
        assert guest.ask("drawResponse", accepted=accepted) == []
    assert Qt(simulation).ask("drawResponse", accepted=True, room=host.code) == []
    assert host.received() == []
    assert shown(simulation, host.code).phase is Phase.PLAYING


def test_a_draw_offer_ends_with_the_opponent_s_move(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    host.ask("drawOffer")
    play(host, guest, "e2e4")
    assert guest.ask("drawResponse", accepted=False) == []
    assert actions(host.received()) == ["drawResponse"]
    guest.ask("drawOffer")
    play(guest, host, "e7e5", "g1f3")
    assert host.ask("drawResponse", accepted=True) == []
    assert guest.received() == []
    assert shown(simulation, host.code).phase is Phase.PLAYING


def test_two_simultaneous_offers_are_a_draw_for_both(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    host.ask("drawOffer")
    guest.received()
    accepted = [{"action": "drawResponse", "room": host.code, "accepted": True}]
    assert guest.ask("drawOffer") == accepted
    assert host.received() == accepted
    assert shown(simulation, host.code).phase is Phase.OVER


# Modes


@pytest.mark.parametrize("mode", [GRAVITY, TELEPORT, "something new"])
def test_unknown_modes_are_played_unchecked(simulation: HallSimulation, mode: str) -> None:
    host, guest = game(simulation, mode)
    assert shown(simulation, host.code).options.unchecked_moves
    assert error(guest.move("e7e5")) == TURN
    assert actions(host.move("a1h8")) == ["move"]
    assert actions(guest.move("e8e1", promotion=77)) == ["move"]
    assert error(guest.move("e8e1")) == TURN
    host.received()
    assert error(host.ask("move", fromRow=0, fromCol=0, toRow=0, toCol=8)) == RANGE
    assert actions(host.move("d1d8", promotion=None)) == ["move"]


def test_a_mode_that_is_off_or_not_quite_on_is_off(simulation: HallSimulation) -> None:
    host, _ = game(simulation, gameModes={GRAVITY: False, "骰子": 1, "霧戰": "true", "新": None})
    options = shown(simulation, host.code).options
    assert (options.unchecked_moves, options.dice, options.fog) == (False, "", False)


def test_with_fog_both_clients_receive_every_move(simulation: HallSimulation) -> None:
    host, guest = game(simulation, FOG)
    received = host.move("e2e4", note=1)
    assert received == guest.received()
    assert uci_of(received[0]) == "e2e4"
    assert received[0]["note"] == 1
    assert shown(simulation, host.code).options.fog


@pytest.mark.parametrize("mode", [MINES, "地雷"])
def test_mines_are_where_the_host_put_them(simulation: HallSimulation, mode: str) -> None:
    mines = [{"x": 4, "y": 4}, {"x": 0, "y": 2}]
    host, guest = two(simulation)
    start(host, mode, minePositions=mines)
    assert guest.received()[0]["minePositions"] == mines
    field = shown(simulation, host.code).state.mines
    assert set(field.unexploded) == {"e4", "a6"}
    assert actions(host.move("e2e4")) == ["move"]
    assert error(guest.move("e4e5")) == ILLEGAL
    assert actions(guest.move("e7e5")) == ["move"]
    assert error(host.move("e4e3")) == ILLEGAL


def test_a_king_on_a_mine_has_lost(simulation: HallSimulation) -> None:
    host, guest = game(simulation, MINES, minePositions=[{"x": 4, "y": 5}])
    play(host, guest, "f2f3", "a7a6", "e2e4", "a6a5", "e1e2", "a5a4")
    received = host.move("e2e3")
    assert actions(received) == ["move", "gameOver"]
    assert received[1]["result"] == "0-1"


def test_mines_without_the_mode_are_ignored(simulation: HallSimulation) -> None:
    host, guest = game(simulation, minePositions=[{"x": 4, "y": 4}])
    play(host, guest, "e2e4", "a7a6")
    assert actions(host.move("e4e5")) == ["move"]


def test_the_mode_without_mines_has_none(simulation: HallSimulation) -> None:
    host, _ = game(simulation, MINES)
    assert shown(simulation, host.code).state.mines is None


def test_modes_do_not_carry_over_to_the_next_game(simulation: HallSimulation) -> None:
    host, guest = game(simulation, "骰子", MINES, minePositions=[{"x": 4, "y": 4}])
    host.ask("surrender")
    start(host)
    guest.received()
    (received,) = host.move("e2e4")
    assert "diceState" not in received
    play(guest, host, "a7a6")
    assert actions(host.move("e4e5")) == ["move"]
