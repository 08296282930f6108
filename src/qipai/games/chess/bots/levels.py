"""The eight chess bots, by strength; they ask a UCI engine where one is installed.

Every bot plays with dice, fog and mines too; an engine is asked only without them.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.games.chess.wire_types import AnyMove, ClaimDraw, Move, Reroll, Roll, Skip, View
from qipai.kernel.game_interface.bot_interface import FULL_EFFORT, Bot
from qipai.kernel.game_interface.engine_query import EngineQuery
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .evaluation import Node, uci_moves
from .fog_sampling import FogSampler
from .move_scoring import (
    DiceScoring,
    average_scores,
    capture_values,
    earlier_positions,
    legal_node,
    mine_losses,
    search_scores,
)
from .search import MAX_DEPTH, Search

MAX_ENGINE_MILLIS: Final = 800
"""Longest thinking time of an engine for one move."""
_OPENING_NOISE: Final = 8
_OPENING_PLIES: Final = 12
"""Plies in which scores get a little noise, so that games differ."""
_BLUNDER_FACTOR: Final = 5
_DRAW_THRESHOLD: Final = -60
"""A bot with a score below this claims a draw."""
_FOG_DEPTH: Final = 2
"""Search depth for each sampled position."""


class Level(Struct, frozen=True):
    """The strength of a bot.

    `nodes` and `depth` limit its search, `samples` the positions in fog, `plans` the dice plans. Scores get
    random noise up to `noise`; `blunders` percent of the moves get a multiple of it. An engine gets UCI's
    Skill Level `engine_skill` (0-20), `engine_depth` (0: no limit) and `engine_millis`; `own_search` percent
    of the moves are found without it, because even its lowest level is too strong for beginners.
    """

    nodes: int
    depth: int = MAX_DEPTH
    samples: int = 1
    plans: int = 1
    noise: int = 0
    blunders: int = 0
    own_search: int = 0
    engine_skill: int = 20
    engine_depth: int = 0
    engine_millis: int = MAX_ENGINE_MILLIS

    def with_effort(self, effort: int) -> "Level":
        """Return this level with a percentage of its computation."""

        def part(full: int) -> int:
            return max(1, full * effort // FULL_EFFORT)

        return replace(
            self,
            nodes=part(self.nodes),
            samples=part(self.samples),
            plans=part(self.plans),
            engine_millis=part(self.engine_millis),
        )


LEVELS: Final = (
    Level(
        20_000,
        1,
        samples=1,
        plans=1,
        noise=150,
        blunders=30,
        own_search=80,
        engine_skill=0,
        engine_depth=1,
        engine_millis=50,
    ),
    Level(
        20_000,
        1,
        samples=2,
        plans=2,
        noise=70,
        blunders=10,
        own_search=50,
        engine_skill=0,
        engine_depth=1,
        engine_millis=50,
    ),
    Level(
        40_000, 2, samples=3, plans=4, noise=60, blunders=4, engine_skill=0, engine_depth=1, engine_millis=50
    ),
    Level(40_000, 2, samples=4, plans=8, noise=25, engine_skill=3, engine_depth=5, engine_millis=100),
    Level(3_000, samples=6, plans=16, engine_skill=6, engine_depth=7, engine_millis=150),
    Level(9_000, samples=10, plans=32, engine_skill=10, engine_depth=9, engine_millis=250),
    Level(25_000, samples=16, plans=64, engine_skill=15, engine_depth=13, engine_millis=400),
    Level(70_000, samples=24, plans=120),
)


class ChessBot:
    """A chess bot of one level."""

    slow = True

    def __init__(self, name: str, level: Level) -> None:
        self.name = name
        self._level = level

    def with_effort(self, effort: int) -> "ChessBot":
        """Return this bot with a part of its nodes, samples, plans and engine time."""
        return ChessBot(self.name, self._level.with_effort(effort))

    def choose(self, view: View, seat: Seat, moves: Sequence[AnyMove], random: Random) -> AnyMove | None:
        """Return one of the moves."""
        for move in moves:
            if isinstance(move, Roll):
                return move
        legal_uci = {move.uci: move for move in moves if isinstance(move, Move)}
        if len(moves) < 2 or not legal_uci:
            return moves[0] if moves else None
        level = self._level
        white = seat == view.white
        fens = [view.fen] if view.fen else FogSampler(view, white).sample(level.samples, random)
        nodes = [node for fen in fens if (node := legal_node(fen)) is not None]
        # Unchecked tables of older clients allow moves that are illegal in chess.
        possible = {uci for node in nodes for uci in uci_moves(node.board)} & legal_uci.keys()
        legal_uci = {uci: move for uci, move in legal_uci.items() if uci in possible or not possible}
        dice = (
            DiceScoring(view.dice, seat, max(level.plans // len(fens or [""]), 1))
            if view.dice is not None
            else None
        )
        if dice is not None and Reroll() in moves and not level.noise and dice.should_reroll(nodes):
            return Reroll()
        scores = self._score_moves(
            view, nodes, legal_uci, white, dice, self._bonus(view, list(legal_uci), random)
        )
        if dice is not None and Skip() in moves and nodes:
            scores[""] = sum(map(dice.score_skip, nodes)) // len(nodes)
        best = max(scores, key=lambda uci: scores[uci])
        if ClaimDraw() in moves and scores[best] < _DRAW_THRESHOLD:
            return ClaimDraw()
        return legal_uci[best] if best else Skip()

    def engine_query(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], random: Random
    ) -> EngineQuery | None:
        """Return what to ask an engine; None with dice, fog or mines, a draw to claim, or a single move."""
        level = self._level
        if not view.fen or view.dice is not None or view.minefield is not None or len(moves) < 2:
            return None
        node = legal_node(view.fen)
        # Unchecked tables of older clients may have positions that no engine accepts.
        if node is None or set(moves) != {Move(uci) for uci in uci_moves(node.board)}:
            return None
        if random.below(100) < level.own_search:
            return None
        fen, earlier_moves = ("", view.moves) if earlier_positions(view) else (view.fen, ())
        return EngineQuery(
            fen,
            earlier_moves,
            level.engine_millis,
            level.engine_depth,
            (("Skill Level", str(level.engine_skill)),),
        )

    def engine_move(self, uci: str, moves: Sequence[AnyMove]) -> AnyMove | None:
        """Return the move with the engine's UCI text, or None if it is not among these."""
        return next((move for move in moves if isinstance(move, Move) and move.uci == uci), None)

    def _bonus(self, view: View, moves: Sequence[str], random: Random) -> dict[str, int]:
        """Return what to add to the score of each move: noise, blunders, and the expected loss by mines."""
        level = self._level
        noise = level.noise or (_OPENING_NOISE if len(view.moves) < _OPENING_PLIES else 0)
        if random.below(100) < level.blunders:
            noise *= _BLUNDER_FACTOR
        losses = mine_losses(view, moves)
        return {uci: random.below(2 * noise + 1) - noise - losses.get(uci, 0) for uci in moves}

    def _score_moves(
        self,
        view: View,
        nodes: Sequence[Node],
        legal_uci: Mapping[str, Move],
        white: bool,
        dice: DiceScoring | None,
        bonus: Mapping[str, int],
    ) -> dict[str, int]:
        """Return the scores of the moves, at least that of the best one."""
        level = self._level
        if dice is None and view.fen and not level.noise and nodes:
            moves = [uci for uci in uci_moves(nodes[0].board) if uci in legal_uci]
            if moves:
                return dict(
                    [
                        Search(nodes[0], level.nodes, earlier_positions(view)).best_move(
                            moves, level.depth, bonus
                        )
                    ]
                )
        if dice is not None:
            scores = average_scores([dice.score_moves(node, legal_uci) for node in nodes])
        else:
            depth = level.depth if view.fen else min(level.depth, _FOG_DEPTH)
            scores = average_scores([search_scores(node, legal_uci, level.nodes, depth) for node in nodes])
        scores = scores or capture_values(view, legal_uci, white=white)
        return {uci: score + bonus[uci] for uci, score in scores.items()}


BOTS: Final[tuple[Bot, ...]] = tuple(
    ChessBot(f"level{number}", level) for number, level in enumerate(LEVELS, 1)
)
