"""The machine: any commands in any order, and every law looked at after each of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.games.game_registry import GAMES
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase

from . import checks
from .runs import PLANS, Opening, Run, live, runs, short_runs, throw
from .subjects import SUBJECTS

NAMES = tuple(SUBJECTS)


def test_every_registered_game_is_tried_under_the_laws() -> None:
    assert set(GAMES) <= set(SUBJECTS)
    for name, game in GAMES.items():
        assert SUBJECTS[name].game is game


def test_the_laws_are_also_tried_on_a_game_with_secrets() -> None:
    assert any(
        subject.game.rules.hidden(options) for subject in SUBJECTS.values() for options in subject.options
    )


def hold(run: Run) -> None:
    """Check every law of a single step along a run."""
    subject = run.subject
    body = checks.stored(subject, run.first)
    for run_step in run.run_steps:
        checks.total(run_step)
        checks.exact(subject, run_step, body)
        checks.counted(run_step)
        checks.over_is_over(run_step)
        checks.resend(subject, run_step)
        checks.randomness_never_refuses(subject, run_step)
        checks.chance_moves_on(run_step)
        checks.secrets_stay_secret(subject, run_step)
        checks.addressed(subject, run_step.result)
        if run_step.after is run_step.before:
            continue
        room = run_step.after
        body = checks.stored(subject, room)
        checks.whole(room)
        checks.someone_acts(subject, room)
        checks.legal_is_legal(subject, room)
        checks.over_stays_over(subject, room)
        if room.state is not None:
            subject.conserved(room.state)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=250)
@given(st.data())
def test_every_law_of_a_single_step_holds_in_a_long_life(name: str, data: st.DataObject) -> None:
    hold(data.draw(runs(name)))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100)
@given(st.data())
def test_every_law_of_a_single_step_holds_in_a_short_life(name: str, data: st.DataObject) -> None:
    hold(data.draw(short_runs(name)))


@pytest.mark.parametrize("name", [name for name in NAMES if not SUBJECTS[name].variant])
def test_long_lives_go_everywhere(name: str) -> None:
    # Not a law but a check of the generator: runs without progress would prove nothing.
    rooms = [room for number in range(150) for room in run_of(name, number).rooms]
    reasons = {room.result.reason for room in rooms if room.result is not None}
    assert {room.phase for room in rooms} == set(Phase)
    assert max(room.match for room in rooms) >= 3
    assert {"resigned", "left", "abandoned", *ENDS[name]} <= reasons
    assert any(
        chair is not None and chair.disconnected_at is not None for room in rooms for chair in room.seats
    )
    if offers := SUBJECTS[name].game.rules.offers:
        assert {offer.kind for room in rooms for offer in room.offers} == offers | {OfferKind.REMATCH}
        assert "agreed" in reasons


ENDS = {
    "tictactoe": ("time", "rounds"),
    "gomoku": ("time", "five"),
    "duel": ("time", "tricks"),
    "chess": ("time", "aborted"),
    "mahjong": (),
}
"""Further words for an end, one of them the game's own.

A game of chess is too long to end within such a run. So is one of mahjong, and time never ends it;
`test_mahjong.py` plays some to the end.
"""


def run_of(name: str, number: int) -> Run:
    opening = Opening(number, PLANS[number % len(PLANS)], number % 2 * 30, bytes([number]) * 32)
    return live(SUBJECTS[name], opening, SUBJECTS[name].game.rules.seats, throw(number, 60))
