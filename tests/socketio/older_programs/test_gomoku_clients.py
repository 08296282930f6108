"""Gomoku on the real server with real clients: two players, a spectator, and a client in the lobby.

One file, because its tests share one server and one group of connected clients per transport.
"""

import contextlib
import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

import pytest

from tests.socketio.client_programs import ClientProcess
from tests.support.proxies.cuttable_proxy import CuttableProxy
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

LOBBY = {"online-count", "room-list"}
CLIENTS = ("socket.io-client", "socket.io-client-4.7.5")
WAYS = ("polling", "websocket", "upgrade")
EMPTY = [[0] * 15 for _ in range(15)]
NUMBERS = count(1)
STONE = ("stone-placed", "room-updated")
LAST_STONE = ("stone-placed", "game-over", "room-updated")


class Guest:
    """A client with a nickname, whose requests name the room it entered last."""

    def __init__(self, port: int, client: str, way: str, nickname: str) -> None:
        self.nickname = nickname
        self.room = "0"
        self.puppet = ClientProcess(client, f"http://127.0.0.1:{port}", way, recovery=True)
        self.sid = self.puppet.observe("connect")["id"]

    def say(self, event: str, **fields: Any) -> None:
        """Emit an event about the own room, or with these fields about another."""
        self.puppet.command("emit", event, {"roomId": self.room} | fields)

    def until(self, name: str, wanted: Callable[[Any], bool] = lambda _: True) -> Any:
        """Receive until this event has the wanted data, and return the data."""
        while True:
            event = self.puppet.observe("event")
            if event[0] == name and wanted(event[1]):
                return event[1]

    def hear(self, *names: str) -> Any:
        """Expect these events next, apart from those of the lobby; return the data of the last one."""
        received: list[Any] = []
        while len(received) < len(names):
            if (event := self.puppet.observe("event"))[0] not in LOBBY:
                received.append(event)
        assert [event[0] for event in received] == list(names), received
        return received[-1][1]

    def refused(self, code: str, message: str) -> None:
        assert self.hear("error") == {"code": code, "message": message}

    def enter(self, event: str, **fields: Any) -> Any:
        """Enter a room, leave the earlier one, and return the data of `room-joined`."""
        self.say(event, **fields)
        welcome = self.until("room-joined")
        self.room = welcome["room"]["id"]
        assert welcome["role"] == welcome["room"]["myRole"]
        return welcome

    def disconnect(self) -> None:
        self.puppet.command("leave")
        assert self.puppet.observe("disconnect") == "io client disconnect"


class Party(NamedTuple):
    """Ann, whose network can be interrupted, Bob and the spectator Cy."""

    ann: Guest
    bob: Guest
    cy: Guest
    network: CuttableProxy
    dora: Guest
    """Stays in the lobby."""

    def hear(self, *names: str) -> Any:
        """Expect these events next at all three clients; the data of the last differs only in the role."""
        received = [guest.hear(*names) for guest in self[:3]]
        assert received[0] | role(received[2]) == received[1] | role(received[2]) == received[2]
        return received[2]

    def begin(self) -> None:
        """Let Ann create a room and play black, Bob play white and Cy watch."""
        self.ann.enter("create-room", name=" ")
        self.bob.enter("join-room", roomId=self.ann.room)
        self.bob.hear("room-updated")
        self.ann.hear("player-joined", "room-updated")
        self.cy.enter("join-room", roomId=self.ann.room, asWatcher=True)
        self.cy.hear("room-updated")
        for guest in self[:2]:
            guest.hear("player-joined", "room-updated")

    def play(self, first: Guest, second: Guest, stones: int) -> Any:
        """Let two play in rows; the ninth stone wins for the first. Return the room after that."""
        for number in range(stones):
            x, y = number // 2, 7 + number % 2
            (first, second)[number % 2].say("place-stone", x=x, y=y)
            last = self.hear(*(LAST_STONE if number == 8 else STONE))
            assert last["board"][x][y] == 1 + number % 2
            assert last["history"][-1] == {"x": x, "y": y, "color": 1 + number % 2}
        return last


