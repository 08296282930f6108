"""`qipai arena`: lets two bots play many games against each other and prints the score."""

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
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.randomness import SEED_BYTES, Random
from qipai.settings import ConfigurationError

MOST_MOVES: Final = 50_000
"""Moves after which a game counts as a draw."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""
CONFIDENCE_95: Final = 1.96
"""Standard errors on each side of the mean of a 95 % confidence interval."""


class ArenaGame(Struct, frozen=True):
    """Result of one game; bots are numbered 0 and 1.

    `first` is the bot that moved first, `winner` the one that won (None: neither). `moves` and `seconds`
    are those of each bot, `points` what each bot won in every hand of a game that is played for points, and
    `seat_points` what each seat won in all of them. Games with the same `seed` have the same randomness.
    """

    first: int
    winner: int | None
    moves: tuple[int, int]
    seconds: tuple[float, float]
    points: tuple[tuple[int, int], ...] = ()
    seed: bytes = b""
    seat_points: tuple[int, ...] = ()


class ArenaScore:
    """Sum of some games."""

    def __init__(self, names: tuple[str, str]) -> None:
        self._names = names
        self._games: list[ArenaGame] = []

    def add(self, game: ArenaGame) -> None:
        """Count one more game."""
        self._games.append(game)

    def __str__(self) -> str:
        wins = [sum(game.winner == bot for game in self._games) for bot in (0, 1)]
        draws = len(self._games) - sum(wins)
        text = f"{self._names[0]} {wins[0]}, {self._names[1]} {wins[1]}, draws {draws}"
        points = [hand[0] for game in self._games for hand in game.points]
        return f"{text}; {len(points)} hands {sum(points):+}" if points else text

    def summary(self, bot: int) -> str:
        """Return one line about one of the two bots."""
        parts = []
        for order, first in (("first", bot), ("second", 1 - bot)):
            games = [game for game in self._games if game.first == first]
            parts.append(f"{sum(game.winner == bot for game in games)} of {len(games)} moving {order}")
        moves = sum(game.moves[bot] for game in self._games)
        seconds = sum(game.seconds[bot] for game in self._games)
        text = f"{self._names[bot]} won {', '.join(parts)}; {seconds / max(moves, 1):.3f} s per move"
        points = self._points_per_100_hands(bot)
        return f"{text}; {points}" if points else text

    def _points_per_100_hands(self, bot: int) -> str:
        """Return the mean of the points and its 95 % confidence interval; empty without points."""
        by_seed: dict[bytes, list[int]] = {}
        for game in self._games:
            by_seed.setdefault(game.seed, []).extend([hand[bot] for hand in game.points])
        hands = sum(map(len, by_seed.values()))
        if not hands:
            return ""
        mean = sum(map(sum, by_seed.values())) / hands
        text = f"{100 * mean:+.0f}"
        if len(by_seed) > 1:
            # Hands of a game depend on each other, and games of one seed too: only seeds are independent.
            deviations = [sum(points) - mean * len(points) for points in by_seed.values()]
            variance = sum(each * each for each in deviations) * len(by_seed) / (len(by_seed) - 1)
            text += f" ± {100 * CONFIDENCE_95 * sqrt(variance) / hands:.0f}"
        return f"{text} points per 100 hands, {hands} played"


def run(game: str, names: tuple[str, str], games: int, engine: str = "", options: Any = None) -> int:
    """Play the games and print the score; raise `ConfigurationError` for an unknown game, bot or option."""
    _check(game, names, options)
    score = ArenaScore(names)
    code = 0
    # Each seed is used for two games with the seats exchanged, so that good tiles favour no bot.
    seeds = [secrets.token_bytes(SEED_BYTES) for _ in range(0, games, 2)]
    with processes(min(games, os.cpu_count() or 1), engine) as pool:
        try:
            running = [
                pool.submit(play, game, names, number % 2, seeds[number // 2], options)
                for number in range(games)
            ]
            for number, finished in enumerate(as_completed(running), 1):
                score.add(finished.result())
                print(f"{number:4}  {score}", flush=True)
        except KeyboardInterrupt:
            code = INTERRUPTED
        finally:
            # After Ctrl-C do not wait for the games that still run.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
    print(f"{game}: {score}")
    print(score.summary(0))
    print(score.summary(1))
    return code


def play(game: str, names: tuple[str, str], shift: int, seed: bytes, options: Any = None) -> ArenaGame:
    """Play one game with the randomness of a seed; seat n belongs to bot (n + shift) modulo 2."""
    bots = GAMES[game].bots
    return play_bots(game, (bots[names[0]], bots[names[1]]), shift, seed, options)


def play_bots(game: str, bots: tuple[Bot, Bot], shift: int, seed: bytes, options: Any = None) -> ArenaGame:
    """Play one game between any two bots."""
    rules = GAMES[game].rules
    # Bots draw from a generator of their own; otherwise their draws would change the walls.
    random, bot_random = Random(seed), Random(sha256(seed + bytes([shift])).digest())
    state = rules.deal(GAMES[game].read_chosen_options(options), random)
    moves, seconds = [0, 0], [0.0, 0.0]
    points: list[tuple[int, int]] = []
    totals = [0] * rules.seats
    first: int | None = None
    while sum(moves) < MOST_MOVES and (acting := rules.to_act(state)):
        for seat in acting:
            bot = (seat + shift) % 2
            first = bot if first is None else first
            started = perf_counter()
            legal = rules.legal(state, seat)
            move = decide(bots[bot], rules.view(state, seat), seat, legal, bot_random)
            seconds[bot] += perf_counter() - started
            if move is not None:
                break
        else:
            # All bots leave the move to a person; there is none here.
            move = legal[0]
        moves[bot] += 1
        result = rules.play(state, seat, move, random)
        state = result.state
        # Each viewer gets an event of its own about the same end of a hand.
        hand_ends = (GAMES[game].points(addressed.event) for addressed in result.events)
        if (seat_points := next((each for each in hand_ends if each is not None), None)) is not None:
            points.append(_bot_points(seat_points, shift))
            totals = [total + gained for total, gained in zip(totals, seat_points, strict=True)]
    return ArenaGame(
        first or 0,
        _winner(rules.outcome(state), shift),
        (moves[0], moves[1]),
        (seconds[0], seconds[1]),
        tuple(points),
        seed,
        tuple(totals) if points else (),
    )


def _bot_points(seat_points: Sequence[int], shift: int) -> tuple[int, int]:
    """Return the sum of the points of each bot's seats."""
    return sum(seat_points[shift::2]), sum(seat_points[1 - shift :: 2])


def _winner(outcome: Outcome | None, shift: int) -> int | None:
    bots = {(seat + shift) % 2 for seat in outcome.winners} if outcome else set()
    return bots.pop() if len(bots) == 1 else None


def _check(game: str, names: tuple[str, str], options: Any) -> None:
    if game not in GAMES:
        raise ConfigurationError(f"unknown game {game!r}; choose from {', '.join(GAMES)}")
    bots = GAMES[game].bots
    for name in names:
        if name not in bots:
            raise ConfigurationError(f"{game} has no bot {name!r}; choose from {', '.join(bots)}")
    try:
        GAMES[game].read_chosen_options(options)
    except Malformed as error:
        raise ConfigurationError(f"invalid options of {game}: {error}") from None
