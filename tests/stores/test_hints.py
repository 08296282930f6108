"""Hints that are lost are noticed, late and repeated ones are not taken for a loss."""

from hypothesis import given
from hypothesis import strategies as st

from qipai.stores.redis.gap_detection import GapDetector


def test_hints_that_come_one_after_the_other_miss_nothing() -> None:
    hints = GapDetector()
    assert not any(hints.came(number) for number in range(1, 100))
    assert not any(hints.beat(99) for _ in range(3))


def test_a_number_that_jumps_is_a_loss_once() -> None:
    hints = GapDetector()
    assert [hints.came(number) for number in (1, 3, 4)] == [False, True, False]
    assert not hints.beat(4)
    assert not hints.beat(4)


def test_a_repeated_hint_hides_no_loss() -> None:
    hints = GapDetector()
    assert [hints.came(number) for number in (1, 1, 1, 3)] == [False, False, False, True]


def test_the_last_hint_of_all_is_missed_one_beat_later() -> None:
    hints = GapDetector()
    hints.came(1)
    assert not hints.beat(2)  # It may be under way.
    assert hints.beat(2)
    assert not hints.beat(2)


def test_a_hint_that_overtakes_the_beat_is_no_loss() -> None:
    hints = GapDetector()
    hints.came(1)
    hints.came(2)
    assert not hints.beat(1)
    assert not hints.beat(2)


def test_numbers_that_begin_anew_are_followed() -> None:
    hints = GapDetector()
    for number in range(1, 9):
        hints.came(number)
    hints.beat(8)
    assert hints.beat(0)
    assert not hints.came(1)
    assert hints.came(3)


@given(st.lists(st.sampled_from(["arrives", "is lost", "comes twice", "beat"]), max_size=60))
def test_every_loss_is_noticed_by_the_second_beat_after_it(fates: list[str]) -> None:
    hints, sent, unnoticed = GapDetector(), 0, False
    for fate in [*fates, "beat", "beat"]:
        if fate == "beat":
            noticed = hints.beat(sent)
            unnoticed = unnoticed and not noticed
            continue
        sent += 1
        if fate == "is lost":
            unnoticed = True
        elif hints.came(sent):
            unnoticed = False
        if fate == "comes twice":
            assert not hints.came(sent)
    assert not unnoticed
