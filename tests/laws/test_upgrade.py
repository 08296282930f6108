"""Upgrade: what an earlier release wrote down, this one reads to the same rooms and the same events."""

from pathlib import Path

import msgspec
import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.journal.room_rebuilding import encode, first, replay, restore
from qipai.hall.journal.store_interface import Saved

from .subjects import SUBJECTS
from .upgrade import FOLDER, read, write

FILES = sorted(FOLDER.glob("*.json"))
ALL = {name: subject.game for name, subject in SUBJECTS.items()}


def test_every_game_has_left_something_behind() -> None:
    assert {read(path).game for path in FILES} >= set(GAMES) | set(SUBJECTS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_history_of_an_earlier_release_replays_from_its_first_record(path: Path) -> None:
    legacy = read(path)
    game, room = first(ALL, legacy.entries()[0])
    kept = {snapshot.version: game.read_room(snapshot.body) for snapshot in legacy.saved()}
    assert room == kept[1]
    steps = list(replay(game, room, legacy.entries()[1:]))
    assert [step.room.version for step in steps] == [entry.version for entry in legacy.entries()[1:]]
    for step, events in zip(steps, legacy.events, strict=True):
        assert encode(step.events) == msgspec.json.format(bytes(events), indent=-1)
        assert kept.get(step.room.version, step.room) == step.room


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_snapshot_of_an_earlier_release_loads_and_goes_on(path: Path) -> None:
    legacy = read(path)
    last = legacy.saved()[-1]
    for snapshot in legacy.saved():
        tail = legacy.entries()[snapshot.version :]
        game, room, steps = restore(ALL, Saved(snapshot, tail))
        assert game is ALL[legacy.game]
        assert room == game.read_room(last.body)
        assert len(steps) == len(tail)


def test_the_writer_writes_what_the_reader_reads(tmp_path: Path) -> None:
    paths = write(tmp_path)
    assert {read(path).game for path in paths} == set(SUBJECTS)
    assert all(len(read(path).records) > 20 for path in paths)
