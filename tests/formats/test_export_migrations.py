"""An export file of an earlier format is migrated line by line, with invented earlier formats."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from qipai.cli import export_format
from qipai.cli.journal_reader import CommandError
from qipai.stores.memory_store import MemoryStore

from .kept_files import HERE
from .kept_servers import EXPORT, check_export

PRESENT = export_format.FORMAT


def test_every_export_format_from_the_oldest_on_has_a_migration() -> None:
    assert export_format.OLDEST_FORMAT == 3
    assert set(export_format.MIGRATIONS) == set(range(export_format.OLDEST_FORMAT, export_format.FORMAT))


def rename_rooms(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line of the format after the earliest: that one had tables instead of rooms."""
    return {**line, "line": "room_of_store"} if line["line"] == "table" else line


def rename_rooms_again(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line of the last format: the one before it had another word, and no heartbeat."""
    if line["line"] == "qipai":
        return {**line, "last_heartbeat": 0}
    return {**line, "line": "room"} if line["line"] == "room_of_store" else line


def next_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    migrations = {PRESENT: rename_rooms, PRESENT + 1: rename_rooms_again}
    monkeypatch.setattr(export_format, "FORMAT", PRESENT + 2)
    monkeypatch.setattr(export_format, "MIGRATIONS", {**export_format.MIGRATIONS, **migrations})


def write_earlier(target: Path) -> None:
    """Write the kept export in the invented earlier format."""
    lines = [
        json.loads(line) for line in gzip.decompress((HERE / "export-3" / EXPORT).read_bytes()).splitlines()
    ]
    del lines[0]["last_heartbeat"]
    for line in lines:
        line["line"] = "table" if line["line"] == "room" else line["line"]
    assert sum(line["line"] == "table" for line in lines) == 2
    target.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))


def test_an_export_of_an_earlier_format_is_migrated_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_earlier(tmp_path / "old.gz")
    with pytest.raises(CommandError):
        export_format.read(MemoryStore(), None, tmp_path / "old.gz")
    next_formats(monkeypatch)
    check_export(tmp_path / "old.gz", tmp_path)


def test_exports_of_formats_that_are_not_readable_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_formats(monkeypatch)
    newer = tmp_path / "newer.gz"
    newer.write_bytes(gzip.compress(b'{"line":"qipai","format":9}\n'))
    for path, reason in (
        (newer, f"written by a newer release: format 9, this server reads up to {PRESENT + 2}"),
        (HERE / "export-before-3.gz", "this server reads formats from 3 on"),
    ):
        with pytest.raises(CommandError, match=reason) as refused:
            export_format.read(MemoryStore(), None, path)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("line", [b"[]", b'{"line":"room"}', b"not JSON"])
def test_a_damaged_line_of_an_earlier_format_is_refused(
    line: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_formats(monkeypatch)
    path = tmp_path / "damaged.gz"
    header = b'{"line":"qipai","format":%d,"secret":"AAAA"}\n' % PRESENT
    path.write_bytes(gzip.compress(header + line + b"\n"))
    with pytest.raises(CommandError, match=r"damaged\.gz: "):
        export_format.read(MemoryStore(), None, path)
