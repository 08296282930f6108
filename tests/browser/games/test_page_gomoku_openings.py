"""Gomoku with opening rules in real browsers: swap2, renju, the board of 19."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person, choose_opponent, unfold

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def open_table(ada: Person, rule: str, lines: int, bot: str = "") -> str:
    """Open a table with this opening rule and board, and return its route."""
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Gomoku", exact=True).check()
    choose_opponent(dialog, bot)
    unfold(dialog)
    for field, choice in (("Opening", rule), ("Board", f"{lines}×{lines}")):
        dialog.get_by_role("group", name=field, exact=True).get_by_role("radio", name=choice).check()
    dialog.get_by_role("button", name="Open table").click()
    return ada.at_table()


def sit_down(visitor: Visitor, rule: str, lines: int = 15, **window: Any) -> tuple[Person, Person, str]:
    """Return the player who begins, the other one in a window of this kind, and the route of their table."""
    ada = visitor()
    ada.call_me("Ada")
    route = open_table(ada, rule, lines)
    bo = visitor(route, **window)
    bo.press("Join the game")
    expect(ada.status).to_have_text(re.compile("^(Your turn|Place three stones)"))
    return ada, bo, route


def put(person: Person, *names: str) -> None:
    """Place stones in the opening, where the status line does not say whose turn it is."""
    for name in names:
        person.point(name).click()
        expect(person.point(name)).not_to_have_class(re.compile("pending"))
        person.expect_point(name, "(black|white)")


def choices(person: Person) -> Locator:
    return person.page.locator(".status-choices button")


def badges(person: Person) -> list[str | None]:
    return [each.get_attribute("aria-label") for each in person.page.locator(".player [role=img]").all()]


def test_swap2_with_two_more_stones(visitor: Visitor) -> None:
    ada, bo, route = sit_down(visitor, "Swap2", size=PHONE)
    cy = visitor(route)
    expect(ada.page.locator(".table-head")).to_contain_text("Swap2")
    expect(ada.status).to_have_text("Place three stones: black, white, black. Stone 1 of 3.")
    expect(bo.status).to_have_text("Ada places the first three stones.")
    put(ada, "H8", "I9")
    bo.expect_point("H8", "black")
    bo.expect_point("I9", "white, last stone")
    expect(ada.status).to_have_text("Place three stones: black, white, black. Stone 3 of 3.")
    assert badges(ada) == [], "nobody has a colour yet"
    put(ada, "J8")

    expect(choices(bo)).to_have_text(["Play white", "Play black", "Place two more"])
    expect(choices(ada)).to_have_count(0)
    expect(choices(cy)).to_have_count(0)
    for button in choices(bo).all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
    assert accessibility_problems(bo.page, "the choice of swap2") == []
    bo.point("A1").click(force=True)
    bo.expect_point("A1", "empty")
    bo.press("Place two more")
    expect(cy.page.locator("p[aria-live]")).to_have_text(re.compile("places two more stones."))
    put(bo, "G7", "K8")
    ada.expect_point("G7", "white")
    ada.expect_point("K8", "black")

    expect(choices(ada)).to_have_text(["Play white", "Play black"])
    # With the keyboard alone.
    choices(ada).nth(0).focus()
    ada.page.keyboard.press("Enter")
    expect(ada.status).to_have_text("Your turn")
    expect(cy.page.locator("p[aria-live]")).to_have_text("Ada plays white.")
    assert badges(ada) == ["black", "white"]
    ada.place("A1")
    bo.expect_point("A1", "white, last stone")
    bo.place("A2")
    ada.expect_point("A2", "black, last stone")


def test_swap2_with_a_colour_taken_at_once(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor, "Swap2")
    put(ada, "H8", "I9", "J8")
    bo.press("Play black")
    expect(ada.status).to_have_text("Your turn")
    assert badges(ada) == ["black", "white"]
    # An undo takes the choice back.
    ada.press("Undo")
    bo.press("Accept")
    expect(choices(bo)).to_have_count(3)
    bo.press("Play white")
    expect(bo.status).to_have_text("Your turn")
    assert badges(ada) == ["white", "black"]


def test_forbidden_points_are_marked_and_explained(visitor: Visitor) -> None:
    ada, bo, route = sit_down(visitor, "Renju")
    cy = visitor(route, size=PHONE)
    for mine, theirs in (("G8", "A1"), ("H7", "O15"), ("H6", "A15"), ("F8", "O1")):
        ada.place(mine)
        bo.place(theirs)
    for one in (ada, bo, cy):
        one.expect_point("H8", "empty, forbidden for Black: double-three")
    ada.point("H8").click()
    explained = "H8 is forbidden for Black: double-three (two open threes at once)."
    expect(ada.status).to_have_text(explained)
    expect(ada.page.locator("p[aria-live]")).to_have_text(explained)
    bo.expect_point("H8", "empty")
    # The same with the keyboard; another point is played as usual.
    ada.point("H8").focus()
    ada.page.keyboard.press("Enter")
    expect(ada.status).to_have_text(explained)
    ada.page.keyboard.press("ArrowRight")
    ada.page.keyboard.press("Enter")
    bo.expect_point("I8", "black")
    for one in (ada, bo, cy):
        one.expect_point("H8", "empty$")
    bo.place("H8")


def test_the_large_board_fits_a_phone_and_has_its_own_coordinates(visitor: Visitor) -> None:
    phone = {"size": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}
    ada, bo, _ = sit_down(visitor, "Free", 19, **phone)
    expect(bo.page.get_by_role("gridcell")).to_have_count(361)
    expect(bo.page.locator(".table-head")).to_contain_text("19×19")
    assert bo.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    bottom = bo.page.evaluate("document.querySelectorAll('.player')[1].getBoundingClientRect().bottom")
    assert bottom <= PHONE[1], "the board and both players fit on the screen"
    ada.cell(360).click()
    expect(bo.cell(360)).to_have_attribute("aria-label", "S1: black, last stone")
    bo.cell(180).tap()
    expect(bo.status).to_have_text("J10? Tap again to place.")
    bo.cell(180).tap()
    expect(ada.cell(180)).to_have_attribute("aria-label", "J10: white, last stone")
    # A click on the board itself finds the nearest of nineteen lines.
    box = ada.page.locator(".gomoku").bounding_box()
    assert box is not None
    pitch = box["width"] / 20
    ada.page.mouse.click(box["x"] + 1.4 * pitch, box["y"] + 18.7 * pitch)
    expect(bo.cell(19 * 18)).to_have_attribute("aria-label", "A1: black, last stone")


@pytest.mark.parametrize("rule", ["Swap2", "Renju"])
def test_the_bot_plays_the_rule_and_the_game_can_be_replayed(visitor: Visitor, rule: str) -> None:
    ada = visitor(size=DESKTOP)
    open_table(ada, rule, 19, "easy")
    if rule == "Swap2":
        for number in (180, 181, 200):
            expect(ada.status).to_have_text(re.compile("^Place three stones"))
            ada.cell(number).click()
            expect(ada.cell(number)).not_to_have_attribute("aria-label", re.compile("empty"))
        ada.page.locator(".status-choices button, .status-text:text-is('Your turn')").first.wait_for()
        if choices(ada).count():
            choices(ada).first.click()
    # Only a game with a move has a replay.
    if ada.is_to_move() and ada.page.locator(".moves-move").count() == 0:
        ada.cell(180).click()
    expect(ada.page.locator(".moves-move").first).to_be_visible()
    ada.press("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.press("Replay")
    expect(ada.page.get_by_role("gridcell")).to_have_count(361)
    expect(ada.page.locator("h1")).to_contain_text(rule)
    for tag in (rule, "19×19"):
        expect(ada.page.locator(".tag", has_text=tag)).to_be_visible()
