"""House rules of mahjong tables and their defaults."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Tai = Annotated[int, Meta(ge=0, le=1000)]
Tiles = Annotated[int, Meta(ge=0, le=64)]


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The house rules of a table; `GET /api/mahjong/rules` describes each of them."""

    seven_pairs: bool = True
    thirteen_orphans: bool = True
    ligu: bool = True
    four_as_two_pairs: bool = True
    dead_wall: Tiles | None = None
    dead_wall_grows: bool = False
    late_added_kong: bool = True
    act_after_claim: bool = False
    last_discard_hu_only: bool = True
    no_swap_call: bool = False
    orphans_rob_concealed: bool = False
    several_winners: bool = True
    passed_hu: Literal["until_draw", "until_change", "free"] = "until_draw"
    passed_pong: bool = False
    seat_winds: Literal["dealer", "opening"] = "dealer"
    declare_ting: bool = False
    flower_kong_absorbs: bool = True
    flower_bloom: bool = True
    claimed_absorbs_single: bool = True
    concealed_pungs_add: bool = True
    small_absorbs: bool = True
    flowers_win: bool = True
    great_winds_add: bool = True
    human_tai: Tai = 8
    heaven_tai: Tai = 24
    four_concealed_tai: Tai = 5
    all_honours_tai: Tai = 16
    every_flower_and_honour: bool = False
    kong_tai: bool = False
    no_honours_no_flowers_tai: Tai = 0
    concealed_ready_tai: Tai = 0
    early_ready: bool = False
    triple_dice_double: bool = False
    feeder_pays: bool = False
    cap: Tai = 0


DEFAULT: Final = HouseRules()

DESCRIPTIONS: Final = {
    "seven_pairs": ("H1", "七對子 wins (13 tiles)"),
    "thirteen_orphans": ("H1", "十三么 wins (13 tiles)"),
    "ligu": ("H1", "嚦咕嚦咕 wins (16 tiles)"),
    "four_as_two_pairs": ("H1", "four equal tiles may be two of the pairs"),
    "dead_wall": ("H2", "tiles that stay undrawn; null: 16 in the 16-tile game, else 0"),
    "dead_wall_grows": ("H2", "every kong keeps one tile more undrawn"),
    "late_added_kong": ("H3", "加槓 in a later turn than the draw of its tile"),
    "act_after_claim": ("H4", "a kong or a self-drawn win in the turn of a chow or pong"),
    "last_discard_hu_only": ("H", "the discard after the last draw may only be won on"),
    "no_swap_call": ("H", "食替: the tile just chowed, or its other end, may not be discarded at once"),
    "orphans_rob_concealed": ("H", "十三么 may rob a concealed kong"),
    "several_winners": ("H6", "一炮多響: all win; off, 截胡: only the nearest"),
    "passed_hu": ("H", "過水: how long a passed win bars another one"),
    "passed_pong": ("H", "碰過水: a passed pong bars another one as well"),
    "seat_winds": ("H", "East is the dealer, or 開門風"),
    "declare_ting": ("H", "天聽 and 地聽 may be announced"),
    "flower_kong_absorbs": ("H5", "花槓 absorbs the 正花 of its set"),
    "flower_bloom": ("H7", "槓上開花 on the replacement of a flower as well"),
    "claimed_absorbs_single": ("H8", "全求人 and 半求人 absorb 獨聽"),
    "concealed_pungs_add": ("H9", "四暗刻 and 五暗刻 add to 碰碰胡 and 門清"),
    "small_absorbs": ("H10", "小三元 absorbs 三元牌, 小四喜 absorbs 圈風刻 and 門風刻"),
    "flowers_win": ("H11", "七搶一 and 八仙過海 win at once; off, eight flowers add 8 tai to a win"),
    "great_winds_add": ("H12", "大四喜 of 13 tiles adds to 碰碰胡 and 混一色"),
    "human_tai": ("", "tai of 人胡"),
    "heaven_tai": ("", "tai of 天胡"),
    "four_concealed_tai": ("", "tai of 四暗刻"),
    "all_honours_tai": ("", "tai of 字一色"),
    "every_flower_and_honour": ("", "見花見字: 1 for every flower and honour pung, of any player"),
    "kong_tai": ("", "明槓 1, 暗槓 2"),
    "no_honours_no_flowers_tai": ("", "tai of 無字無花; 0: not played"),
    "concealed_ready_tai": ("", "tai of 門清聽; 0: not played"),
    "early_ready": ("", "咪幾 4"),
    "triple_dice_double": ("", "豹子: three equal dice double what is paid"),
    "feeder_pays": ("", "包牌: who fed the third dragon or fourth wind pung pays for all"),
    "cap": ("", "tai of a hand are not counted beyond this; 0: no cap"),
}
"""The section of each switch in the rules ("" for one that is off by default), and what it does."""


def dead_wall(house: HouseRules, variant: int, kongs: int = 0) -> int:
    """Return the number of tiles that are never drawn."""
    reserve = house.dead_wall
    if reserve is None:
        reserve = 16 if variant == 16 else 0
    return reserve + (kongs if house.dead_wall_grows else 0)
