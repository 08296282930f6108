"""Mahjong played to win: the laws for hands that are won or drawn and followed by others."""

import functools
from typing import get_args

import pytest

from qipai.games.mahjong.wire_types import AnyMove, Stage
from qipai.kernel.commands import Play
from qipai.kernel.room import Advanced
from qipai.testing.journal_laws import check_replay
from qipai.testing.runs import Opening, Run, live, quiet
from qipai.testing.secrecy_laws import check_blindness
from qipai.testing.step_laws import check_steps

from .subjects import SUBJECTS

SUBJECT = SUBJECTS["mahjong"]
PLAYED = ((0, 28, 950), (1, 8, 400), (2, 0, 300), (3, 3, 1_000))
"""The table, the seed of the actions, their number; the first game is played to its end."""


@functools.cache
def played(table: int, number: int, length: int) -> Run:
    opening = Opening(table, None, 0, bytes([number]) * 32)
    return live(SUBJECT, opening, SUBJECT.game.rules.seats, quiet(number, length))


def test_such_games_go_everywhere() -> None:
    runs = [played(*one) for one in PLAYED]
    states = [room.state for run in runs for room in run.rooms if room.state is not None]
    assert {state.stage for state in states} == set(Stage)
    results = [state.result for state in states if state.result is not None]
    assert {len(result.winners) for result in results} >= {0, 1}
    assert {result.payer is None for result in results if result.winners} == {True, False}
    moves = {
        type(run_step.command.move)
        for run in runs
        for run_step in run.run_steps
        if isinstance(run_step.result, Advanced) and isinstance(run_step.command, Play)
    }
    assert moves == set(get_args(AnyMove))
    assert next(room.result.reason for room in runs[0].rooms if room.result is not None) == "finished"


@pytest.mark.parametrize("one", PLAYED)
def test_every_law_of_a_single_step_holds_in_them(one: tuple[int, int, int]) -> None:
    check_steps(played(*one))


@pytest.mark.parametrize("one", PLAYED)
def test_no_viewer_is_told_hidden_parts_in_them(one: tuple[int, int, int]) -> None:
    check_blindness(played(*one))


@pytest.mark.parametrize("one", PLAYED)
def test_their_journals_replay_to_the_same_rooms(one: tuple[int, int, int]) -> None:
    check_replay(played(*one))
