"""`qipai ratings rebuild`, and ratings in exports, backups, repairs and `qipai doctor --deep`."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qipai.cli.export_format import read, write
from qipai.cli.main import main
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import pack
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.ratings.rating_values import DAY
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.memory_store import MemoryStore
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.rated_matches import rated

ADA, BO, CY = Person("p1"), Person("p2"), Person("p3")
NOON = 20_000 * DAY + DAY // 2


def play(archive: Archive) -> None:
    """Store rated matches in another order than that of their rooms and ends, and erase a player."""
    for number, (room, persons) in enumerate((("z", (ADA, BO)), ("a", (BO, CY)), ("m", (ADA, CY)))):
        match = rated(room, persons, (1, 2), NOON - number)
        archive.store(RoomId(room), [Entry(RoomId(room), 1, Millis(1), b"{}")], [pack(match)])
    archive.ratings.erase(CY)
    archive.store(RoomId("b"), (), [pack(rated("b", (BO, ADA), (1, 1), NOON))])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a stopped server with ratings."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("QIPAI_DATA", str(folder))
    monkeypatch.setenv("QIPAI_PORT", "0")
    monkeypatch.chdir(tmp_path)
    SqliteStore(folder / JOURNAL_FILE).close()
    with closing(open_archive(folder, "")) as archive:
        play(archive)
    return folder


@pytest.fixture
def archive(data: Path) -> Iterator[Archive]:
    with closing(open_archive(data, "")) as opened:
        yield opened


def spoil(data: Path, *statements: str) -> None:
    with closing(sqlite3.connect(data / ARCHIVE_FILE)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_rebuild_of_sound_ratings_finds_no_difference(
    data: Path, archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    before = archive.ratings.all()
    assert main(["ratings", "rebuild"]) == 0
    assert capsys.readouterr().out == "5 entries of the sequence replayed, 0 differences corrected\n"
    assert archive.ratings.all() == before
    assert before[0] == 5
    assert len(before[1].ratings) == 2


def test_a_rebuild_corrects_and_names_what_differs(
    data: Path, archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    before = archive.ratings.all()
    spoil(
        data,
        "update ratings set rating = rating + 1 where person = 'p1'",
        "delete from ratings where person = 'p2'",
        "insert into ratings values ('p9', 'chess-blitz', 2800, 45, 0.06, 900, 1)",
        "update rating_changes set before = before - 1 where room = 'z' and seat = 0",
    )
    assert main(["doctor", "--deep"]) == 1
    found = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAIL archive")]
    assert len(found) == 4
    assert main(["ratings", "rebuild"]) == 1
    *lines, summary = capsys.readouterr().out.splitlines()
    assert [f"FAIL archive: {line}" for line in lines] == found
    assert [line.partition(":")[0] for line in lines] == [
        "rating of p1 in chess-blitz",
        "rating of p2 in chess-blitz",
        "rating of p9 in chess-blitz",
        "match 1 of table z",
    ]
    assert summary.endswith("4 differences corrected")
    assert archive.ratings.all() == before
    assert main(["ratings", "rebuild"]) == 0


def test_a_rebuild_without_one_of_its_matches_changes_nothing(
    data: Path, archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(data, "update ratings set rating = 1", "delete from archived_matches where room = 'a'")
    before = archive.ratings.all()
    assert main(["ratings", "rebuild"]) == 2
    error = capsys.readouterr().err
    assert error == "qipai: no rating was changed: rated match 1 of table a is missing in the archive\n"
    assert archive.ratings.all() == before


def test_a_store_in_memory_has_no_ratings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAI_STORE", "memory")
    assert main(["ratings", "rebuild"]) == 2
    assert capsys.readouterr().err == "qipai: a store in memory has no ratings\n"


def test_an_import_rates_in_the_sequence_of_the_export(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.cli.export_format.ENTRIES_OF_LINE", 2)
    write(MemoryStore(), archive, tmp_path / "all.gz")
    (tmp_path / "new").mkdir()
    with closing(open_archive(tmp_path / "new", "")) as imported:
        read(MemoryStore(), imported, tmp_path / "all.gz")
        assert imported.ratings.sequence() == archive.ratings.sequence()
        assert imported.ratings.all() == archive.ratings.all()


def test_a_backup_has_the_ratings(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_archive(data, "")) as archive:
        before = archive.ratings.all()
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path / "restored"))
    assert main(["restore", str(tmp_path / "copy.db")]) == 0
    with closing(open_archive(tmp_path / "restored", "")) as archive:
        assert archive.ratings.all() == before


def test_a_wrong_rating_refuses_no_copy(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_archive(data, "")) as archive:
        before = archive.ratings.all()
    spoil(data, "update ratings set rating = rating + 1 where person = 'p1'")
    restored = tmp_path / "restored"
    for command, folder in (("backup", data), ("restore", restored)):
        monkeypatch.setenv("QIPAI_DATA", str(folder))
        assert main([command, str(tmp_path / "copy.db")]) == 0
        (warning,) = capsys.readouterr().err.splitlines()
        assert warning.startswith("qipai: warning: ratings in the archive are wrong (1 difference")
        assert warning.endswith("type `qipai ratings rebuild`")
    assert main(["ratings", "rebuild"]) == 1
    with closing(open_archive(restored, "")) as archive:
        assert archive.ratings.all() == before


def test_a_copy_without_a_rated_match_is_damaged(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(data, "delete from archived_matches where room = 'a'")
    assert main(["backup", str(tmp_path / "copy.db")]) == 1
    assert capsys.readouterr().err == "qipai: rated match 1 of table a is missing in the archive\n"
    assert main(["doctor", "--deep"]) == 1
    assert capsys.readouterr().out.count("rated match 1 of table a is missing") == 1
    assert main(["repair"]) == 0
    assert main(["ratings", "rebuild"]) == 0


@pytest.mark.parametrize("lost", ["", "delete from rating_sequence where number = 2"])
def test_a_repaired_archive_has_the_ratings_of_its_matches(data: Path, lost: str) -> None:
    with closing(open_archive(data, "")) as archive:
        before = archive.ratings.all()
        sequence = [each[1:] for each in archive.ratings.sequence()]
    if lost:
        spoil(data, lost)
        sequence.append(sequence.pop(1))
    spoil(data, "update archived_rooms set checksum = 1 where room = 'z'")
    assert main(["repair"]) == 0
    assert len(list(data.glob("archive.db.damaged-*[0-9]"))) == 1
    with closing(open_archive(data, "")) as archive:
        assert [each[1:] for each in archive.ratings.sequence()] == sequence
        assert (archive.ratings.all() == before) is (lost == "")
