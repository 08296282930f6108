"""The commands on a journal that a real server has written."""

import json
import os
import re
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
from tests.support.databases.tampering import change_seed, change_snapshot
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess, clients, free_port

pytestmark = pytest.mark.slow


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the command line use the data folder of the server."""
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PORT", str(free_port()))
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def played(server: ServerProcess, environment: None) -> Iterator[str]:
    """Return a room with one resigned match and a second one that runs."""
    with clients(server.port, 2) as (ann, bob):
        room = ann.ask("open", "room", game="tictactoe", nonce="1", player_entropy="c0ffee")["room"]["id"]
        shown = bob.ask("join", "room", room=room, player_entropy="0b0b")
        mover = (ann, bob)[shown["room"]["to_act"][0]]
        mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="m")
        bob.receive_event("marked")
        ann.send("say", room=room, text="你好")
        bob.receive_event("said")
        bob.send("resign", room=room)
        ann.receive_event("game_over")
        ann.send("offer", room=room, kind="rematch")
        bob.receive_event("offer_made")
        bob.send("offer", room=room, kind="rematch")
        bob.receive_event("game_started")
        yield room


def test_replay_prints_every_step(played: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", played]) == 0
    lines = capsys.readouterr().out.splitlines()
    steps = [line for line in lines if not line.lstrip().startswith("→")]
    assert [int(line.split()[0]) for line in steps] == list(range(1, len(steps) + 1))
    assert '"do":"open"' in steps[0]
    assert not any('"entropy"' in line for line in steps), "it may be the seed of a running game"
    assert any('"do":"mark","cell":4' in line for line in steps)
    assert any('"e":"game_over"' in line and '"reason":"resigned"' in line for line in lines)
    assert any("你好" in line for line in lines)


def test_verify_recomputes_the_start_of_a_game_from_the_revealed_seed(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", played]) == 0
    printed = capsys.readouterr().out
    assert "match 1: commitment" in printed
    assert re.search(r"seed +[0-9a-f]{64}: valid", printed)
    assert re.search(r"draws +.*: valid", printed)
    assert "match 2: not over, its seed is still secret" in printed
    assert "INVALID" not in printed


def test_verify_finds_a_stored_room_that_differs_from_its_replay(
    played: str, server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    server.stop()
    tampered = sqlite3.connect(server.data / "qipai.db")
    snapshot = tampered.execute("select snapshot from rooms where room = ?", (played,)).fetchone()[0]
    room = json.loads(snapshot)
    room["state"]["left"] = 1 - room["state"]["left"]
    tampered.close()
    change_snapshot(server.data, played, json.dumps(room).encode())
    assert main(["verify", played]) == 1
    assert "stored table: INVALID, differs from the replay" in capsys.readouterr().out


def test_backup_of_a_running_server_can_be_served(
    played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "copy" / "qipai.db"
    target.parent.mkdir()
    assert main(["backup", str(target)]) == 0
    assert main(["backup", str(target)]) == 2
    assert "exists already" in capsys.readouterr().err
    with ServerProcess(target.parent) as copy:
        spectator = Client(copy.port)
        assert spectator.ask("watch", "room", room=played)["room"]["match"] == 2
        spectator.close()


def test_an_unknown_room_and_a_missing_journal_are_named(
    played: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["replay", "nosuchroom"]) == 2
    assert "nosuchroom" in capsys.readouterr().err
    monkeypatch.setenv("QIPAI_DATA", "elsewhere")
    assert main(["verify", played]) == 2
    assert "no journal" in capsys.readouterr().err


def test_doctor_tells_a_running_server_from_another_program_on_its_port(
    server: ServerProcess,
    environment: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def checked(port: int) -> list[str]:
        monkeypatch.setenv("PORT", str(port))
        main(["doctor"])
        return capsys.readouterr().out.splitlines()

    free = free_port()
    lines = checked(free)
    assert any(line.startswith("ok") and "in use by a running server" in line for line in lines)
    assert f"ok   port {free} on 127.0.0.1 is free" in lines
    assert f"ok   port {server.port} on 127.0.0.1: a running server accepts moves" in checked(server.port)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        threading.Thread(target=greet_as_mail_server, args=(other,), daemon=True).start()
        (failed,) = [line for line in checked(port) if line.startswith("FAIL") and "port" in line]
    assert f"port {port} on 127.0.0.1: Address already in use" in failed


def greet_as_mail_server(listening: socket.socket) -> None:
    with listening.accept()[0] as peer:
        peer.sendall(b"220 mail.example ESMTP\r\n")


def test_doctor_reports_a_server_that_cannot_accept_moves(
    monkeypatch: pytest.MonkeyPatch, environment: None, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stopping(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(503)
            self.end_headers()
            self.wfile.write(b'{"status":"stopping"}')

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - name of the base class
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Stopping) as other:
        threading.Thread(target=other.handle_request, daemon=True).start()
        monkeypatch.setenv("PORT", str(other.server_port))
        assert main(["doctor"]) == 1
    assert "a running server replies, but cannot accept moves" in capsys.readouterr().out


def test_doctor_checks_redis_and_backup_refuses_it(
    tmp_path: Path, environment: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(tmp_path) as redis:
        monkeypatch.setenv("QIPAI_STORE", redis.address)
        assert main(["doctor"]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert any(line.startswith("ok") and "Redis is readable, 0 open tables" in line for line in lines)
        assert any(line.startswith("FAIL") and "appendonly" in line for line in lines)
        assert not any("journal" in line for line in lines)
        assert main(["backup", str(tmp_path / "copy.db")]) == 2
        assert "BGSAVE" in capsys.readouterr().err
    monkeypatch.setenv("QIPAI_ARCHIVE", "postgresql://me:hush@127.0.0.1:1/games")
    assert main(["doctor"]) == 1
    failed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAIL")]
    assert any("Redis" in line for line in failed)
    assert any("archive" in line for line in failed)
    assert not any("hush" in line for line in failed)


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qipai", *arguments],
        env=os.environ | {"HOST": "127.0.0.1"} | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_second_server_on_the_same_file_is_refused(server: ServerProcess) -> None:
    second = run("serve", PORT=str(free_port()), QIPAI_DATA=str(server.data))
    assert second.returncode == 2
    assert second.stderr.splitlines() == [f"qipai: {server.data}/qipai.db is in use by another server"]


def test_a_port_in_use_is_named(server: ServerProcess, tmp_path: Path) -> None:
    second = run("serve", PORT=str(server.port), QIPAI_DATA=str(tmp_path / "other"))
    assert second.returncode == 2
    assert second.stderr.startswith(f"qipai: cannot listen on 127.0.0.1:{server.port}")
    assert len(second.stderr.splitlines()) == 1


def test_an_unknown_setting_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "q.toml").write_text("colour = 'red'\n")
    result = run("--config", str(tmp_path / "q.toml"), "serve")
    assert result.returncode == 2
    assert "colour" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_data_folder_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("serve", PORT=str(free_port()), QIPAI_DATA=str(tmp_path / "file" / "data"))
    assert result.returncode == 2
    assert "data folder" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("durability", ["process", "power"])
def test_a_stopping_server_closes_its_connections_and_loses_nothing(
    tmp_path: Path, number: int, durability: str
) -> None:
    server = ServerProcess(tmp_path / "data", config=f'durability = "{durability}"\n').start()
    with clients(server.port, 2) as (ann, bob):
        room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
        bob.ask("join", "room", room=room)
        bob.send("say", room=room, text="last words", nonce="w")
        ann.receive_event("said")
        silent = socket.create_connection(("127.0.0.1", server.port))
        started = time.monotonic()
        server.signal(number)
        with pytest.raises(ConnectionClosed):
            ann.receive_event("never")
        assert ann.socket.close_code == 4503
        assert server.wait() == 0
        assert time.monotonic() - started < 20, "the server does not wait for the silent connection"
        silent.close()
    assert server.errors == []
    server.start()
    reconnected = Client(server.port, ann.token)
    shown = reconnected.ask("join", "room", room=room)
    assert shown["room"]["chat"][-1]["text"] == "last words"
    reconnected.close()
    assert server.stop() == 0


def test_verify_accepts_a_game_that_a_player_left(
    server: ServerProcess, environment: None, capsys: pytest.CaptureFixture[str]
) -> None:
    client = Client(server.port)
    room = client.ask("open", "room", game="tictactoe", nonce="1", bot="random", player_entropy="c0ffee")
    client.ask("leave", "left", room=room["room"]["id"])
    client.close()
    assert main(["verify", room["room"]["id"]]) == 0
    assert re.search(r"draws +.*: valid", capsys.readouterr().out)


def break_room(data: Path, how: str) -> None:
    """Damage what is stored of one room."""
    file = sqlite3.connect(data / "qipai.db")
    if how == "snapshot":
        file.execute("update rooms set snapshot = substr(snapshot, 1, 40)")
    else:
        file.execute("delete from journal where group_id = (select max(group_id) from journal)")
    file.commit()
    file.close()


@pytest.mark.parametrize("how", ["snapshot", "record"])
def test_one_unreadable_room_does_not_stop_a_server_and_doctor_names_it(
    tmp_path: Path, environment: None, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    server = ServerProcess(tmp_path / "data").start()
    client = Client(server.port)
    room = client.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
    client.send("say", room=room, text="hello")
    client.receive_event("said")
    client.close()
    server.stop()
    break_room(server.data, how)
    main(["doctor"])
    assert any(line.startswith("FAIL") and room in line for line in capsys.readouterr().out.splitlines())
    with server:
        client = Client(server.port)
        assert client.ask("open", "room", game="tictactoe", nonce="2")["room"]["phase"] == "waiting"
        client.close()
    ((line, named),) = [(error["event"], error["room"]) for error in server.errors]
    assert (line, named) == ("table set aside", room)


def test_only_its_owner_may_read_the_database_and_its_copies(
    played: str, server: ServerProcess, tmp_path: Path
) -> None:
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    for file in (*server.data.glob("qipai.db*"), tmp_path / "copy.db"):
        assert file.stat().st_mode & 0o077 == 0, file


def test_every_mistake_of_an_operator_is_reported_in_one_line(
    tmp_path: Path, played: str, server: ServerProcess
) -> None:
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


def test_a_closed_pipe_is_no_error(played: str, server: ServerProcess) -> None:
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


def test_verify_finds_a_changed_seed(
    played: str, server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    server.stop()
    change_seed(server.data)
    assert main(["verify", played]) == 1
    assert "INVALID" in capsys.readouterr().out
