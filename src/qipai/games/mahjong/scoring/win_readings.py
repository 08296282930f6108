"""A win and every way to read its tiles as sets."""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from qipai.games.mahjong.hands.waits import waits
from qipai.games.mahjong.hands.winning_shapes import (
    KONGS,
    NO_PAIR,
    RUN,
    SETS,
    Meld,
    decompositions,
    melded_counts,
    set_count,
    special_shapes,
)
from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.tiles import COPIES, EAST, FLOWER, counts_of

Flag = Literal[
    "rob",
    "kong_bloom",
    "flower_bloom",
    "last",
    "heaven",
    "earth",
    "human",
    "tianting",
    "diting",
    "ting",
    "miji",
    "seven_flowers",
    "eight_flowers",
]
"""Circumstances of a win that its tiles do not show.

`rob`: on the tile of an added kong. `kong_bloom`, `flower_bloom`: on the replacement of a kong (of a flower,
if the winner has no kong), of a flower. `last`: on the last drawable tile or the discard after it. `heaven`,
`earth`, `human`: 天胡, 地胡, 人胡. `tianting`, `diting`, `ting`, `miji`: declared 天聽, 地聽, 門清聽, 咪幾.
`seven_flowers`, `eight_flowers`: 七搶一, 八仙過海.
"""
WinningPosition = Literal["pair", "pung", "open", "closed", ""]
"""Position of the winning tile: `open` in a run with a two-sided wait, `closed` in another run."""

HONOURS: Final = 8
"""Bit of the honours in a set of suits; 萬 is 1, 筒 2, 條 4."""


class Win(Struct, frozen=True):
    """A win to be scored; `hand` is the concealed kinds with the winning one, without melds and flowers."""

    variant: int
    hand: tuple[int, ...]
    win: int | None
    melds: tuple[Meld, ...] = ()
    self_draw: bool = False
    seat_wind: int = 0
    """0 to 3: East, South, West, North."""
    round_wind: int = 0
    flowers: tuple[int, ...] = ()
    """Kinds 34 to 41."""
    flags: frozenset[Flag] = frozenset()


class Score(Struct, frozen=True):
    """The score of a win, without the dealer's tai, which `payments` adds."""

    total: int
    patterns: dict[str, int]
    shape: str
    sets: tuple[int, ...] = ()
    """The concealed sets of the best reading, as codes: see `winning_shapes.RUN`."""
    pair: int = NO_PAIR


class Hand(Struct, frozen=True):
    """The properties of a win that do not depend on its reading."""

    win: Win
    house: HouseRules
    flags: frozenset[Flag]
    self_draw: bool
    closed: bool
    """Nothing was claimed; concealed kongs are allowed."""
    all_sets_claimed: bool
    """All sets were claimed: no concealed kong, and only the pair in hand."""
    single_wait: bool
    """The hand had exactly one wait."""
    suits: int


class Reading(Struct, frozen=True):
    """One decomposition of a win, with one position of the winning tile in it."""

    hand: Hand
    shape: str
    sets: tuple[int, ...] = ()
    pair: int = NO_PAIR
    runs: int = 0
    pungs: frozenset[int] = frozenset()
    """Kinds of all pungs and kongs, melds included."""
    concealed_pungs: int = 0
    """How many of them are concealed."""
    winning_position: WinningPosition = ""


def concealed_counts(win: Win) -> bytes | None:
    """Return the counts of the concealed tiles, or None if they cannot be a hand of this game."""
    if win.variant not in {13, 16} or win.win not in win.hand:
        return None
    if len(win.hand) + 3 * len(win.melds) != 3 * set_count(win.variant) + 2:
        return None
    if len(set(win.flowers)) != len(win.flowers):
        return None
    counts, in_melds = counts_of(win.hand), melded_counts(win.melds)
    return (
        None
        if any(concealed + melded > COPIES for concealed, melded in zip(counts, in_melds, strict=True))
        else counts
    )


def hand_of(win: Win, counts: bytes, house: HouseRules) -> Hand:
    """Return the properties of a complete hand that do not depend on its reading."""
    assert win.win is not None
    before = bytearray(counts)
    before[win.win] -= 1
    forms = [meld.form for meld in win.melds]
    suits = 0
    for kind in (*win.hand, *(meld.kinds[0] for meld in win.melds)):
        suits |= 1 << kind // 9 if kind < EAST else HONOURS
    return Hand(
        win,
        house,
        win.flags,
        win.self_draw,
        closed=all(form == "ckong" for form in forms),
        all_sets_claimed=len(forms) == set_count(win.variant) and "ckong" not in forms,
        single_wait=len(waits(before, win.melds, house)) == 1,
        suits=suits,
    )


def readings(hand: Hand, counts: bytes) -> Iterator[Reading]:
    """Yield every reading: each decomposition with each position of the winning tile, then special shapes."""
    win = hand.win
    assert win.win is not None
    melded_pungs = frozenset(meld.kinds[0] for meld in win.melds if meld.form != "chow")
    concealed_kongs = sum(meld.form == "ckong" for meld in win.melds)
    chows = len(win.melds) - len(melded_pungs)
    for sets, pair in decompositions(counts):
        concealed_pungs = [code for code in sets if code < RUN]
        pungs = melded_pungs.union(concealed_pungs)
        runs = chows + len(sets) - len(concealed_pungs)
        for winning_position in _winning_positions(sets, pair, win.win):
            # A pung completed by another player's tile is not concealed.
            completed_by_other = winning_position == "pung" and not win.self_draw
            yield Reading(
                hand,
                SETS,
                sets,
                pair,
                runs,
                pungs,
                concealed_kongs + len(concealed_pungs) - completed_by_other,
                winning_position,
            )
    if not win.melds:
        for shape in special_shapes(counts, hand.house):
            yield Reading(hand, shape)


def _winning_positions(sets: tuple[int, ...], pair: int, kind: int) -> list[WinningPosition]:
    positions: list[WinningPosition] = ["pair"] if pair == kind else []
    for code in sets:
        if code == kind:
            positions.append("pung")
        elif code >= RUN and 0 <= kind - (code - RUN) <= 2:
            position: WinningPosition = "open" if _two_sided(code - RUN, kind) else "closed"
            if position not in positions:
                positions.append(position)
    return positions


def _two_sided(low: int, kind: int) -> bool:
    """Tell whether the other two tiles of a run wait on both sides."""
    value = low % 9
    return value < 6 if kind == low else value > 0 if kind == low + 2 else False


def kong_count(win: Win, *forms: str) -> int:
    """Return the number of the winner's kongs of these forms, of all forms by default."""
    return sum(meld.form in (forms or KONGS) for meld in win.melds)


def has_all_flowers(win: Win) -> bool:
    """Tell whether the winner has all eight flowers."""
    return len(win.flowers) == 8 and all(kind >= FLOWER for kind in win.flowers)
