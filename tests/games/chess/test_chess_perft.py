"""Chess: how many ways there are to play on from well-known positions, counted through our own rules."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from qipai.games.chess import position
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import Move

from .chess_table import actor, game_at, play

FILES = sorted((Path(__file__).parent / "chess_perft").glob("*.txt"))


class Count(NamedTuple):
    """A known answer."""

    fen: str
    depth: int
    nodes: int


def counts(depths: range) -> Sequence[object]:
    """Return the known answers of these depths."""
    found = []
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            fen, depth, nodes = line.split(";")
            if int(depth) in depths:
                found.append(pytest.param(Count(fen, int(depth), int(nodes)), id=f"{file.stem}-{depth}"))
    return found


def through_rules(state: State, depth: int) -> int:
    """Count by playing each move at a table."""
    if not RULES.to_act(state):
        return 0
    moves = [move.uci for move in RULES.legal(state, actor(state)) if isinstance(move, Move)]
    if depth == 1:
        return len(moves)
    return sum(through_rules(play(state, uci), depth - 1) for uci in moves)


def test_all_the_known_positions_are_there() -> None:
    assert len(FILES) == 7
    assert len(counts(range(1, 5))) == 28


def through_position(fen: str, depth: int) -> int:
    """Count positions only; those one move away are not made any more."""
    moves = position.legal_moves(fen)
    if depth == 1:
        return len(moves)
    nodes = 0
    for uci in moves:
        made = position.apply_move(fen, uci)
        assert made is not None
        nodes += through_position(made[0], depth - 1)
    return nodes


@pytest.mark.parametrize("known", counts(range(1, 4)))
def test_a_table_offers_as_many_games_of_up_to_three_moves_as_there_are(known: Count) -> None:
    assert through_rules(game_at(known.fen), known.depth) == known.nodes


@pytest.mark.slow
@pytest.mark.parametrize("known", counts(range(4, 5)))
def test_a_table_offers_as_many_games_of_four_moves_as_there_are(known: Count) -> None:
    assert through_rules(game_at(known.fen), known.depth) == known.nodes


@pytest.mark.slow
@pytest.mark.parametrize("known", counts(range(1, 5)))
def test_positions_by_themselves_have_as_many_moves(known: Count) -> None:
    assert through_position(known.fen, known.depth) == known.nodes
