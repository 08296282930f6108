"""Compares one finished match with an engine; runs in a process of its own, or in a command."""

from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import PurePath
from statistics import median
from typing import Final

from msgspec import Struct

from qipai.hall.bots.uci_engine import EngineError, UciEngine
from qipai.hall.history.archived_match import ArchivedMatch, positions
from qipai.kernel.game_interface.engine_comparison import (
    Analyse,
    Analysis,
    ComparableGame,
    PlayedMoves,
    SideFigures,
)

ENGINE_NODES: Final = 100_000
"""Nodes of an engine for a position. Nodes, not time: the figures are the same on every machine."""
MOST_MOVES: Final = 1_000
"""Moves of the longest match that is compared."""
OWN_SEARCH: Final = "search of the chess bots"
"""The name of the engine where none is installed."""


class Comparison(Struct, frozen=True):
    """A match compared with an engine: its name, nodes for a position, median depth, and figures."""

    engine: str
    nodes: int
    depth: float
    sides: tuple[SideFigures, ...]


class TimedMoves(Struct, frozen=True):
    """The moves of a match, and the milliseconds that each took."""

    played: PlayedMoves
    millis: tuple[int, ...]


def timed_moves(game: ComparableGame | None, match: ArchivedMatch) -> TimedMoves | None:
    """Return the moves of a match without those taken back; None if it cannot be compared."""
    if game is None:
        return None
    times: list[int] = []
    last, since = None, match.began
    for step, position in zip(match.steps, positions(match, match.viewpoints[0]), strict=True):
        last = position
        count = len((position or {}).get("moves") or ())
        if count == len(times):
            continue
        # After an undo the time of the next move begins with the undo.
        times = [*times[:count], step.at - since] if count > len(times) else times[:count]
        since = step.at
    played = None if last is None else game.played_moves(match.options, last)
    if played is None or len(times) != len(played.moves) or len(times) > MOST_MOVES:
        return None
    return TimedMoves(played, tuple(times))


def compare_game(game: ComparableGame, timed: TimedMoves, program: str) -> Comparison:
    """Compare a match with a UCI program; with the game's own search if there is none, or if it fails."""
    if program:
        with suppress(EngineError), closing(UciEngine(program)) as engine:
            name = engine.name or PurePath(program).name
            return _compare(game, timed, name, ENGINE_NODES, partial(engine.analyse, nodes=ENGINE_NODES))
    return _compare(game, timed, OWN_SEARCH, game.own_nodes, game.analyse)


def _compare(
    game: ComparableGame, timed: TimedMoves, engine: str, nodes: int, analyse: Analyse
) -> Comparison:
    depths: list[int] = []

    def analyse_and_note(moves: Sequence[str]) -> Analysis:
        found = analyse(moves)
        depths.append(found.depth)
        return found

    sides = game.compare(timed.played, timed.millis, analyse_and_note)
    return Comparison(engine, nodes, float(median(depths)), sides)
