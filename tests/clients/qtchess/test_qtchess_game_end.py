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
from tests.support.stage import Stage

FOOLS = ("f2f3", "e7e5", "g2g4", "d8h4")


def play(white: Qt, black: Qt, *moves: str) -> None:
    """Make moves in turn and discard what was received."""
    for number, uci in enumerate(moves):
        mover = (white, black)[number % 2]
        assert actions(mover.move(uci))[:1] == ["move"], uci
    white.heard(), black.heard()


# Results


def test_mate_is_sent_to_both_after_the_move(stage: Stage) -> None:
    host, guest = game(stage)
    play(host, guest, *FOOLS[:3])
    received = guest.move(FOOLS[3])
    assert actions(received) == ["move", "gameOver"]
    assert received == host.heard()
    assert received[0]["timerState"]["currentPlayer"] == "White"
    assert received[1] == {"action": "gameOver", "room": host.code, "result": "0-1"}


@pytest.mark.parametrize("said", ["0-1", "1-0", "1/2-1/2"])
def test_a_client_s_result_after_the_server_s_is_dropped(stage: Stage, said: str) -> None:
    host, guest = game(stage)
    play(host, guest, *FOOLS)
    assert host.ask("gameOver", result=said) == guest.ask("gameOver", result=said) == []
    assert (host.heard(), guest.heard()) == ([], [])


def test_a_client_s_result_during_a_game_changes_nothing(stage: Stage) -> None:
    host, guest = game(stage)
    for said in ("1-0", "0-1", "1/2-1/2", "*", None, 5, ["1-0"]):
        assert host.ask("gameOver", result=said) == []
    assert guest.heard() == []
    assert actions(host.move("e2e4")) == ["move"]


def test_a_correct_result_is_relayed_once_if_the_server_sent_none(stage: Stage) -> None:
    host, guest = game(stage)
    host.ask("surrender")
    guest.heard()
    assert guest.ask("gameOver", result="1-0") == []
    assert host.heard() == []
    guest.ask("gameOver", result="0-1", more=1)
    assert host.heard() == [{"action": "gameOver", "room": host.code, "result": "0-1", "more": 1}]
    guest.ask("gameOver", result="0-1")
    assert host.heard() == []


def test_stalemate_is_a_draw(stage: Stage) -> None:
    host, guest = game(stage)
    moves = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6"
    play(host, guest, *moves.split())
    assert [each.get("result") for each in host.move("c8e6")] == [None, "1/2-1/2"]


def test_threefold_repetition_does_not_end_the_game_but_fivefold_does(stage: Stage) -> None:
    host, guest = game(stage)
    for turn in range(1, 5):
        for number, uci in enumerate(("g1f3", "g8f6", "f3g1", "f6g8")):
            received = (host, guest)[number % 2].move(uci)
            last = turn == 4 and number == 3
            assert actions(received) == (["move", "gameOver"] if last else ["move"])
        host.heard()
    assert received[1]["result"] == "1/2-1/2"


# The clock


def test_the_first_move_takes_no_time_and_later_moves_do(stage: Stage) -> None:
    host, guest = game(stage, hostColor="Black", whiteTimeMs=60000, blackTimeMs=30000, incrementMs=1000)
    stage.wait(100)
    (first,) = guest.move("e2e4")
    assert first["timerState"] == {
        "timeA": 30000, "timeB": 60000, "currentPlayer": "Black", "lastSwitchTime": since(stage),
    }  # fmt: skip
    stage.wait(0.25)
    host.heard()
    (second,) = host.move("e7e5")
    assert second["timerState"] == {
        "timeA": 30750, "timeB": 60000, "currentPlayer": "White", "lastSwitchTime": since(stage),
    }  # fmt: skip
    stage.wait(10)
    guest.heard()
    (third,) = guest.move("g1f3")
    assert (third["timerState"]["timeA"], third["timerState"]["timeB"]) == (30750, 51000)


def test_a_side_without_time_stays_at_zero(stage: Stage) -> None:
    host, guest = game(stage, whiteTimeMs=0, blackTimeMs=30000, incrementMs=5000)
    host.move("e2e4")
    stage.wait(1)
    (received,) = guest.heard()
    assert (received["timerState"]["timeA"], received["timerState"]["timeB"]) == (0, 30000)
    guest.move("e7e5")
    stage.wait(3600)
    host.heard()
    (received,) = host.move("g1f3")
    assert (received["timerState"]["timeA"], received["timerState"]["timeB"]) == (0, 34000)


