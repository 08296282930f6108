"""Games of the qtchess dialect: starts, moves and their checks."""

import json
from typing import Any

import pytest

from tests.clients.qtchess.qtchess_clients import (
    ILLEGAL,
    OUTSIDE,
    RANGE,
    SQUARES,
    TURN,
    Qt,
    actions,
    error,
    game,
    shown,
    since,
    squares,
    start,
    two,
)
from tests.support.hall_simulation import HallSimulation

FOOLS = ("f2f3", "e7e5", "g2g4", "d8h4")
PROMOTING = ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "h7h6")
"""After these moves white's pawn on b7 may capture on a8 or c8 and promote."""


def play(white: Qt, black: Qt, *moves: str) -> None:
    """Make moves in turn and discard what was received."""
    for number, uci in enumerate(moves):
        mover = (white, black)[number % 2]
        assert actions(mover.move(uci))[:1] == ["move"], uci
    white.received(), black.received()


# Starts


def test_a_game_starts_for_both_with_the_requested_settings(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    modes = {"霧戰": False, "骰子": False, "附加": False}
    chosen = {"whiteTimeMs": 600000, "blackTimeMs": 300000, "incrementMs": 2000, "gameModes": modes}
    begun = host.ask("startGame", hostColor="White", minePositions=[], **chosen)
    assert begun == guest.received() == [
        {
            "action": "gameStart",
            "room": host.code,
            **{key: value for key, value in chosen.items() if key != "gameModes"},
            "hostColor": "White",
            "gameModes": modes,
            "minePositions": [],
            "serverTimestamp": since(simulation) + 500,
            "timerState": {
                "timeA": 600000, "timeB": 300000, "currentPlayer": "White", "lastSwitchTime": None,
                "whiteIsA": True, "incrementMs": 2000,
            },
        }
    ]  # fmt: skip


def test_missing_start_fields_have_defaults(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    (begun,) = host.ask("startGame", hostColor="Black")
    assert (begun["whiteTimeMs"], begun["blackTimeMs"], begun["incrementMs"]) == (0, 0, 0)
    assert (begun["gameModes"], begun["minePositions"]) == ({}, [])
    assert begun["timerState"]["whiteIsA"] is False
    guest.received()
    assert actions(guest.move("e2e4")) == ["move"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"hostColor": None},
        {"hostColor": "white"},
        {"hostColor": ["White"]},
        {"hostColor": 0},
        {"whiteTimeMs": -1},
        {"whiteTimeMs": 60000.5},
        {"blackTimeMs": "60000"},
        {"blackTimeMs": True},
        {"blackTimeMs": None},
        {"blackTimeMs": 24 * 3600 * 1000 + 1},
        {"incrementMs": -5},
        {"incrementMs": [1]},
        {"gameModes": []},
        {"gameModes": "骰子"},
        {"minePositions": {}},
        {"minePositions": [{"x": 1}]},
        {"minePositions": [{"x": 1, "y": 1}]},
        {"minePositions": [{"x": 1, "y": 6}]},
        {"minePositions": [{"x": 8, "y": 3}]},
        {"minePositions": [{"x": True, "y": 3}]},
        {"minePositions": [{"x": 1, "y": 3}, {"y": 3, "x": 1}]},
        {"minePositions": [[1, 3]]},
        {"minePositions": [None]},
        {"minePositions": [{"x": 1, "y": 3.0}]},
    ],
)
def test_an_invalid_start_is_ignored(simulation: HallSimulation, wrong: dict[str, Any]) -> None:
    host, guest = two(simulation)
    assert host.ask("startGame", **{"hostColor": "White", **wrong}) == []
    assert guest.received() == []
    assert shown(simulation, host.code).match == 0
    start(host)


def test_a_start_without_a_colour_is_ignored(simulation: HallSimulation) -> None:
    host, _ = two(simulation)
    assert host.ask("startGame", whiteTimeMs=60000) == []


def test_only_the_host_may_start_and_only_when_no_game_runs(simulation: HallSimulation) -> None:
    alone = Qt(simulation)
    alone.create()
    assert alone.ask("startGame", hostColor="White") == []
    host, guest = two(simulation)
    assert guest.ask("startGame", hostColor="White") == []
    assert Qt(simulation).ask("startGame", hostColor="White", room=host.code) == []
    assert host.ask("startGame", hostColor="White", room=alone.code) == []
    start(host)
    guest.received()
    assert host.ask("startGame", hostColor="White") == []
    assert guest.received() == []


