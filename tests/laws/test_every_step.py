"""The machine: any commands in any order, and every law looked at after each of them."""

import pytest

from qipai.games.game_registry import OWN_GAMES
from qipai.testing import Law, Subject, law_cases
from qipai.testing.step_laws import STEP_LAWS

from .subjects import SUBJECTS


def test_every_registered_game_is_tried_under_the_laws() -> None:
    assert set(OWN_GAMES) <= set(SUBJECTS)
    for name, game in OWN_GAMES.items():
        assert SUBJECTS[name].game is game


def test_the_laws_are_also_tried_on_a_game_with_secrets() -> None:
    assert any(subject.has_secrets for subject in SUBJECTS.values())


@pytest.mark.parametrize(("law", "subject"), law_cases(*SUBJECTS.values(), laws=STEP_LAWS))
def test_steps(law: Law, subject: Subject) -> None:
    law.check(subject)
