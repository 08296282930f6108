"""Unmodified Socket.IO clients at another worker: same socket, same seat, nothing missed or doubled."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.clients.gomoku.test_gomoku_reload import Page
from tests.cluster.older_clients.test_sessions import quiet
from tests.socketio.older_programs.test_gomoku_clients import LOBBY, Guest
from tests.socketio.older_programs.test_tictactoe_clients import Player, match
from tests.socketio.raw_engineio import WebSocket, request
from tests.socketio.raw_socketio import connect, emit
from tests.support.proxies.cuttable_proxy import CuttableProxy
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

JS = "socket.io-client"
ROOM_EVENTS = {"stone-placed", "room-updated", "game-over", "chat-received"}
MINE = ("myRole", "room")
"""The fields that differ between the views of a room."""


class Detour(CuttableProxy):
    """A network that leads to the other worker once it is allowed again; the first one ends, or not."""

    def __init__(self, crew: list[Worker], end: str) -> None:
        super().__init__(crew[0].port)
        self._crew = crew
        self._end = end
        self._begun = False

    def allow(self) -> None:
        if self._begun:
            old, new = sorted(self._crew, key=lambda worker: worker.port != self.target)
            self.target = new.port
            if self._end == "killed":
                old.kill()
            elif self._end == "stopped":
                assert old.stop() == 0
        self._begun = True
        super().allow()


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Worker]]:
    with workers(tmp_path_factory.mktemp("recovery")) as (_, made):
        yield made
        quiet(*made)


def revive(crew: list[Worker]) -> None:
    """Restart the workers that were killed."""
    for worker in crew:
        if worker.process is None or worker.process.poll() is not None:
            worker.start()
            assert request(worker.port).status == 200


def room_events(guest: Guest, last: str) -> list[list[Any]]:
    """Receive until this event, which is not a line of the system, and return all events of the room."""
    received: list[list[Any]] = []
    while not received or received[-1][0] != last or received[-1][1].get("nickname") == "系统":
        event = guest.puppet.observe("event")
        if event[0] in ROOM_EVENTS:
            fields = event[1]
            received.append([event[0], {name: fields[name] for name in fields if name not in MINE}])
    return received


@pytest.mark.parametrize(
    ("client", "way", "end"),
    [
        (JS, "websocket", "alive"),
        (JS, "polling", "alive"),
        (JS, "websocket", "killed"),
        (JS, "polling", "killed"),
        (JS, "upgrade", "killed"),
        ("python", "websocket", "killed"),
        (JS, "upgrade", "stopped"),
    ],
)
def test_a_gomoku_player_goes_on_at_another_worker(
    crew: list[Worker], client: str, way: str, end: str
) -> None:
    with Detour(crew, end) as network:
        ann = Guest(network.port, client, way, "Ann")
        bob = Guest(crew[1].port, JS, "websocket", "Bob")
        try:
            for guest in (ann, bob):
                guest.say("join-lobby", nickname=guest.nickname)
                guest.until("room-list")
            ann.enter("create-room", name="lasting")
            bob.enter("join-room", roomId=ann.room)
            ann.hear("player-joined", "room-updated")
            bob.hear("room-updated")
            ann.say("place-stone", x=0, y=0)
            assert room_events(ann, "room-updated") == room_events(bob, "room-updated")

            network.refuse()
            network.cut()
            ann.puppet.observe("disconnect")
            bob.say("place-stone", x=0, y=1)
            bob.say("chat-message", message="are you there?")
            missed = room_events(bob, "chat-received")
            network.allow()
            back = ann.puppet.observe("connect")
            assert (back["id"], back["recovered"]) == (ann.sid, True)
            assert room_events(ann, "chat-received") == missed
            for x in range(1, 5):
                for guest, y in ((ann, 0), (bob, 1))[: 1 + (x < 4)]:
                    guest.say("place-stone", x=x, y=y)
                    last = "game-over" if x == 4 else "stone-placed"
                    assert room_events(ann, last) == room_events(bob, last)
        finally:
            for guest in (ann, bob):
                guest.puppet.close()
            revive(crew)


@pytest.mark.parametrize("end", ["alive", "killed"])
def test_a_tictactoe_match_goes_on_at_another_worker(crew: list[Worker], end: str) -> None:
    with Detour(crew, end) as network:
        shaky = Player(crew[1], network.port, JS, "polling" if end == "killed" else "websocket")
        steady = Player(crew[1], crew[1].port, JS, "websocket")
        try:
            match(shaky, steady, network)
        finally:
            shaky.close()
            steady.close()
            revive(crew)
    assert shaky.game_events == steady.game_events


class Listener:
    """A raw WebSocket client that records every packet of a room and its offset."""

    def __init__(self, port: int, nickname: str) -> None:
        self.line = WebSocket(port)
        self.said = connect(self.line)
        self.packets: list[tuple[str, str]] = []
        emit(self.line, "join-lobby", {"nickname": nickname})
        self.until("room-list")

    def until(self, name: str) -> Any:
        """Receive until this event."""
        while True:
            packet = str(self.line.receive())
            said = json.loads(packet[2:])
            if said[0] not in LOBBY:
                self.packets.append((packet[: packet.rindex(',"')], said[-1]))
            if said[0] == name:
                return said[1]

    def say(self, event: str, **fields: Any) -> None:
        emit(self.line, event, {"roomId": self.room} | fields)

    room = "0"


def test_whichever_frame_was_the_last_to_arrive_all_later_ones_come_exactly_once(crew: list[Worker]) -> None:
    ann, bob = Listener(crew[0].port, "Ann"), Listener(crew[1].port, "Bob")
    ann.say("create-room", name="exact", turnTimer=True)
    ann.room = bob.room = ann.until("room-joined")["room"]["id"]
    bob.say("join-room")
    bob.until("room-updated")
    ann.until("turn-timer-start")
    first = len(ann.packets)
    rounds: list[tuple[str, str, dict[str, Any]]] = [
        ("stone-placed", "place-stone", {"x": 7, "y": 7}),
        ("stone-placed", "place-stone", {"x": 8, "y": 8}),
    ]
    rounds += [("chat-received", "chat-message", {"message": "hello"})] * 2
    rounds += [("undo-requested", "request-undo", {})]
    for number, (wanted, event, fields) in enumerate(rounds):
        actor, other = (ann, bob) if number % 2 == 0 else (bob, ann)
        actor.say(event, **fields)
        other.until(wanted)
    bob.say("respond-undo", accept=True)
    bob.until("undo-result")
    bob.say("surrender")
    bob.until("game-over")
    bob.say("chat-message", message="the end")
    while ann.until("chat-received")["message"] != "the end":
        pass
    whole = [packet for packet, _ in ann.packets]
    assert len(whole) - first >= 10
    crew[0].kill()
    try:
        for place in range(first, len(whole)):
            line = WebSocket(crew[1].port)
            auth = {"pid": ann.said["pid"], "offset": ann.packets[place - 1][1]}
            assert connect(line, auth) == ann.said
            again = [str(line.receive()) for _ in whole[place:]]
            assert [packet[: packet.rindex(',"')] for packet in again] == whole[place:], place
            line.close()
    finally:
        revive(crew)


def test_a_gomoku_page_that_is_loaded_again_has_its_seat_at_another_worker(crew: list[Worker]) -> None:
    first, second = crew[0].port, crew[1].port
    ann = Page(first, "", "Ann")
    ann.say("create-room", name="reload")
    room = ann.hear("room-joined")["room"]["id"]
    page = Page(first, "qipai_browser=of-ray", "Ray")
    page.say("join-room", roomId=room)
    page.hear("room-joined")
    ann.say("place-stone", roomId=room, x=7, y=7)
    page.hear("stone-placed")
    page.socket.close()
    while ann.hear("chat-received")["nickname"] != "系统":
        pass
    page = Page(second, "qipai_browser=of-ray", "Ray")
    page.say("join-room", roomId=room)
    joined = page.hear("room-joined", "error")
    assert (joined["role"], joined["room"]["board"][7][7]) == ("white", 1)
    assert ann.hear("chat-received")["message"] == "Ray 回来了"
    page.say("place-stone", roomId=room, x=8, y=8)
    while ann.hear("stone-placed") != {"x": 8, "y": 8, "color": 2}:
        pass
    ann.socket.close()
    page.socket.close()
