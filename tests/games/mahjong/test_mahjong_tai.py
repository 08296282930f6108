"""Tai of known hands, and what holds of any."""

import time
from itertools import chain
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.games.mahjong.hands.hand_notation import MalformedHand, hand_text, read_house, read_kinds, read_win
from qipai.games.mahjong.hands.waits import waits
from qipai.games.mahjong.hands.winning_shapes import RUN, SEVEN_PAIRS, Meld
from qipai.games.mahjong.house_rules import DEFAULT, DESCRIPTIONS, HouseRules, dead_wall
from qipai.games.mahjong.scoring import tai_count
from qipai.games.mahjong.scoring.score_request import score_json
from qipai.games.mahjong.scoring.tai_count import score_win
from qipai.games.mahjong.scoring.win_readings import Win
from qipai.games.mahjong.tiles import FACES, NAMES, TILES, counts_of, kind_of, kinds_of, tiles_of

from .mahjong_table import complete_hands, known, title


@pytest.mark.parametrize("row", known()["wins"], ids=title)
def test_a_known_hand_has_its_tai(row: dict[str, Any]) -> None:
    found = score_win(read_win(row["of"]), read_house(row["of"]))
    assert found is not None
    assert found.patterns in [row["tai"], *row.get("or", [])]
    assert found.total == row.get("total", sum(row["tai"].values()))


@pytest.mark.parametrize("row", [row for row in known()["wins"] if "waits" in row], ids=title)
def test_a_known_hand_waited_for_what_it_won_on(row: dict[str, Any]) -> None:
    win = read_win(row["of"])
    assert win.win is not None
    before = bytearray(counts_of(win.hand))
    before[win.win] -= 1
    assert hand_text(waits(before, win.melds, read_house(row["of"]))) == row["waits"]


@pytest.mark.parametrize("row", known()["no_wins"], ids=title)
def test_what_is_no_win_has_no_score(row: dict[str, Any]) -> None:
    assert score_win(read_win(row), read_house(row)) is None


def test_every_row_of_the_table_is_seen_in_some_known_hand() -> None:
    tables = (
        tai_count.HAND_ROWS,
        tai_count.FLOWER_ROWS,
        tai_count.RARE_ROWS,
        tai_count.SHAPE_ROWS,
        tai_count.HONOUR_ROWS,
    )
    rows = {name for name, _ in chain.from_iterable(tables)} | {"門清自摸", "七搶一"}
    seen = {name for row in known()["wins"] for name in row["tai"]}
    # Of 見字 two of the seven are enough.
    assert {name for name in rows - seen if not name.startswith("見字")} == set()
    assert seen <= rows


def test_every_absorption_names_rows_of_the_table() -> None:
    tables = (tai_count.HAND_ROWS, tai_count.FLOWER_ROWS, tai_count.SHAPE_ROWS, tai_count.HONOUR_ROWS)
    rows = {name for name, _ in chain.from_iterable(tables)}
    named = {name for parts in tai_count.ABSORBS.values() for part in parts for name in part.names}
    assert named | set(tai_count.ABSORBS) <= rows


def test_every_house_rule_says_what_it_is_and_those_about_tai_are_tried() -> None:
    assert set(DESCRIPTIONS) == set(HouseRules.__struct_fields__)
    marks = {mark for mark, _ in DESCRIPTIONS.values()}
    assert {f"H{number}" for number in range(1, 13)} <= marks
    rows = [*(row["of"] for row in known()["wins"]), *known()["no_wins"]]
    tried = {name for row in rows for name in row.get("rules", {})}
    elsewhere = {name for name, (mark, _) in DESCRIPTIONS.items() if mark in {"H", "H2", "H3", "H4", "H6"}}
    assert set(DESCRIPTIONS) - elsewhere - {"triple_dice_double", "feeder_pays"} == tried


@pytest.mark.parametrize(
    ("house", "variant", "kongs", "reserve"),
    [
        (HouseRules(), 13, 2, 0),
        (HouseRules(), 16, 2, 16),
        (HouseRules(dead_wall=14), 13, 0, 14),
        (HouseRules(dead_wall=0), 16, 1, 0),
        (HouseRules(dead_wall_grows=True), 16, 3, 19),
    ],
)
def test_the_dead_wall_follows_the_house(house: HouseRules, variant: int, kongs: int, reserve: int) -> None:
    assert dead_wall(house, variant, kongs) == reserve


