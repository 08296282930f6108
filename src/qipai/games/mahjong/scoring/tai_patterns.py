"""The tai table: one function per scoring pattern, which returns its tai or 0.

The first half depends on the winner's tiles and the course of play only, the second on the reading.
"""

from qipai.games.mahjong.hands.winning_shapes import LIGU, SETS, SEVEN_PAIRS, THIRTEEN_ORPHANS
from qipai.games.mahjong.tiles import DRAGONS, EAST, WINDS, owner_of

from .win_readings import HONOURS, Hand, Reading, has_all_flowers, kong_count


def self_drawn(hand: Hand) -> int:
    """自摸: won by the own draw."""
    return int(hand.self_draw)


def concealed(hand: Hand) -> int:
    """門清: nothing claimed; together with 自摸 it becomes 門清自摸."""
    return int(hand.closed)


def own_flower(hand: Hand, flower: int) -> int:
    """正花: a flower of the own seat."""
    mine = owner_of(flower) == hand.win.seat_wind and not hand.house.every_flower_and_honour
    return int(mine and flower in hand.win.flowers)


def flower_kong(hand: Hand, flowers: frozenset[int]) -> int:
    """花槓: all four flowers of a set."""
    return 2 if flowers.issubset(hand.win.flowers) else 0


def single_wait(hand: Hand) -> int:
    """獨聽: the hand waited on exactly one kind."""
    return int(hand.single_wait)


def robbed_kong(hand: Hand) -> int:
    """搶槓: won on the tile of another's added kong."""
    return int("rob" in hand.flags and not hand.self_draw)


def replacement_win(hand: Hand) -> int:
    """槓上開花: self-drawn replacement of a kong, and of a flower where the house counts it."""
    if not hand.self_draw:
        return 0
    if won_on_flower_replacement(hand):
        return int(hand.house.flower_bloom)
    return int("kong_bloom" in hand.flags)


def won_on_flower_replacement(hand: Hand) -> bool:
    """Tell whether the winning tile replaced a flower; `kong_bloom` without a kong means that too."""
    if "kong_bloom" in hand.flags:
        return not kong_count(hand.win)
    return "flower_bloom" in hand.flags


def last_tile_draw(hand: Hand) -> int:
    """海底撈月: self-drawn on the last drawable tile."""
    return int("last" in hand.flags and hand.self_draw)


def last_discard(hand: Hand) -> int:
    """河底撈魚: won on the discard that follows the last drawable tile."""
    return int("last" in hand.flags and not hand.self_draw)


def half_claimed(hand: Hand) -> int:
    """半求人: all sets claimed, the pair self-drawn."""
    return int(hand.all_sets_claimed and hand.self_draw)


def all_claimed(hand: Hand) -> int:
    """全求人: all sets claimed, and the pair on another's tile as well."""
    return 2 if hand.all_sets_claimed and not hand.self_draw else 0


def mixed_suit(hand: Hand) -> int:
    """混一色: one suit and honours."""
    return 4 if hand.suits in {HONOURS | 1, HONOURS | 2, HONOURS | 4} else 0


def pure_suit(hand: Hand) -> int:
    """清一色: one suit only."""
    return 8 if hand.suits in {1, 2, 4} else 0


def all_honours(hand: Hand) -> int:
    """字一色: honours only."""
    return hand.house.all_honours_tai if hand.suits == HONOURS else 0


def earth_ready(hand: Hand) -> int:
    """地聽: announced ready after the own first discard."""
    return 4 if "diting" in hand.flags else 0


def heaven_ready(hand: Hand) -> int:
    """天聽: announced ready on the dealt hand."""
    return 8 if "tianting" in hand.flags else 0


def human_win(hand: Hand) -> int:
    """人胡: on a discard before the own first draw."""
    return hand.house.human_tai if "human" in hand.flags and not hand.self_draw else 0


def earth_win(hand: Hand) -> int:
    """地胡: on the very first own draw."""
    return 16 if "earth" in hand.flags and hand.self_draw else 0


def heaven_win(hand: Hand) -> int:
    """天胡: the dealer's dealt tiles are complete."""
    return hand.house.heaven_tai if "heaven" in hand.flags and hand.self_draw else 0


def eight_flowers(hand: Hand) -> int:
    """八仙過海, at tables where it adds to a win."""
    return 8 if not hand.house.flowers_win and has_all_flowers(hand.win) else 0


