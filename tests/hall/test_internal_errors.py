"""Trouble that all tables have at the same time is written down once, and counted every time."""

import pytest
from structlog.testing import capture_logs

from qipai.hall import internal_errors
from qipai.hall.internal_errors import MAX_REMEMBERED, REPEAT_SECONDS, InternalErrors
from qipai.hall.journal.store_interface import StoreError


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(internal_errors, "monotonic", lambda: now[0])
    return now


def test_the_same_trouble_is_told_once_in_a_while_with_how_often_it_was_not(clock: list[float]) -> None:
    made = InternalErrors()
    with capture_logs() as lines:
        for _ in range(500):
            made.store_unavailable(StoreError("out of reach"))
        clock[0] += REPEAT_SECONDS
        made.store_unavailable(StoreError("out of reach"))
    assert [line.get("suppressed") for line in lines] == [None, 499]
    assert made.count == 501


def test_another_trouble_is_told_at_once_and_not_all_are_remembered(clock: list[float]) -> None:
    made = InternalErrors()
    with capture_logs() as lines:
        for number in range(MAX_REMEMBERED + 1):
            made.store_unavailable(StoreError(f"room {number} is torn"))
        made.store_unavailable(StoreError("room 0 is torn"))
        made.store_unavailable(StoreError(f"room {MAX_REMEMBERED} is torn"))
    assert len(lines) == MAX_REMEMBERED + 2
