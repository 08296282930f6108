"""An archive of another version is refused in one line by every command that reads it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from qipai.cli.main import main
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.server import free_port


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder whose archive has no schema number, as those of the version before."""
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.setenv("PORT", str(free_port()))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    SqliteStore(tmp_path / JOURNAL_FILE).close()
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        connection.execute("create table archived_rooms (room text primary key, history blob not null)")
    return tmp_path


@pytest.mark.parametrize(
    "command", [["serve"], ["record", "r"], ["replay", "r"], ["verify", "r"], ["export", "all.gz"]]
)
def test_a_command_refuses_an_archive_of_another_version(
    data: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{data / ARCHIVE_FILE} has schema 1; this server reads schemas 2 to 6" in line
    assert not (data / "all.gz").exists()


def test_doctor_names_an_archive_of_another_version(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 1
    assert f"FAIL archive: {data / ARCHIVE_FILE} has schema 1" in capsys.readouterr().out
    (data / ARCHIVE_FILE).unlink()
    main(["doctor"])
    assert " archive" not in capsys.readouterr().out
