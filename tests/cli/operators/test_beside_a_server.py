"""The commands of operators beside a running server: it does what they say within two seconds."""

from contextlib import closing
from pathlib import Path

import pytest

from qipai.cli.main import main
from tests.server.operators.desk import Person, wait_for
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

BANNED = 4403


@pytest.fixture
def environment(server: ServerProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QIPAI_DATA", str(server.data))
    for name in ("QIPAI_CONFIG", "QIPAI_STORE", "QIPAI_ARCHIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("environment")
def test_what_a_command_says_is_done(server: ServerProcess) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    assert main(["operator", "add", "Ada"]) == 0
    wait_for(lambda: ada.get("").status == 200)
    assert ada.ask("GET", "/api/account").body["role"] == "operator"
    with closing(bob.connect()) as socket, closing(Client(server.port)) as guest:
        room = guest.ask("open", "room", game="tictactoe", nonce="o")["room"]["id"]
        assert main(["announce", "Restart at noon"]) == 0
        assert guest.receive_until("announcement")["text"] == "Restart at noon"
        assert main(["table", "close", room, "--reason", "title"]) == 0
        assert guest.receive_event("closed")
        assert main(["ban", "add", "Bob", "--hours", "1", "--reason", "insults"]) == 0
        assert socket.close_code() == BANNED
    assert main(["people", "rename", "Bob", "Bert", "--reason", "rude"]) == 0
    wait_for(lambda: bob.ask("GET", "/api/account").body["name"] == "Bert")
    assert main(["operator", "remove", "Ada"]) == 2, "the last one"
    first = ada.get("/log").body["entries"][-1]
    assert (first["act"], first["via"], first["by"]) == ("grant_role", "command", None)
    assert server.errors == []
