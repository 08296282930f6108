"""A win as it is judged: what the winner holds, and each way to read it."""

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
    melded,
    sets_in,
    special,
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
"""What only the course of play tells.

`rob`: on the tile of an added kong. `kong_bloom`, `flower_bloom`: on the replacement of a kong (of a
flower, where the winner has no kong), of a flower. `last`: on the last drawable tile or the discard
after it. `heaven`, `earth`, `human`: 天胡, 地胡, 人胡. `tianting`, `diting`, `ting`, `miji`: announced
天聽, 地聽, 門清聽, 咪幾. `seven_flowers`, `eight_flowers`: 七搶一, 八仙過海.
"""
Place = Literal["pair", "pung", "open", "closed", ""]
"""Where the winning tile sits: `open` in a run that waited on both sides, `closed` in another one."""

HONOURS: Final = 8
"""In a set of suits: 1 萬, 2 筒, 4 條."""


class Win(Struct, frozen=True):
    """A claimed win; `hand` is the concealed kinds with the winning one, without melds and flowers."""

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
    """What a win is worth, without what depends on the dealer: see the payments."""

    total: int
    patterns: dict[str, int]
    shape: str
    sets: tuple[int, ...] = ()
    """The concealed sets of the reading that counts, as `shapes.RUN` writes them."""
    pair: int = NO_PAIR


class Hand(Struct, frozen=True):
    """What is known of a win before its sets are."""

    win: Win
    house: HouseRules
    flags: frozenset[Flag]
    self_draw: bool
    closed: bool
    """Nothing was claimed; concealed kongs may be there."""
    claimed: bool
    """All sets were claimed: no concealed kong, and only the pair in hand."""
    single: bool
    """The hand waited on one kind only."""
    suits: int


class Reading(Struct, frozen=True):
    """One way in which a win falls into sets, and in which the winning tile sits in it."""

    hand: Hand
    shape: str
    sets: tuple[int, ...] = ()
    pair: int = NO_PAIR
    runs: int = 0
    pungs: frozenset[int] = frozenset()
    """Kinds of all pungs and kongs, melds included."""
    concealed: int = 0
    """How many of them are concealed."""
    place: Place = ""


def whole(win: Win) -> bytes | None:
    """Return the counts of the concealed tiles, or None where they can be no hand of this game."""
    if win.variant not in {13, 16} or win.win not in win.hand:
        return None
    if len(win.hand) + 3 * len(win.melds) != 3 * sets_in(win.variant) + 2:
        return None
    if len(set(win.flowers)) != len(win.flowers):
        return None
    counts, lying = counts_of(win.hand), melded(win.melds)
    return None if any(held + more > COPIES for held, more in zip(counts, lying, strict=True)) else counts


def hand_of(win: Win, counts: bytes, house: HouseRules) -> Hand:
    """Return what is known of a whole hand before its sets are."""
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
        claimed=len(forms) == sets_in(win.variant) and "ckong" not in forms,
        single=len(waits(before, win.melds, house)) == 1,
        suits=suits,
    )


def readings(hand: Hand, counts: bytes) -> Iterator[Reading]:
    """Return every reading: each decomposition with each place of the winning tile, then other shapes."""
    win = hand.win
    assert win.win is not None
    lying = frozenset(meld.kinds[0] for meld in win.melds if meld.form != "chow")
    hidden = sum(meld.form == "ckong" for meld in win.melds)
    chows = len(win.melds) - len(lying)
    for sets, pair in decompositions(counts):
        own = [code for code in sets if code < RUN]
        pungs = lying.union(own)
        runs = chows + len(sets) - len(own)
        for place in _places(sets, pair, win.win):
            # A pung that another's tile completed is not concealed.
            lost = place == "pung" and not win.self_draw
            yield Reading(hand, SETS, sets, pair, runs, pungs, hidden + len(own) - lost, place)
    if not win.melds:
        for shape in special(counts, hand.house):
            yield Reading(hand, shape)


def _places(sets: tuple[int, ...], pair: int, kind: int) -> list[Place]:
    found: list[Place] = ["pair"] if pair == kind else []
    for code in sets:
        if code == kind:
            found.append("pung")
        elif code >= RUN and 0 <= kind - (code - RUN) <= 2:
            place: Place = "open" if _two_sided(code - RUN, kind) else "closed"
            if place not in found:
                found.append(place)
    return found


def _two_sided(low: int, kind: int) -> bool:
    """Tell whether the two other tiles of a run would have taken a tile on their other side as well."""
    value = low % 9
    return value < 6 if kind == low else value > 0 if kind == low + 2 else False


def kongs(win: Win, *forms: str) -> int:
    """Return how many kongs of these forms the winner has, of all forms if none is named."""
    return sum(meld.form in (forms or KONGS) for meld in win.melds)


def has_all_flowers(win: Win) -> bool:
    """Tell whether all eight flowers lie before the winner."""
    return len(win.flowers) == 8 and all(kind >= FLOWER for kind in win.flowers)