def test_a_start_after_the_end_is_a_rematch_with_its_own_colours(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    host.ask("surrender")
    guest.received()
    again = start(host, hostColor="Black")
    assert again["hostColor"] == "Black"
    guest.received()
    assert error(host.move("e2e4")) == TURN
    assert actions(guest.move("e2e4")) == ["move"]
    assert shown(simulation, host.code).match == 2


# Moves


def test_an_accepted_move_is_sent_to_both_with_all_its_fields(simulation: HallSimulation) -> None:
    host, guest = game(simulation, whiteTimeMs=60000, blackTimeMs=60000)
    received = host.move(
        "e2e4", promotion=None, finalPosition=[4, 4], note="hi", nested={"a": [1, {"b": None}]}
    )
    assert received == guest.received() == [
        {
            "action": "move",
            "room": host.code,
            "fromRow": 6,
            "fromCol": 4,
            "toRow": 4,
            "toCol": 4,
            "promotion": None,
            "finalPosition": [4, 4],
            "note": "hi",
            "nested": {"a": [1, {"b": None}]},
            "timerState": {
                "timeA": 60000, "timeB": 60000, "currentPlayer": "Black", "lastSwitchTime": since(simulation),
            },
        }
    ]  # fmt: skip


def test_both_receive_the_same_bytes_with_fields_in_the_order_sent(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    fields = '{ "toRow":4, "fromRow" : 6,"note":"中文","fromCol":4,"toCol":4,"action":"move"'
    frame = f'{fields},"room":"{host.code}"}}'
    host.asked(frame)
    guest.received()
    sent = host.transport.frames[-1]
    assert sent == guest.transport.frames[-1]
    assert sent.decode().startswith(frame[:-1])


def test_a_duplicate_field_is_relayed_once(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    for spaces in ("", " "):
        fields = f'"fromRow"{spaces}:1,"fromRow":6,"fromCol":4,"toRow":4,"toCol":4'
        frame = f'{{"action":"move","room":"{host.code}",{fields}}}'
        host.asked(frame)
        (received,) = guest.received()
        assert received["fromRow"] == 6
        assert guest.transport.frames[-1].count(b'"fromRow"') == 1
        host.ask("surrender")
        guest.received()
        start(host)
        guest.received()


def test_fields_of_the_server_are_removed_from_client_frames(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    received = host.move("e2e4", timerState={"timeA": 1}, diceState={"movesRemaining": 9})
    assert received == guest.received()
    assert received[0]["timerState"]["currentPlayer"] == "Black"
    assert "diceState" not in received[0]
    code = guest.code.encode()
    escaped = (
        b'{"action":"move","room":"%b","fromRow":1,"fromCol":4,"toRow":3,"toCol":4,"timer\\u0053tate":1}'
    )
    (heard_again,) = guest.asked(escaped % code)
    assert heard_again["timerState"]["currentPlayer"] == "White"
    assert guest.transport.frames[-1].count(b"tate") == 1


@pytest.mark.parametrize("size", [900, 1024, 1025, 5000])
def test_only_known_fields_of_a_large_frame_are_relayed(simulation: HallSimulation, size: int) -> None:
    host, guest = game(simulation)
    head = {"action": "move", "room": host.code, **squares("e2e4"), "promotion": None, "padding": ""}
    bare = len(json.dumps(head))
    host.asked(json.dumps({**head, "padding": "x" * (size - bare)}))
    (received,) = guest.received()
    assert ("padding" in received) == (size <= 1024)
    assert list(received) == [*(key for key in head if key != "padding" or size <= 1024), "timerState"]


def test_a_frame_above_the_size_limit_does_no_harm(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    assert actions(host.move("e2e4", padding="x" * 15000)) == ["move"]
    assert "padding" not in guest.received()[0]


def test_the_room_is_checked_first(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    outsider = Qt(simulation)
    for room in (host.code, "1", "", None, 7, [host.code]):
        assert error(outsider.ask("move", room=room, fromRow="x")) == OUTSIDE
    for room in ("1", "", None, 7, [host.code]):
        assert error(host.ask("move", room=room, **squares("e2e4"))) == OUTSIDE
    assert error(host.asked('{"action":"move"}')) == OUTSIDE
    assert guest.received() == []


@pytest.mark.parametrize("value", [6.0, True, "6", None, [6], {"a": 6}, 6.5, False, ""])
@pytest.mark.parametrize("key", ["fromRow", "fromCol", "toRow", "toCol"])
def test_a_coordinate_is_a_json_integer(simulation: HallSimulation, key: str, value: Any) -> None:
    host, guest = game(simulation)
    fields = {**squares("e2e4"), key: value}
    assert error(host.ask("move", **fields)) == SQUARES
    del fields[key]
    assert error(host.ask("move", **fields)) == SQUARES
    assert error(guest.ask("move", **fields)) == SQUARES


def test_an_integer_written_as_a_float_is_not_a_coordinate(simulation: HallSimulation) -> None:
    host, _ = game(simulation)
    for six in ("6.0", "6e0", "60e-1", "0.6e1"):
        fields = f'"fromRow":{six},"fromCol":4,"toRow":4,"toCol":4'
        frame = f'{{"action":"move","room":"{host.code}",{fields}}}'
        assert error(host.asked(frame)) == SQUARES


@pytest.mark.parametrize("value", [-1, 8, 100, -8, 2**40, 2**70, -(2**70)])
@pytest.mark.parametrize("key", ["fromRow", "fromCol", "toRow", "toCol"])
def test_a_coordinate_is_on_the_board(simulation: HallSimulation, key: str, value: int) -> None:
    host, guest = game(simulation)
    fields = {**squares("e2e4"), key: value}
    assert error(host.ask("move", **fields)) == RANGE
    assert error(guest.ask("move", **fields)) == RANGE


def test_the_turn_is_checked_before_the_move(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    assert error(guest.move("e7e5")) == TURN
    assert error(guest.move("a1h8")) == TURN
    assert error(guest.move("e7e8q", promotion=99)) == TURN
    host.move("e2e4")
    guest.received()
    assert error(host.move("d2d4")) == TURN
    assert error(host.move("d2d2")) == TURN
    assert guest.received() == []


@pytest.mark.parametrize("uci", ["e2e5", "e2e2", "e1e2", "a1a3", "e7e5", "e4e5", "e1g1", "g1e2"])
def test_a_move_against_the_rules_is_refused(simulation: HallSimulation, uci: str) -> None:
    host, guest = game(simulation)
    assert error(host.move(uci)) == ILLEGAL
    assert guest.received() == []
    assert actions(host.move("e2e4")) == ["move"]


@pytest.mark.parametrize("promotion", [2, 3, 4, 5])
def test_a_promotion_is_played_as_chosen(simulation: HallSimulation, promotion: int) -> None:
    host, guest = game(simulation)
    play(host, guest, *PROMOTING)
    received = host.move("b7a8", promotion=promotion)
    assert received[0]["promotion"] == promotion
    piece = shown(simulation, host.code).state.fen[0]
    assert piece == {2: "R", 3: "N", 4: "B", 5: "Q"}[promotion]


@pytest.mark.parametrize("promotion", [None, 0, 1, 6, 7, -1, "5", 5.0, True, [5], 2**70])
def test_an_invalid_promotion_is_illegal(simulation: HallSimulation, promotion: Any) -> None:
    host, guest = game(simulation)
    play(host, guest, *PROMOTING)
    assert error(host.move("b7a8", promotion=promotion)) == ILLEGAL
    if promotion is not None:
        assert error(host.move("b1c3", promotion=promotion)) == ILLEGAL
    assert error(host.move("b1c3", promotion=5)) == ILLEGAL
    assert actions(host.move("b1c3", promotion=None)) == ["move"]


def test_castling_and_en_passant_are_sent_as_king_and_pawn_moves(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    play(host, guest, "e2e4", "a7a6", "e4e5", "d7d5")
    assert actions(host.move("e5d6")) == ["move"]
    play(guest, host, "a6a5", "g1f3", "a5a4", "f1e2", "a4a3")
    assert error(host.move("e1h1")) == ILLEGAL
    assert actions(host.move("e1g1")) == ["move"]


def test_before_the_first_game_moves_are_relayed_unchecked(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    frame = f'{{"action":"move","room":"{host.code}","fromRow":0,"fromCol":0,"toRow":7,"toCol":7,"x":1}}'
    assert host.asked(frame) == []
    guest.received()
    assert guest.transport.frames[-1] == frame.encode()
    assert guest.move("e7e5") == []
    assert host.received() == [{"action": "move", "room": host.code, **squares("e7e5")}]
    assert error(host.ask("move", fromRow=9)) == SQUARES
    assert guest.received() == []


def test_a_start_and_a_move_sent_together_both_take_effect(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    host.send("startGame", hostColor="White")
    host.send("move", **squares("e2e4"))
    assert actions(host.received()) == ["gameStart", "move"]
    received = guest.received()
    assert actions(received) == ["gameStart", "move"]
    assert "timerState" in received[1]


def test_moves_after_the_end_are_ignored(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    play(host, guest, *FOOLS)
    assert host.move("a2a3") == guest.move("a7a6") == []
    assert (host.received(), guest.received()) == ([], [])
