"""Reversi obeys the laws of all games."""

import pytest

from qipai.testing import Law, Subject, law_cases
from qipai_reversi.game import GAME
from qipai_reversi.rules import Options, Place, State


def discs_are_conserved(state: State) -> None:
    """Every move adds one disc, and no square has two."""
    black, white = state.boards
    assert black & white == 0
    assert (black | white).bit_count() == len(state.moves) + (0 if state.empty_start else 4)


REVERSI = Subject(
    game=GAME,
    options=(Options(), Options(empty_start=True)),
    universe=tuple(Place(square) for square in range(-2, 66)),
    conserved=discs_are_conserved,
    lengths=(5, 10, 20, *(60,) * 4, *(120,) * 4),
    ends=("time",),
)


@pytest.mark.slow
@pytest.mark.parametrize(("law", "subject"), law_cases(REVERSI))
def test_laws(law: Law, subject: Subject) -> None:
    law.check(subject)
