"""A user of Redis with exactly the rights that the page for operators names is enough for everything."""

import contextlib
import re
import time
from pathlib import Path

import pytest
import redis as client

from qipai.cli.main import main
from tests.cluster.operations.test_health_and_metrics import READY, ask, soon
from tests.socketio.raw_engineio import Polling
from tests.socketio.raw_socketio import connect, emit
from tests.support.databases.redis_access import acl_rule, create_user, denials
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess, free_port
from tests.support.workers import Worker

pytestmark = pytest.mark.slow

SOURCES = Path(__file__).parents[3] / "src" / "qipai" / "stores" / "redis"


def play(one: ServerProcess, two: ServerProcess) -> None:
    """Do what needs Redis: play, chat, watch, quick match, reconnect, leave, poll at the wrong worker."""
    ann, bob, cy = Client(one.port, name="Ann"), Client(two.port, name="Bob"), Client(two.port, name="Cy")
    code = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["code"]
    shown = bob.ask("join", "room", room=code)
    ann.receive_event("game_started")
    room = shown["room"]["id"]
    cy.ask("watch", "room", room=room)
    mover, other = (ann, bob) if shown["room"]["to_act"] == [0] else (bob, ann)
    mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="m")
    assert mover.receive_event("marked") == other.receive_event("marked") == cy.receive_event("marked")
    bob.send("say", room=room, text="hello", nonce="s")
    ann.receive_event("said")
    again = Client(two.port, token=ann.token)
    again.send("resume", room=room, version=shown["version"])
    again.receive_until("unchanged", "events", "room")
    bob.send("resign", room=room)
    again.receive_event("game_over")
    for player in (again, bob):
        player.ask("leave", "left", room=room)
    ann.send("quick_match", game="gomoku", nonce="q")
    ann.receive_until("room")
    bob.send("quick_match", game="gomoku", nonce="q")
    assert bob.receive_until("room")["room"]["phase"] == "playing"
    for each in (ann, bob, cy, again):
        each.close()
    line = Polling(one.port)
    line.port = two.port
    connect(line)
    emit(line, "join-lobby", {"nickname": "Dee"})
    emit(line, "create-room", {"name": "Dee's"})
    while not str(line.receive()).startswith('42["room-joined"'):
        pass


def test_workers_and_tools_need_no_right_that_is_not_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with RedisServer(tmp_path) as redis:
        address = create_user(redis.address, "s3cret")
        monkeypatch.setenv("QIPAI_STORE", address)
        monkeypatch.setenv("QIPAI_DATA", str(tmp_path / "tools"))
        monkeypatch.setenv("PORT", str(free_port()))
        with Worker(tmp_path / "one", address) as one, Worker(tmp_path / "two", address) as two:
            soon(lambda: ask(one, "/ready") == ask(two, "/ready") == READY)
            play(one, two)
            with client.Redis.from_url(redis.address) as admin:
                soon(lambda: admin.scard("qipai:unarchived") == 0)
                assert {key.partition(b":")[0] for key in admin.scan_iter()} == {b"qipai"}
            time.sleep(1.2)  # A worker sends a heartbeat twice a second, and checks for missed records once.
        assert one.errors == two.errors == []
        main(["doctor"])
        assert "Redis is readable, 2 open tables" in capsys.readouterr().out
        assert main(["export", str(tmp_path / "all.gz")]) == 0
        assert denials(redis.address) == []


def test_every_right_that_is_documented_is_needed_and_every_command_is_documented(tmp_path: Path) -> None:
    text = "".join(file.read_text("utf-8") for file in SOURCES.glob("*.py"))
    words = set(re.findall(r"redis\.call\('([A-Z]+)'", text)) | set(re.findall(r'"([A-Z]+)"', text))
    words |= {name.upper() for name in re.findall(r"_client\.([a-z]+)\b", text)}
    with RedisServer(tmp_path) as redis, client.Redis.from_url(redis.address) as admin:
        used = words & {str(name).upper() for name in admin.command()}
    # Any client may log in and choose a database.
    used -= {"AUTH", "SELECT"}
    allowed = {
        word.removeprefix("+").partition("|")[0].upper() for word in acl_rule() if word.startswith("+")
    }
    assert used == allowed, "the line that begins with `user qipai` in docs/operations.md must be changed"


def test_a_worker_that_may_not_listen_does_not_begin(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis:
        address = create_user(redis.address, "s3cret")
        with client.Redis.from_url(redis.address) as admin:
            admin.execute_command("ACL", "SETUSER", "qipai", "resetchannels")
        deaf = Worker(tmp_path / "one", address)
        with contextlib.suppress(RuntimeError):  # It may have ended before anybody looks.
            deaf.start()
        assert deaf.wait() == 2
        assert "channel" in deaf.log.read_text("utf-8")
