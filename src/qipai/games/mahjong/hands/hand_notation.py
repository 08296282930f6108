"""Hands as text: "234m567p99sEER" is 萬, 筒 and 條 by value, then 東南西北 as ESWN and 中發白 as RGB."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

import msgspec

from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.scoring.win_readings import Flag, Win
from qipai.games.mahjong.tiles import EAST, FLOWER

from .winning_shapes import FORMS, KONGS, Form, Meld

SUITS: Final = "mps"
HONOURS: Final = "ESWNRGB"
WINDS: Final = "ESWN"
LONGEST: Final = 64
_MELDS: Final = 5
_FLAGS: Final = frozenset(get_args(Flag))
_ALIASES: Final[Mapping[str, Flag]] = {
    "rob_kong": "rob",
    "bloom": "kong_bloom",
    "rob_flower": "seven_flowers",
    "seven_rob": "seven_flowers",
    "seven_rob_one": "seven_flowers",
    "seven_robs_one": "seven_flowers",
    "eight_immortals": "eight_flowers",
}


class Malformed(Exception):
    """Something cannot be read; `about` names the field."""

    def __init__(self, about: str) -> None:
        super().__init__(about)
        self.about = about


def kinds(text: str) -> tuple[int, ...]:
    """Return the kinds of a hand in the order written; raise ValueError for what is no hand."""
    found: list[int] = []
    values: list[int] = []
    for letter in text:
        if letter in "123456789":
            values.append(int(letter) - 1)
        elif letter in SUITS and values:
            found += [SUITS.index(letter) * 9 + value for value in values]
            values.clear()
        elif letter in HONOURS and not values:
            found.append(EAST + HONOURS.index(letter))
        else:
            raise ValueError(text)
    if values:
        raise ValueError(text)
    return tuple(found)


def text(hand: Iterable[int]) -> str:
    """Return kinds as text, in order."""
    parts = [""] * 4
    for kind in sorted(hand):
        if kind < EAST:
            parts[kind // 9] += str(kind % 9 + 1)
        else:
            parts[3] += HONOURS[kind - EAST]
    return "".join(part + suit for part, suit in zip(parts, (*SUITS, ""), strict=True) if part)


def read_meld(form: object, tiles: object) -> Meld:
    """Return a meld from its form and tiles; raise ValueError where they do not belong together."""
    if form not in FORMS or not isinstance(tiles, str) or len(tiles) > LONGEST:
        raise ValueError(tiles)
    known: Form = form
    made = tuple(sorted(kinds(tiles)))
    if len(made) != (4 if known in KONGS else 3):
        raise ValueError(tiles)
    low = made[0]
    if known == "chow":
        if low >= EAST or low % 9 > 6 or made != (low, low + 1, low + 2):
            raise ValueError(tiles)
    elif set(made) != {low}:
        raise ValueError(tiles)
    return Meld(known, made)


def read_win(asked: object) -> Win:
    """Return a win from its JSON object; keys that say nothing about it are passed over."""
    if not isinstance(asked, dict):
        raise Malformed("object")
    variant = asked.get("variant")
    if type(variant) is not int or variant not in {13, 16}:
        raise Malformed("variant")
    hand = _hand(asked)
    return Win(
        variant,
        hand,
        _won_on(asked, hand),
        _melds(_listed(asked, "melds")),
        _truth(asked, "self_draw"),
        _wind(asked, "seat_wind", dealer=_truth(asked, "is_dealer")),
        _wind(asked, "round_wind", dealer=True),
        _flowers(_listed(asked, "flowers")),
        _flags(_listed(asked, "flags")),
    )


def read_house(asked: object) -> HouseRules:
    """Return the house rules that stand under `rules`, else those of most tables."""
    rules = asked.get("rules", {}) if isinstance(asked, dict) else {}
    try:
        return msgspec.convert(rules, HouseRules)
    except msgspec.ValidationError:
        raise Malformed("rules") from None


def _hand(asked: dict[str, Any]) -> tuple[int, ...]:
    written = asked.get("hand")
    if not isinstance(written, str) or len(written) > LONGEST:
        raise Malformed("hand")
    try:
        return kinds(written)
    except ValueError:
        raise Malformed("hand") from None


def _won_on(asked: dict[str, Any], hand: tuple[int, ...]) -> int | None:
    written = asked.get("win")
    if written is None or written == "":
        return hand[-1] if hand else None
    if not isinstance(written, str) or len(written) > LONGEST:
        raise Malformed("win")
    try:
        (kind,) = kinds(written)
    except ValueError:
        raise Malformed("win") from None
    return kind


def _listed(asked: dict[str, Any], name: str) -> object:
    """Return what stands there; nothing is an empty list."""
    value = asked.get(name)
    return [] if value is None else value


def _melds(asked: object) -> tuple[Meld, ...]:
    if not isinstance(asked, list) or len(asked) > _MELDS:
        raise Malformed("melds")
    try:
        return tuple(read_meld(form, tiles) for form, tiles in asked)
    except (TypeError, ValueError):
        raise Malformed("melds") from None


def _truth(asked: dict[str, Any], name: str) -> bool:
    value = asked.get(name, False)
    if not isinstance(value, bool):
        raise Malformed(name)
    return value


def _wind(asked: dict[str, Any], name: str, *, dealer: bool) -> int:
    value = asked.get(name, "E" if dealer else "S")
    if not isinstance(value, str) or len(value) != 1 or value not in WINDS:
        raise Malformed(name)
    return WINDS.index(value)


def _flowers(asked: object) -> tuple[int, ...]:
    if not isinstance(asked, list) or len(asked) > 8:
        raise Malformed("flowers")
    if not all(type(value) is int and 1 <= value <= 8 for value in asked) or len({*asked}) < len(asked):
        raise Malformed("flowers")
    return tuple(FLOWER + value - 1 for value in asked)


def _flags(asked: object) -> frozenset[Flag]:
    if not isinstance(asked, list) or not all(isinstance(flag, str) for flag in asked):
        raise Malformed("flags")
    known = {_ALIASES.get(flag, flag) for flag in asked}
    if not known <= _FLAGS:
        raise Malformed("flags")
    return frozenset(known)