def test_the_server_ends_the_game_at_the_deadline(stage: Stage) -> None:
    host, guest = game(stage, whiteTimeMs=30000, blackTimeMs=30000)
    stage.wait(3600)
    host.move("e2e4")
    guest.heard()
    stage.wait(29.9)
    assert guest.heard() == host.heard() == []
    stage.wait(0.2)
    over = [{"action": "gameOver", "room": host.code, "result": "1-0"}]
    assert (host.heard(), guest.heard()) == (over, over)
    assert guest.move("e7e5") == []
    assert guest.ask("gameOver", result="1-0") == []


def test_a_player_out_of_time_loses_whatever_the_opponent_has_left(stage: Stage) -> None:
    host, guest = game(stage, whiteTimeMs=30000, blackTimeMs=30000)
    room = live_room_of(stage, host.code)
    host.move("e2e4"), guest.move("e7e5")
    assert room.durable.options.legacy_rules
    stage.wait(31)
    assert host.heard()[-1]["result"] == "0-1"


def test_the_last_move_earns_its_increment_too(stage: Stage) -> None:
    host, guest = game(stage, whiteTimeMs=60000, blackTimeMs=60000, incrementMs=1000)
    play(host, guest, *FOOLS[:3])
    stage.wait(2)
    received = guest.move(FOOLS[3])
    assert received[0]["timerState"]["timeB"] == 60000 + 1000 - 2000 + 1000


# Resignation and draws


def test_a_resignation_is_relayed_unchanged_and_ends_the_game(stage: Stage) -> None:
    host, guest = game(stage)
    assert guest.ask("surrender", mood="sad") == []
    assert host.heard() == [{"action": "surrender", "room": host.code, "mood": "sad"}]
    result = shown(stage, host.code).result
    assert (result.winners, result.reason) == ((0,), "resigned")
    assert guest.ask("surrender") == host.ask("surrender") == []


def test_a_resignation_before_the_game_or_from_outside_is_ignored(stage: Stage) -> None:
    host, guest = two(stage)
    assert host.ask("surrender") == guest.heard() == []
    start(host)
    guest.heard()
    assert Qt(stage).ask("surrender", room=host.code) == []
    assert host.heard() == guest.heard() == []
    assert shown(stage, host.code).phase is Phase.PLAYING


def test_a_draw_is_offered_and_accepted(stage: Stage) -> None:
    host, guest = game(stage)
    assert host.ask("drawOffer") == []
    assert guest.heard() == [{"action": "drawOffer", "room": host.code}]
    assert guest.ask("drawResponse", accepted=True) == []
    assert host.heard() == [{"action": "drawResponse", "room": host.code, "accepted": True}]
    assert guest.heard() == []
    assert shown(stage, host.code).result.reason == "agreed"


def test_a_draw_is_declined_and_a_second_answer_is_ignored(stage: Stage) -> None:
    host, guest = game(stage)
    host.ask("drawOffer")
    guest.ask("drawResponse", accepted=False)
    assert host.heard() == [{"action": "drawResponse", "room": host.code, "accepted": False}]
    stage.wait(5)
    assert guest.ask("drawResponse", accepted=False) == []
    assert host.heard() == []
    host.ask("drawOffer")
    assert actions(guest.heard())[-1] == "drawOffer"


def test_an_answer_without_an_offer_or_to_the_own_offer_does_nothing(stage: Stage) -> None:
    host, guest = game(stage)
    assert guest.ask("drawResponse", accepted=True) == host.heard() == []
    host.ask("drawOffer")
    guest.heard()
    assert host.ask("drawResponse", accepted=True) == []
    for accepted in (None, 1, "true", 0):
        assert guest.ask("drawResponse", accepted=accepted) == []
    assert Qt(stage).ask("drawResponse", accepted=True, room=host.code) == []
    assert host.heard() == []
    assert shown(stage, host.code).phase is Phase.PLAYING


