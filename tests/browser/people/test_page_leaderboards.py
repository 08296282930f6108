"""Leaderboards in a real browser: places, distribution, the own rating, and what is missing for a place."""

import re
import time
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

from tests.browser.access import accessibility_problems
from tests.browser.chessboard import play
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.browser.table.test_page_rated import account, open_rated

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SMALL = (320, 568)
NOW = round(time.time() * 1000)
PLAYERS = [("Grandmaster Of The Whole Club", 2104), ("小明", 1911), ("Ada Board", 1512), ("Bo", 1490)]
BLITZ: dict[str, Any] = {
    "category": "chess-blitz",
    "players": [
        {"name": name, "rating": rating, "deviation": 60.0, "provisional": False, "games": 30, "last": NOW}
        for name, rating in PLAYERS
    ],
    "bucket": 50,
    "distribution": [[1450, 1], [1500, 1], [1900, 1], [2100, 1]],
}
COUNTS = {"chess-bullet": 1, "chess-blitz": 4, "gomoku-renju": 0, "mahjong-16": 2}
OWN = {
    "category": "chess-blitz",
    "rating": 1512.0,
    "deviation": 60.0,
    "provisional": False,
    "games": 30,
    "last": NOW,
    "change": 8.0,
    "curve": [[1, 1500.0], [2, 1512.0]],
}


def with_boards(person: Person, own: dict[str, Any] | None = None) -> Person:
    """Let the server have these leaderboards, whatever it has."""

    def board(route: Route) -> None:
        category = route.request.url.rpartition("/")[2]
        empty = {"category": category, "players": [], "bucket": 50, "distribution": []}
        route.fulfill(json=BLITZ if category == "chess-blitz" else empty)

    counts = [{"category": name, "players": players} for name, players in COUNTS.items()]
    context = person.context
    context.route("**/api/leaderboards", lambda route: route.fulfill(json={"categories": counts}))
    context.route("**/api/leaderboards/*", board)
    if own is not None:
        context.route("**/api/ratings/*", lambda route: route.fulfill(json={"ratings": [own]}))
    return person


def test_a_leaderboard_has_places_with_profiles_a_distribution_and_the_own_place(visitor: Visitor) -> None:
    ada = with_boards(account(visitor, "Ada Board"), OWN)
    ada.page.get_by_role("navigation").get_by_role("link", name="Players", exact=True).click()
    expect(ada.page.get_by_role("heading", level=1, name="Leaderboards")).to_be_visible()
    categories = ada.page.get_by_role("navigation", name="Category")
    expect(categories.get_by_role("link")).to_have_count(4)
    expect(categories.locator("[aria-current]")).to_contain_text("Blitz")
    rows = ada.page.get_by_role("table").first.get_by_role("row")
    expect(rows).to_have_count(5)
    expect(rows.nth(1)).to_contain_text(re.compile(r"1\s*Grandmaster Of The Whole Club\s*2104\s*30"))
    expect(ada.page.locator(".leader-you")).to_contain_text(re.compile(r"3\s*Ada Board\s*you\s*1512"))
    place = ada.page.locator(".own-place")
    expect(place.locator(".rating-number")).to_have_text("1512")
    expect(place).to_contain_text("Better than 33\xa0% of 3 other players.")
    expect(ada.page.locator(".bar-own")).to_have_count(1)
    # For screen readers the chart is a table.
    bars = ada.page.get_by_role("complementary", name="Distribution").get_by_role("row")
    expect(bars.filter(has_text="1500–1549")).to_contain_text(re.compile(r"you\s*1"))
    expect(rows.get_by_role("link", name="小明")).to_have_attribute("href", f"#/@{quote('小明')}")


def test_the_category_is_chosen_by_keyboard_and_is_in_the_address(visitor: Visitor) -> None:
    eve = with_boards(visitor())
    eve.visit("/leaderboards")
    renju = eve.page.get_by_role("link", name="Renju")
    renju.focus()
    eve.page.keyboard.press("Enter")
    expect(eve.page).to_have_url(re.compile(r"#/leaderboards/gomoku-renju$"))
    expect(eve.page.get_by_text("Nobody is on this leaderboard yet")).to_be_visible()
    expect(eve.page.get_by_text("Choose “Rated” for a new table")).to_be_visible()
    expect(eve.page.get_by_role("link", name="Sign in to play rated games")).to_be_visible()
    eve.page.go_back()
    expect(eve.page.get_by_role("cell", name="2104")).to_be_visible()
    eve.visit("/leaderboards/no-such-category")
    expect(eve.page.get_by_role("heading", level=1, name="Leaderboards")).to_have_count(0)
    expect(eve.page.get_by_role("alert")).to_be_visible()


def test_a_failed_leaderboard_can_be_asked_for_again(visitor: Visitor) -> None:
    eve = visitor()
    eve.expect_trouble()
    failing = True

    def board(route: Route) -> None:
        if failing:
            route.abort("internetdisconnected")
        else:
            route.fulfill(json=BLITZ)

    with_boards(eve).context.route("**/api/leaderboards/*", board)
    eve.visit("/leaderboards/chess-blitz")
    expect(eve.page.get_by_text("The leaderboard could not be loaded.")).to_be_visible()
    failing = False
    eve.press("Try again")
    expect(eve.page.get_by_role("cell", name="2104")).to_be_visible()


def test_after_the_first_rated_game_one_is_told_what_is_missing(visitor: Visitor) -> None:
    ada, bo = account(visitor, "Ada First"), account(visitor, "Bo First")
    for one in (ada, bo):
        one.visit("/leaderboards/chess-blitz")
        expect(one.page.get_by_text("You have no rating here yet.")).to_be_visible()
    ada.visit("/")
    route = open_rated(ada, "Chess")
    bo.visit(route).page.locator(".invitation").get_by_role("button").first.click()
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    white, black = (ada, bo) if ada.is_to_move() else (bo, ada)
    for mover, uci in ((white, "f2f3"), (black, "e7e5"), (white, "g2g4"), (black, "d8h4")):
        play(mover, uci)
    expect(black.page.locator(".end-rating .rating-number")).to_be_visible()
    black.visit("/leaderboards/chess-blitz")
    expect(black.page.locator(".own-place")).to_contain_text(
        re.compile(r"1662\?.*It is not settled yet\.", re.DOTALL)
    )
    expect(black.page.get_by_text("Nobody is on this leaderboard yet")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), PHONE, SMALL])
@pytest.mark.parametrize("language", ["en", "zh-TW", "zh-CN"])
def test_a_leaderboard_is_accessible_and_fits(visitor: Visitor, size: tuple[int, int], language: str) -> None:
    eve = with_boards(visitor(size=size, language=language))
    eve.visit("/leaderboards")
    expect(eve.page.locator(".leaders tbody tr")).to_have_count(4)
    assert accessibility_problems(eve.page, f"leaderboard, {language}") == []
    assert eve.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for link in eve.page.locator(".leaderboard-categories a").all():
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 44, box
