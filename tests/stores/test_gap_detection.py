"""A lost message is detected; a late or repeated one is not taken for a loss."""

from hypothesis import given
from hypothesis import strategies as st

from qipai.stores.redis.gap_detection import GapDetector


def test_messages_in_order_are_no_gap() -> None:
    gaps = GapDetector()
    assert not any(gaps.receive(number) for number in range(1, 100))
    assert not any(gaps.heartbeat(99) for _ in range(3))


def test_a_number_that_jumps_is_a_gap_once() -> None:
    gaps = GapDetector()
    assert [gaps.receive(number) for number in (1, 3, 4)] == [False, True, False]
    assert not gaps.heartbeat(4)
    assert not gaps.heartbeat(4)


def test_a_repeated_message_does_not_hide_a_gap() -> None:
    gaps = GapDetector()
    assert [gaps.receive(number) for number in (1, 1, 1, 3)] == [False, False, False, True]


def test_the_loss_of_the_last_message_is_detected_one_heartbeat_later() -> None:
    gaps = GapDetector()
    gaps.receive(1)
    assert not gaps.heartbeat(2)  # It may still arrive.
    assert gaps.heartbeat(2)
    assert not gaps.heartbeat(2)


def test_a_message_that_arrives_before_the_heartbeat_is_no_gap() -> None:
    gaps = GapDetector()
    gaps.receive(1)
    gaps.receive(2)
    assert not gaps.heartbeat(1)
    assert not gaps.heartbeat(2)


def test_numbers_that_restart_at_zero_are_a_gap_and_then_followed() -> None:
    gaps = GapDetector()
    for number in range(1, 9):
        gaps.receive(number)
    gaps.heartbeat(8)
    assert gaps.heartbeat(0)
    assert not gaps.receive(1)
    assert gaps.receive(3)


@given(st.lists(st.sampled_from(["arrives", "is lost", "arrives twice", "heartbeat"]), max_size=60))
def test_every_loss_is_detected_by_the_second_heartbeat_after_it(steps: list[str]) -> None:
    gaps, sent, undetected = GapDetector(), 0, False
    for step in [*steps, "heartbeat", "heartbeat"]:
        if step == "heartbeat":
            detected = gaps.heartbeat(sent)
            undetected = undetected and not detected
            continue
        sent += 1
        if step == "is lost":
            undetected = True
        elif gaps.receive(sent):
            undetected = False
        if step == "arrives twice":
            assert not gaps.receive(sent)
    assert not undetected
