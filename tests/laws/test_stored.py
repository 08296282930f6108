"""Stored: a journal makes the same rooms and events again, from its beginning or from any snapshot."""

import pytest

from qipai.hall.journal.room_rebuilding import JournalError, first, restore
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Saved, Snapshot
from qipai.testing import Law, Subject, law_cases
from qipai.testing.journal_laws import JOURNAL_LAWS
from qipai.testing.runs import Opening, journal, live

from .subjects import SUBJECTS

GAMES = {name: subject.game for name, subject in SUBJECTS.items()}


@pytest.mark.parametrize(("law", "subject"), law_cases(*SUBJECTS.values(), laws=JOURNAL_LAWS))
def test_journals(law: Law, subject: Subject) -> None:
    law.check(subject)


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
