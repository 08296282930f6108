"""Hands as text, such as `234m567p99sEER`, and wins as JSON.

`m`, `p`, `s` follow values of 萬, 筒 and 條; 東南西北 are E S W N, 中發白 are R G B.
"""

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
MAX_TEXT: Final = 64
_MAX_MELDS: Final = 5
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


class MalformedHand(Exception):
    """A win or a hand cannot be read; `about` names the field."""

    def __init__(self, about: str) -> None:
        super().__init__(about)
        self.about = about


def read_kinds(text: str) -> tuple[int, ...]:
    """Return the kinds of a hand in the order of the text; raise ValueError if it is not a hand."""
    kinds: list[int] = []
    values: list[int] = []
    for letter in text:
        if letter in "123456789":
            values.append(int(letter) - 1)
        elif letter in SUITS and values:
            kinds += [SUITS.index(letter) * 9 + value for value in values]
            values.clear()
        elif letter in HONOURS and not values:
            kinds.append(EAST + HONOURS.index(letter))
        else:
            raise ValueError(text)
    if values:
        raise ValueError(text)
    return tuple(kinds)


def hand_text(hand: Iterable[int]) -> str:
    """Return kinds as text, sorted."""
    parts = [""] * 4
    for kind in sorted(hand):
        if kind < EAST:
            parts[kind // 9] += str(kind % 9 + 1)
        else:
            parts[3] += HONOURS[kind - EAST]
    return "".join(part + suit for part, suit in zip(parts, (*SUITS, ""), strict=True) if part)


def read_meld(form: object, tiles: object) -> Meld:
    """Return a meld from its form and tiles; raise ValueError if they do not match."""
    if form not in FORMS or not isinstance(tiles, str) or len(tiles) > MAX_TEXT:
        raise ValueError(tiles)
    meld_form: Form = form
    kinds = tuple(sorted(read_kinds(tiles)))
    if len(kinds) != (4 if meld_form in KONGS else 3):
        raise ValueError(tiles)
    low = kinds[0]
    if meld_form == "chow":
        if low >= EAST or low % 9 > 6 or kinds != (low, low + 1, low + 2):
            raise ValueError(tiles)
    elif set(kinds) != {low}:
        raise ValueError(tiles)
    return Meld(meld_form, kinds)


def read_win(request: object) -> Win:
    """Return a win from its JSON object, without unknown keys; or raise `MalformedHand`."""
    if not isinstance(request, dict):
        raise MalformedHand("object")
    variant = request.get("variant")
    if type(variant) is not int or variant not in {13, 16}:
        raise MalformedHand("variant")
    hand = _hand(request)
    return Win(
        variant,
        hand,
        _winning_kind(request, hand),
        _melds(_list_or_empty(request, "melds")),
        _boolean(request, "self_draw"),
        _wind(request, "seat_wind", dealer=_boolean(request, "is_dealer")),
        _wind(request, "round_wind", dealer=True),
        _flowers(_list_or_empty(request, "flowers")),
        _flags(_list_or_empty(request, "flags")),
    )


def read_house(request: object) -> HouseRules:
    """Return the house rules of the key `rules`, or the defaults; or raise `MalformedHand`."""
    rules = request.get("rules", {}) if isinstance(request, dict) else {}
    try:
        return msgspec.convert(rules, HouseRules)
    except msgspec.ValidationError:
        raise MalformedHand("rules") from None


def _hand(request: dict[str, Any]) -> tuple[int, ...]:
    text = request.get("hand")
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise MalformedHand("hand")
    try:
        return read_kinds(text)
    except ValueError:
        raise MalformedHand("hand") from None


def _winning_kind(request: dict[str, Any], hand: tuple[int, ...]) -> int | None:
    text = request.get("win")
    if text is None or text == "":
        return hand[-1] if hand else None
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise MalformedHand("win")
    try:
        (kind,) = read_kinds(text)
    except ValueError:
        raise MalformedHand("win") from None
    return kind


def _list_or_empty(request: dict[str, Any], name: str) -> object:
    """Return the value of a key, an empty list for null or a missing key."""
    value = request.get(name)
    return [] if value is None else value


def _melds(request: object) -> tuple[Meld, ...]:
    if not isinstance(request, list) or len(request) > _MAX_MELDS:
        raise MalformedHand("melds")
    try:
        return tuple(read_meld(form, tiles) for form, tiles in request)
    except (TypeError, ValueError):
        raise MalformedHand("melds") from None


def _boolean(request: dict[str, Any], name: str) -> bool:
    value = request.get(name, False)
    if not isinstance(value, bool):
        raise MalformedHand(name)
    return value


def _wind(request: dict[str, Any], name: str, *, dealer: bool) -> int:
    value = request.get(name, "E" if dealer else "S")
    if not isinstance(value, str) or len(value) != 1 or value not in WINDS:
        raise MalformedHand(name)
    return WINDS.index(value)


def _flowers(request: object) -> tuple[int, ...]:
    if not isinstance(request, list) or len(request) > 8:
        raise MalformedHand("flowers")
    if not all(type(value) is int and 1 <= value <= 8 for value in request) or len({*request}) < len(request):
        raise MalformedHand("flowers")
    return tuple(FLOWER + value - 1 for value in request)


def _flags(request: object) -> frozenset[Flag]:
    if not isinstance(request, list) or not all(isinstance(flag, str) for flag in request):
        raise MalformedHand("flags")
    flags = {_ALIASES.get(flag, flag) for flag in request}
    if not flags <= _FLAGS:
        raise MalformedHand("flags")
    return frozenset(flags)