def test_house_rules_survive_being_written_and_unknown_ones_are_refused() -> None:
    house = HouseRules(cap=40, passed_hu="until_change", dead_wall=16)
    assert msgspec.json.decode(msgspec.json.encode(house), type=HouseRules) == house
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"seven_pears": True}, HouseRules)


def test_the_best_reading_is_told() -> None:
    found = score_win(read_win({"variant": 13, "hand": "112233m445566p77s", "win": "7s"}))
    assert found is not None
    assert (found.shape, found.sets) == (SEVEN_PAIRS, ())
    sets = score_win(read_win({"variant": 13, "hand": "111222333m789p99s", "win": "9p"}))
    assert sets is not None
    assert (sets.sets, hand_text([sets.pair])) == ((*read_kinds("123m"), RUN + read_kinds("7p")[0]), "9s")


@given(complete_hands(), st.data())
def test_a_hand_of_sets_and_a_pair_is_always_a_win(
    made: tuple[int, list[tuple[int, ...]], int], data: st.DataObject
) -> None:
    variant, sets, pair = made
    lying = data.draw(st.integers(0, len(sets)))
    melds = tuple(Meld("chow" if one[0] != one[1] else "pong", one) for one in sets[:lying])
    hand = data.draw(st.permutations([pair, pair, *(kind for one in sets[lying:] for kind in one)]))
    drawn = data.draw(st.booleans())
    found = score_win(Win(variant, tuple(hand), hand[0], melds, drawn))
    assert found is not None
    assert found.total == sum(found.patterns.values())
    # Whatever the order of the tiles, the answer is the same.
    assert score_win(Win(variant, tuple(sorted(hand)), hand[0], melds, drawn)) == found
    assert ("自摸" in found.patterns or "門清自摸" in found.patterns) == drawn
    assert ("門清" in found.patterns and lying > 0) is False


@given(complete_hands(), st.data())
def test_another_tile_instead_of_the_winning_one_wins_only_if_it_was_waited_for(
    made: tuple[int, list[tuple[int, ...]], int], data: st.DataObject
) -> None:
    variant, sets, pair = made
    hand = [pair, pair, *(kind for one in sets for kind in one)]
    hand.remove(data.draw(st.sampled_from(hand)))
    waiting = waits(counts_of(hand))
    assert waiting
    for kind in range(34):
        won = score_win(Win(variant, (*hand, kind), kind)) is not None
        assert won == (kind in waiting)


def test_tiles_have_the_ids_and_names_that_clients_know() -> None:
    assert [kind_of(tile) for tile in (0, 3, 4, 35, 36, 72, 108, 124, 135, 136, 143)] == [
        0, 0, 1, 8, 9, 18, 27, 31, 33, 34, 41,
    ]  # fmt: skip
    assert [tile for kind in range(42) for tile in tiles_of(kind)] == list(range(TILES))
    assert [NAMES[kind] for kind in (2, 15, 18, 27, 31, 34, 41)] == [
        "3萬",
        "7筒",
        "1條",
        "東",
        "中",
        "梅",
        "冬",
    ]
    assert [FACES[kind] for kind in (2, 15, 18, 30, 33, 41)] == [
        (0, 3),
        (1, 7),
        (2, 1),
        (3, 4),
        (4, 3),
        (5, 8),
    ]
    assert kinds_of(counts_of((5, 3, 5))) == (3, 5, 5)


@given(st.lists(st.integers(0, 33), max_size=17))
def test_a_hand_is_read_as_it_was_written(hand: list[int]) -> None:
    assert read_kinds(hand_text(hand)) == tuple(sorted(hand))


