"""The tiles and tai that the lessons of mahjong show are those of the rules."""

import json
from typing import Any

import pytest

from qipai.games.mahjong.hands.hand_notation import read_house, read_win
from qipai.games.mahjong.hands.winning_shapes import is_complete
from qipai.games.mahjong.house_rules import DEFAULT
from qipai.games.mahjong.scoring import tai_count
from qipai.games.mahjong.scoring.payments import dealer_patterns
from qipai.games.mahjong.scoring.tai_count import score_win
from qipai.games.mahjong.tiles import ALL_KINDS, counts_of
from tests.games.mahjong.mahjong_table import known

from .lesson_files import GAMES, read

EXAMPLES: dict[str, Any] = json.loads((GAMES / "mahjong" / "learn" / "examples.json").read_text("utf-8"))
NOT_BY_DEFAULT = {"天聽", "地聽", "見花", "見字", *(name for name, _ in tai_count.RARE_ROWS)}
"""Patterns that tables do not play unless they choose so."""


def base_name(pattern: str) -> str:
    """Return the name of a pattern without the tiles that it names."""
    return pattern.split(" ")[0].split("(")[0]


def known_tai(name: str, tiles: int) -> set[int]:
    """Return what a pattern counts in known hands of this size that are played by the default rules."""
    dealer = dealer_patterns(1)
    if name in dealer:
        return {dealer[name]}
    scores = [
        score_win(read_win(row["of"]))
        for row in known()["wins"]
        if row["of"]["variant"] == tiles and read_house(row["of"]) == DEFAULT
    ]
    return {
        tai
        for score in scores
        if score is not None
        for pattern, tai in score.patterns.items()
        if base_name(pattern) == name
    }


@pytest.mark.parametrize("row", EXAMPLES["tai"], ids=lambda row: row["name"])
def test_a_pattern_of_the_list_counts_what_it_says(row: dict[str, Any]) -> None:
    sizes = [row["tiles"]] if "tiles" in row else [13, 16]
    found = set().union(*(known_tai(row["name"], tiles) for tiles in sizes))
    assert found == {row["tai"]}
    for other in {13, 16} - set(sizes):
        assert known_tai(row["name"], other) == set()


def test_the_list_has_every_pattern_of_the_default_rules() -> None:
    tables = (tai_count.HAND_ROWS, tai_count.FLOWER_ROWS, tai_count.SHAPE_ROWS, tai_count.HONOUR_ROWS)
    names = {base_name(name) for table in tables for name, _ in table} | {"門清自摸", "七搶一"}
    expected = (names | set(dealer_patterns(1))) - NOT_BY_DEFAULT
    assert {row["name"] for row in EXAMPLES["tai"]} == expected


def test_the_tiles_of_the_tutorial_are_all_kinds_and_a_complete_hand() -> None:
    assert [kind for row in EXAMPLES["suits"] for kind in row] == list(range(ALL_KINDS))
    sets = [*EXAMPLES["sets"][:2], *EXAMPLES["hand"][:-1]]
    assert all(len(one) == 3 for one in sets)
    run, triplet, pair = EXAMPLES["sets"]
    assert (run, len(set(triplet)), len(set(pair)), len(pair)) == ([run[0], run[0] + 1, run[0] + 2], 1, 1, 2)
    assert is_complete(counts_of(kind for one in EXAMPLES["hand"] for kind in one), 0, DEFAULT)
    assert [len(one) for one in EXAMPLES["hand"]] == [3, 3, 3, 3, 3, 2]


@pytest.mark.parametrize(
    ("page", "step", "patterns", "delta"),
    [
        ("tutorial", "tai", {"三元牌 中": 1, "門清": 1, "正花 蘭": 1}, [160, -160, 0, 0]),
        ("tutorial", "pay", {"三元牌 中": 1, "門清自摸": 3}, [720, -240, -240, -240]),
        ("sixteen", "end", {"三元牌 中": 1, "門清": 1}, [200, 0, 0, -200]),
    ],
)
def test_the_counted_hands_are_worth_what_the_texts_say(
    page: str, step: str, patterns: dict[str, int], delta: list[int]
) -> None:
    steps = read(GAMES / "mahjong" / "learn" / "pages" / f"{page}.json")["steps"]
    (found,) = (one for one in steps if one["id"] == step)
    result = found["stages"][0]["position"]["result"]
    (winner,) = result["winners"]
    assert {pattern["name"]: pattern["tai"] for pattern in winner["patterns"]} == patterns
    assert result["delta"] == delta
