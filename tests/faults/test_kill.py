"""Acknowledged means durable: the real server is killed at random moments, and nothing is lost.

Several clients play many tables at once. Each remembers what was acknowledged to it; after every
SIGKILL and restart it resumes, sends again what had no answer, and compares.
"""

import contextlib
import itertools
import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from qipai.hall.recall import read_record
from qipai.kernel.names import RoomId
from qipai.stores.sqlite import open_book
from tests.support.server import Client, Message, ServerProcess

pytestmark = pytest.mark.slow

KILLS = 20
PAIRS = 6
TABLES = 4
CLOCK = {"main": [600_000], "increment": 0}


class Table:
    """What one player knows of one table."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.seat = -1
        self.version = 0
        self.board = ["."] * 9
        self.to_act: list[int] = []
        self.resting = False
        self.phase = "waiting"
        self.offers: list[Message] = []
        self.acked: dict[int, str] = {}
        self.pending: Message | None = None

    def show(self, message: Message) -> None:
        room = message["room"]
        assert message["version"] >= self.version, "the server forgot versions it had told"
        self.version, self.seat, self.phase = message["version"], message["you"], room["phase"]
        self.to_act, self.offers = room.get("to_act", []), room.get("offers", [])
        position = room.get("position")
        if position is not None:
            self.board, self.resting = list(position["board"]), position["resting"]

    def hear(self, message: Message) -> None:
        assert message["version"] == self.version + 1, "versions have no holes and come once"
        self.version, self.to_act = message["version"], message["to_act"]
        nonce = message.get("nonce", "")
        if nonce and message.get("seat") == self.seat:
            assert nonce not in self.acked.values(), "a command was applied twice"
            self.acked[message["version"]] = nonce
        for event in message["events"]:
            match event["e"]:
                case "marked":
                    assert self.board[event["cell"]] == "."
                    self.board[event["cell"]] = str(event["seat"])
                case "round_over":
                    self.resting = True
                case "round_began":
                    self.board, self.resting = ["."] * 9, False
                case "dealt":
                    self.board, self.resting, self.phase = ["."] * 9, False, "playing"
                    self.offers = []
                case "over":
                    self.phase = "over"
                case "offered":
                    self.offers = [event["offer"]]

    def want(self, choose: random.Random, nonce: str) -> Message | None:
        """Return the command this player would send now."""
        if self.phase == "over":
            if any(self.seat not in offer["asked"] for offer in self.offers):
                return None
            return {"type": "offer", "room": self.room, "kind": "rematch", "nonce": nonce}
        if self.phase != "playing" or self.seat not in self.to_act:
            return None
        if self.resting:
            move: dict[str, Any] = {"do": "next"}
        else:
            move = {"do": "mark", "cell": choose.choice([i for i in range(9) if self.board[i] == "."])}
        return {"type": "play", "room": self.room, "move": move, "nonce": nonce, "at_version": self.version}


class Player(threading.Thread):
    """A client that plays several tables for as long as the test runs, whatever happens to the server."""

    def __init__(self, port: int, token: str, rooms: list[str], seed: int) -> None:
        super().__init__(daemon=True)
        self.port, self.token = port, token
        self.tables = {room: Table(room) for room in rooms}
        self.choose = random.Random(seed)
        self.names = itertools.count()
        self.stopped = threading.Event()
        self.failure: BaseException | None = None
        self.resumed = self.commands = 0

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                with contextlib.suppress(WebSocketException, OSError, EOFError, TimeoutError):
                    self.session()
                time.sleep(0.02)
        except BaseException as error:  # noqa: BLE001 - reported by the test
            self.failure = error

    def session(self) -> None:
        client = Client(self.port, self.token)
        try:
            for table in self.tables.values():
                client.send("resume", room=table.room, version=table.version)
            self.resumed += 1
            while not self.stopped.is_set():
                try:
                    message = client.hear(0.5)
                except TimeoutError:
                    self.nudge(client)
                    continue
                self.take(client, message)
        finally:
            client.close()

    def take(self, client: Client, message: Message) -> None:
        assert message.get("code") != "rate_limited"
        if message["type"] not in {"room", "events", "done", "refused"}:
            return
        room = message["room"]["id"] if message["type"] == "room" else message["room"]
        table = self.tables[room]
        pending = table.pending
        match message["type"]:
            case "room":
                table.show(message)
            case "events":
                table.hear(message)
                if pending and message.get("nonce") == pending["nonce"] and message["seat"] == table.seat:
                    table.pending = None
            case "done":
                if pending and message.get("nonce") == pending["nonce"]:
                    table.pending = None
                elif pending:
                    client.socket.send(json.dumps(pending))
                    return
            case "refused":
                assert message["code"] in {"stale", "not_your_turn", "offer_stands", "still_playing"}, message
                table.pending = None
        self.act(client, table)

    def nudge(self, client: Client) -> None:
        for table in self.tables.values():
            if table.pending is not None:
                client.socket.send(json.dumps(table.pending))
            else:
                self.act(client, table)

    def act(self, client: Client, table: Table) -> None:
        if table.pending is None:
            table.pending = table.want(self.choose, f"{self.token[-6:]}{next(self.names)}")
            if table.pending is not None:
                time.sleep(0.025)  # Stay below fifty frames a second.
                self.commands += 1
                client.socket.send(json.dumps(table.pending))


def test_nothing_acknowledged_is_lost_by_twenty_kills(tmp_path: Path) -> None:
    choose = random.Random(20261115)
    server = ServerProcess(tmp_path / "data").start()
    players: list[Player] = []
    for pair in range(PAIRS):
        host, guest = Client(server.port), Client(server.port)
        rooms = []
        for number in range(TABLES):
            table = {"clock": CLOCK, "away": 0, "public": False}
            room = host.ask("open", "room", game="tictactoe", nonce=f"t{number}", table=table)
            rooms.append(room["room"]["id"])
            guest.ask("join", "room", room=rooms[-1])
        for client in (host, guest):
            client.close()
            players.append(Player(server.port, client.token, rooms, pair))
    for player in players:
        player.start()
    down = 0.0
    began = time.monotonic()
    try:
        for _ in range(KILLS):
            time.sleep(choose.uniform(0.15, 0.9))
            server.kill()
            fell = time.monotonic()
            time.sleep(choose.uniform(0, 0.3))
            server.start()
            down += time.monotonic() - fell
            assert not [player.failure for player in players if player.failure]
        time.sleep(1.5)
    finally:
        for player in players:
            player.stopped.set()
        for player in players:
            player.join(20)
    elapsed = time.monotonic() - began
    assert [player.failure for player in players if player.failure] == []
    assert sum(player.resumed for player in players) >= KILLS * len(players) * 0.5
    acked = sum(len(table.acked) for player in players for table in player.tables.values())
    assert acked > 500, "the tables were busy"
    check_against_server(server, players)
    check_views(server, players)
    check_clocks(server, players, elapsed, down)
    assert server.stop() == 0
    assert server.errors == []
    print(f"{KILLS} kills, {acked} acknowledged commands, {down:.1f} s down")


def check_against_server(server: ServerProcess, players: list[Player]) -> None:
    """Every acknowledged command stands in the journal at its version, each nonce exactly once."""
    book = open_book(server.data / "qipai.db")
    for player in players:
        for table in player.tables.values():
            entries = book.chain(RoomId(table.room), 0)
            assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
            records = {entry.version: read_record(entry) for entry in entries}
            used = [record.nonce for record in records.values() if record.nonce]
            assert len(used) == len(set(used))
            assert table.version <= entries[-1].version
            for version, nonce in table.acked.items():
                assert (records[version].nonce, records[version].actor) == (nonce, table.seat)


def check_views(server: ServerProcess, players: list[Player]) -> None:
    """Whoever is up to date sees what the server has."""
    same = 0
    watcher = Client(server.port)
    for player in players:
        for table in player.tables.values():
            shown = watcher.ask("watch", "room", room=table.room)
            if shown["version"] == table.version:
                same += 1
                board = shown["room"]["position"]["board"]
                assert [cell == "." for cell in board] == [cell == "." for cell in table.board]
                assert shown["room"].get("to_act", []) == table.to_act
    assert same > 0
    watcher.close()


def check_clocks(server: ServerProcess, players: list[Player], elapsed: float, down: float) -> None:
    """Nobody was charged for the time the server was down."""
    watcher = Client(server.port)
    for player in players[::2]:
        for room in player.tables:
            view = watcher.ask("watch", "room", room=room)["room"]
            if view["phase"] == "playing" and view["match"] == 1:
                used = sum(600_000 - left for left in view["clock"]["left"])
                assert used <= (elapsed - down + 2) * 1000
    watcher.close()
