"""Blind: what is hidden from a viewer changes no byte of its views, events and refusals."""

import pytest
from hypothesis import Phase, settings
from msgspec.structs import replace

from qipai.games.game import Game
from qipai.kernel.game_interface.rules_interface import IllegalCommand, MoveResult
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
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


class LeakInView(toy.Duel):
    """Every view shows a card of the stock."""

    def view(self, state: toy.State, viewer: Seat, *, over: bool = False) -> toy.View:
        return replace(super().view(state, viewer), stock=state.stock[0])


class LeakInEvent(toy.Duel):
    """The card that a seat lays face down is sent to all."""

    def play(self, state: toy.State, seat: Seat, move: toy.Move, random: Random) -> MoveResult:
        result = super().play(state, seat, move, random)
        events = [
            replace(each, to=None) if isinstance(each.event, toy.Yours) else each for each in result.events
        ]
        return replace(result, events=tuple(events))


class LeakInRefusal(toy.Duel):
    """Whether a card can be laid depends on a card of the stock."""

    def play(self, state: toy.State, seat: Seat, move: toy.Move, random: Random) -> MoveResult:
        if state.stock[0] % 2:
            raise IllegalCommand(Refusal.ILLEGAL)
        return super().play(state, seat, move, random)


@pytest.mark.parametrize(
    "rules", [LeakInView(), LeakInEvent(), LeakInRefusal()], ids=lambda one: type(one).__name__
)
def test_the_law_notices_a_leak(rules: toy.Duel) -> None:
    leaky = SUBJECTS["duel"]._replace(game=Game(rules, (), toy.GameEvent))
    # All examples are tried, so that one leak can fail in several places; the smallest is not looked for.
    profile = settings.get_current_profile_name()
    settings.register_profile("without shrinking", settings.get_profile(profile), phases=[Phase.generate])
    settings.load_profile("without shrinking")
    try:
        with pytest.raises((AssertionError, ExceptionGroup)):
            SECRECY_LAWS[0].check(leaky)
    finally:
        settings.load_profile(profile)


def test_a_deal_with_secrets_is_sent_to_each_viewer_separately() -> None:
    run = live(SUBJECTS["duel"], Opening(0, None, 0, bytes(32)), 2, [])
    result = run.run_steps[-1].result
    assert isinstance(result, Advanced)
    dealt = [one for one in result.events if isinstance(one.event, GameStarted)]
    assert [one.to for one in dealt] == [(Seat(0),), (Seat(1),), (SPECTATOR,)]
    hands = [one.event.position.hand for one in dealt if isinstance(one.event, GameStarted)]
    assert result.room.state is not None
    assert hands == [*result.room.state.hands, ()]
