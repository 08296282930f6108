"""`python -m tools.bot_ratings GAME TWIST`: measures the ratings of bots in games against each other.

Each game has a seed that follows from its number, so a bot that counts positions and not seconds plays the
same games again. With `--references` the bots of chess also play Stockfish, limited to known
ratings; without, one bot is placed by `--anchor`.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from hashlib import sha256
from math import exp, sqrt
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from qipai.cli.arena import ArenaGame, play_bots
from qipai.games.game_registry import OWN_GAMES
from qipai.hall.bots.thinking_pool import processes
from qipai.hall.bots.uci_engine import find
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.game_interface.engine_query import EngineQuery, UsesEngine
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.ratings.glicko2 import SCALE
from qipai.ratings.rating_values import LEAST_DEVIATION, START_DEVIATION

OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "chess": {"plain": {}, "dice": {"dice": "free"}, "fog": {"fog": True}, "mines": {"mines": 5}},
    "gomoku": {"free": {}, "swap2": {"rule": "swap2"}, "renju": {"rule": "renju"}},
    "mahjong": {
        "13": {"tiles": 13, "rounds": 1, "hints": False},
        "16": {"tiles": 16, "rounds": 1, "hints": False},
    },
}
"""The options of each twist, as the lobby offers them."""
SCALE_OF_FOUR: Final = 2 * sqrt((START_DEVIATION / 4) ** 2 + LEAST_DEVIATION**2)
"""The same for the order of two of four settled players (`ratings/match_rating.py`)."""
REFERENCE: Final = "stockfish-"
_REFERENCE_MILLIS: Final = 100
_NO_LIMIT: Final = (("UCI_LimitStrength", "false"),)
_VIRTUAL: Final = 0.5
"""Draws that are added to each pair, so that a bot that won everything has a rating."""
_ITERATIONS: Final = 20_000
_STEP: Final = 0.2
_CONFIDENCE_95: Final = 1.96


class OwnSearch:
    """A bot that asks no engine."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.name = bot.name

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any | None:
        """Return the bot's own move."""
        return self._bot.choose(view, seat, moves, random)


