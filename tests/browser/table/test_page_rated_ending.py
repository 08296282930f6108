"""The end of a rated game in a browser: players see the new ratings and the changes, also in the replay."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.access import accessibility_problems
from tests.browser.chessboard import play, resign
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.table.test_page_rated import account, open_rated

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NEW, WON, LOST = "1500?", r"1662\?", r"1338\?"
"""Glicko-2 of two new players, as in docs/ratings.md."""


def mated(white: Person, black: Person) -> None:
    """Play the shortest mate; black wins."""
    for mover, uci in ((white, "f2f3"), (black, "e7e5"), (white, "g2g4"), (black, "d8h4")):
        play(mover, uci)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_both_players_see_their_new_rating_and_the_change(visitor: Visitor, size: tuple[int, int]) -> None:
    winner, loser = f"Ada End {size[0]}", f"Bo End {size[0]}"
    ada, bo = account(visitor, winner, size), account(visitor, loser, size)
    route = open_rated(ada, "Chess")
    row = visitor().page.locator(".row", has_text=winner)
    expect(row.locator(".rating-text")).to_contain_text(NEW)
    bo.visit(route).page.locator(".invitation").get_by_role("button").first.click()
    for one in (ada, bo):
        expect(one.page.locator(".player .rating-text")).to_have_count(2)
        expect(one.page.locator(".player", has_text=winner).locator(".rating-text")).to_contain_text(NEW)
    white, black = (ada, bo) if ada.is_to_move() else (bo, ada)
    white_name, black_name = (winner, loser) if white is ada else (loser, winner)
    mated(white, black)
    for one, shown, change in ((black, WON, r"\+162"), (white, LOST, "−162")):
        panel = one.page.get_by_role("dialog")
        own = panel.locator(".end-rating")
        expect(own).to_contain_text("Blitz rating")
        expect(own.locator(".rating-number")).to_have_text(re.compile(rf"{shown}.*{change}"))
        players = panel.locator(".end-player")
        expect(players.filter(has_text=black_name)).to_contain_text(re.compile(rf"{WON}.*\(\+162\)"))
        expect(players.filter(has_text=white_name)).to_contain_text(re.compile(rf"{LOST}.*\(−162\)"))
        assert accessibility_problems(one.page, "end of a rated game") == []
        assert one.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # The replay of the game has both too, for everybody.
    eve = visitor(size=size)
    eve.visit(route.replace("/t/", "/g/") + "/1")
    expect(eve.page.locator(".player", has_text=black_name)).to_contain_text(re.compile(rf"{WON}.*\(\+162\)"))
    expect(eve.page.locator(".player", has_text=white_name)).to_contain_text(re.compile(rf"{LOST}.*\(−162\)"))
    # The next game starts with the new ratings.
    ada.press("Rematch")
    bo.press("Accept")
    for one in (ada, bo):
        strip = one.page.locator(".player", has_text=black_name)
        expect(strip.locator(".rating-text")).to_contain_text(re.compile(rf"{WON}[^(]*$"), timeout=60_000)


def test_a_game_that_was_too_short_changes_nothing_and_says_so(visitor: Visitor) -> None:
    ada, bo = account(visitor, "Ada Short"), account(visitor, "Bo Short")
    route = open_rated(ada, "Gomoku")
    bo.visit(route).page.locator(".invitation").get_by_role("button").first.click()
    mover, other = (ada, bo) if ada.is_to_move() else (bo, ada)
    mover.place("H8")
    resign(other)
    expect(mover.page.locator(".end-rating")).to_have_text("This game changed no rating.", timeout=90_000)
    expect(mover.page.locator(".end-player .rating-text").first).to_contain_text(NEW)
