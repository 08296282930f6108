"""The correctness properties about rooms, lobby and chat, for Socket.IO clients."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.clients.gomoku import chat_text
from qipai.clients.nicknames import NEUTRAL_NAME
from qipai.games.game_registry import GAMES
from qipai.hall.people.names import Names
from qipai.kernel.codec import clean_line
from tests.clients.gomoku.gomoku_clients import create_room, match, names, player, room_of, without_lobby
from tests.support.hall_simulation import HallSimulation, SocketIOClient

MANY = settings(max_examples=200)
PRINTABLE = st.characters(categories=("L", "N", "P", "S", "Zs"))
NICKNAME = st.text(PRINTABLE, max_size=24) | st.text(st.sampled_from(" \t\n　"), max_size=24)
WORD = st.text(PRINTABLE, min_size=1, max_size=12).filter(lambda word: bool(chat_text.clean_nickname(word)))
RESERVED = Names(GAMES, lambda _: None)
SHORTCUT = st.sampled_from(sorted(chat_text.EMOJI))


def visible(word: str) -> str:
    return chat_text.escape_markup(chat_text.clean_nickname(word))


def visible_nickname(word: str) -> str:
    return NEUTRAL_NAME if RESERVED.is_reserved(chat_text.clean_nickname(word)) else visible(word)


@MANY
@given(NICKNAME | st.sampled_from(["系统", "admin#2", "Bot 1", "管理员"]))
def test_property_1_nickname_validation(nickname: str) -> None:
    """Property 1: Nickname Validation."""
    trimmed = nickname.strip()
    with HallSimulation() as simulation:
        ann = simulation.socketio_client(login=False)
        received = ann.ask("join-lobby", {"nickname": nickname})
        if 1 <= len(trimmed) <= 20 and chat_text.clean_nickname(trimmed):
            assert names(received) == ["online-count", "room-list"]
            room = create_room(ann, name="")
            black = room_of(ann.ask("join-room", {"roomId": room}))["players"]["black"]
            assert black["nickname"] == visible_nickname(trimmed)
        else:
            ((name, wrong),) = received
            assert name == "error"
            assert wrong["code"] == (
                "nickname_too_long" if chat_text.clean_nickname(trimmed) else "nickname_empty"
            )
            assert ann.ask("create-room", {})[0][1]["code"] == "lobby_required"


@MANY
@given(st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_property_3_room_id_uniqueness_and_format(titles: list[str]) -> None:
    """Property 3: Room ID Uniqueness and Format."""
    with HallSimulation() as simulation:
        rooms = []
        for number, title in enumerate(titles):
            ann = player(simulation, f"P{number}")
            ((_, joined),) = without_lobby(ann.ask("create-room", {"name": title}))
            rooms.append(joined["room"]["id"])
            assert joined["room"]["board"] == [[0] * 15] * 15
            assert 0 < len(joined["room"]["name"]) <= 30
        assert all(re.fullmatch(r"[1-9]\d{3,5}", room) for room in rooms)
        assert len(set(rooms)) == len(rooms)


@MANY
@given(st.booleans(), st.booleans(), WORD)
def test_property_11_room_join_logic(black_leaves: bool, joins_by_match: bool, nickname: str) -> None:
    """Property 11: Room Join Logic. The free seat is taken, and the game starts."""
    with HallSimulation() as simulation:
        ann = player(simulation, "Ann")
        room, expected = create_room(ann), "white"
        if black_leaves:
            bob = player(simulation, "Bob")
            bob.ask("join-room", {"roomId": room})
            ann.ask("leave-room", {"roomId": room})
            expected, joins_by_match = "black", False
        cat = player(simulation, nickname)
        fields: tuple[str, dict[str, Any]] = (
            ("quick-match", {}) if joins_by_match else ("join-room", {"roomId": room})
        )
        received = cat.ask(*fields)
        assert names(received) == ["room-joined", "room-updated"]
        assert received[0][1]["role"] == expected
        view = room_of(received)
        assert view["id"] == room
        assert view["status"] == "playing"
        assert view["myRole"] == expected
        assert (view["history"], view["winner"]) == ([], None)


@MANY
@given(st.integers(0, 20), st.booleans())
def test_property_12_full_room_rejection(stones: int, over: bool) -> None:
    """Property 12: Full Room Rejection."""
    with HallSimulation() as simulation:
        ann, bob, room = match(simulation)
        for number in range(stones):
            (ann, bob)[number % 2].ask(
                "place-stone", {"roomId": room, "x": number // 15 * 2, "y": number % 15}
            )
        if over:
            ann.ask("surrender", {"roomId": room})
        ann.received(), bob.received()
        cat = player(simulation, "Cat")
        assert cat.ask("join-room", {"roomId": room, "asWatcher": False}) == [
            ["error", {"code": "room_full", "message": "房间已满"}]
        ]
        assert without_lobby(ann.received()) == without_lobby(bob.received()) == []


def people(view: dict[str, Any]) -> list[str]:
    """Return everybody in a room."""
    seated = [view["players"][color] for color in ("black", "white")]
    return [one["nickname"] for one in [*seated, *view["watchers"]] if one is not None]


@MANY
@given(st.integers(0, 3), st.data())
def test_property_13_player_leave_cleanup(spectators: int, data: st.DataObject) -> None:
    """Property 13: Player Leave Cleanup. By request, by disconnect, or by a lost connection."""
    with HallSimulation() as simulation:
        ann, bob, room = match(simulation)
        inside = [ann, bob]
        for number in range(spectators):
            wat = player(simulation, f"W{number}")
            wat.ask("join-room", {"roomId": room, "asWatcher": True})
            inside.append(wat)
        last = inside[-1] if spectators else ann
        before = people(room_of(last.ask("join-room", {"roomId": room, "asWatcher": True})))
        goes = data.draw(st.sampled_from(inside))
        how = data.draw(st.sampled_from(["word", "goodbye", "cut"]))
        stays = next(caller for caller in inside if caller is not goes)
        stays.received()
        if how == "word":
            goes.ask("leave-room", {"roomId": room})
        elif how == "goodbye":
            goes.leave()
        else:
            goes.lose_transport()
            simulation.wait(121)
        received = without_lobby(stays.received())
        assert names(received)[-1] == "room-updated"
        ((_, left),) = [each for each in received if each[0] == "player-left"]
        after = people(room_of(received))
        assert sorted([*after, left["nickname"]]) == sorted(before)


@MANY
@given(st.lists(st.sampled_from(["waits", "plays", "over", "cut"]), max_size=4))
def test_property_14_quick_match_behavior(rooms: list[str]) -> None:
    """Property 14: Quick Match Behavior. The oldest waiting room with a connected player; else a new one."""
    with HallSimulation() as simulation:
        waiting = []
        for number, kind in enumerate(rooms):
            ann = player(simulation, f"A{number}")
            room = create_room(ann, turnTimer=bool(number % 2) and kind == "waits")
            if kind in {"plays", "over"}:
                player(simulation, f"B{number}").ask("join-room", {"roomId": room})
            if kind == "over":
                ann.ask("leave-room", {"roomId": room})
            if kind == "cut":
                ann.lose_transport()
            # In a finished room whose black player has left, the white player waits for another one.
            if kind in {"waits", "over"}:
                waiting.append((room, "white" if kind == "waits" else "black"))
        cat = player(simulation, "Cat")
        received = cat.ask("quick-match")
        view = room_of(received)
        if waiting:
            assert (view["id"], view["myRole"]) == waiting[0]
            assert view["status"] == "playing"
        else:
            assert (view["status"], view["myRole"], view["name"]) == ("waiting", "black", "Cat的房间")


@MANY
@given(st.text(max_size=300), st.booleans())
def test_property_15_chat_message_format(message: str, watching: bool) -> None:
    """Property 15: Chat Message Format."""
    with HallSimulation() as simulation:
        ann, bob, room = match(simulation)
        speaker: SocketIOClient = bob
        if watching:
            speaker = player(simulation, "Wat")
            speaker.ask("join-room", {"roomId": room, "asWatcher": True})
        ann.received()
        speaker.received()
        received = speaker.ask("chat-message", {"roomId": room, "message": message})
        assert received == ann.received()
        if not received:
            assert not clean_line(message, 200)
            return
        ((name, line),) = received
        assert name == "chat-received"
        assert list(line) == ["time", "nickname", "message"]
        assert re.fullmatch(r"[0-2]\d:[0-5]\d", line["time"])
        assert line["nickname"] == ("Wat" if watching else "Bob")
        assert line["message"] == chat_text.chat_message(clean_line(message, 200))


@MANY
@given(st.lists(SHORTCUT | st.text(st.sampled_from("abc 你好1"), max_size=5), max_size=12))
def test_property_16_emoji_conversion(parts: list[str]) -> None:
    """Property 16: Emoji Conversion. No shortcut is left, and nothing else is changed."""
    message = " ".join(parts)
    converted = chat_text.with_emoji(message)
    assert not any(key in converted for key in chat_text.EMOJI)
    assert converted == " ".join(chat_text.EMOJI.get(part, part) for part in parts)


@MANY
@given(st.lists(st.tuples(WORD, st.sampled_from(["waits", "plays", "over"]), st.integers(0, 2)), max_size=4))
def test_property_17_room_list_display_completeness(rooms: list[tuple[str, str, int]]) -> None:
    """Property 17: Room List Display Completeness."""
    with HallSimulation() as simulation:
        expected = []
        for number, (title, kind, spectators) in enumerate(rooms):
            ann = player(simulation, f"A{number}")
            room = create_room(ann, name=title)
            if kind != "waits":
                player(simulation, f"B{number}").ask("join-room", {"roomId": room})
            if kind == "over":
                ann.ask("surrender", {"roomId": room})
            for one in range(spectators):
                player(simulation, f"W{number}{one}").ask("join-room", {"roomId": room, "asWatcher": True})
            expected.append(
                {
                    "id": room,
                    "name": visible(title),
                    "blackPlayer": f"A{number}",
                    "whitePlayer": None if kind == "waits" else f"B{number}",
                    "status": {"waits": "waiting", "plays": "playing", "over": "ended"}[kind],
                    "watcherCount": spectators,
                }
            )
        eve = simulation.socketio_client(login=False)
        assert eve.ask("refresh-rooms") == [["room-list", expected]]


@MANY
@given(st.lists(WORD, min_size=1, max_size=4))
def test_property_18_watcher_addition(nicknames: list[str]) -> None:
    """Property 18: Watcher Addition."""
    with HallSimulation() as simulation:
        ann, _, room = match(simulation)
        for number, nickname in enumerate(nicknames, 1):
            wat = player(simulation, nickname)
            view = room_of(wat.ask("join-room", {"roomId": room, "asWatcher": True}))
            assert view["myRole"] == "watcher"
            assert len(view["watchers"]) == number
            assert view["watchers"][-1]["nickname"].startswith(visible_nickname(nickname))
            joined, updated = without_lobby(ann.received())
            assert joined == ["player-joined", {**view["watchers"][-1], "role": "watcher"}]
            assert updated[1]["watchers"] == view["watchers"]
