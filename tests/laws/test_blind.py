"""Blind: what is hidden from a viewer changes no byte of its views, events and refusals."""

import pytest
from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.room import Advanced
from qipai.kernel.room_events import GameStarted
from qipai.testing import Law, Subject, law_cases
from qipai.testing.runs import Opening, live
from qipai.testing.secrecy_laws import SECRECY_LAWS

from . import toy
from .subjects import SUBJECTS


@pytest.mark.parametrize(("law", "subject"), law_cases(*SUBJECTS.values(), laws=SECRECY_LAWS))
def test_secrets(law: Law, subject: Subject) -> None:
    law.check(subject)


def test_the_law_would_notice_a_leak() -> None:
    # The check of the check: a view that shows the stock is caught by the very same comparison.
    class Leaky(toy.Duel):
        def view(self, state: toy.State, viewer: Seat, *, over: bool = False) -> toy.View:
            return replace(super().view(state, viewer), stock=state.stock[0])

    honest, leaky = toy.Duel(), Leaky()
    state = honest.deal(toy.Options(), Random(bytes(32)))
    twin = next(
        twin
        for number in range(20)
        if (twin := toy.scramble(state, Seat(0), Random(bytes([number]) * 32))).stock[0] != state.stock[0]
    )
    assert encode(honest.view(state, Seat(0))) == encode(honest.view(twin, Seat(0)))
    assert encode(leaky.view(state, Seat(0))) != encode(leaky.view(twin, Seat(0)))


def test_a_deal_with_secrets_is_sent_to_each_viewer_separately() -> None:
    run = live(SUBJECTS["duel"], Opening(0, None, 0, bytes(32)), 2, [])
    result = run.run_steps[-1].result
    assert isinstance(result, Advanced)
    dealt = [one for one in result.events if isinstance(one.event, GameStarted)]
    assert [one.to for one in dealt] == [(Seat(0),), (Seat(1),), (SPECTATOR,)]
    hands = [one.event.position.hand for one in dealt if isinstance(one.event, GameStarted)]
    assert result.room.state is not None
    assert hands == [*result.room.state.hands, ()]
