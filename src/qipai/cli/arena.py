"""Bots against each other: `qipai arena` plays many games and keeps the score."""

import os
import secrets
from collections.abc import Sequence
from concurrent.futures import as_completed
from hashlib import sha256
from math import sqrt
from multiprocessing import active_children
from time import perf_counter
from typing import Any, Final

from msgspec import Struct

from qipai.games.game_registry import GAMES
from qipai.hall.bots.thinking_pool import decide, processes
from qipai.kernel.codec import Malformed
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.randomness import SEED_BYTES, Random
from qipai.settings import ConfigurationError

ENDLESS: Final = 50_000
"""Moves after which a game counts as a draw."""
STOPPED: Final = 130
"""The exit code of what was ended by Ctrl-C."""
SURE: Final = 1.96
"""How many standard errors hold 95 % of what may be."""


class Played(Struct, frozen=True):
    """A game: which of the two bots moved first and which won (None: neither), moves and seconds of each.

    `gains` are the points of each in every hand, where games are played for points. Games of one `seed`
    had the same luck.
    """

    first: int
    winner: int | None
    moves: tuple[int, int]
    seconds: tuple[float, float]
    gains: tuple[tuple[int, int], ...] = ()
    seed: bytes = b""


class Score:
    """The sum of some games."""

    def __init__(self, names: tuple[str, str]) -> None:
        self._names = names
        self._games: list[Played] = []

    def add(self, game: Played) -> None:
        """Count one more game."""
        self._games.append(game)

    def __str__(self) -> str:
        one, two = (sum(game.winner == bot for game in self._games) for bot in (0, 1))
        won = f"{self._names[0]} {one}, {self._names[1]} {two}, draws {len(self._games) - one - two}"
        gained = [gain for game in self._games for gain, _ in game.gains]
        return f"{won}; {len(gained)} hands {sum(gained):+}" if gained else won

    def summary(self, bot: int) -> str:
        """Return one line about one of the two bots."""
        parts = []
        for place, first in (("first", bot), ("second", 1 - bot)):
            games = [game for game in self._games if game.first == first]
            parts.append(f"{sum(game.winner == bot for game in games)} of {len(games)} moving {place}")
        moves = sum(game.moves[bot] for game in self._games)
        seconds = sum(game.seconds[bot] for game in self._games)
        won = f"{self._names[bot]} won {', '.join(parts)}; {seconds / max(moves, 1):.3f} s a move"
        earned = self._earnings(bot)
        return f"{won}; {earned}" if earned else won

    def _earnings(self, bot: int) -> str:
        """Return what was earned in a hundred hands, and how far chance may have moved that (95 %)."""
        deals: dict[bytes, list[int]] = {}
        for game in self._games:
            deals.setdefault(game.seed, []).extend([gains[bot] for gains in game.gains])
        hands = sum(map(len, deals.values()))
        if not hands:
            return ""
        mean = sum(map(sum, deals.values())) / hands
        told = f"{100 * mean:+.0f}"
        if len(deals) > 1:
            # Hands of a game follow from each other, and games of one seed are alike: only seeds are chance.
            apart = [sum(gained) - mean * len(gained) for gained in deals.values()]
            error = sqrt(sum(one * one for one in apart) * len(deals) / (len(deals) - 1)) / hands
            told += f" ± {100 * SURE * error:.0f}"
        return f"{told} points in 100 hands, {hands} played"


def run(game: str, names: tuple[str, str], games: int, engine: str = "", options: Any = None) -> int:
    """Play and print, bots may ask an engine; raise `ConfigurationError` for what nobody knows."""
    _check(game, names, options)
    score = Score(names)
    code = 0
    # Each luck is played twice with the seats changed, so that nobody earns by better tiles.
    seeds = [secrets.token_bytes(SEED_BYTES) for _ in range(0, games, 2)]
    with processes(min(games, os.cpu_count() or 1), engine) as pool:
        try:
            playing = [
                pool.submit(play, game, names, number % 2, seeds[number // 2], options)
                for number in range(games)
            ]
            for number, done in enumerate(as_completed(playing), 1):
                score.add(done.result())
                print(f"{number:4}  {score}", flush=True)
        except KeyboardInterrupt:
            code = STOPPED
        finally:
            # Whoever leaves early does not wait for the games that still run.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
    print(f"{game}: {score}")
    print(score.summary(0))
    print(score.summary(1))
    return code


def play(game: str, names: tuple[str, str], shift: int, seed: bytes, options: Any = None) -> Played:
    """Play one game; seat n belongs to bot (n + shift) modulo 2. The seed is all luck of the table."""
    rules, bots = GAMES[game].rules, [GAMES[game].bots[name] for name in names]
    # What bots throw for themselves is drawn apart, or it would change the walls.
    dice, own = Random(seed), Random(sha256(seed + bytes([shift])).digest())
    state = rules.deal(GAMES[game].options(options), dice)
    moves, seconds = [0, 0], [0.0, 0.0]
    gains: list[tuple[int, int]] = []
    first: int | None = None
    while sum(moves) < ENDLESS and (acting := rules.to_act(state)):
        for seat in acting:
            which = (seat + shift) % 2
            first = which if first is None else first
            began = perf_counter()
            legal = rules.legal(state, seat)
            move = decide(bots[which], rules.view(state, seat), seat, legal, own)
            seconds[which] += perf_counter() - began
            if move is not None:
                break
        else:
            # All leave it to a person; nobody is here but us.
            move = legal[0]
        moves[which] += 1
        turn = rules.play(state, seat, move, dice)
        state = turn.state
        # Each viewer is told of the same end in an event of his own.
        told = (GAMES[game].points(one.event) for one in turn.events)
        if (points := next((one for one in told if one is not None), None)) is not None:
            gains.append(_halves(points, shift))
    return Played(
        first or 0,
        _winner(rules.outcome(state), shift),
        (moves[0], moves[1]),
        (seconds[0], seconds[1]),
        tuple(gains),
        seed,
    )


def _halves(points: Sequence[int], shift: int) -> tuple[int, int]:
    """Return the points of each bot's seats together."""
    return sum(points[shift::2]), sum(points[1 - shift :: 2])


def _winner(outcome: Outcome | None, shift: int) -> int | None:
    sides = {(seat + shift) % 2 for seat in outcome.winners} if outcome else set()
    return sides.pop() if len(sides) == 1 else None


def _check(game: str, names: tuple[str, str], options: Any) -> None:
    if game not in GAMES:
        raise ConfigurationError(f"no game {game!r}; there are {', '.join(GAMES)}")
    for name in names:
        if name not in GAMES[game].bots:
            raise ConfigurationError(f"no bot {name!r} of {game}; there are {', '.join(GAMES[game].bots)}")
    try:
        GAMES[game].options(options)
    except Malformed as error:
        raise ConfigurationError(f"no such options of {game}: {error}") from None