GOOD: dict[str, Any] = {"variant": 13, "hand": "234m567p123456s99p", "win": "2m"}


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"variant": 14}, "variant"),
        ({"variant": True}, "variant"),
        ({"variant": "13"}, "variant"),
        ({"hand": 7}, "hand"),
        ({"hand": "234"}, "hand"),
        ({"hand": "m"}, "hand"),
        ({"hand": "10m"}, "hand"),
        ({"hand": "234x"}, "hand"),
        ({"hand": "2E"}, "hand"),
        ({"hand": "１m"}, "hand"),
        ({"hand": "E" * 65}, "hand"),
        ({"win": "22m"}, "win"),
        ({"win": 2}, "win"),
        ({"melds": ""}, "melds"),
        ({"melds": ["chow"]}, "melds"),
        ({"melds": [3]}, "melds"),
        ({"melds": [[[], "123m"]]}, "melds"),
        ({"melds": [["chow", "124m"]]}, "melds"),
        ({"melds": [["chow", "89m1p"]]}, "melds"),
        ({"melds": [["chow", "ESW"]]}, "melds"),
        ({"melds": [["pong", "123m"]]}, "melds"),
        ({"melds": [["pong", "1111m"]]}, "melds"),
        ({"melds": [["kong", "111m"]]}, "melds"),
        ({"melds": [["gang", "1111m"]]}, "melds"),
        ({"melds": [["pong", "111m"]] * 6}, "melds"),
        ({"self_draw": 1}, "self_draw"),
        ({"is_dealer": "no"}, "is_dealer"),
        ({"seat_wind": "X"}, "seat_wind"),
        ({"seat_wind": ""}, "seat_wind"),
        ({"round_wind": 1}, "round_wind"),
        ({"flowers": [9]}, "flowers"),
        ({"flowers": [1, 1]}, "flowers"),
        ({"flowers": [True]}, "flowers"),
        ({"flowers": [[]]}, "flowers"),
        ({"flowers": 1}, "flowers"),
        ({"flags": ["luck"]}, "flags"),
        ({"flags": [1]}, "flags"),
        ({"flags": "last"}, "flags"),
        ({"rules": {"luck": True}}, "rules"),
        ({"rules": {"cap": -1}}, "rules"),
        ({"rules": []}, "rules"),
    ],
)
def test_what_cannot_be_read_is_named(change: dict[str, Any], about: str) -> None:
    with pytest.raises(MalformedHand) as refused:
        score_json(msgspec.json.encode(GOOD | change))
    assert refused.value.about == about


@pytest.mark.parametrize("line", [b"", b"x", b"\xff", b'{"variant":', b"[" * 100_000, b'"\\ud800"'])
def test_what_is_no_json_is_called_so(line: bytes) -> None:
    with pytest.raises(MalformedHand) as refused:
        score_json(line)
    assert refused.value.about == "json"


@pytest.mark.parametrize("line", [b"[]", b"7", b"null", b'"hand"'])
def test_what_is_no_object_is_called_so(line: bytes) -> None:
    with pytest.raises(MalformedHand) as refused:
        score_json(line)
    assert refused.value.about == "object"


@pytest.mark.parametrize("win", [None, ""])
def test_the_last_tile_is_the_winning_one_where_none_is_named(win: str | None) -> None:
    named = score_json(msgspec.json.encode(GOOD | {"win": hand_text(read_kinds(GOOD["hand"])[-1:])}))
    assert score_json(msgspec.json.encode(GOOD | {"win": win})) == named
    assert "total" in named


def test_lists_may_be_null() -> None:
    nothing = dict.fromkeys(("melds", "flowers", "flags"))
    assert score_json(msgspec.json.encode(GOOD | nothing)) == score_json(msgspec.json.encode(GOOD))


@pytest.mark.parametrize("win", ["7m", "E"])
def test_a_hand_without_its_winning_tile_is_no_win(win: str) -> None:
    assert score_json(msgspec.json.encode(GOOD | {"win": win})) == {"error": "not_a_win"}


def test_keys_that_say_nothing_about_a_hand_are_passed_over() -> None:
    assert score_json(msgspec.json.encode(GOOD | {"id": 7, "note": {}})) == {
        "total": 3,
        "patterns": {"平胡": 2, "門清": 1},
    }


def test_without_a_winning_tile_the_last_one_is_meant() -> None:
    assert score_json(b'{"variant":13,"hand":"234m567p123456s99p"}')["patterns"] == {"門清": 1, "獨聽": 1}


def test_counting_is_quick() -> None:
    wins = [read_win(row["of"]) for row in known()["wins"]]
    for win in wins:
        score_win(win)
    took = []
    for _ in range(5):
        began = time.process_time()
        for win in wins:
            score_win(win, DEFAULT)
        took.append(time.process_time() - began)
    # A tenth of this on an idle machine; the bench measures it.
    assert min(took) / len(wins) < 0.000_4
