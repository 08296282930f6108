"""Stored: a journal makes the same rooms and events again, from its beginning or from any snapshot."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import JournalError, encode, first, replay, restore
from qipai.hall.journal.store_interface import Saved, Snapshot
from qipai.kernel.room import Advanced, Phase

from .runs import Opening, journal, live, lives, throw
from .subjects import SUBJECTS

NAMES = tuple(SUBJECTS)
GAMES = {name: subject.game for name, subject in SUBJECTS.items()}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150)
@given(st.data())
def test_a_journal_replays_to_the_same_rooms_and_the_same_events(name: str, data: st.DataObject) -> None:
    life = data.draw(lives(name))
    entries = journal(life)
    game, room = first(GAMES, entries[0])
    assert game is life.subject.game
    assert room == life.first
    taken = [moment for moment in life.moments if isinstance(moment.result, Advanced)]
    steps = list(replay(game, room, entries[1:]))
    assert len(steps) == len(taken)
    for again, moment in zip(steps, taken, strict=True):
        assert isinstance(moment.result, Advanced)
        assert again.room == moment.result.room
        assert again.events == moment.result.events
        assert encode(again.events) == encode(moment.result.events)
        assert encode(again.room) == encode(moment.result.room)
        assert (again.actor, again.nonce) == (moment.actor, moment.nonce)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(st.data())
def test_a_snapshot_of_any_version_and_the_records_since_give_the_same_room(
    name: str, data: st.DataObject
) -> None:
    life = data.draw(lives(name))
    entries = journal(life)
    for room in life.rooms[:: max(1, len(life.rooms) // 6)]:
        snapshot = Snapshot(room.id, room.version, room.phase is not Phase.CLOSED, encode(room))
        game, again, steps = restore(GAMES, Saved(snapshot, entries[room.version :]))
        assert game is life.subject.game
        assert again == life.last
        assert len(steps) == len(life.rooms) - room.version


@pytest.mark.parametrize("name", NAMES)
def test_a_journal_with_a_hole_a_repetition_or_a_stranger_in_it_is_unreadable(name: str) -> None:
    subject = SUBJECTS[name]
    life = live(subject, Opening(0, None, 0, bytes(32)), subject.game.rules.seats, throw(1, 60))
    entries = journal(life)
    game, room = first(GAMES, entries[0])
    assert list(replay(game, room, entries[1:]))
    wrong = (
        entries[2:],
        [entries[1], *entries[1:]],
        entries[:2],
        [entries[2], entries[1], *entries[3:]],
        [replace(entries[1], body=b"{"), *entries[2:]],
        [replace(entries[1], body=b'{"actor":0,"command":{"do":"dance"}}'), *entries[2:]],
        [replace(entries[1], body=b'{"actor":0,"command":{"do":"resign"}}'), *entries[2:]],
    )
    for tail in wrong:
        with pytest.raises(JournalError):
            list(replay(game, room, tail))


def test_a_history_of_a_game_nobody_knows_is_unreadable() -> None:
    life = live(SUBJECTS["tictactoe"], Opening(0, None, 0, bytes(32)), 2, [])
    with pytest.raises(JournalError):
        first({}, journal(life)[0])
    with pytest.raises(JournalError):
        first(GAMES, journal(life)[1])
    snapshot = Snapshot(life.last.id, life.last.version, True, encode(life.last))
    with pytest.raises(JournalError):
        restore({}, Saved(snapshot, []))
    with pytest.raises(JournalError):
        restore(GAMES, Saved(snapshot._replace(body=b'{"game":"tictactoe"}'), []))
