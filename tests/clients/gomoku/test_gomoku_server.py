"""Gomoku on the whole server: over real sockets, beside tic-tac-toe, with connection recovery."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.socketio.older_programs.test_tictactoe_server import Caller, login
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow


def entered(server: ServerProcess, nickname: str) -> Caller:
    caller = Caller(server)
    caller.emit("join-lobby", {"nickname": nickname})
    caller.until("room-list")
    return caller


def test_two_play_to_a_win_beside_a_game_of_tic_tac_toe(server: ServerProcess) -> None:
    left, right = (Caller(server, login(server, name)) for name in ("Left", "Right"))
    left.emit("join_pvp")
    right.emit("join_pvp")
    ann, bob = entered(server, "Ann"), entered(server, "Bob")
    ann.emit("create-room", {"name": "real"})
    (joined,) = ann.until("room-joined")
    room = joined["room"]["id"]
    bob.emit("quick-match")
    (taken,) = bob.until("room-joined")
    assert (taken["room"]["id"], taken["role"]) == (room, "white")
    for x in range(5):
        ann.emit("place-stone", {"roomId": room, "x": x, "y": 7})
        bob.until("stone-placed")
        if x < 4:
            bob.emit("place-stone", {"roomId": room, "x": x, "y": 8})
            bob.until("stone-placed")
    (over,) = bob.until("game-over")
    assert (over["winner"], len(over["winningStones"])) == (1, 5)
    (view,) = bob.until("room-updated")
    assert (view["status"], view["room"]["winner"]) == ("ended", 1)
    assert ann.until("game-over") == [over]
    assert left.until("game_start")
    assert right.until("game_start")
    for caller in (left, right, ann, bob):
        caller.close()


def test_a_client_recovers_its_seat_and_the_events_it_missed(server: ServerProcess) -> None:
    url = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
    ann = entered(server, "Ann")
    ann.emit("create-room", {"name": "cut"})
    room = ann.until("room-joined")[0]["room"]["id"]
    seen: list[Any] = []

    def hear(socket: Any, name: str) -> Any:
        while True:
            packet = str(socket.recv(60))
            if packet.startswith("42"):
                seen.append(json.loads(packet[2:]))
                if seen[-1][0] == name:
                    return seen[-1]

    with connect(url, compression=None) as bob:
        bob.send("40")
        while not (packet := str(bob.recv(60))).startswith("40"):
            pass
        pid, sid = json.loads(packet[2:])["pid"], json.loads(packet[2:])["sid"]
        bob.send('42["join-lobby",{"nickname":"Bob"}]')
        hear(bob, "room-list")
        bob.send(f'42["join-room",{{"roomId":"{room}"}}]')
        offset = hear(bob, "room-updated")[-1]
    while ann.until("room-updated")[0]["players"]["white"] != {"nickname": "Bob", "connected": False}:
        pass
    ann.emit("place-stone", {"roomId": room, "x": 7, "y": 7})
    ann.until("stone-placed")
    with connect(url, compression=None) as bob:
        bob.send("40" + json.dumps({"pid": pid, "offset": offset}))
        while not (packet := str(bob.recv(60))).startswith("40"):
            pass
        assert json.loads(packet[2:])["sid"] == sid
        assert hear(bob, "stone-placed")[1] == {"x": 7, "y": 7, "color": 1}
        bob.send(f'42["place-stone",{{"roomId":"{room}","x":8,"y":8}}]')
        assert hear(bob, "stone-placed")[1] == {"x": 8, "y": 8, "color": 2}
        bob.send("41")
        assert ann.until("player-left") == [{"nickname": "Bob"}]
        assert ann.until("game-over") == [
            {"winner": 1, "winningStones": None, "surrender": True, "left": True}
        ]
    ann.close()


def test_a_host_may_want_a_clock_and_a_limit_of_undos(tmp_path: Path) -> None:
    config = '[gomoku]\nturn_timer = "always"\nundo_limit = 5\n'
    with ServerProcess(tmp_path / "data", config=config) as server:
        ann, bob = entered(server, "Ann"), entered(server, "Bob")
        ann.emit("quick-match")
        room = ann.until("room-joined")[0]["room"]["id"]
        bob.emit("join-room", {"roomId": room})
        assert bob.until("turn-timer-start") == [{"timeLimit": 30_000, "currentTurn": 1}]
        ann.emit("place-stone", {"roomId": room, "x": 7, "y": 7})
        ann.emit("request-undo", {"roomId": room})
        assert bob.until("undo-requested") == [{"from": "Ann", "remainingUndos": 4}]
        ann.close()
        bob.close()
