"""Applying the events of every step gives the same view as the state."""

import random

import pytest
from msgspec.structs import replace

from qipai.clients.mahjong.position_reducer import apply_event
from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.wire_types import Discard, Flowers, Pass, Settings, Size, Stage, View
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random

VIEWERS = (Seat(0), Seat(1), Seat(2), Seat(3), SPECTATOR)
EVERYTHING = HouseRules(
    orphans_rob_concealed=True, no_swap_call=True, act_after_claim=True, declare_ting=True, early_ready=True
)
GAMES = [
    Settings(hints=False, manual_steps=True),
    Settings(Size.SIXTEEN, hints=False, manual_steps=True),
    Settings(flowers=Flowers.KEEP, hints=False, manual_steps=True),
    Settings(house=EVERYTHING, hints=False, manual_steps=True),
]


def plain(view: View) -> View:
    """Return a view without the winds, which events do not contain before the first deal."""
    first, second, third, fourth = (replace(player, wind=0) for player in view.players)
    return replace(view, players=(first, second, third, fourth))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", GAMES, ids=["13", "16", "keep", "house"])
def test_applying_events_gives_the_same_view_as_the_state(options: Settings, seed: int) -> None:
    chance, dice = random.Random(seed), Random(bytes([seed]) * 32)
    state = RULES.deal(options, dice)
    known = {viewer: RULES.view(state, viewer) for viewer in VIEWERS}
    hands = 0
    while hands < 3 and state.stage is not Stage.GAME_OVER:
        seat = chance.choice(RULES.to_act(state))
        legal = RULES.legal(state, seat)
        keen = [move for move in legal if not isinstance(move, Pass | Discard)]
        move = chance.choice(keen if keen and chance.random() < 0.8 else legal)
        turn = RULES.play(state, seat, move, dice)
        state = turn.state
        hands += state.stage is Stage.HAND_OVER
        for viewer in VIEWERS:
            for addressed in turn.events:
                if addressed.to is None or viewer in addressed.to:
                    known[viewer] = apply_event(known[viewer], addressed.event)
            fresh = RULES.view(state, viewer)
            assert plain(known[viewer]) == plain(fresh), (viewer, move, turn.events)
    assert hands == 3
