"""Eight players of chess, from one that a child can beat to the best we have; each plays with every twist.

Where nothing is hidden and nothing left to chance they ask an engine if there is one.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from qipai.games.chess.wire_types import AnyMove, ClaimDraw, Move, Reroll, Roll, Skip, View
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.game_interface.engine_query import EngineQuery
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .evaluation import Node, pushes
from .fog_sampling import FogSampler
from .move_scoring import Cast, average, dangers, past, prey, searched, sound
from .search import DEPTHS, Search

MILLIS: Final = 800
"""The longest that an engine may think about a move."""
_TASTE: Final = 8
_OPENING: Final = 12
"""So many moves are varied by a little taste, lest all games be the same."""
_SLIP: Final = 5
_SORRY: Final = -60
"""Whoever stands worse than this is glad of a draw."""
_FOGGED: Final = 2
"""So deep is every position searched that a bot imagines."""


class Level(Struct, frozen=True):
    """How strongly a bot plays.

    It looks at so many `nodes`, at most `depth` deep; in the fog it imagines so many `worlds`, with dice it
    compares so many `plans`. Its worths are wrong by up to `noise`, and in `slips` of a hundred moves by
    much more. An engine thinks as UCI's `skill` (0-20) says, at most `far` moves ahead (0: any) and for so
    many `millis`; `own` of a hundred moves it is not asked, for even its weakest play is none for a child.
    """

    nodes: int
    depth: int = DEPTHS
    worlds: int = 1
    plans: int = 1
    noise: int = 0
    slips: int = 0
    own: int = 0
    skill: int = 20
    far: int = 0
    millis: int = MILLIS


LEVELS: Final = (
    Level(20_000, 1, worlds=1, plans=1, noise=150, slips=30, own=80, skill=0, far=1, millis=50),
    Level(20_000, 1, worlds=2, plans=2, noise=70, slips=10, own=50, skill=0, far=1, millis=50),
    Level(40_000, 2, worlds=3, plans=4, noise=60, slips=4, skill=0, far=1, millis=50),
    Level(40_000, 2, worlds=4, plans=8, noise=25, skill=3, far=5, millis=100),
    Level(3_000, worlds=6, plans=16, skill=6, far=7, millis=150),
    Level(9_000, worlds=10, plans=32, skill=10, far=9, millis=250),
    Level(25_000, worlds=16, plans=64, skill=15, far=13, millis=400),
    Level(70_000, worlds=24, plans=120),
)


class Player:
    """One of the eight."""

    slow = True

    def __init__(self, name: str, level: Level) -> None:
        self.name = name
        self._level = level

    def choose(self, view: View, seat: Seat, moves: Sequence[AnyMove], random: Random) -> AnyMove | None:
        """Return one of the moves."""
        for move in moves:
            if isinstance(move, Roll):
                return move
        played = {move.uci: move for move in moves if isinstance(move, Move)}
        if len(moves) < 2 or not played:
            return moves[0] if moves else None
        level = self._level
        white = seat == view.white
        worlds = [view.fen] if view.fen else FogSampler(view, white).imagine(level.worlds, random)
        nodes = [node for fen in worlds if (node := sound(fen)) is not None]
        # Older clients may allow far more than chess does.
        possible = {uci for node in nodes for uci in pushes(node.board)} & played.keys()
        played = {uci: move for uci, move in played.items() if uci in possible or not possible}
        cast = (
            Cast(view.dice, seat, max(level.plans // len(worlds or [""]), 1))
            if view.dice is not None
            else None
        )
        if cast is not None and Reroll() in moves and not level.noise and cast.again(nodes):
            return Reroll()
        worths = self._worths(view, nodes, played, white, cast, self._bonus(view, list(played), random))
        if cast is not None and Skip() in moves and nodes:
            worths[""] = sum(map(cast.skip, nodes)) // len(nodes)
        best = max(worths, key=lambda uci: worths[uci])
        if ClaimDraw() in moves and worths[best] < _SORRY:
            return ClaimDraw()
        return played[best] if best else Skip()

    def engine_query(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], random: Random
    ) -> EngineQuery | None:
        """Return what to ask an engine: nothing where there are twists, a draw to claim, or no choice."""
        level = self._level
        if not view.fen or view.dice is not None or view.minefield is not None or len(moves) < 2:
            return None
        node = sound(view.fen)
        # A table of older clients may stand as no engine has ever seen.
        if node is None or set(moves) != {Move(uci) for uci in pushes(node.board)}:
            return None
        if random.below(100) < level.own:
            return None
        fen, before = ("", view.moves) if past(view) else (view.fen, ())
        return EngineQuery(fen, before, level.millis, level.far, (("Skill Level", str(level.skill)),))

    def engine_move(self, words: str, moves: Sequence[AnyMove]) -> AnyMove | None:
        """Return the move that an engine means, or None if it is none of these."""
        return next((move for move in moves if isinstance(move, Move) and move.uci == words), None)

    def _bonus(self, view: View, moves: Sequence[str], random: Random) -> dict[str, int]:
        """Return what to add to the worth of each move: mistakes, taste, and fear of mines."""
        level = self._level
        wrong = level.noise or (_TASTE if len(view.moves) < _OPENING else 0)
        if random.below(100) < level.slips:
            wrong *= _SLIP
        lost = dangers(view, moves)
        return {uci: random.below(2 * wrong + 1) - wrong - lost.get(uci, 0) for uci in moves}

    def _worths(
        self,
        view: View,
        nodes: Sequence[Node],
        played: Mapping[str, Move],
        white: bool,
        cast: Cast | None,
        bonus: Mapping[str, int],
    ) -> dict[str, int]:
        """Return what moves are worth, the best of them at least."""
        level = self._level
        if cast is None and view.fen and not level.noise and nodes:
            known = [uci for uci in pushes(nodes[0].board) if uci in played]
            if known:
                return dict([Search(nodes[0], level.nodes, past(view)).best(known, level.depth, bonus)])
        if cast is not None:
            worths = average([cast.worths(node, played) for node in nodes])
        else:
            depth = level.depth if view.fen else min(level.depth, _FOGGED)
            worths = average([searched(node, played, level.nodes, depth) for node in nodes])
        worths = worths or prey(view, played, white=white)
        return {uci: worth + bonus[uci] for uci, worth in worths.items()}


BOTS: Final[tuple[Bot, ...]] = tuple(
    Player(f"level{number}", level) for number, level in enumerate(LEVELS, 1)
)
