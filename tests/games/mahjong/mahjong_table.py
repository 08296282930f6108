"""Mahjong hands for tests: the known ones from their file, and any others from hypothesis."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st

from qipai.games.mahjong.hands.hand_notation import read_kinds, read_meld
from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.tiles import KINDS, counts_of

FILE: Final = Path(__file__).with_name("mahjong_hands.json")
RUNS: Final = tuple((low, low + 1, low + 2) for low in range(27) if low % 9 < 7)
PUNGS: Final = tuple((kind,) * 3 for kind in range(KINDS))


@cache
def known() -> dict[str, list[dict[str, Any]]]:
    """Return the file of known hands."""
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text())
    return found


def title(row: dict[str, Any]) -> str:
    """Return what to call a hand in a report."""
    of = row.get("of", row)
    return str(row.get("name") or f"{of['hand']} {of.get('win', '')}")


def counts(text: str) -> bytes:
    return counts_of(read_kinds(text))


def melds(*written: str) -> tuple[Meld, ...]:
    """Return melds written as "pong EEE"."""
    return tuple(read_meld(*one.split()) for one in written)


@st.composite
def complete_hands(draw: st.DrawFn) -> tuple[int, list[tuple[int, ...]], int]:
    """Draw a variant, that many sets and the kind of a pair, all from one set of tiles."""
    variant = draw(st.sampled_from((13, 16)))
    # Few kinds at times, for hands that can be read in many ways.
    low, high = draw(st.sampled_from(((0, 9), (0, 9), (9, 18), (0, 18), (0, KINDS), (18, KINDS))))
    pool = [one for one in (*RUNS, *PUNGS) if low <= one[0] and one[-1] < high]
    left = [4] * KINDS
    sets: list[tuple[int, ...]] = []
    for _ in range(variant // 3):
        fitting = [one for one in pool if all(left[kind] >= one.count(kind) for kind in one)]
        chosen = draw(st.sampled_from(fitting))
        for kind in chosen:
            left[kind] -= 1
        sets.append(chosen)
    pair = draw(st.sampled_from([kind for kind in range(KINDS) if left[kind] >= 2]))
    return variant, sets, pair


@st.composite
def hands(draw: st.DrawFn, extra: int = 0) -> tuple[int, bytes, tuple[Meld, ...]]:
    """Draw a variant, concealed tiles before (or, with `extra`, after) a draw, and some kongs."""
    variant = draw(st.sampled_from((13, 16)))
    low, high = draw(st.sampled_from(((0, 9), (0, 14), (22, KINDS), (0, 18), (0, KINDS))))
    kinds_ = list(range(low, high))
    kongs = draw(st.lists(st.sampled_from(kinds_), max_size=2, unique=True))
    tiles = [kind for kind in kinds_ if kind not in kongs for _ in range(4)]
    taken = draw(st.permutations(tiles))[: variant + extra - 3 * len(kongs)]
    return variant, counts_of(taken), tuple(Meld("ckong", (kind,) * 4) for kind in kongs)
