"""An acknowledged command is durable: the real server is killed at random moments, and none is lost.

Several clients play in many rooms at once. Each remembers what was acknowledged to it. After every SIGKILL
and restart it resumes, sends again the commands without an answer, and compares. `make test` kills a hundred
times, `make soak` a thousand times: a round of a hundred kills on a new server, ten times.
"""

import contextlib
import os
import random
import resource
import time
from pathlib import Path

import pytest

from qipai.hall.journal.record_format import OutageEndedRecord
from qipai.hall.journal.room_rebuilding import read_record
from qipai.kernel.ids import RoomId
from qipai.stores.sqlite_reader import open_journal
from tests.support.players import Player, Table
from tests.support.server import Client, Message, ServerProcess

pytestmark = pytest.mark.slow

SOAK = int(os.environ.get("QIPAI_SOAK", "1"))
KILLS = 100
ROUNDS = max(1, 10 * SOAK // 75)
"""`make soak` without a number runs 75 times as long as `make test`."""
COMMANDS_PER_KILL = 26
STARTS = 3
STARTS_PER_KILL = 4.0
"""A kill and what is played until the next one cost less than so many starts of a server without tables."""
PAIRS = 6
TABLES = 4
MAIN_TIME = 3_600_000
CLOCK = {"main": [MAIN_TIME], "increment": 0}
KILLS_PER_START_KILL = 10
"""After so many kills a server is killed while it starts."""


@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_no_acknowledged_command_is_lost_by_a_hundred_kills(tmp_path: Path, round_number: int) -> None:
    empty_start = cpu_seconds_of_a_start(tmp_path / "empty")
    used = cpu_seconds()
    with ServerProcess(tmp_path / "data") as server:
        play_through_kills(server, random.Random(20261115 + round_number))
    # How long a computation takes depends on what else the machine does, so it is compared with another one.
    assert cpu_seconds() - used < STARTS_PER_KILL * KILLS * empty_start


def cpu_seconds_of_a_start(data: Path) -> float:
    """Return the computing time in which a server without tables starts and stops."""
    used = cpu_seconds()
    with ServerProcess(data) as server:
        for _ in range(STARTS - 1):
            server.stop()
            server.start()
    return (cpu_seconds() - used) / STARTS


def cpu_seconds() -> float:
    """Return the computing time of this process and of the servers that have ended."""
    here, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return here.ru_utime + here.ru_stime + ended.ru_utime + ended.ru_stime


def play_through_kills(server: ServerProcess, choose: random.Random) -> None:
    """Play while the server is killed again and again."""
    started = time.monotonic()
    idle = idle_players(server)
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
    for player in (*players, *idle):
        player.start()
    without_process = 0.0
    try:
        for number in range(KILLS):
            wait_until_busy(players, number + 1)
            busy, down = choose.uniform(0, 0.4), choose.uniform(0, 0.1)
            time.sleep(busy)
            server.kill()
            killed = time.monotonic()
            time.sleep(down)
            without_process += time.monotonic() - killed
            if (number + 1) % KILLS_PER_START_KILL == 0:
                server.launch()
                time.sleep(down * 5)
                server.kill()
            server.start()
            assert not [player.failure for player in players if player.failure]
        time.sleep(1.5)
    finally:
        for player in (*players, *idle):
            player.stopped.set()
        for player in (*players, *idle):
            player.join(60)
    assert [player.failure for player in (*players, *idle) if player.failure] == []
    assert sum(player.resumed for player in players) >= KILLS * len(players) * 0.5
    acked = acknowledged(players)
    assert acked >= COMMANDS_PER_KILL * KILLS
    check_against_server(server, players)
    check_views(server, players)
    rooms = [room for player in (idle + players)[::2] for room in player.tables]
    check_clocks(server, rooms, started, without_process)
    assert server.stop() == 0
    assert server.errors == []
    print(f"{KILLS} kills, {acked} acknowledged commands, {time.monotonic() - started:.0f} s")


class IdlePlayer(Player):
    """A player that reconnects like the others and makes no move."""

    def act(self, client: Client, table: Table) -> None:
        """Make no move."""


def idle_players(server: ServerProcess) -> list[Player]:
    """Return the players of a room in which the first clock runs during the whole test."""
    host, guest = Client(server.port), Client(server.port)
    table = {"clock": CLOCK, "disconnect_timeout": 0, "public": False}
    room = host.ask("open", "room", game="tictactoe", nonce="idle", table=table)["room"]["id"]
    guest.ask("join", "room", room=room)
    for client in (host, guest):
        client.close()
    return [IdlePlayer(lambda: server.port, client.token, [room], 0) for client in (host, guest)]


def acknowledged(players: list[Player]) -> int:
    return sum(len(table.acked) for player in players for table in list(player.tables.values()))


def wait_until_busy(players: list[Player], number: int) -> None:
    """Wait until enough commands were acknowledged since the last kill, however slow the machine is."""
    deadline = time.monotonic() + 60
    while acknowledged(players) < COMMANDS_PER_KILL * number or sum(
        each.resumed for each in players
    ) < 0.6 * number * len(players):
        assert time.monotonic() < deadline, [player.failure for player in players]
        time.sleep(0.05)


def check_against_server(server: ServerProcess, players: list[Player]) -> None:
    """Check that every acknowledged command is in the journal at its version, each nonce once."""
    with open_journal(server.data / "qipai.db") as journal:
        for player in players:
            for table in player.tables.values():
                entries = journal.history(RoomId(table.room))
                assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
                records = {entry.version: read_record(entry) for entry in entries}
                nonces = [record.nonce for record in records.values() if record.nonce]
                assert len(nonces) == len(set(nonces))
                assert table.version <= entries[-1].version
                for version, nonce in table.acked.items():
                    assert (records[version].nonce, records[version].actor) == (nonce, table.seat)


def check_views(server: ServerProcess, players: list[Player]) -> None:
    """Check that every player, up to date again, sees the position of the server."""
    with contextlib.closing(Client(server.port)) as spectator:
        for player in players:
            with contextlib.closing(Client(server.port, player.token)) as client:
                for table in player.tables.values():
                    client.send("resume", room=table.room, version=table.version)
                    shown = spectator.ask("watch", "room", room=table.room)
                    while table.version < shown["version"]:
                        catch_up(player, client.receive(60))
                    board = shown["room"]["position"]["board"]
                    assert [cell == "." for cell in board] == [cell == "." for cell in table.board]
                    assert shown["room"].get("to_act", []) == table.to_act


def catch_up(player: Player, message: Message) -> None:
    """Apply a notice about a room, without playing on."""
    if message["type"] == "room":
        player.tables[message["room"]["id"]].apply_room(message)
    elif message["type"] == "events":
        player.tables[message["room"]].apply_events(message)


def check_clocks(server: ServerProcess, rooms: list[str], started: float, without_process: float) -> None:
    """Check that no clock ran during the recorded outages, and that they cover the time without a process."""
    checked = 0
    with (
        contextlib.closing(Client(server.port)) as spectator,
        open_journal(server.data / "qipai.db") as journal,
    ):
        for room in rooms:
            view = spectator.ask("watch", "room", room=room)["room"]
            if view["phase"] == "playing" and view["match"] == 1:
                records = [(entry.at, read_record(entry)) for entry in journal.history(RoomId(room))]
                outages = [at - one.down for at, one in records if isinstance(one, OutageEndedRecord)]
                # A server that is killed before it records the end of an outage is part of the next one.
                assert 0 < len(outages) <= KILLS + KILLS // KILLS_PER_START_KILL
                assert sum(outages) >= without_process * 1000 - KILLS
                used = sum(MAIN_TIME - left for left in view["clock"]["left"])
                assert used <= (time.monotonic() - started + 2) * 1000 - sum(outages)
                checked += 1
    assert checked > 0, "the idle players are still in their first match"
