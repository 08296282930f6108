"""What the gomoku dialect reads and writes, without a hall."""

import json
import time
from collections.abc import Iterator

import pytest

from qipai.clients.client_detection import ClientDetection
from qipai.clients.gomoku import Gomoku, ServerState, chat_text
from qipai.clients.gomoku.errors import FRAMES, REFUSED, TEXTS, ClientError
from qipai.clients.gomoku.incoming_messages import TAILS, RequestType, opening, question, room_of, stone_of
from qipai.clients.gomoku.outgoing_messages import PLACED, STONES, over, said
from qipai.clients.legacy_messages import (
    ListRooms,
    LobbyChatLine,
    LookUpRoom,
    ReminderDue,
    RoomList,
    SetNickname,
)
from qipai.clients.tictactoe import TicTacToe
from qipai.kernel.chat import ChatLine
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import RefuseFrame, SwitchDialect
from qipai.protocol.notices import LobbyUpdate, Pong, Refused, Unchanged, Welcome

NEVER_SAID = (
    Welcome(1, "token", "Ann", Millis(0), (), ()),
    Unchanged(RoomId("r"), 3),
    LobbyUpdate(1),
    Pong(1, Millis(0)),
    LobbyChatLine(Millis(0), "Ann", "hi"),
    ReminderDue("3"),
)


@pytest.fixture
def shanghai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC-8")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_every_refusal_has_its_answer() -> None:
    assert set(REFUSED) == set(Refusal)
    for code in Refusal:
        for frame in Gomoku("s", ServerState()).encode(Refused(code)):
            name, wrong = json.loads(frame)
            assert name == "error"
            assert list(wrong) == ["code", "message"]
            assert TEXTS[ClientError(wrong["code"])] == wrong["message"]


def test_every_error_has_a_word_and_a_text_of_its_own() -> None:
    assert set(TEXTS) == set(FRAMES) == set(ClientError)
    assert len(set(TEXTS.values())) == len(ClientError)


@pytest.mark.parametrize("notice", NEVER_SAID, ids=lambda notice: type(notice).__name__)
def test_what_is_not_for_these_clients_is_not_said(notice: Pong) -> None:
    assert Gomoku("s", ServerState()).encode(notice) == ()


def test_a_socket_is_of_no_program_until_its_first_event_says_which() -> None:
    first = ClientDetection()("a")
    assert isinstance(first, TicTacToe)
    (become,) = first.decode(b'["join-lobby",{"nickname":"Ann"}]')
    assert isinstance(become, SwitchDialect)
    assert isinstance(become.dialect, Gomoku)
    assert become.frame == b'["join-lobby",{"nickname":"Ann"}]'
    assert become.dialect.decode(become.frame) == (SetNickname("gomoku", "Ann"), ListRooms("gomoku"))
    assert (become.dialect.lobby_chat, become.dialect.reconnect_grace, become.dialect.hides_disconnects) == (
        "",
        120_000,
        False,
    )
    assert first.decode(b'["dance"]') == ()


@pytest.mark.parametrize("ask", list(RequestType))
def test_every_event_of_these_clients_is_known_by_its_name(ask: RequestType) -> None:
    (become,) = ClientDetection()("a").decode(json.dumps([ask.value]).encode())
    assert isinstance(become, SwitchDialect)


@pytest.mark.parametrize(
    "frame",
    [
        b'["dance",{}]',
        b"[]",
        b"[7]",
        b'[["join-lobby"]]',
        b"{}",
        b"",
        b"\xff",
        b'["place-stone"' + b",[" * 40,
    ],
)
def test_unknown_events_and_no_events_ask_for_nothing(frame: bytes) -> None:
    assert question(frame) is None
    assert Gomoku("s", ServerState()).decode(frame) == ()


def test_the_frames_of_clients_for_a_stone_are_found_letter_by_letter() -> None:
    assert len(TAILS) == 225
    for x, y in ((0, 0), (7, 3), (14, 14), (0, 10)):
        frame = json.dumps(
            ["place-stone", {"roomId": "7097", "x": x, "y": y}], separators=(",", ":")
        ).encode()
        begin = opening("7097")
        assert frame.startswith(begin)
        asked = question(frame)
        assert asked is not None
        assert TAILS[frame[len(begin) :]] == stone_of(asked)
        assert room_of(asked) == "7097"