def every_flower(hand: Hand) -> int:
    """見花: 1 for every flower."""
    return len(hand.win.flowers) if hand.house.every_flower_and_honour else 0


def open_kongs(hand: Hand) -> int:
    """明槓: 1 for each kong that is not concealed."""
    return kong_count(hand.win, "kong", "akong") if hand.house.kong_tai else 0


def concealed_kongs(hand: Hand) -> int:
    """暗槓: 2 for each concealed kong."""
    return 2 * kong_count(hand.win, "ckong") if hand.house.kong_tai else 0


def no_honours_no_flowers(hand: Hand) -> int:
    """無字無花: neither honours nor flowers."""
    return 0 if hand.suits & HONOURS or hand.win.flowers else hand.house.no_honours_no_flowers_tai


def concealed_ready(hand: Hand) -> int:
    """門清聽: announced ready with nothing claimed."""
    return hand.house.concealed_ready_tai if "ting" in hand.flags and hand.closed else 0


def early_ready(hand: Hand) -> int:
    """咪幾: announced ready early."""
    return 4 if hand.house.early_ready and "miji" in hand.flags else 0


def round_wind(reading: Reading) -> int:
    """圈風刻: a pung of the prevailing wind."""
    counted = not reading.hand.house.every_flower_and_honour
    return int(counted and EAST + reading.hand.win.round_wind in reading.pungs)


def seat_wind(reading: Reading) -> int:
    """門風刻: a pung of the own seat's wind."""
    counted = not reading.hand.house.every_flower_and_honour
    return int(counted and EAST + reading.hand.win.seat_wind in reading.pungs)


def dragon(reading: Reading, kind: int) -> int:
    """三元牌: a pung of this dragon."""
    return int(kind in reading.pungs and not reading.hand.house.every_flower_and_honour)


def every_honour(reading: Reading, kind: int) -> int:
    """見字: a pung of this honour, of any wind."""
    return int(kind in reading.pungs and reading.hand.house.every_flower_and_honour)


def plain(reading: Reading) -> int:
    """平胡: runs only, no honours, no flowers, won on another's tile with a two-sided wait."""
    hand = reading.hand
    if reading.winning_position != "open" or reading.pungs or hand.single_wait or hand.self_draw:
        return 0
    return 0 if hand.suits & HONOURS or hand.win.flowers else 2


def three_concealed(reading: Reading) -> int:
    """三暗刻: exactly three concealed pungs."""
    return 2 if reading.concealed_pungs == 3 else 0


def four_concealed(reading: Reading) -> int:
    """四暗刻: exactly four concealed pungs."""
    return reading.hand.house.four_concealed_tai if reading.concealed_pungs == 4 else 0


def five_concealed(reading: Reading) -> int:
    """五暗刻: five concealed pungs, possible only with 16 tiles."""
    return 8 if reading.concealed_pungs == 5 else 0


def all_pungs(reading: Reading) -> int:
    """碰碰胡: no runs."""
    return 4 if reading.shape == SETS and not reading.runs else 0


def small_dragons(reading: Reading) -> int:
    """小三元: two dragon pungs and a pair of the third."""
    return 4 if reading.pair in DRAGONS and len(reading.pungs.intersection(DRAGONS)) == 2 else 0


def great_dragons(reading: Reading) -> int:
    """大三元: three dragon pungs."""
    return 8 if reading.pungs.issuperset(DRAGONS) else 0


def small_winds(reading: Reading) -> int:
    """小四喜: three wind pungs and a pair of the fourth."""
    return 8 if reading.pair in WINDS and len(reading.pungs.intersection(WINDS)) == 3 else 0


def great_winds(reading: Reading) -> int:
    """大四喜: four wind pungs."""
    return 16 if reading.pungs.issuperset(WINDS) else 0


def seven_pairs(reading: Reading) -> int:
    """七對子: seven pairs."""
    return 8 if reading.shape == SEVEN_PAIRS else 0


def ligu(reading: Reading) -> int:
    """嚦咕嚦咕: seven pairs and a triplet."""
    return 8 if reading.shape == LIGU else 0


def thirteen_orphans(reading: Reading) -> int:
    """十三么: all ones, nines and honours."""
    return 16 if reading.shape == THIRTEEN_ORPHANS else 0
