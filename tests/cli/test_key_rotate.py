"""`qipai key rotate`, and what becomes of the configured secret."""

import re
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from qipai.cli.main import main
from qipai.hall.people.identity import Guest, Identity, wall_clock
from qipai.hall.people.signing_keys import DAY, ROTATION_LEAD, SigningKeys, parse_keys
from qipai.kernel.ids import Person
from qipai.settings import Settings
from qipai.signing_key import signing_keys
from qipai.stores.memory_store import MemoryStore
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.hall_simulation import deterministic_entropy
from tests.support.server import Client, ServerProcess

OUTPUT = re.compile(r"a new key signs from .+\ntokens signed before are accepted until .+\n")
SECRET, OTHER = "a text of thirty-two characters or more", "another text of thirty-two characters"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    stored(tmp_path)  # The key is made when it is first read.
    return tmp_path


def stored(data: Path) -> bytes:
    with closing(SqliteStore(data / JOURNAL_FILE)) as store:
        return store.secret()


def test_a_new_key_is_stored_and_the_old_one_ends(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = stored(data)
    assert main(["key", "rotate", "--days", "7"]) == 0
    assert OUTPUT.fullmatch(capsys.readouterr().out)
    old, new = parse_keys(stored(data)).keys
    assert old.key == first
    assert len(new.key) == 32
    assert new.key != first
    assert old.until == new.since + 7 * DAY
    assert new.since <= wall_clock() < new.since + 60_000, "one server needs no time to tell others"
    assert main(["key", "rotate"]) == 0
    keys = parse_keys(stored(data)).keys
    assert [each.until is None for each in keys] == [False, False, True]
    assert keys[0].until == old.until
    assert keys[1].until == keys[2].since + 180 * DAY


@pytest.mark.parametrize("days", ["-1", "x", "1.5", "10000"])
def test_wrong_days_are_named(data: Path, days: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = stored(data)
    with pytest.raises(SystemExit):
        main(["key", "rotate", f"--days={days}"])
    assert f"expected a number from 0 to 9999, got '{days}'" in capsys.readouterr().err
    assert stored(data) == before


def test_a_store_in_memory_has_nothing_to_rotate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAI_STORE", "memory")
    assert main(["key", "rotate"]) == 2
    assert capsys.readouterr().err == "qipai: a store in memory has a new key at each start\n"


def test_a_configured_secret_must_be_changed_first(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAI_SECRET", SECRET)
    assert main(["key", "rotate"]) == 0
    assert parse_keys(stored(data)).last.key == sha256(SECRET.encode()).digest()
    capsys.readouterr()
    before = stored(data)
    assert main(["key", "rotate"]) == 2
    assert capsys.readouterr().err.startswith("qipai: secret: is in use, or was; give the setting another")
    assert stored(data) == before
    monkeypatch.setenv("QIPAI_SECRET", OTHER)
    assert main(["key", "rotate", "--days", "0"]) == 0
    assert parse_keys(stored(data)).last.key == sha256(OTHER.encode()).digest()


def test_a_server_with_another_secret_signs_with_it_and_accepts_the_former_one() -> None:
    store = MemoryStore()
    ada = Guest(Person("abc"), "Ada")

    def started(secret: str) -> Identity:
        return Identity(signing_keys(Settings(store="memory", secret=secret), store), deterministic_entropy())

    token = started(SECRET).token(ada)
    assert parse_keys(store.secret()).last.key == sha256(SECRET.encode()).digest()
    assert started(SECRET).read_token(token) == ada
    after = started(OTHER)
    assert after.read_token(token) == ada
    new = after.token(ada)
    only_new = Identity(SigningKeys(sha256(OTHER.encode()).digest(), wall_clock), deterministic_entropy())
    assert only_new.read_token(new) == ada
    # A worker that starts with the former setting changes nothing, and signs with the newest key.
    before = store.secret()
    assert only_new.read_token(started(SECRET).token(ada)) == ada
    assert only_new.read_token(started("").token(ada)) == ada
    assert store.secret() == before


def test_while_other_workers_run_a_new_key_waits_until_they_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.stores.store_registry.has_live_workers", lambda _: True)
    store = MemoryStore()
    store.import_secret(b"1" * 32)
    now = wall_clock()
    keys = signing_keys(Settings(store="memory", secret=SECRET), store, lambda: now)
    assert parse_keys(keys.stored).last.since == now + ROTATION_LEAD
    assert keys.signing() == b"1" * 32


@pytest.fixture
def server(data: Path) -> Iterator[ServerProcess]:
    with ServerProcess(data) as server:
        yield server
        assert server.errors == []


@pytest.mark.slow
def test_a_single_server_is_stopped_for_a_rotation(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    ada = Client(server.port, name="Ada")
    room = ada.ask("open", "room", game="tictactoe", nonce="a", table={"disconnect_timeout": 0})["room"]["id"]
    token = ada.token
    ada.close()
    assert main(["key", "rotate"]) == 2
    assert "in use" in capsys.readouterr().err
    server.stop()
    assert main(["key", "rotate"]) == 0
    server.start()
    again = Client(server.port, token=token)
    assert again.welcome["name"] == "Ada"
    assert again.welcome["rooms"] == [room]
    assert again.token != token
    again.close()
    server.stop()
    assert main(["key", "rotate", "--days", "0"]) == 0
    server.start()
    late = Client(server.port, token=again.token)
    assert late.welcome["rooms"] == []
    late.close()