@pytest.mark.parametrize("point", ["0", 1.0, 1.5, True, None, [3], {"x": 1}, -1, 15, 2**70, "七"])
def test_what_is_no_integer_from_0_to_14_is_no_point(point: object) -> None:
    for fields in ({"x": point, "y": 3}, {"x": 3, "y": point}, {"x": point}, {}):
        asked = question(json.dumps(["place-stone", {"roomId": "1", **fields}]).encode())
        assert asked is not None
        assert stone_of(asked) is None


def test_strangers_are_told_to_join_the_lobby_and_may_look_around() -> None:
    new = Gomoku("s", ServerState())
    for event in ("create-room", "quick-match", "join-room"):
        assert new.decode(json.dumps([event]).encode()) == (RefuseFrame(Refusal.HELLO_FIRST),)
    assert new.decode(b'["refresh-rooms"]') == (ListRooms("gomoku"),)
    frame = b'["search-room",{"roomId":"7097"}]'
    assert new.decode(frame) == (LookUpRoom("7097", frame.decode()),)


def test_the_list_is_encoded_once_for_everybody() -> None:
    salon, listing = ServerState(), RoomList("gomoku", (), 3)
    heard: list[bytes] = []
    for sid in "ab":
        peer = Gomoku(sid, salon)
        peer.decode(b'["refresh-rooms"]')
        heard += peer.encode(listing)
    assert heard == [b'["room-list",[]]'] * 2
    assert heard[0] is heard[1]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (":) :-) :( :-(", "😊 😊 😢 😢"),
        (":D ;) :P :p :O :o <3 :* XD xD", "😄 😉 😛 😛 😮 😮 ❤️ 😘 😆 😆"),
        (":'( :'-( :/ :-/ O:) O:-) >:( >:-( :@ B) B-)", "😭 😭 😕 😕 😇 😇 😠 😠 😡 😎 😎"),
        ("::))", ":😊)"),
        ("see http://example.org/:D and :D", "see http://example.org/:D and 😄"),
        ("x://:) ://", "x://:) 😕/"),
        ("<b>\"quoted\" & 'more'</b>", "＜b＞＂quoted＂ ＆ ＇more＇＜/b＞"),
        ("http://a/<script>", "http://a/＜script＞"),
    ],
)
def test_a_line_leaves_with_emoji_and_without_markup(written: str, shown: str) -> None:
    assert chat_text.line(written) == shown


def test_shortcuts_are_those_of_the_older_program() -> None:
    assert len(chat_text.EMOJI) == 32
    assert set(chat_text.EMOJI.values()) == set("😊😢😄😉😛😮😘😆😭😕😇😠😡😎") | {"❤️"}


@pytest.mark.usefixtures("shanghai")
def test_a_line_carries_the_server_s_local_time() -> None:
    line = said(ChatLine(Millis(1_700_000_000_000), "Ann", "hi"))
    assert json.loads(line) == {"time": "06:13", "nickname": "Ann", "message": "hi"}


@pytest.mark.parametrize(
    ("reason", "more"),
    [("resigned", {"surrender": True}), ("left", {"left": True}), ("time", {"timeout": True}), ("full", {})],
)
def test_an_ending_without_a_line_says_why(reason: str, more: dict[str, bool]) -> None:
    assert json.loads(over(2, reason, ())) == ["game-over", {"winner": 2, "winningStones": None, **more}]


def test_stones_are_named_by_column_and_row() -> None:
    assert json.loads(STONES[0][7 + 15 * 3]) == {"x": 7, "y": 3, "color": 1}
    assert json.loads(PLACED[1][14]) == ["stone-placed", {"x": 14, "y": 0, "color": 2}]


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("  测试  ", "测试"),
        ("", "Ann的房间"),
        ("  ", "Ann的房间"),
        (None, "Ann的房间"),
        (7, "Ann的房间"),
        ("x" * 40, "x" * 30),
        ("a\u202eb\u0000", "ab"),
    ],
)
def test_a_room_s_name_is_trimmed_cut_and_never_empty(title: object, kept: str) -> None:
    assert chat_text.title_of(title, "Ann") == kept
