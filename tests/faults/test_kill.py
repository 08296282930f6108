"""Acknowledged means durable: the real server is killed at random moments, and nothing is lost.

Several clients play many tables at once. Each remembers what was acknowledged to it; after every
SIGKILL and restart it resumes, sends again what had no answer, and compares.
"""

import random
import time
from pathlib import Path

import pytest

from qipai.hall.journal.room_rebuilding import read_record
from qipai.kernel.ids import RoomId
from qipai.stores.sqlite_store import open_book
from tests.support.players import Player
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

KILLS = 20
PAIRS = 6
TABLES = 4
CLOCK = {"main": [600_000], "increment": 0}


def test_nothing_acknowledged_is_lost_by_twenty_kills(tmp_path: Path) -> None:
    choose = random.Random(20261115)
    server = ServerProcess(tmp_path / "data").start()
    players: list[Player] = []
    for pair in range(PAIRS):
        host, guest = Client(server.port), Client(server.port)
        rooms = []
        for number in range(TABLES):
            table = {"clock": CLOCK, "disconnect_timeout": 0, "public": False}
            room = host.ask("open", "room", game="tictactoe", nonce=f"t{number}", table=table)
            rooms.append(room["room"]["id"])
            guest.ask("join", "room", room=rooms[-1])
        for client in (host, guest):
            client.close()
            players.append(Player(lambda: server.port, client.token, rooms, pair))
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