def role(view: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that differ between the views of a room."""
    return {name: view[name] for name in ("myRole", "room") if name in view}


def like(row: dict[str, Any]) -> Callable[[list[dict[str, Any]]], bool]:
    """Tell whether a list has a room with all of this."""
    return lambda rooms: any(one.items() >= row.items() for one in rooms)


@pytest.fixture(scope="module")
def game_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server")) as made:
        yield made
        assert made.errors == []


@pytest.fixture(scope="module")
def dora(game_server: ServerProcess) -> Iterator[Guest]:
    made = Guest(game_server.port, CLIENTS[0], "websocket", "Dora")
    made.say("join-lobby", nickname="Dora")
    assert made.until("room-list") == []
    yield made
    made.disconnect()
    made.puppet.close()


@pytest.fixture(scope="module", params=[(client, way) for client in CLIENTS for way in WAYS], ids="-".join)
def party(request: pytest.FixtureRequest, game_server: ServerProcess, dora: Guest) -> Iterator[Party]:
    client, way = request.param
    number = next(NUMBERS)
    with contextlib.ExitStack() as stack:
        network = stack.enter_context(CuttableProxy(game_server.port))
        guests = []
        for name, port in (("Ann", network.port), ("Bob", game_server.port), ("Cy", game_server.port)):
            guests.append(guest := Guest(port, client, way, f"{name}{number}"))
            stack.callback(guest.puppet.close)
        ann, bob, cy = guests
        ann.say("create-room", name="early")
        ann.refused("lobby_required", "请先加入大厅")
        for guest in guests:
            guest.say("join-lobby", nickname=f"  {guest.nickname} ")
        for guest in (*guests, dora):
            guest.until("online-count", lambda data: data == {"count": 4})
        yield Party(ann, bob, cy, network, dora)
        for guest in guests:
            if way == "upgrade":
                assert guest.puppet.observe("upgrade") == "websocket"
            guest.disconnect()
        dora.until("online-count", lambda data: data == {"count": 1})


def test_rooms_are_listed_searched_and_joined(party: Party) -> None:
    ann, bob, cy, _, dora = party
    welcome = ann.enter("create-room", name="  <i>客厅</i> ")
    assert welcome["role"] == "black"
    assert re.fullmatch("[1-9][0-9]{3,5}", ann.room)
    view = welcome["room"]
    assert (view["board"], view["watchers"], view["history"]) == (EMPTY, [], [])
    assert view["players"] == {"black": {"nickname": ann.nickname, "connected": True}, "white": None}
    assert (view["status"], view["winner"], view["currentTurn"]) == ("waiting", None, 1)
    row = {"id": ann.room, "name": "＜i＞客厅＜/i＞", "status": "waiting", "watcherCount": 0}
    row |= {"blackPlayer": ann.nickname, "whitePlayer": None}
    dora.until("room-list", like(row))
    cy.say("search-room", roomId=ann.room)
    assert cy.until("search-result") == {"found": True, "room": row}
    cy.say("search-room", roomId="12")
    assert cy.hear("search-result") == {"found": False}
    cy.say("join-room", roomId="12")
    cy.refused("room_not_found", "房间不存在")

    bob.say("join-room", roomId=ann.room)
    assert bob.until("room-joined")["role"] == "white"
    assert bob.hear("room-updated")["status"] == "playing"
    assert ann.hear("player-joined") == {"nickname": bob.nickname, "role": "white"}
    assert ann.hear("room-updated")["players"]["white"] == {"nickname": bob.nickname, "connected": True}
    playing = row | {"whitePlayer": bob.nickname, "status": "playing"}
    dora.until("room-list", like(playing))
    cy.say("join-room", roomId=ann.room)
    cy.refused("room_full", "房间已满")
    assert cy.enter("join-room", roomId=ann.room, asWatcher=True)["role"] == "watcher"
    for guest in (ann, bob):
        assert guest.hear("player-joined") == {"nickname": cy.nickname, "role": "watcher"}
        assert guest.hear("room-updated")["watchers"] == [{"nickname": cy.nickname}]
    dora.until("room-list", like({"id": ann.room, "watcherCount": 1}))
    dora.puppet.command("emit", "refresh-rooms")
    dora.until("room-list", like(playing | {"watcherCount": 1}))


def test_two_clients_play_to_a_win_and_a_rematch_with_swapped_colours(party: Party) -> None:
    ann, bob, cy, _, dora = party
    party.begin()
    for guest, x, y, code, message in (
        (bob, 7, 7, "not_your_turn", "不是您的回合"),
        (cy, 7, 7, "watcher", "您是观战者，无法落子"),
        (ann, 15, 7, "invalid_position", "无效的落子位置"),
        (ann, 7, "7", "invalid_position", "无效的落子位置"),
    ):
        guest.say("place-stone", x=x, y=y)
        guest.refused(code, message)
    bob.say("place-stone", roomId="987654", x=7, y=7)
    bob.refused("room_not_found", "房间不存在")
    ann.say("request-rematch")
    ann.refused("not_ended", "游戏未结束")
    party.play(ann, bob, 8)
    ann.say("place-stone", x=0, y=8)
    ann.refused("invalid_position", "无效的落子位置")
    ann.say("place-stone", x=4, y=7)
    line = [{"x": x, "y": 7} for x in range(5)]
    assert party.hear("stone-placed", "game-over") == {"winner": 1, "winningStones": line}
    last = party.hear("room-updated")
    assert (last["status"], last["winner"], len(last["history"])) == ("ended", 1, 9)
    assert last.items() >= last["room"].items()
    dora.until("room-list", like({"id": ann.room, "status": "ended"}))
    bob.say("place-stone", x=9, y=9)
    bob.refused("game_over", "游戏已结束")

    ann.say("request-rematch")
    assert ann.hear("rematch-waiting") == {"timeout": 30000, "opponentRequested": False}
    assert bob.hear("rematch-requested") == {"from": ann.nickname}
    ann.say("cancel-rematch")
    assert bob.hear("rematch-cancelled") == {"from": ann.nickname}
    bob.say("request-rematch")
    bob.hear("rematch-waiting")
    ann.hear("rematch-requested")
    ann.say("request-rematch")
    for guest, colour in ((ann, "white"), (bob, "black")):
        start = guest.hear("rematch-start")
        assert (start["swapped"], start["newRole"], type(start["message"])) == (True, colour, str)
    again = party.hear("room-updated")
    assert (again["board"], again["history"], again["winner"]) == (EMPTY, [], None)
    assert (again["status"], again["currentTurn"]) == ("playing", 1)
    assert again["players"]["black"]["nickname"] == bob.nickname
    assert party.play(bob, ann, 9)["winner"] == 1


def test_undo_and_swap_need_consent(party: Party) -> None:
    ann, bob, cy, *_ = party
    party.begin()
    bob.say("request-undo")
    bob.refused("nothing_to_undo", "没有可悔棋的步骤")
    bob.say("respond-swap", accept=True)
    bob.refused("no_swap_request", "没有待处理的换方请求")
    bob.say("request-swap")
    assert ann.hear("swap-requested") == {"from": bob.nickname}
    bob.say("respond-swap", accept=True)
    bob.refused("no_swap_request", "没有待处理的换方请求")
    ann.say("respond-swap", accept=False)
    for guest in (ann, bob):
        assert guest.hear("swap-result") == {"accepted": False}
    ann.say("request-swap")
    bob.hear("swap-requested")
    bob.say("respond-swap", accept=True)
    for guest in (ann, bob):
        assert guest.hear("swap-result") == {"accepted": True}
    assert party.hear("room-updated")["players"]["black"]["nickname"] == bob.nickname

    played = party.play(bob, ann, 3)
    bob.say("request-swap")
    bob.refused("stones_placed", "已有落子，无法换方")
    ann.say("respond-undo", accept=True)
    ann.refused("no_undo_request", "没有待处理的悔棋请求")
    cy.say("request-undo")
    cy.refused("not_a_player", "您不是游戏玩家")
    bob.say("request-undo")
    assert ann.hear("undo-requested") == {"from": bob.nickname}
    ann.say("respond-undo", accept=False)
    assert party.hear("undo-result") == {"accepted": False, "board": played["board"]}
    bob.say("request-undo")
    ann.hear("undo-requested")
    ann.say("place-stone", x=14, y=14)
    party.hear(*STONE)
    ann.say("respond-undo", accept=True)
    ann.refused("no_undo_request", "没有待处理的悔棋请求")
    ann.say("request-undo")
    bob.hear("undo-requested")
    bob.say("respond-undo", accept=True)
    assert party.hear("undo-result") == {"accepted": True, "board": played["board"]}
    back = party.hear("room-updated")
    assert (back["history"], back["currentTurn"]) == (played["history"], 2)

    cy.say("surrender")
    cy.refused("not_a_player", "您不是游戏玩家")
    ann.say("surrender")
    assert party.hear("game-over") == {"winner": 1, "winningStones": None, "surrender": True}
    assert party.hear("room-updated")["status"] == "ended"
    bob.say("surrender")
    bob.refused("not_playing", "游戏未在进行中")


def test_chat_arrives_with_emoji_and_without_markup(party: Party) -> None:
    ann, bob, cy, _, dora = party
    party.begin()
    shown = "＜b onclick=＂x＂＞hi＜/b＞ 😊❤️ ＆ https://example.org/:) 你好"
    for guest in (ann, cy):
        guest.say("chat-message", message='<b onclick="x">hi</b> :)<3 & https://example.org/:) 你好')
        line = party.hear("chat-received")
        assert (line["nickname"], line["message"]) == (guest.nickname, shown)
        assert re.fullmatch("[0-2][0-9]:[0-5][0-9]", line["time"])
    dora.say("chat-message", roomId=ann.room, message="let me in")
    assert dora.until("error") == {"code": "not_in_room", "message": "您不在该房间"}
    for nothing in ("", "   ", 7, None):
        bob.say("chat-message", message=nothing)
    bob.say("chat-message", message="XD" + "y" * 300)
    assert party.hear("chat-received")["message"] == "😆" + "y" * 198
    ann.say("place-stone", x=7, y=7)
    chat = party.hear(*STONE)["chat"]
    assert [said["nickname"] for said in chat] == [ann.nickname, cy.nickname, bob.nickname]
    assert [said["message"] for said in chat] == [shown, shown, "😆" + "y" * 198]


def test_leaving_loses_the_game_and_quick_match_finds_another_opponent(party: Party) -> None:
    ann, bob, cy, *_ = party
    party.begin()
    ann.say("place-stone", x=7, y=7)
    party.hear(*STONE)
    bob.say("leave-room")
    bob.until("room-list", like({"id": ann.room, "status": "waiting", "whitePlayer": None}))
    for guest in (ann, cy):
        assert guest.hear("player-left") == {"nickname": bob.nickname}
        assert guest.hear("game-over") == {
            "winner": 1,
            "winningStones": None,
            "surrender": True,
            "left": True,
        }
        assert guest.hear("room-updated")["players"]["white"] is None
    cy.say("leave-room")
    assert ann.hear("player-left") == {"nickname": cy.nickname}
    assert ann.hear("room-updated")["watchers"] == []
    ann.say("request-rematch")
    ann.refused("opponent_missing", "对手不在房间中")

    assert ann.enter("quick-match")["role"] == "black", "nobody waits, so there is a new room"
    assert (bob.enter("quick-match")["role"], bob.room) == ("white", ann.room)
    assert ann.hear("player-joined", "room-updated")["status"] == "playing"
    bob.hear("room-updated")
    assert cy.enter("quick-match")["role"] == "black"
    # A new player finds an empty board after a finished game.
    bob.say("surrender")
    for guest in (ann, bob):
        guest.hear("game-over", "room-updated")
    ann.say("leave-room")
    bob.hear("player-left", "room-updated")
    clean = cy.enter("join-room", roomId=bob.room)["room"]
    assert (clean["status"], clean["board"], clean["winner"]) == ("playing", EMPTY, None)


def test_recovery_keeps_the_seat_and_misses_nothing(party: Party) -> None:
    ann, bob, cy, network, _ = party
    party.begin()
    seated = party.play(ann, bob, 7)["players"]["black"]
    assert seated == {"nickname": ann.nickname, "connected": True}
    network.settle(1)  # Between two polls a disconnect is noticed only at the next ping.
    network.refuse()
    network.cut()
    ann.puppet.observe("disconnect")
    for guest in (bob, cy):
        view = guest.hear("chat-received", "room-updated")
        assert view["players"]["black"] == seated | {"connected": False}
    bob.say("request-undo")
    bob.refused("opponent_missing", "对手不在房间中")
    bob.say("chat-message", message="still there? :(")
    bob.say("place-stone", x=3, y=8)
    for guest in (bob, cy):
        guest.hear("chat-received", *STONE)
    network.allow()
    back = ann.puppet.observe("connect")
    assert (back["id"], back["recovered"]) == (ann.sid, True)
    for guest in (bob, cy):
        assert guest.hear("chat-received", "room-updated")["players"]["black"] == seated
    missed = [ann.puppet.observe("event")]
    while missed[-1][0] != "room-updated" or missed[-1][1]["players"]["black"] != seated:
        missed.append(ann.puppet.observe("event"))
    room_events = [event for event in missed if event[0] not in LOBBY | {"room-updated"}]
    own = [event[1]["message"] for event in room_events if event[1].get("nickname") == "系统"]
    assert own == [f"{ann.nickname} 断线了，座位保留两分钟", f"{ann.nickname} 回来了"]
    others = [event for event in room_events if event[1].get("nickname") != "系统"]
    assert [event[0] for event in others] == ["chat-received", "stone-placed"]
    assert others[0][1]["message"] == "still there? 😢"
    assert others[1][1] == {"x": 3, "y": 8, "color": 2}
    assert len(missed[-1][1]["history"]) == 8
    ann.say("place-stone", x=4, y=7)
    assert party.hear(*LAST_STONE)["winner"] == 1


def test_a_client_that_disconnects_leaves_at_once(dora: Guest, game_server: ServerProcess) -> None:
    dora.enter("create-room")
    eve = Guest(game_server.port, CLIENTS[0], "websocket", "Dora#2")
    eve.say("join-lobby", nickname="Dora")
    eve.enter("join-room", roomId=dora.room)
    assert dora.hear("player-joined") == {"nickname": eve.nickname, "role": "white"}
    dora.hear("room-updated")
    eve.disconnect()
    assert dora.hear("player-left") == {"nickname": eve.nickname}
    assert dora.hear("game-over") == {"winner": 1, "winningStones": None, "surrender": True, "left": True}
    assert dora.hear("room-updated")["players"]["white"] is None
    dora.say("leave-room")
    dora.until("room-list", like({"id": dora.room, "blackPlayer": None}))
    eve.puppet.close()