class WithEngine(OwnSearch):
    """A bot that asks an engine, whose strength another bot may have limited."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot)
        assert isinstance(bot, UsesEngine)
        self._engine_bot: UsesEngine = bot

    def engine_query(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> EngineQuery | None:
        """Return the query of the bot, without a limit."""
        query = self._engine_bot.engine_query(view, seat, moves, random)
        return None if query is None else replace(query, options=query.options + _NO_LIMIT)

    def engine_move(self, answer: str, moves: Sequence[Any]) -> Any | None:
        """Return the move that the answer names."""
        return self._engine_bot.engine_move(answer, moves)


class Reference(WithEngine):
    """Stockfish with its strength limited to a rating (`UCI_Elo`)."""

    def __init__(self, bot: Bot, elo: int) -> None:
        super().__init__(bot)
        self.name = f"{REFERENCE}{elo}"
        self._elo = elo

    def engine_query(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> EngineQuery | None:
        """Return the query for a move of this strength."""
        # The strongest bot asks for every move.
        query = self._engine_bot.engine_query(view, seat, moves, random)
        if query is None:
            return None
        limit = (("Skill Level", "20"), ("UCI_LimitStrength", "true"), ("UCI_Elo", str(self._elo)))
        return replace(query, millis=_REFERENCE_MILLIS, depth=0, options=limit)


class Pairing(NamedTuple):
    """A game to be played; `number` gives its randomness and who begins."""

    game: str
    twist: str
    bots: tuple[str, str]
    number: int
    engine: bool


class Score(NamedTuple):
    """Points of the first of two bots in a game, or in the comparisons of a match of four."""

    bots: tuple[str, str]
    points: float
    of: float
    seed: int


def bot_named(pairing: Pairing, name: str) -> Bot:
    """Return a bot, or Stockfish with a limit."""
    bots = OWN_GAMES[pairing.game].bots
    if name.startswith(REFERENCE):
        return Reference([*bots.values()][-1], int(name.removeprefix(REFERENCE)))
    return WithEngine(bots[name]) if pairing.engine else OwnSearch(bots[name])


def play_pairing(pairing: Pairing) -> Score:
    """Play a game; two games with the same randomness have the seats exchanged."""
    key = f"{pairing.game} {pairing.twist} {' '.join(pairing.bots)} {pairing.number // 2}"
    first, second = (bot_named(pairing, name) for name in pairing.bots)
    played = play_bots(
        pairing.game,
        (first, second),
        pairing.number % 2,
        sha256(key.encode()).digest(),
        OPTIONS[pairing.game][pairing.twist],
    )
    return Score(pairing.bots, *_points(pairing, played), pairing.number // 2)


def _points(pairing: Pairing, played: ArenaGame) -> tuple[float, float]:
    """Return the points of the first bot, and of how many."""
    if OWN_GAMES[pairing.game].rules.seats == 2 or not played.seat_points:
        return (0.5 if played.winner is None else float(played.winner == 0)), 1.0
    mine = [points for seat, points in enumerate(played.seat_points) if (seat + pairing.number) % 2 == 0]
    theirs = [points for seat, points in enumerate(played.seat_points) if (seat + pairing.number) % 2]
    return sum((one > other) + (one == other) / 2 for one in mine for other in theirs), 4.0


def pairs(names: Sequence[str], references: Sequence[str], within: int) -> Iterator[tuple[str, str]]:
    """Yield which bots play each other: neighbours, and everybody the references."""
    for place, name in enumerate(names):
        yield from ((name, other) for other in names[place + 1 : place + 1 + within])
    yield from ((name, reference) for name in names for reference in references)


def fit(
    names: Sequence[str], fixed: Mapping[str, float], scores: Sequence[Score], scale: float
) -> dict[str, float]:
    """Return the ratings under which the scores are most likely (Bradley and Terry)."""
    ratings = {name: fixed.get(name, sum(fixed.values()) / len(fixed)) for name in (*names, *fixed)}
    sums: dict[tuple[str, str], list[float]] = {}
    for score in scores:
        each = sums.setdefault(score.bots, [_VIRTUAL / 2, _VIRTUAL])
        each[0] += score.points
        each[1] += score.of
    for _ in range(_ITERATIONS):
        gain, information = dict.fromkeys(ratings, 0.0), dict.fromkeys(ratings, 1e-9)
        for (one, other), (points, of) in sums.items():
            expected = 1 / (1 + exp((ratings[other] - ratings[one]) / scale))
            for name, sign in ((one, 1), (other, -1)):
                gain[name] += sign * (points - of * expected)
                information[name] += of * expected * (1 - expected) / scale
        change = {name: _STEP * gain[name] / information[name] for name in names if name not in fixed}
        for name, step in change.items():
            ratings[name] += max(-50.0, min(50.0, step))
        if max((abs(step) for step in change.values()), default=0.0) < 1e-4:
            break
    return ratings


def intervals(
    names: Sequence[str], fixed: Mapping[str, float], scores: Sequence[Score], scale: float
) -> dict[str, float]:
    """Return half of the 95 % interval of each rating, by leaving out a tenth of the seeds at a time."""
    parts = 10
    samples = [
        fit(names, fixed, [score for score in scores if score.seed % parts != part], scale)
        for part in range(parts)
    ]
    halves = {}
    for name in names:
        values = [sample[name] for sample in samples]
        mean = sum(values) / parts
        variance = (parts - 1) / parts * sum((value - mean) ** 2 for value in values)
        halves[name] = _CONFIDENCE_95 * sqrt(variance)
    return halves


def measure(
    game: str,
    twist: str,
    games: int,
    references: Sequence[str],
    fixed: Mapping[str, float],
    *,
    within: int,
    jobs: int,
    engine: bool,
    only: Sequence[str],
) -> Iterable[str]:
    """Play all games and yield the lines of the result."""
    names = [name for name in OWN_GAMES[game].bots if not only or name in only]
    wanted = [
        Pairing(game, twist, bots, number, engine)
        for bots in pairs(names, references, within)
        for number in range(games)
    ]
    scores: list[Score] = []
    with processes(jobs, find("") if references or engine else "") as pool:
        running = [pool.submit(play_pairing, each) for each in wanted]
        for done in as_completed(running):
            scores.append(done.result())
            if len(scores) % 50 == 0:
                print(f"{len(scores)} of {len(running)} games", file=sys.stderr, flush=True)
    for bots in pairs(names, references, within):
        own = [score for score in scores if score.bots == bots]
        points, of = sum(score.points for score in own), sum(score.of for score in own)
        yield f"{bots[0]} - {bots[1]}: {points:g} of {of:g}"
    scale = SCALE if OWN_GAMES[game].rules.seats == 2 else SCALE_OF_FOUR
    scores.sort()
    ratings, halves = fit(names, fixed, scores, scale), intervals(names, fixed, scores, scale)
    for name in names:
        yield f"{game} {twist} {name} {ratings[name]:.0f} ± {halves[name]:.0f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=OPTIONS)
    parser.add_argument("twist")
    parser.add_argument("--games", type=int, default=100, help="games of each pair (default: 100)")
    parser.add_argument(
        "--within", type=int, default=2, help="places between two bots that play (default: 2)"
    )
    parser.add_argument("--references", type=int, nargs="*", default=[], help="ratings of limited Stockfish")
    parser.add_argument("--anchor", metavar="BOT=RATING", help="a bot whose rating is given")
    parser.add_argument("--engine", action="store_true", help="let the bots of chess ask Stockfish")
    parser.add_argument("--only", nargs="*", default=[], help="bots that play (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    fixed = {f"{REFERENCE}{elo}": float(elo) for elo in chosen.references}
    if chosen.anchor:
        name, _, rating = chosen.anchor.partition("=")
        fixed[name] = float(rating)
    if not fixed:
        parser.error("give --references or --anchor")
    for line in measure(
        chosen.game,
        chosen.twist,
        chosen.games,
        [name for name in fixed if name.startswith(REFERENCE)],
        fixed,
        within=chosen.within,
        jobs=chosen.jobs,
        engine=chosen.engine,
        only=chosen.only,
    ):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