def test_a_draw_offer_ends_with_the_opponent_s_move(stage: Stage) -> None:
    host, guest = game(stage)
    host.ask("drawOffer")
    play(host, guest, "e2e4")
    assert guest.ask("drawResponse", accepted=False) == []
    assert actions(host.heard()) == ["drawResponse"]
    guest.ask("drawOffer")
    play(guest, host, "e7e5", "g1f3")
    assert host.ask("drawResponse", accepted=True) == []
    assert guest.heard() == []
    assert shown(stage, host.code).phase is Phase.PLAYING


def test_two_simultaneous_offers_are_a_draw_for_both(stage: Stage) -> None:
    host, guest = game(stage)
    host.ask("drawOffer")
    guest.heard()
    accepted = [{"action": "drawResponse", "room": host.code, "accepted": True}]
    assert guest.ask("drawOffer") == accepted
    assert host.heard() == accepted
    assert shown(stage, host.code).phase is Phase.OVER


# Modes


@pytest.mark.parametrize("mode", [GRAVITY, TELEPORT, "something new"])
def test_unknown_modes_are_played_unchecked(stage: Stage, mode: str) -> None:
    host, guest = game(stage, mode)
    assert shown(stage, host.code).options.unchecked_moves
    assert error(guest.move("e7e5")) == TURN
    assert actions(host.move("a1h8")) == ["move"]
    assert actions(guest.move("e8e1", promotion=77)) == ["move"]
    assert error(guest.move("e8e1")) == TURN
    host.heard()
    assert error(host.ask("move", fromRow=0, fromCol=0, toRow=0, toCol=8)) == RANGE
    assert actions(host.move("d1d8", promotion=None)) == ["move"]


def test_a_mode_that_is_off_or_not_quite_on_is_off(stage: Stage) -> None:
    host, _ = game(stage, gameModes={GRAVITY: False, "骰子": 1, "霧戰": "true", "新": None})
    options = shown(stage, host.code).options
    assert (options.unchecked_moves, options.dice, options.fog) == (False, "", False)


def test_with_fog_both_clients_receive_every_move(stage: Stage) -> None:
    host, guest = game(stage, FOG)
    received = host.move("e2e4", note=1)
    assert received == guest.heard()
    assert uci_of(received[0]) == "e2e4"
    assert received[0]["note"] == 1
    assert shown(stage, host.code).options.fog


@pytest.mark.parametrize("mode", [MINES, "地雷"])
def test_mines_are_where_the_host_put_them(stage: Stage, mode: str) -> None:
    mines = [{"x": 4, "y": 4}, {"x": 0, "y": 2}]
    host, guest = two(stage)
    start(host, mode, minePositions=mines)
    assert guest.heard()[0]["minePositions"] == mines
    field = shown(stage, host.code).state.mines
    assert set(field.unexploded) == {"e4", "a6"}
    assert actions(host.move("e2e4")) == ["move"]
    assert error(guest.move("e4e5")) == ILLEGAL
    assert actions(guest.move("e7e5")) == ["move"]
    assert error(host.move("e4e3")) == ILLEGAL


def test_a_king_on_a_mine_has_lost(stage: Stage) -> None:
    host, guest = game(stage, MINES, minePositions=[{"x": 4, "y": 5}])
    play(host, guest, "f2f3", "a7a6", "e2e4", "a6a5", "e1e2", "a5a4")
    received = host.move("e2e3")
    assert actions(received) == ["move", "gameOver"]
    assert received[1]["result"] == "0-1"


def test_mines_without_the_mode_are_ignored(stage: Stage) -> None:
    host, guest = game(stage, minePositions=[{"x": 4, "y": 4}])
    play(host, guest, "e2e4", "a7a6")
    assert actions(host.move("e4e5")) == ["move"]


def test_the_mode_without_mines_has_none(stage: Stage) -> None:
    host, _ = game(stage, MINES)
    assert shown(stage, host.code).state.mines is None


def test_modes_do_not_carry_over_to_the_next_game(stage: Stage) -> None:
    host, guest = game(stage, "骰子", MINES, minePositions=[{"x": 4, "y": 4}])
    host.ask("surrender")
    start(host)
    guest.heard()
    (received,) = host.move("e2e4")
    assert "diceState" not in received
    play(guest, host, "a7a6")
    assert actions(host.move("e4e5")) == ["move"]
