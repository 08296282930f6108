"""Every format that was ever kept loads, replays, and shows what it showed then."""

import json
from enum import EnumType
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from qipai.cli import export_format
from qipai.cli.journal_reader import CommandError
from qipai.games.game_registry import OWN_GAMES
from qipai.games.gomoku.wire_types import Choice
from qipai.games.mahjong import state as mahjong
from qipai.hall.history import archived_match
from qipai.hall.journal.format_numbers import JOURNAL_FORMAT
from qipai.hall.journal.record_format import AnyRecord, OpenRoomRecord, StartGameRecord, TakeSeatRecord
from qipai.hall.journal.room_rebuilding import encode, first, read_record, replay, restore, retrace
from qipai.hall.journal.snapshot_format import RoomSnapshot
from qipai.hall.journal.store_interface import Saved
from qipai.kernel.room import AnyRoom, Phase
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tools.wire_types import reachable

from .kept_files import (
    GOMOKU,
    HERE,
    JOURNAL,
    STORED_ENUMS,
    WORDS,
    KeptRoom,
    assert_shown,
    file_name,
    files_of,
    final_views,
    folders_of,
    read_kept,
    room_files,
)
from .kept_servers import check_export
from .write import KINDS, Kind, write

PRESENT = HERE / f"{JOURNAL}-{JOURNAL_FORMAT}"
FILES = room_files()
MOST_BYTES = 620_000


def last_room(kept: KeptRoom) -> AnyRoom:
    """Return the room at the end of a kept journal."""
    return list(retrace(OWN_GAMES, kept.entries()))[-1].room


def check_views(kept: KeptRoom) -> None:
    """Check that each viewer sees at least what that viewer saw when the file was written."""
    room = last_room(kept)
    views = json.loads(encode(final_views(OWN_GAMES[room.game], room)))
    assert set(views) == set(kept.views)
    for viewer, seen in kept.views.items():
        assert_shown(json.loads(bytes(seen)), views[viewer], f"viewer {viewer}")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_number_that_can_be_read_is_kept(kind: Kind) -> None:
    names = [folder.name for folder in folders_of(kind.name)]
    assert names == [f"{kind.name}-{number}" for number in range(kind.oldest, kind.present + 1)]


def test_the_kept_files_are_small() -> None:
    assert (
        sum(path.stat().st_size for path in HERE.rglob("*") if path.suffix in {".gz", ".json"}) < MOST_BYTES
    )


def test_every_kind_of_record_and_room_of_the_present_format_is_kept() -> None:
    check_variety([read_kept(path) for path in FILES if path.parent == PRESENT])


def check_variety(rooms: list[KeptRoom]) -> None:
    records = [read_record(entry) for kept in rooms for entry in kept.entries()]
    assert {type(record) for record in records} == set(get_args(AnyRecord))
    assert any(isinstance(record, TakeSeatRecord) and record.bot_account for record in records)
    opened = [record for record in records if isinstance(record, OpenRoomRecord)]
    assert {record.game for record in opened} == set(OWN_GAMES)
    legacy = [record.table.legacy for record in opened if record.table.legacy is not None]
    assert any(rules.host_starts for rules in legacy)
    assert any(rules.open_seats for rules in legacy)
    assert any(rules.chat_with_spectators for rules in legacy)
    chosen = [
        record.options
        for record in (*opened, *records)
        if isinstance(record, OpenRoomRecord | StartGameRecord)
    ]
    options = {name for value in chosen for name in value}
    assert options >= {"dice", "fog", "mines", "white", "legacy_rules", "unchecked_moves", "rerolls"}
    assert options >= {"tiles", "house", "flowers", "manual_steps"}
    phases = {last_room(kept).phase for kept in rooms}
    assert phases >= {Phase.PLAYING, Phase.CLOSED, Phase.OVER}


def test_every_opening_rule_of_gomoku_is_kept() -> None:
    states: list[Any] = [last_room(read_kept(path)).state for path in files_of(GOMOKU, "*.json.gz")]
    assert {(state.rule, state.size) for state in states} >= {
        ("swap2", 15), ("swap2", 19), ("renju", 15), ("renju", 19), ("free", 19)
    }  # fmt: skip
    assert {choice for state in states for choice in state.choices} == set(Choice)
    assert any(state.forbidden for state in states)
    assert any(state.line for state in states)


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_a_kept_journal_replays_to_what_each_viewer_saw(path: Path) -> None:
    check_views(read_kept(path))


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_every_kept_snapshot_loads_and_goes_on_to_the_same_room(path: Path) -> None:
    kept = read_kept(path)
    check_snapshots(kept)


