"""Stored: a journal makes the same rooms and events again, from its beginning or from any snapshot."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import JournalError, encode, first, replay, restore
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Saved, Snapshot
from qipai.kernel.room import Advanced, Phase

from .runs import Opening, journal, live, runs, throw
from .subjects import SUBJECTS

NAMES = tuple(SUBJECTS)
GAMES = {name: subject.game for name, subject in SUBJECTS.items()}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150)
@given(st.data())
def test_a_journal_replays_to_the_same_rooms_and_the_same_events(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(name))
    entries = journal(run)
    game, room = first(GAMES, entries[0])
    assert game is run.subject.game
    assert room == run.first
    taken = [run_step for run_step in run.run_steps if isinstance(run_step.result, Advanced)]
    steps = list(replay(game, room, entries[1:]))
    assert len(steps) == len(taken)
    for again, run_step in zip(steps, taken, strict=True):
        assert isinstance(run_step.result, Advanced)
        assert again.room == run_step.result.room
        assert again.events == run_step.result.events
        assert encode(again.events) == encode(run_step.result.events)
        assert encode(again.room) == encode(run_step.result.room)
        assert (again.actor, again.nonce) == (run_step.actor, run_step.nonce)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(st.data())
def test_a_snapshot_of_any_version_and_the_records_since_give_the_same_room(
    name: str, data: st.DataObject
) -> None:
    run = data.draw(runs(name))
    entries = journal(run)
    for room in run.rooms[:: max(1, len(run.rooms) // 6)]:
        snapshot = Snapshot(room.id, room.version, room.phase is not Phase.CLOSED, encode_snapshot(room, 1))
        game, again, steps = restore(GAMES, Saved(snapshot, entries[room.version :]))
        assert game is run.subject.game
        assert again == run.last
        assert len(steps) == len(run.rooms) - room.version


@pytest.mark.parametrize("name", NAMES)
def test_a_journal_with_a_hole_a_repetition_or_a_stranger_in_it_is_unreadable(name: str) -> None:
    subject = SUBJECTS[name]
    run = live(subject, Opening(0, None, 0, bytes(32)), subject.game.rules.seats, throw(1, 60))
    entries = journal(run)
    game, room = first(GAMES, entries[0])
    assert list(replay(game, room, entries[1:]))
    wrong = (
        entries[2:],
        [entries[1], *entries[1:]],
        entries[:2],
        [entries[2], entries[1], *entries[3:]],
        [replace(entries[1], body=b"{"), *entries[2:]],
        [replace(entries[1], body=b'{"do":"dance","actor":0}'), *entries[2:]],
        [replace(entries[1], body=b'{"do":"open","actor":0}'), *entries[2:]],
    )
    for tail in wrong:
        with pytest.raises(JournalError):
            list(replay(game, room, tail))


def test_a_history_of_an_unknown_game_is_unreadable() -> None:
    run = live(SUBJECTS["tictactoe"], Opening(0, None, 0, bytes(32)), 2, [])
    with pytest.raises(JournalError):
        first({}, journal(run)[0])
    with pytest.raises(JournalError):
        first(GAMES, journal(run)[1])
    snapshot = Snapshot(run.last.id, run.last.version, True, encode_snapshot(run.last, 1))
    with pytest.raises(JournalError):
        restore({}, Saved(snapshot, []))
    with pytest.raises(JournalError):
        restore(GAMES, Saved(snapshot._replace(body=b'{"game":"tictactoe"}'), []))
