"""CPU time of the page: until it can be used, and for each frame of an animation.

Times are of the page's main thread, in CPU seconds: they do not depend on how busy the machine is.
"""

from typing import Final

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.chessboard import open_chess, play
from tests.browser.conftest import Visitor
from tests.browser.person import Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLOWED: Final = 4
"""A phone is about this many times slower."""
START: Final = 1.0
"""CPU seconds that such a phone may need until the page can be used."""
ANIMATION: Final = 0.18
"""Seconds in which a piece moves. What the main thread does meanwhile must leave it time for every frame."""


class MainThread:
    """The CPU time of a page's main thread."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def seconds(self) -> float:
        """Return the CPU seconds that all tasks have taken since the page was opened."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


@pytest.mark.parametrize("route", ["/", "/replay"])
def test_a_slow_phone_needs_a_second_until_the_page_can_be_used(
    chromium: Browser, address: str, route: str
) -> None:
    with Person(chromium, address) as ada:
        thread = MainThread(ada.page)
        before = thread.seconds()
        ada.visit(route)
        used = thread.seconds() - before
        print(f"{route}: {used * 1000:.0f} ms of CPU, {used * SLOWED * 1000:.0f} on a slow phone")
        assert used * SLOWED < START


def test_a_shown_move_takes_a_part_of_the_time_of_its_animation(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.emulate_media(reduced_motion="no-preference")
    open_chess(ada, bot="level1")
    play(ada, "e2e4")
    expect(ada.page.locator(".moves-move")).to_have_count(2)
    thread = MainThread(ada.page)
    before = thread.seconds()
    moves = ("d2d4", "g1f3", "b1c3", "f1e2")
    for count, move in enumerate(moves, 2):
        play(ada, move)
        expect(ada.page.locator(".moves-move")).to_have_count(2 * count)
    used = (thread.seconds() - before) / (2 * len(moves))
    print(f"{used * 1000:.0f} ms of CPU for a move and its animation of {ANIMATION * 1000:.0f} ms")
    assert used < ANIMATION / 2