def check_snapshots(kept: KeptRoom) -> None:
    entries = kept.entries()
    game, room = first(OWN_GAMES, entries[0])
    rooms = {1: room} | {step.room.version: step.room for step in replay(game, room, entries[1:])}
    for snapshot in kept.stored_snapshots():
        found, loaded, _ = restore(OWN_GAMES, Saved(snapshot, []))
        assert found is game
        assert without_hands(loaded) == without_hands(rooms[snapshot.version])
        tail = entries[snapshot.version :]
        assert without_hands(restore(OWN_GAMES, Saved(snapshot, tail))[1]) == without_hands(
            rooms[len(entries)]
        )


def without_hands(room: AnyRoom) -> AnyRoom:
    """Return the room without the list of hands; snapshots of mahjong did not have it at first (ADR 21)."""
    if not isinstance(room.state, mahjong.State):
        return room
    return replace(room, state=replace(room.state, hands=(), best=None))


@pytest.mark.parametrize("path", files_of("export", "*"), ids=file_name)
def test_a_kept_export_is_imported_with_all_its_rooms(path: Path, tmp_path: Path) -> None:
    check_export(path, tmp_path)


@pytest.mark.parametrize("path", files_of(JOURNAL, WORDS), ids=file_name)
def test_every_stored_word_is_still_known(path: Path) -> None:
    words = json.loads(path.read_bytes())
    assert set(words) == {enum.__name__ for enum in STORED_ENUMS}
    for enum in STORED_ENUMS:
        assert {member.value for member in enum} >= set(words[enum.__name__])


def test_a_new_word_needs_a_new_journal_format() -> None:
    # An earlier release can say that a newer one wrote a record only if the record has another format.
    words = json.loads((PRESENT / WORDS).read_bytes())
    for enum in STORED_ENUMS:
        assert {member.value for member in enum} == set(words[enum.__name__]), "raise JOURNAL_FORMAT"


def test_the_words_of_every_enum_that_is_stored_are_kept() -> None:
    found = [kind for kind in reachable([AnyRecord, RoomSnapshot]) if isinstance(kind, EnumType)]
    assert set(found) == set(STORED_ENUMS)


def test_the_present_code_writes_what_it_keeps(tmp_path: Path) -> None:
    for folder in write(tmp_path):
        kept = HERE / folder.name
        assert {path.name for path in folder.iterdir()} == {path.name for path in kept.iterdir()}
    rooms = [read_kept(path) for path in room_files(tmp_path)]
    check_variety([read_kept(path) for path in files_of(JOURNAL, "*.json.gz", tmp_path)])
    for room in rooms:
        check_views(room)
        check_snapshots(room)
    (tmp_path / "data").mkdir()
    for path in files_of("export", "*", tmp_path):
        check_export(path, tmp_path / "data")


def test_only_missing_folders_are_written(tmp_path: Path) -> None:
    for kind in KINDS:
        if kind.name != "match":
            (tmp_path / f"{kind.name}-{kind.present}").mkdir()
    assert [folder.name for folder in write(tmp_path)] == [f"match-{archived_match.FORMAT}"]
    written = {path for folder in tmp_path.iterdir() for path in folder.iterdir()}
    assert written == set(files_of("match", "*.json", tmp_path))
    assert write(tmp_path) == []


def test_an_export_of_the_release_before_the_first_kept_format_is_refused_in_one_line(tmp_path: Path) -> None:
    store, archive = MemoryStore(), open_archive(tmp_path, "")
    secret = store.secret()
    with pytest.raises(CommandError) as refused:
        export_format.read(store, archive, HERE / "export-before-3.gz")
    assert str(refused.value).endswith(
        "has format 2, which an earlier release wrote; this server reads formats from 3 on, "
        "so keep the file and that release together"
    )
    assert "\n" not in str(refused.value)
    assert not store.open_rooms()
    assert store.secret() == secret
    assert list(archive.rooms()) == []
    archive.close()
