"""A journal makes the same rooms and events again, from its beginning or from any snapshot."""

from typing import Final

import pytest
from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import JournalError, encode, first, replay, restore
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Saved, Snapshot
from qipai.kernel.room import Advanced, Phase

from .law import Law, over
from .runs import Opening, Run, journal, live, random_actions, runs
from .subject import Subject


def check_replay(run: Run) -> None:
    """The journal of a run replays to the same rooms and the same events."""
    entries = journal(run)
    game, room = first({run.subject.game.name: run.subject.game}, entries[0])
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


def _check_snapshots(run: Run) -> None:
    entries = journal(run)
    for room in run.rooms[:: max(1, len(run.rooms) // 6)]:
        body = encode_snapshot(room, run.subject.game.rules_number)
        snapshot = Snapshot(room.id, room.version, room.phase is not Phase.CLOSED, body)
        games = {run.subject.game.name: run.subject.game}
        game, again, steps = restore(games, Saved(snapshot, entries[room.version :]))
        assert game is run.subject.game
        assert again == run.last
        assert len(steps) == len(run.rooms) - room.version


def _check_damaged_journals(subject: Subject) -> None:
    run = live(subject, Opening(0, None, 0, bytes(32)), subject.game.rules.seats, random_actions(1, 60))
    entries = journal(run)
    game, room = first({subject.game.name: subject.game}, entries[0])
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


JOURNAL_LAWS: Final = (
    Law("a journal replays to the same rooms and the same events", over(runs, 150)(check_replay)),
    Law(
        "a snapshot of any version and the records since give the same room",
        over(runs, 60)(_check_snapshots),
    ),
    Law("a journal with a gap, a repetition or a wrong record is unreadable", _check_damaged_journals),
)
