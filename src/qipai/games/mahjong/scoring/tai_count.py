"""Counts the tai of a win: which patterns exclude others, best reading."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import DRAGONS, FLOWERS, NAMES, WINDS

from . import tai_patterns as rows
from .win_readings import Hand, Reading, Score, Win, concealed_counts, hand_of, has_all_flowers, readings

FLOWERS_ONLY: Final = "flowers"
"""The shape of a win by flowers alone."""
FLOWER_WIN_TAI: Final = 8
_SETS: Final = (FLOWERS[:4], FLOWERS[4:])


def _kong_name(flowers: tuple[int, ...]) -> str:
    return f"花槓({''.join(NAMES[flower] for flower in flowers)})"


_OWN_FLOWERS: Final = {flower: f"正花 {NAMES[flower]}" for flower in FLOWERS}
_DRAGONS: Final = {kind: f"三元牌 {NAMES[kind]}" for kind in DRAGONS}
_EVERY_HONOUR: Final = {kind: f"見字 {NAMES[kind]}" for kind in (*WINDS, *DRAGONS)}

HAND_ROWS: Final[tuple[tuple[str, Callable[[Hand], int]], ...]] = (
    ("天胡", rows.heaven_win),
    ("地胡", rows.earth_win),
    ("人胡", rows.human_win),
    ("天聽", rows.heaven_ready),
    ("地聽", rows.earth_ready),
    ("字一色", rows.all_honours),
    ("清一色", rows.pure_suit),
    ("混一色", rows.mixed_suit),
    ("全求人", rows.all_claimed),
    ("半求人", rows.half_claimed),
    ("門清", rows.concealed),
    ("自摸", rows.self_drawn),
    ("獨聽", rows.single_wait),
    ("搶槓", rows.robbed_kong),
    ("槓上開花", rows.replacement_win),
    ("海底撈月", rows.last_tile_draw),
    ("河底撈魚", rows.last_discard),
)
FLOWER_ROWS: Final[tuple[tuple[str, Callable[[Hand], int]], ...]] = (
    ("八仙過海", rows.eight_flowers),
    *((_kong_name(four), partial(rows.flower_kong, flowers=frozenset(four))) for four in _SETS),
    *((name, partial(rows.own_flower, flower=flower)) for flower, name in _OWN_FLOWERS.items()),
    ("見花", rows.every_flower),
)
"""Patterns of hands with flowers."""
RARE_ROWS: Final[tuple[tuple[str, Callable[[Hand], int]], ...]] = (
    ("明槓", rows.open_kongs),
    ("暗槓", rows.concealed_kongs),
    ("無字無花", rows.no_honours_no_flowers),
    ("門清聽", rows.concealed_ready),
    ("咪幾", rows.early_ready),
)
"""Patterns that are off by default."""
SHAPE_ROWS: Final[tuple[tuple[str, Callable[[Reading], int]], ...]] = (
    ("平胡", rows.plain),
    ("碰碰胡", rows.all_pungs),
    ("三暗刻", rows.three_concealed),
    ("四暗刻", rows.four_concealed),
    ("五暗刻", rows.five_concealed),
    ("七對子", rows.seven_pairs),
    ("嚦咕嚦咕", rows.ligu),
    ("十三么", rows.thirteen_orphans),
)
HONOUR_ROWS: Final[tuple[tuple[str, Callable[[Reading], int]], ...]] = (
    ("大四喜", rows.great_winds),
    ("小四喜", rows.small_winds),
    ("大三元", rows.great_dragons),
    ("小三元", rows.small_dragons),
    ("圈風刻", rows.round_wind),
    ("門風刻", rows.seat_wind),
    *((name, partial(rows.dragon, kind=kind)) for kind, name in _DRAGONS.items()),
    *((name, partial(rows.every_honour, kind=kind)) for kind, name in _EVERY_HONOUR.items()),
)
"""Patterns of readings with pungs of honours."""


class Absorption(NamedTuple):
    """Patterns that do not count beside another one, if `when` holds."""

    names: tuple[str, ...]
    when: Callable[[Hand], bool] = lambda hand: True


_WINDS: Final = ("圈風刻", "門風刻", *(_EVERY_HONOUR[kind] for kind in WINDS))
_ALL_DRAGONS: Final = (*_DRAGONS.values(), *(_EVERY_HONOUR[kind] for kind in DRAGONS))


def _bare_pungs(hand: Hand) -> bool:
    return not hand.house.concealed_pungs_add


ABSORBS: Final[Mapping[str, tuple[Absorption, ...]]] = {
    "天胡": (Absorption(("門清", "自摸", "獨聽")), Absorption(("槓上開花",), rows.won_on_flower_replacement)),
    "地胡": (Absorption(("門清", "自摸", "獨聽", "地聽")),),
    "人胡": (Absorption(("門清", "獨聽")),),
    "天聽": (Absorption(("門清", "地聽")),),
    "地聽": (Absorption(("門清",)),),
    "七對子": (Absorption(("門清", "獨聽")),),
    "嚦咕嚦咕": (Absorption(("門清", "獨聽")),),
    "十三么": (Absorption(("門清", "獨聽")),),
    "全求人": (Absorption(("獨聽",), lambda hand: hand.house.claimed_absorbs_single),),
    "半求人": (Absorption(("獨聽",), lambda hand: hand.house.claimed_absorbs_single),),
    "字一色": (Absorption(("碰碰胡", "混一色")),),
    "小三元": (Absorption(_ALL_DRAGONS, lambda hand: hand.house.small_absorbs),),
    "大三元": (Absorption(_ALL_DRAGONS),),
    "小四喜": (Absorption(_WINDS, lambda hand: hand.house.small_absorbs),),
    "大四喜": (
        Absorption(("小四喜", *_WINDS)),
        Absorption(
            ("碰碰胡", "混一色"), lambda hand: hand.win.variant == 13 and not hand.house.great_winds_add
        ),
    ),
    # With 16 tiles, four concealed pungs imply neither a fifth pung nor a concealed hand.
    "四暗刻": (Absorption(("碰碰胡", "門清"), lambda hand: _bare_pungs(hand) and hand.win.variant == 13),),
    "五暗刻": (Absorption(("碰碰胡", "門清"), _bare_pungs),),
    "八仙過海": (Absorption((*map(_kong_name, _SETS), *_OWN_FLOWERS.values(), "見花")),),
    **{
        _kong_name(four): (
            Absorption(
                tuple(_OWN_FLOWERS[flower] for flower in four), lambda hand: hand.house.flower_kong_absorbs
            ),
        )
        for four in _SETS
    },
}

MERGED_PATTERN: Final = (("門清", "自摸"), "門清自摸", 3)
"""Two patterns that count as one together: parts, name, tai."""


def score_win(win: Win, house: HouseRules = DEFAULT) -> Score | None:
    """Return the score of a win in its best reading, or None if it is not a win."""
    if (flower_win := _flower_win(win, house)) is not None:
        return flower_win
    counts = concealed_counts(win)
    if counts is None:
        return None
    hand = hand_of(win, counts, house)
    common: dict[str, int] | None = None
    best: Score | None = None
    best_total = -1
    for reading in readings(hand, counts):
        if common is None:
            common = _hand_patterns(hand)
        patterns = _without_absorbed({**_shape_patterns(reading), **common}, hand)
        total = _capped(sum(patterns.values()), house)
        if total > best_total:
            best, best_total = Score(total, patterns, reading.shape, reading.sets, reading.pair), total
    return best


def _flower_win(win: Win, house: HouseRules) -> Score | None:
    """七搶一 and 八仙過海: fixed tai, independent of the hand.

    They win when the eighth flower is shown, so the hand itself does not count, even if it is complete.
    """
    if not house.flowers_win:
        return None
    robbed = "seven_flowers" in win.flags or not win.self_draw
    if has_all_flowers(win) or (robbed and "seven_flowers" in win.flags and len(set(win.flowers)) == 7):
        return Score(
            _capped(FLOWER_WIN_TAI, house), {"七搶一" if robbed else "八仙過海": FLOWER_WIN_TAI}, FLOWERS_ONLY
        )
    return None


def _capped(total: int, house: HouseRules) -> int:
    return min(total, house.cap) if house.cap else total


def _hand_patterns(hand: Hand) -> dict[str, int]:
    tables = [HAND_ROWS]
    if hand.win.flowers:
        tables.append(FLOWER_ROWS)
    if hand.house is not DEFAULT:
        tables.append(RARE_ROWS)
    return {name: tai for table in tables for name, row in table if (tai := row(hand))}


def _shape_patterns(reading: Reading) -> dict[str, int]:
    patterns = {name: tai for name, row in SHAPE_ROWS if (tai := row(reading))}
    if reading.pungs and max(reading.pungs) >= WINDS[0]:
        patterns |= {name: tai for name, row in HONOUR_ROWS if (tai := row(reading))}
    return patterns


def _without_absorbed(patterns: dict[str, int], hand: Hand) -> dict[str, int]:
    absorbed = [
        name
        for absorber in patterns
        for absorption in ABSORBS.get(absorber, ())
        if absorption.when(hand)
        for name in absorption.names
    ]
    for name in absorbed:
        patterns.pop(name, None)
    parts, name, tai = MERGED_PATTERN
    if patterns.keys() >= set(parts):
        for part in parts:
            del patterns[part]
        patterns[name] = tai
    return patterns
