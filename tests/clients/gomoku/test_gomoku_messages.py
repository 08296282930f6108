"""What the gomoku dialect decodes and encodes, without a hall."""

import json
import time
from collections.abc import Iterator

import pytest

from qipai.clients.client_detection import ClientDetection
from qipai.clients.gomoku import Gomoku, ServerState, chat_text
from qipai.clients.gomoku.errors import ERROR_FRAMES, ERROR_OF_REFUSAL, TEXTS, ClientError
from qipai.clients.gomoku.incoming_messages import (
    MOVE_FRAME_ENDS,
    RequestType,
    move_frame_start,
    parse_move,
    parse_request,
    room_code,
)
from qipai.clients.gomoku.outgoing_messages import STONE_PLACED, STONES, chat_line, game_over
from qipai.clients.legacy_messages import (
    ListRooms,
    LobbyChatLine,
    LookUpRoom,
    ReminderDue,
    RoomList,
    SetNickname,
)
from qipai.clients.tictactoe import TicTacToe
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.refusals import Refusal
from qipai.kernel.view_values import ChatLineView
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
    assert set(ERROR_OF_REFUSAL) == set(Refusal)
    for code in Refusal:
        for frame in Gomoku("s", ServerState()).encode(Refused(code)):
            name, wrong = json.loads(frame)
            assert name == "error"
            assert list(wrong) == ["code", "message"]
            # That of a sanction is followed by its end and its reason.
            assert wrong["message"].startswith(TEXTS[ClientError(wrong["code"])])


def test_every_error_has_its_own_code_and_text() -> None:
    assert set(TEXTS) == set(ERROR_FRAMES) == set(ClientError)
    assert len(set(TEXTS.values())) == len(ClientError)


@pytest.mark.parametrize("notice", NEVER_SAID, ids=lambda notice: type(notice).__name__)
def test_notices_without_an_event_send_nothing(notice: Pong) -> None:
    assert Gomoku("s", ServerState()).encode(notice) == ()


def test_the_first_event_of_a_socket_selects_its_dialect() -> None:
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
def test_every_gomoku_event_selects_the_gomoku_dialect(ask: RequestType) -> None:
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
def test_unknown_or_invalid_events_give_no_intents(frame: bytes) -> None:
    assert parse_request(frame) is None
    assert Gomoku("s", ServerState()).decode(frame) == ()


def test_move_frames_are_found_byte_for_byte() -> None:
    assert len(MOVE_FRAME_ENDS) == 225
    for x, y in ((0, 0), (7, 3), (14, 14), (0, 10)):
        frame = json.dumps(
            ["place-stone", {"roomId": "7097", "x": x, "y": y}], separators=(",", ":")
        ).encode()
        begin = move_frame_start("7097")
        assert frame.startswith(begin)
        asked = parse_request(frame)
        assert asked is not None
        assert MOVE_FRAME_ENDS[frame[len(begin) :]] == parse_move(asked)
        assert room_code(asked) == "7097"


@pytest.mark.parametrize("point", ["0", 1.0, 1.5, True, None, [3], {"x": 1}, -1, 15, 2**70, "七"])
def test_only_integers_from_0_to_14_are_coordinates(point: object) -> None:
    for fields in ({"x": point, "y": 3}, {"x": 3, "y": point}, {"x": point}, {}):
        asked = parse_request(json.dumps(["place-stone", {"roomId": "1", **fields}]).encode())
        assert asked is not None
        assert parse_move(asked) is None


def test_a_client_without_a_nickname_may_list_and_search_only() -> None:
    new = Gomoku("s", ServerState())
    for event in ("create-room", "quick-match", "join-room"):
        assert new.decode(json.dumps([event]).encode()) == (RefuseFrame(Refusal.HELLO_FIRST),)
    assert new.decode(b'["refresh-rooms"]') == (ListRooms("gomoku"),)
    frame = b'["search-room",{"roomId":"7097"}]'
    assert new.decode(frame) == (LookUpRoom("7097", frame.decode()),)


def test_the_room_list_is_encoded_once_for_all_sockets() -> None:
    server_state, listing = ServerState(), RoomList("gomoku", (), 3)
    received: list[bytes] = []
    for sid in "ab":
        peer = Gomoku(sid, server_state)
        peer.decode(b'["refresh-rooms"]')
        received += peer.encode(listing)
    assert received == [b'["room-list",[]]'] * 2
    assert received[0] is received[1]


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
def test_chat_is_sent_with_emoji_and_without_markup(written: str, shown: str) -> None:
    assert chat_text.chat_message(written) == shown


def test_emoji_shortcuts_are_those_of_the_older_program() -> None:
    assert len(chat_text.EMOJI) == 32
    assert set(chat_text.EMOJI.values()) == set("😊😢😄😉😛😮😘😆😭😕😇😠😡😎") | {"❤️"}


@pytest.mark.usefixtures("shanghai")
def test_a_chat_line_has_the_local_time_of_the_server() -> None:
    line = chat_line(ChatLineView(Millis(1_700_000_000_000), "Ann", "hi"))
    assert json.loads(line) == {"time": "06:13", "nickname": "Ann", "message": "hi"}


@pytest.mark.parametrize(
    ("reason", "more"),
    [
        ("resigned", {"surrender": True}),
        ("left", {"surrender": True, "left": True}),
        ("time", {"surrender": True, "timeout": True}),
        ("full", {}),
    ],
)
def test_game_over_without_a_line_has_its_reason(reason: str, more: dict[str, bool]) -> None:
    assert json.loads(game_over(2, reason, ())) == ["game-over", {"winner": 2, "winningStones": None, **more}]


def test_stones_have_x_as_column_and_y_as_row() -> None:
    assert json.loads(STONES[0][7 + 15 * 3]) == {"x": 7, "y": 3, "color": 1}
    assert json.loads(STONE_PLACED[1][14]) == ["stone-placed", {"x": 14, "y": 0, "color": 2}]


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
def test_a_room_title_is_trimmed_cut_and_never_empty(title: object, kept: str) -> None:
    assert chat_text.room_title(title, "Ann") == kept
