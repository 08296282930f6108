"""The commands of operators beside a running server: it does what they say within two seconds."""

from contextlib import closing
from pathlib import Path

import pytest

from qipai.cli.main import main
from tests.server.operators.desk import Person, wait_for
from tests.server.test_account_api import GOOD, Answer, Browser
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


@pytest.mark.usefixtures("environment")
def test_a_token_of_an_operator_does_what_the_operator_may(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    ada, nobody = Person(server, "Ada"), Browser(server)

    def ask(secret: str, path: str = "", body: object = None, **headers: str) -> Answer:
        sent = {"authorization": f"Bearer {secret}", **headers}
        return nobody.ask("GET" if body is None else "POST", f"/api/operator{path}", body, **sent)

    assert main(["operator", "token", "Ada"]) == 2, "without a role"
    assert main(["operator", "add", "Ada"]) == 0
    wait_for(lambda: ada.get("").status == 200)
    made = ada.post("api-token-create", name="bot", password=GOOD)
    assert made.status == 200
    (ordinary,) = [text for text in made.body.values() if str(text).startswith("qipai_")]
    assert ask(ordinary).status == 404, "tokens that were made for other purposes have no role"
    capsys.readouterr()
    assert main(["operator", "token", "Ada", "--label", "monitoring", "--days", "1"]) == 0
    secret = capsys.readouterr().out.strip()
    assert ask(secret).body["role"] == "operator"
    assert ask(secret, "/health").status == 200
    done = ask(secret, "/announcement", {"text": "Hello"}, origin="https://monitoring.example")
    assert done.status == 200, "a program has no cookie that a page could use"
    assert (done.body["entry"]["via"], done.body["entry"]["by"]["name"]) == ("token", "Ada")
    assert ask(f"{secret[:-1]}x").status == 404
    tokens = {each["name"]: each["id"] for each in ada.ask("GET", "/api/account").body["api_tokens"]}
    assert ada.post("api-token-revoke", id=tokens["monitoring"]).status == 200
    assert ask(secret).status == 404
    assert ada.get("/log").body["entries"][1]["act"] == "allow_token"
