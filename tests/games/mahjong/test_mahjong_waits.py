"""Waits, shapes and distances, against slow and simple ways to find them."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.games.mahjong.hands.hand_notation import hand_text
from qipai.games.mahjong.hands.shanten_number import shanten, useful_kinds
from qipai.games.mahjong.hands.waits import completes, discards_that_stay_ready, waits
from qipai.games.mahjong.hands.winning_shapes import RUN, Meld, decompositions, is_complete, melded_counts
from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import KINDS, ORPHANS, counts_of

from .mahjong_table import PUNGS, RUNS, complete_hands, counts, hands, known, melds

ODD = HouseRules(four_as_two_pairs=False)
PLAIN = HouseRules(seven_pairs=False, thirteen_orphans=False, ligu=False)
HOUSES = st.sampled_from((DEFAULT, ODD, PLAIN))


@pytest.mark.parametrize("row", known()["waits"], ids=lambda row: f"{row['hand']} {row.get('melds', '')}")
def test_a_known_hand_waits_for_what_it_waits_for(row: dict[str, Any]) -> None:
    lying = melds(*(" ".join(one) for one in row.get("melds", [])))
    hand = counts(row["hand"])
    variant = sum(hand) + 3 * len(lying)
    assert hand_text(waits(hand, lying)) == row["waits"]
    assert (shanten(hand, lying, variant) == 0) == bool(row["waits"])


@pytest.mark.parametrize(
    ("hand", "lying", "variant", "away"),
    [
        ("123456789m12399s", (), 13, -1),
        ("123456789m1239s", (), 13, 0),
        ("123456789m1299s", (), 13, 0),
        ("1245m1245p1245sE", (), 13, 4),
        ("147m258p369sESWN", (), 13, 6),
        ("1133m5577p9922sE", (), 13, 0),
        ("1133m5577p99sESW", (), 13, 1),
        ("1357m2468p1357sE", (), 13, 4),
        ("19m19p19sESWNRG2m", (), 13, 1),
        ("147m258p369sESWNRGB", (), 16, 8),
        ("115599m2277p3388sNN", (), 16, 0),
        ("115599m2277p3388sNS", (), 16, 1),
        ("46m123456p99s", ("ckong 5555m",), 13, 1),
        ("1111m456p789s123s", (), 13, 1),
        ("5m", ("chow 123p", "chow 456p", "chow 789p", "pong EEE"), 13, 0),
        ("5m", ("chow 345m", "chow 456m", "chow 567m", "pong EEE"), 13, 1),
    ],
)
def test_a_known_hand_is_as_far_away_as_it_is(
    hand: str, lying: tuple[str, ...], variant: int, away: int
) -> None:
    assert shanten(counts(hand), melds(*lying), variant) == away


def test_without_four_equal_as_two_pairs_a_hand_is_farther_away() -> None:
    hand = counts("1111m3355p7799sE")
    assert (shanten(hand, (), 13), waits(hand)) == (0, counts_to_kinds("E"))
    assert (shanten(hand, (), 13, ODD), waits(hand, (), ODD)) == (2, ())


def counts_to_kinds(written: str) -> tuple[int, ...]:
    return tuple(kind for kind, count in enumerate(counts(written)) if count)


@pytest.mark.parametrize(
    ("hand", "ready"),
    [
        ("23456s99p234m567pN", {"N": "147s"}),
        ("234m567p123789sEN", {"E": "N", "N": "E"}),
        ("1123m567p123789sE", {"1m": "E", "E": "14m"}),
        ("147m258p369sESWNR", {}),
    ],
)
def test_discards_that_stay_ready_say_what_is_then_waited_for(hand: str, ready: dict[str, str]) -> None:
    found = discards_that_stay_ready(counts(hand))
    assert {hand_text([kind]): hand_text(waiting) for kind, waiting in found.items()} == ready


@given(complete_hands())
def test_a_complete_hand_is_complete(made: tuple[int, list[tuple[int, ...]], int]) -> None:
    variant, sets, pair = made
    hand = counts_of([pair, pair, *(kind for one in sets for kind in one)])
    assert is_complete(hand, 0, PLAIN)
    assert shanten(hand, (), variant, PLAIN) == -1
    written = tuple(sorted(one[0] if one[0] == one[1] else RUN + one[0] for one in sets))
    assert (written, pair) in {(tuple(sorted(found)), head) for found, head in decompositions(hand)}


@given(hands(extra=1), HOUSES)
def test_a_hand_is_complete_exactly_when_nothing_is_missing(
    made: tuple[int, bytes, tuple[Meld, ...]], house: HouseRules
) -> None:
    variant, hand, lying = made
    whole = is_complete(hand, len(lying), house)
    assert (shanten(hand, lying, variant, house) == -1) == whole == solved(hand, lying, house)


@given(hands(), HOUSES)
def test_a_hand_is_ready_exactly_when_it_waits_for_something(
    made: tuple[int, bytes, tuple[Meld, ...]], house: HouseRules
) -> None:
    variant, hand, lying = made
    waiting = waits(hand, lying, house)
    held = melded_counts(lying)
    expected = tuple(
        kind
        for kind in range(KINDS)
        if hand[kind] + held[kind] < 4 and solved(more(hand, kind), lying, house)
    )
    assert waiting == expected
    assert (shanten(hand, lying, variant, house) == 0) == bool(waiting)
    assert tuple(kind for kind in range(KINDS) if completes(hand, kind, lying, house)) == waiting
    free = [kind for kind in range(KINDS) if hand[kind] + held[kind] < 4]
    assert all(completes(hand, k, house=house, declared=len(lying)) == (k in waiting) for k in free)
    if waiting:
        assert useful_kinds(hand, lying, variant, house) == waiting


@given(complete_hands(), st.data(), HOUSES)
def test_a_complete_hand_without_a_tile_waits_for_it(
    made: tuple[int, list[tuple[int, ...]], int], data: st.DataObject, house: HouseRules
) -> None:
    variant, sets, pair = made
    lying = tuple(Meld("chow" if one[0] != one[1] else "pong", one) for one in sets[:2])
    tiles = [pair, pair, *(kind for one in sets[2:] for kind in one)]
    gone = data.draw(st.sampled_from(tiles))
    tiles.remove(gone)
    hand = counts_of(tiles)
    assert gone in waits(hand, lying, house)
    assert shanten(hand, lying, variant, house) == 0
    extra = data.draw(st.sampled_from([k for k in range(KINDS) if hand[k] + melded_counts(lying)[k] < 4]))
    ready = discards_that_stay_ready(more(hand, extra), lying, house)
    assert gone in ready[extra]
    assert all(
        waiting == waits(less(more(hand, extra), kind), lying, house) for kind, waiting in ready.items()
    )


@given(hands())
@settings(max_examples=40)
def test_the_distance_is_the_one_of_sets_partials_and_pairs_where_no_kind_is_used_up(
    made: tuple[int, bytes, tuple[Meld, ...]],
) -> None:
    variant, hand, lying = made
    if max(hand) == 4 or lying:
        hand, lying = bytes(min(count, 3) for count in hand), ()
        if sum(hand) < variant:
            return
    assert shanten(hand, lying, variant, PLAIN) == simple_shanten(hand, variant // 3)


@given(hands())
@settings(max_examples=40)
def test_useful_tiles_are_those_that_lower_the_distance(made: tuple[int, bytes, tuple[Meld, ...]]) -> None:
    variant, hand, lying = made
    now, held = shanten(hand, lying, variant), melded_counts(lying)
    found = useful_kinds(hand, lying, variant)
    assert found
    for kind in range(KINDS):
        if hand[kind] + held[kind] < 4:
            then = shanten(more(hand, kind), lying, variant)
            assert then == (now - 1 if kind in found else now)
        else:
            assert kind not in found


@given(st.lists(st.integers(0, 8), min_size=8, max_size=8), st.integers(0, 3))
def test_small_hands_fall_apart_in_every_way_there_is(places: list[int], group: int) -> None:
    tiles = [place if group < 3 else place % 7 for place in places]
    hand = counts_of(group * 9 + place for place in tiles)
    if max(hand) > 4:
        return
    found = [(tuple(sorted(sets)), pair) for sets, pair in decompositions(hand)]
    assert len(found) == len(set(found))
    assert set(found) == set(every_way(hand))


def more(hand: Sequence[int], kind: int) -> bytes:
    return bytes(count + (place == kind) for place, count in enumerate(hand))


def less(hand: Sequence[int], kind: int) -> bytes:
    return bytes(count - (place == kind) for place, count in enumerate(hand))


def every_way(hand: bytes) -> Iterator[tuple[tuple[int, ...], int]]:
    """Return each pair with each two of all sets that together are this hand."""
    sets = [(one, one[0] if one[0] == one[1] else RUN + one[0]) for one in (*RUNS, *PUNGS)]
    fitting = [(one, code) for one, code in sets if all(hand[kind] >= one.count(kind) for kind in one)]
    for pair in range(KINDS):
        for place, (first, code) in enumerate(fitting):
            for second, other in fitting[place:]:
                if counts_of((pair, pair, *first, *second)) == hand:
                    yield tuple(sorted((code, other))), pair


def solved(hand: bytes, lying: Sequence[Meld], house: HouseRules) -> bool:
    """Tell by trying whether a hand is complete."""
    size = sum(hand)
    if any(count >= 2 and in_sets(less(less(hand, kind), kind)) for kind, count in enumerate(hand)):
        return True
    if lying:
        return False
    pairs = [count // 2 for count in hand]
    if not house.four_as_two_pairs:
        pairs = [min(1, pair) for pair in pairs]
    if size == 14:
        orphans = all(hand[kind] for kind in ORPHANS) and sum(map(hand.__getitem__, ORPHANS)) == 14
        return (house.seven_pairs and sum(pairs) == 7) or (house.thirteen_orphans and orphans)
    triplets = [kind for kind, count in enumerate(hand) if count >= 3]
    return house.ligu and any(sum(pairs) - pairs[kind] + (hand[kind] - 3) // 2 == 7 for kind in triplets)


def in_sets(hand: bytes) -> bool:
    kind = next((kind for kind, count in enumerate(hand) if count), None)
    if kind is None:
        return True
    if hand[kind] >= 3 and in_sets(less(less(less(hand, kind), kind), kind)):
        return True
    if kind >= 27 or kind % 9 > 6 or not (hand[kind + 1] and hand[kind + 2]):
        return False
    return in_sets(less(less(less(hand, kind), kind + 1), kind + 2))


def simple_shanten(hand: bytes, sets: int) -> int:
    """Return 2N - 2·sets - partials - pair at its lowest, by trying all blocks."""
    best = 2 * sets

    def walk(rest: list[int], kind: int, made: int, partials: int, pair: int) -> None:
        nonlocal best
        while kind < KINDS and not rest[kind]:
            kind += 1
        if kind == KINDS:
            best = min(best, 2 * sets - 2 * made - min(partials, sets - made) - pair)
            return
        blocks = [((kind,) * 3, 1, 0, 0), ((kind,) * 2, 0, 1, 0), ((kind,) * 2, 0, 0, 1)]
        if kind < 27:
            blocks += [
                (tuple(kind + step for step in steps), len(steps) == 3, len(steps) == 2, 0)
                for steps in ((0, 1, 2), (0, 1), (0, 2))
                if kind % 9 + steps[-1] < 9
            ]
        for tiles, one, part, head in blocks:
            if all(rest[tile] >= tiles.count(tile) for tile in tiles):
                if made + one > sets or pair + head > 1 or made + partials + one + part > sets + 1:
                    continue
                for tile in tiles:
                    rest[tile] -= 1
                walk(rest, kind, made + one, partials + part, pair + head)
                for tile in tiles:
                    rest[tile] += 1
        alone = rest[kind]
        rest[kind] = 0
        walk(rest, kind + 1, made, partials, pair)
        rest[kind] = alone

    walk(list(hand), 0, 0, 0, 0)
    return best
