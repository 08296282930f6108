"""Clients that play in many rooms during a test and survive faults of the servers."""

import contextlib
import itertools
import json
import random
import threading
import time
from collections.abc import Callable
from typing import Any

from websockets.exceptions import WebSocketException

from tests.support.server import Client, Message


class Table:
    """The state of one room as one player knows it."""

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

    def apply_room(self, message: Message) -> None:
        room = message["room"]
        assert message["version"] >= self.version, "the server lost versions that it had sent"
        self.version, self.seat, self.phase = message["version"], message["you"], room["phase"]
        self.to_act, self.offers = room.get("to_act", []), room.get("offers", [])
        position = room.get("position")
        if position is not None:
            self.board, self.resting = list(position["board"]), position["resting"]

    def apply_events(self, message: Message) -> None:
        assert message["version"] == self.version + 1, "versions have no gaps and arrive once"
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
                case "round_started":
                    self.board, self.resting = ["."] * 9, False
                case "game_started":
                    self.board, self.resting, self.phase = ["."] * 9, False, "playing"
                    self.offers = []
                case "game_over":
                    self.phase = "over"
                case "offer_made":
                    self.offers = [event["offer"]]

    def next_command(self, choose: random.Random, nonce: str) -> Message | None:
        """Return the command that this player sends next, if any."""
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
    """A client that plays in several rooms until the test ends; it reconnects and repeats commands."""

    def __init__(self, port: Callable[[], int], token: str, rooms: list[str], seed: int) -> None:
        super().__init__(daemon=True)
        self.port, self.token = port, token
        self.tables = {room: Table(room) for room in rooms}
        self.choose = random.Random(seed)
        self.names = itertools.count()
        self.stopped = threading.Event()
        self.failure: BaseException | None = None
        self.resumed = self.commands = self.unavailable = 0

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                with contextlib.suppress(WebSocketException, OSError, EOFError, TimeoutError):
                    self.session()
                time.sleep(0.02)
        except BaseException as error:  # noqa: BLE001 - reported by the test
            self.failure = error

    def session(self) -> None:
        client = Client(self.port(), self.token)
        try:
            for table in self.tables.values():
                client.send("resume", room=table.room, version=table.version)
            self.resumed += 1
            while not self.stopped.is_set():
                try:
                    message = client.receive(0.5)
                except TimeoutError:
                    self.repeat_pending(client)
                    continue
                self.handle(client, message)
        finally:
            client.close()

    def handle(self, client: Client, message: Message) -> None:
        assert message.get("code") != "rate_limited"
        if message["type"] not in {"room", "events", "unchanged", "refused"}:
            return
        room = message["room"]["id"] if message["type"] == "room" else message["room"]
        table = self.tables[room]
        pending = table.pending
        match message["type"]:
            case "room":
                table.apply_room(message)
            case "events":
                table.apply_events(message)
                if pending and message.get("nonce") == pending["nonce"] and message["seat"] == table.seat:
                    table.pending = None
            case "unchanged":
                if pending and message.get("nonce") == pending["nonce"]:
                    table.pending = None
                elif pending:
                    client.socket.send(json.dumps(pending))
                    return
            case "refused" if message["code"] == "unavailable":
                # It is unknown whether the command was carried out: repeat it until the server answers.
                self.unavailable += 1
                time.sleep(0.05)
                if pending:
                    client.socket.send(json.dumps(pending))
                return
            case "refused":
                assert message["code"] in {"stale", "not_your_turn", "offer_stands", "still_playing"}, message
                table.pending = None
        self.act(client, table)

    def repeat_pending(self, client: Client) -> None:
        for table in self.tables.values():
            if table.pending is not None:
                client.socket.send(json.dumps(table.pending))
            else:
                self.act(client, table)

    def act(self, client: Client, table: Table) -> None:
        if table.pending is None:
            table.pending = table.next_command(self.choose, f"{self.token[-6:]}{next(self.names)}")
            if table.pending is not None:
                time.sleep(0.025)  # Stay below the rate limit of 50 frames a second.
                self.commands += 1
                client.socket.send(json.dumps(table.pending))
