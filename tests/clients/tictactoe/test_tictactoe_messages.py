"""What the tic-tac-toe dialect decodes and encodes, without a hall."""

import json
import time
from collections.abc import Iterator

import pytest

from qipai.clients.client_detection import ClientDetection
from qipai.clients.legacy_messages import LobbyChatLine, SayInLobby
from qipai.clients.tictactoe import TicTacToe
from qipai.clients.tictactoe.outgoing_messages import LAST_MOVE_FRAMES, MOVE_FRAMES, REFUSAL_FRAMES
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import RefuseFrame
from qipai.protocol.intents import QuickMatch
from qipai.protocol.notices import LobbyUpdate, Pong, Refused, Unchanged, Welcome

NEVER_SAID = (
    Welcome(1, "token", "Ann", Millis(0), (), ()),
    Unchanged(RoomId("r"), 3),
    LobbyUpdate(1),
    Pong(1, Millis(0)),
)


@pytest.fixture
def taipei(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC-8")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_every_refusal_has_its_answer() -> None:
    assert set(REFUSAL_FRAMES) == set(Refusal)
    for code in Refusal:
        for frame in TicTacToe("s").encode(Refused(code)):
            name, *arguments = json.loads(frame)
            assert name in {
                "login_required",
                "room_full",
                "game_in_progress",
                "move_rejected",
                "chat message",
            }
            assert len(arguments) == 1


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        (Refusal.HELLO_FIRST, ["login_required", {"message": "請先登入"}]),
        (Refusal.ROOM_FULL, ["room_full", {"message": "房間已滿，請稍後再試"}]),
        (Refusal.TOO_MANY_ROOMS, ["room_full", {"message": "房間已滿，請稍後再試"}]),
        (Refusal.BUSY, ["game_in_progress", {"message": "目前已有遊戲進行中，請稍後再試"}]),
        (Refusal.NOT_YOUR_TURN, ["move_rejected", {"reason": "not_your_turn"}]),
        (Refusal.OCCUPIED, ["move_rejected", {"reason": "occupied"}]),
    ],
)
def test_a_refusal_is_sent_as_clients_know_it(code: Refusal, answer: list[object]) -> None:
    assert [json.loads(frame) for frame in TicTacToe("s").encode(Refused(code))] == [answer]


def test_a_server_fault_asks_to_try_again() -> None:
    for code in (Refusal.UNAVAILABLE, Refusal.INTERNAL):
        for nonce in ("", "next 1 0"):
            ((name, line),) = [
                json.loads(frame) for frame in TicTacToe("s").encode(Refused(code, nonce=nonce))
            ]
            assert name == "chat message"
            assert line.startswith("[系統提示] ")
            assert "稍後再試" in line


def test_a_refusal_with_a_nonce_sends_nothing() -> None:
    quiet = set(Refusal) - {Refusal.UNAVAILABLE, Refusal.INTERNAL, Refusal.BUSY}
    assert all(TicTacToe("s").encode(Refused(code, nonce="next 1 0")) == () for code in quiet)


def test_notices_unknown_to_clients_send_nothing() -> None:
    assert [TicTacToe("s").encode(notice) for notice in NEVER_SAID] == [()] * len(NEVER_SAID)


@pytest.mark.usefixtures("taipei")
def test_a_chat_line_has_its_own_local_time() -> None:
    received = LobbyChatLine(Millis(1_700_000_000_000), "玩家1", "大家好！")
    assert TicTacToe("s").encode(received) == ('["chat message","[06:13:20] 玩家1: 大家好！"]'.encode(),)


def test_moves_are_encoded_as_clients_expect() -> None:
    assert MOVE_FRAMES[0][5] == (b'["move_made",{"row":1,"col":2,"symbol":"X","turn":"O"}]',)
    assert MOVE_FRAMES[1][0] == (b'["move_made",{"row":0,"col":0,"symbol":"O","turn":"X"}]',)
    assert LAST_MOVE_FRAMES[1][8] == (b'["move_made",{"row":2,"col":2,"symbol":"O","turn":"O"}]',)


@pytest.mark.parametrize(
    "square",
    [
        '{"row":true,"col":0}',
        '{"row":0,"col":false}',
        '{"row":"0","col":0}',
        '{"row":0.5,"col":0}',
        '{"row":1.0,"col":0}',
        '{"row":1e0,"col":0}',
        '{"row":null,"col":0}',
        '{"row":[1],"col":0}',
        '{"row":{},"col":0}',
        '{"row":3,"col":0}',
        '{"row":0,"col":-1}',
        '{"row":0}',
        '{"col":0}',
        "{}",
        '{"row":1e400,"col":0}',
        '{"row":' + "9" * 400 + ',"col":0}',
        '{"row":"\\ud800","col":0}',
        "[" * 40 + "]" * 40,
        "[0,0]",
        "4",
        '"0,0"',
        "null",
        "true",
    ],
)
def test_an_invalid_square_is_out_of_range(square: str) -> None:
    wrong = (RefuseFrame(Refusal.OUT_OF_RANGE),)
    assert TicTacToe("s").decode(f'["make_move",{square}]'.encode()) == wrong
    if "ud800" not in square and len(square) < 80:
        through = f'["action",{{"action":"make_move","data":{square}}}]'
        assert TicTacToe("s").decode(through.encode()) == wrong


def test_a_move_without_arguments_is_out_of_range() -> None:
    assert TicTacToe("s").decode(b'["make_move"]') == (RefuseFrame(Refusal.OUT_OF_RANGE),)


def test_squares_are_parsed_in_any_json_form() -> None:
    for frame in (
        b'["make_move",{"row":1,"col":2}]',
        b'["make_move",{"col":2,"row":1}]',
        b'[ "make_move", {"row": 1, "col": 2, "extra": null} ]',
        b'["make_move",{"row":1,"col":2},"more"]',
        b'["action",{"action":"make_move","data":{"row":1,"col":2}}]',
    ):
        assert TicTacToe("s").decode(frame) == (RefuseFrame(Refusal.NOT_PLAYING),), frame


def test_chat_is_a_string_or_has_a_message() -> None:
    assert TicTacToe("s").decode('["chat message","嗨"]'.encode()) == (SayInLobby("嗨"),)
    assert TicTacToe("s").decode(b'["chat message",{"message":"hi","name":"me"}]') == (SayInLobby("hi"),)
    for odd in (b"5", b"null", b'["hi"]', b'{"message":5}', b"{}", b"true"):
        (answer,) = TicTacToe("s").decode(b'["chat message",' + odd + b"]")
        assert isinstance(answer, RefuseFrame)
        assert REFUSAL_FRAMES[answer.code] == ()


def test_joining_rejoins_the_own_seat() -> None:
    assert TicTacToe("s").decode(b'["join_pvp"]') == (QuickMatch("tictactoe", rejoin=True),)
    assert TicTacToe("s").decode(b'["join_pvp",{"room":"mine"}]') == (QuickMatch("tictactoe", rejoin=True),)


def test_unknown_events_give_no_intents() -> None:
    for frame in (b'["connect"]', b'["MAKE_MOVE",{"row":0,"col":0}]', b"[]", b"[7]", b'[["join_pvp"]]'):
        assert TicTacToe("s").decode(frame) == ()


def test_sockets_share_no_encoded_frames() -> None:
    first = ClientDetection()("a")
    assert first.encoding_key is None
    assert (first.lobby_chat, first.reconnect_grace, first.on_disconnect()) == ("tictactoe", 15_000, ())
