"""Bots choose legal moves from what they see, and slow ones can be sent to another process."""

import pickle
from collections.abc import Sequence
from typing import Any, Final

from qipai.kernel.game_interface.bot_interface import AdjustableBot, Bot, PunctualBot, is_slow
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import SEED_BYTES, Random

from .law import Law
from .subject import Subject

MOVES: Final = 60
"""Most moves of a game that a bot plays; fewer for a slow one."""
SLOW_MOVES: Final = 4
LEAST_EFFORT: Final = 1
"""Percent of its computation that a bot gets on a very busy server."""


def _check_bots(subject: Subject) -> None:
    for bot in subject.game.bots.values():
        for number, options in enumerate(subject.options):
            _check_game(subject, bot, options, Random(bytes([number + 1]) * SEED_BYTES))


def _check_efforts(subject: Subject) -> None:
    for bot in _adjustable_bots(subject):
        weak = bot.with_effort(LEAST_EFFORT)
        for number, options in enumerate(subject.options):
            _check_game(subject, weak, options, Random(bytes([number + 1]) * SEED_BYTES), repeat=True)


def _adjustable_bots(subject: Subject) -> list[Any]:
    return [bot for bot in subject.game.bots.values() if isinstance(bot, AdjustableBot)]


def _check_game(subject: Subject, bot: Bot, options: Any, random: Random, *, repeat: bool = False) -> None:
    """Let a bot play all seats; where it leaves a decision to others, any legal move is played.

    With `repeat` a slow bot chooses twice too.
    """
    rules = subject.game.rules
    state = rules.deal(options, random)
    for _ in range(SLOW_MOVES if is_slow(bot) else MOVES):
        acting = rules.to_act(state)
        if not acting:
            break
        seat = acting[random.below(len(acting))]
        legal = rules.legal(state, seat)
        chosen = _chosen(bot, rules.view(state, seat), seat, legal)
        assert chosen is None or chosen in legal, (bot.name, chosen)
        if isinstance(bot, PunctualBot):
            at_once = bot.at_once(rules.view(state, seat), legal)
            assert at_once is None or at_once in legal, (bot.name, at_once)
        if repeat:
            again = bot.choose(rules.view(state, seat), seat, legal, Random(bytes(SEED_BYTES)))
            assert again == chosen, (bot.name, "the same seed and effort give the same move")
        move = legal[random.below(len(legal))] if chosen is None else chosen
        state = rules.play(state, seat, move, random).state


def _chosen(bot: Bot, view: Any, seat: Seat, legal: Sequence[Any]) -> Any:
    """Return the bot's move: as in a process of its own if it is slow, otherwise chosen twice."""
    if is_slow(bot):
        sent = pickle.loads(pickle.dumps((bot, view, seat, legal)))  # noqa: S301 - our own bytes
        chosen = sent[0].choose(*sent[1:], Random(bytes(SEED_BYTES)))
        return pickle.loads(pickle.dumps(chosen))  # noqa: S301 - our own bytes
    chosen = bot.choose(view, seat, legal, Random(bytes(SEED_BYTES)))
    assert bot.choose(view, seat, legal, Random(bytes(SEED_BYTES))) == chosen, "a bot has no memory"
    return chosen


BOT_LAWS: Final = (
    Law("bots choose legal moves", _check_bots, lambda subject: bool(subject.game.bots)),
    Law(
        "bots choose legal moves with little effort",
        _check_efforts,
        lambda subject: bool(_adjustable_bots(subject)),
    ),
)
