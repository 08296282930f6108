"""The command line on a journal that a real server wrote."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from qipai.cli.main import main
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess, clients, free_port

pytestmark = pytest.mark.slow


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Point the command line at the server's data."""
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PORT", str(free_port()))
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def played(server: ServerProcess, quiet: None) -> Iterator[str]:
    """A table where one match was resigned and a second one runs."""
    with clients(server.port, 2) as (ann, bob):
        room = ann.ask("open", "room", game="tictactoe", nonce="1", player_entropy="c0ffee")["room"]["id"]
        shown = bob.ask("join", "room", room=room, player_entropy="0b0b")
        mover = (ann, bob)[shown["room"]["to_act"][0]]
        mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="m")
        bob.event("marked")
        ann.send("say", room=room, text="你好")
        bob.event("said")
        bob.send("resign", room=room)
        ann.event("game_over")
        ann.send("offer", room=room, kind="rematch")
        bob.event("offer_made")
        bob.send("offer", room=room, kind="rematch")
        bob.event("game_started")
        yield room


def test_replay_prints_every_step(played: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", played]) == 0
    lines = capsys.readouterr().out.splitlines()
    steps = [line for line in lines if not line.lstrip().startswith("→")]
    assert [int(line.split()[0]) for line in steps] == list(range(1, len(steps) + 1))
    assert '"do":"open"' in steps[0]
    assert any('"do":"mark","cell":4' in line for line in steps)
    assert any('"e":"game_over"' in line and '"reason":"resigned"' in line for line in lines)
    assert any("你好" in line for line in lines)


def test_verify_recomputes_the_deal_from_the_revealed_seed(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", played]) == 0
    printed = capsys.readouterr().out
    assert "match 1: commitment" in printed
    assert "matches" in printed
    assert "as dealt" in printed
    assert "match 2: not over, its seed is still secret" in printed
    assert "NOT" not in printed


def test_verify_finds_a_deal_that_does_not_follow_from_its_seed(
    played: str, server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    server.stop()
    tampered = sqlite3.connect(server.data / "qipai.db")
    snapshot = tampered.execute("select snapshot from rooms where room = ?", (played,)).fetchone()[0]
    room = json.loads(snapshot)
    room["state"]["left"] = 1 - room["state"]["left"]
    changed = (json.dumps(room).encode(), played)
    tampered.execute("update rooms set snapshot = ? where room = ?", changed)
    tampered.commit()
    tampered.close()
    assert main(["verify", played]) == 1
    assert "DIFFERS" in capsys.readouterr().out


def test_backup_of_a_running_server_can_be_served(
    played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "copy" / "qipai.db"
    target.parent.mkdir()
    assert main(["backup", str(target)]) == 0
    assert main(["backup", str(target)]) == 2
    assert "exists already" in capsys.readouterr().err
    with ServerProcess(target.parent) as copy:
        watcher = Client(copy.port)
        assert watcher.ask("watch", "room", room=played)["room"]["match"] == 2
        watcher.close()


def test_unknown_rooms_and_missing_journals_are_named(
    played: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["replay", "nosuchroom"]) == 2
    assert "nosuchroom" in capsys.readouterr().err
    monkeypatch.setenv("QIPAI_DATA", "elsewhere")
    assert main(["verify", played]) == 2
    assert "no journal" in capsys.readouterr().err


def test_doctor_knows_a_running_server_from_another_program_on_its_port(
    server: ServerProcess,
    quiet: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def examined(port: int) -> list[str]:
        monkeypatch.setenv("PORT", str(port))
        main(["doctor"])
        return capsys.readouterr().out.splitlines()

    free = free_port()
    lines = examined(free)
    assert any(line.startswith("ok") and "in use by a running server" in line for line in lines)
    assert f"ok    port {free} on 127.0.0.1 is free" in lines
    assert f"ok    port {server.port} on 127.0.0.1: a running server takes moves" in examined(server.port)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        threading.Thread(target=mumble, args=(other,), daemon=True).start()
        (wrong,) = [line for line in examined(port) if line.startswith("WRONG") and "port" in line]
    assert f"port {port} on 127.0.0.1: Address already in use" in wrong


def mumble(listening: socket.socket) -> None:
    with listening.accept()[0] as peer:
        peer.sendall(b"220 mail.example ESMTP\r\n")


def test_doctor_says_that_a_server_cannot_take_moves(
    monkeypatch: pytest.MonkeyPatch, quiet: None, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stopping(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(503)
            self.end_headers()
            self.wfile.write(b'{"status":"stopping"}')

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Stopping) as other:
        threading.Thread(target=other.handle_request, daemon=True).start()
        monkeypatch.setenv("PORT", str(other.server_port))
        assert main(["doctor"]) == 1
    assert "a running server answers, but cannot take moves" in capsys.readouterr().out


def test_doctor_and_backup_know_a_store_in_redis(
    tmp_path: Path, quiet: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(tmp_path) as redis:
        monkeypatch.setenv("QIPAI_STORE", redis.address)
        assert main(["doctor"]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert any(line.startswith("ok") and "Redis is readable, 0 living tables" in line for line in lines)
        assert any(line.startswith("WRONG") and "appendonly" in line for line in lines)
        assert not any("journal" in line for line in lines)
        assert main(["backup", str(tmp_path / "copy.db")]) == 2
        assert "BGSAVE" in capsys.readouterr().err
    monkeypatch.setenv("QIPAI_ARCHIVE", "postgresql://me:hush@127.0.0.1:1/games")
    assert main(["doctor"]) == 1
    wrong = [line for line in capsys.readouterr().out.splitlines() if line.startswith("WRONG")]
    assert any("Redis" in line for line in wrong)
    assert any("archive" in line for line in wrong)
    assert not any("hush" in line for line in wrong)


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qipai", *arguments],
        env=os.environ | {"HOST": "127.0.0.1"} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_second_server_on_the_same_file_is_refused(server: ServerProcess) -> None:
    second = run("serve", PORT=str(free_port()), QIPAI_DATA=str(server.data))
    assert second.returncode == 2
    assert second.stderr.splitlines() == [f"qipai: {server.data}/qipai.db is in use by another server"]


def test_a_taken_port_is_named(server: ServerProcess, tmp_path: Path) -> None:
    second = run("serve", PORT=str(server.port), QIPAI_DATA=str(tmp_path / "other"))
    assert second.returncode == 2
    assert second.stderr.startswith(f"qipai: cannot listen on 127.0.0.1:{server.port}")
    assert len(second.stderr.splitlines()) == 1


def test_a_wrong_setting_exits_with_2_and_one_line(tmp_path: Path) -> None:
    (tmp_path / "q.toml").write_text("colour = 'red'\n")
    wrong = run("--config", str(tmp_path / "q.toml"), "serve")
    assert wrong.returncode == 2
    assert "colour" in wrong.stderr
    assert len(wrong.stderr.splitlines()) == 1


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    wrong = run("serve", PORT=str(free_port()), QIPAI_DATA=str(tmp_path / "file" / "data"))
    assert wrong.returncode == 2
    assert "data folder" in wrong.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("durability", ["process", "power"])
def test_stopping_tells_clients_and_flushes(tmp_path: Path, number: int, durability: str) -> None:
    server = ServerProcess(tmp_path / "data", config=f'durability = "{durability}"\n').start()
    with clients(server.port, 2) as (ann, bob):
        room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
        bob.ask("join", "room", room=room)
        bob.send("say", room=room, text="last words", nonce="w")
        ann.event("said")
        silent = socket.create_connection(("127.0.0.1", server.port))
        began = time.monotonic()
        server.signal(number)
        with pytest.raises(ConnectionClosed):
            ann.event("never")
        assert ann.socket.close_code == 4503
        assert server.wait() == 0
        assert time.monotonic() - began < 20, "nobody waits for the silent one"
        silent.close()
    assert server.errors == []
    server.start()
    back = Client(server.port, ann.token)
    shown = back.ask("join", "room", room=room)
    assert shown["room"]["chat"][-1]["text"] == "last words"
    back.close()
    assert server.stop() == 0


def test_verify_believes_an_honest_game_that_was_left(
    server: ServerProcess, quiet: None, capsys: pytest.CaptureFixture[str]
) -> None:
    client = Client(server.port)
    room = client.ask("open", "room", game="tictactoe", nonce="1", bot="random", player_entropy="c0ffee")
    client.ask("leave", "left", room=room["room"]["id"])
    client.close()
    assert main(["verify", room["room"]["id"]]) == 0
    assert "as dealt" in capsys.readouterr().out


def break_room(data: Path, how: str) -> None:
    """Spoil what is stored of one table."""
    file = sqlite3.connect(data / "qipai.db")
    if how == "snapshot":
        file.execute("update rooms set snapshot = substr(snapshot, 1, 40)")
    else:
        file.execute("delete from journal where seq = (select max(seq) from journal)")
    file.commit()
    file.close()


@pytest.mark.parametrize("how", ["snapshot", "record"])
def test_one_unreadable_room_does_not_stop_a_server_and_doctor_names_it(
    tmp_path: Path, quiet: None, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    server = ServerProcess(tmp_path / "data").start()
    client = Client(server.port)
    room = client.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
    client.send("say", room=room, text="hello")
    client.event("said")
    client.close()
    server.stop()
    break_room(server.data, how)
    main(["doctor"])
    assert any(line.startswith("WRONG") and room in line for line in capsys.readouterr().out.splitlines())
    with server:
        client = Client(server.port)
        assert client.ask("open", "room", game="tictactoe", nonce="2")["room"]["phase"] == "waiting"
        client.close()
    assert [error["event"] for error in server.errors] == ["store broke"]


def test_the_database_and_its_copies_are_for_their_owner_only(
    played: str, server: ServerProcess, tmp_path: Path
) -> None:
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    for file in (*server.data.glob("qipai.db*"), tmp_path / "copy.db"):
        assert file.stat().st_mode & 0o077 == 0, file


def test_what_an_operator_gets_wrong_is_one_line(tmp_path: Path, played: str, server: ServerProcess) -> None:
    (tmp_path / "nul.toml").write_text('data = "a\\u0000b"\n')
    data = str(server.data)
    cases = [
        (run("serve", HOST="a..b", PORT="0", QIPAI_DATA=str(tmp_path / "x")), "a..b"),
        (run("--config", str(tmp_path / "nul.toml"), "serve", PORT="0", QIPAI_DATA=""), "data folder"),
        (run("serve", PORT="1" * 5000), "PORT"),
        (run("backup", str(tmp_path / "no" / "where.db"), QIPAI_DATA=data), "where.db"),
    ]
    for result, named in cases:
        assert result.returncode == 2, result.stderr
        assert named in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_reader_that_has_seen_enough_of_a_replay_is_not_a_fault(played: str, server: ServerProcess) -> None:
    command = f"{sys.executable} -m qipai replay {played} | head -n 1"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env=os.environ | {"QIPAI_DATA": str(server.data), "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.stderr == ""
    assert '"do":"open"' in result.stdout


def test_verify_finds_a_seed_that_was_changed_afterwards(
    played: str, server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    server.stop()
    file = sqlite3.connect(server.data / "qipai.db")
    row, body = file.execute("select seq, body from journal order by seq limit 1").fetchone()
    spot = body.index(b'"entropy":"') + len(b'"entropy":"')
    other = b"A" if body[spot : spot + 1] != b"A" else b"B"
    file.execute("update journal set body = ? where seq = ?", (body[:spot] + other + body[spot + 1 :], row))
    file.commit()
    file.close()
    assert main(["verify", played]) == 1
    printed = capsys.readouterr().out
    assert "DIFFERS" in printed or "DO NOT FOLLOW" in printed
