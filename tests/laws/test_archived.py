"""Archived: a replay from the archive is what was shown, byte by byte; its draws are those of its seed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.cli.verify_archived import verify_match
from qipai.hall.history.archived_match import pack, unpack
from qipai.hall.history.match_archiving import archive_match
from qipai.hall.history.match_extraction import read_matches
from qipai.hall.history.replay_builder import build_replay
from qipai.testing.runs import journal, runs
from tests.support.live_replay import live_replay, viewpoints

from .subjects import SUBJECTS

NAMES = tuple(SUBJECTS)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100)
@given(st.data())
def test_an_archived_match_replays_as_it_was_shown(name: str, data: st.DataObject) -> None:
    run = data.draw(runs(SUBJECTS[name]))
    game = run.subject.game
    for match in read_matches({game.name: game}, journal(run)):
        archived = unpack(pack(archive_match(match)).body)
        assert archived.viewpoints == viewpoints(game, match.ended)
        for viewpoint in archived.viewpoints:
            assert build_replay(archived, viewpoint) == live_replay(match, viewpoint)
        assert verify_match(archived)
