"""The bots of mahjong against each other: every wall is played twice, with the seats changed."""

import pytest

from qipai.games.mahjong.bot import BOTS
from qipai.games.mahjong.rules import RULES, State
from qipai.games.mahjong.values import Settings, Stage
from qipai.kernel.bots import Bot
from qipai.kernel.dice import Dice

_, NORMAL, HARD = BOTS
QUIET = Settings(hints=False)


def duplicates(pair: tuple[Bot, Bot], walls: int) -> list[tuple[State, int]]:
    """Play each wall twice, with the seats changed; return how each hand ended and the first one's seats."""
    found = []
    for number in range(walls):
        for shift in (0, 1):
            luck, own = Dice(number.to_bytes(32, "little")), Dice(number.to_bytes(32, "big"))
            state = RULES.deal(QUIET, luck)
            while state.stage is not Stage.HAND_OVER:
                for seat in RULES.to_act(state):
                    bot, moves = pair[(seat + shift) % 2], RULES.legal(state, seat)
                    move = bot.choose(RULES.view(state, seat), seat, moves, own)
                    if move is not None:
                        state = RULES.play(state, seat, move, luck).state
                        break
            found.append((state, shift))
    return found


@pytest.mark.slow
def test_hard_earns_from_normal_and_pays_for_fewer_wins() -> None:
    earnings, paid = 0, [0, 0]
    for state, shift in duplicates((HARD, NORMAL), 60):
        assert state.result is not None
        earnings += sum(state.result.delta[shift::2])
        if state.result.payer is not None:
            paid[(state.result.payer + shift) % 2] += 1
    assert paid[0] < paid[1]
    assert earnings > 0
