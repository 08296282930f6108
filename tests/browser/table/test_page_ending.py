"""The result of a game over the board, in real browsers."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.chessboard import resign
from tests.browser.conftest import Visitor
from tests.browser.games.test_page_gomoku import sit_down
from tests.browser.person import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def panel(person: Person) -> Locator:
    return person.page.locator(".end-panel").get_by_role("dialog")


def test_each_reader_is_told_the_result_and_a_rematch_starts_from_it(visitor: Visitor) -> None:
    ada, bo, route = sit_down(visitor)
    cy = visitor(route)
    ada.place("H8")
    bo.place("H9")
    resign(bo)
    for person, title in (
        (ada, "You won by resignation"),
        (bo, "You lost by resignation"),
        (cy, "Ada won by resignation"),
    ):
        expect(panel(person).get_by_role("heading")).to_have_text(title)
        expect(panel(person).get_by_role("link", name="Replay")).to_be_visible()
        expect(person.page.get_by_role("button", name="Rematch", exact=True)).to_have_count(
            0 if person is cy else 1
        )
    expect(bo.status).to_have_text("Ada won by resignation")
    # The result is announced once, and only the winner has the seal.
    expect(ada.page.locator("[aria-live]").filter(has_text="You won by resignation")).to_have_count(1)
    expect(ada.page.locator(".end-seal")).to_be_visible()
    expect(bo.page.locator(".end-seal")).to_have_count(0)
    panel(ada).get_by_role("button", name="Rematch").click()
    expect(panel(bo)).to_contain_text("Ada offers a rematch.")
    panel(bo).get_by_role("button", name="Accept").click()
    for person in (ada, bo, cy):
        expect(person.page.locator(".end-panel")).to_have_count(0)
        expect(person.status).to_have_text(re.compile("turn"))

    (ada if ada.is_to_move() else bo).place("H8")
    ada.press("Draw")
    bo.press("Accept")
    expect(panel(ada).get_by_role("heading")).to_have_text("Draw by agreement")
    expect(ada.page.locator(".end-seal")).to_have_count(0)


def test_the_panel_is_closed_and_opened_again_with_the_keyboard(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    ada.place("H8")
    resign(bo)
    expect(panel(ada)).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(panel(ada)).to_have_count(0)
    ada.expect_point("H8", "black")
    # It stays closed, and the actions are under the board.
    ada.page.reload()
    expect(ada.status).to_have_text("You won by resignation")
    expect(ada.page.locator(".action-bar").get_by_role("button", name="Rematch")).to_be_visible()
    expect(panel(ada)).to_have_count(0)
    again = ada.page.get_by_role("button", name="Result", exact=True)
    again.focus()
    ada.page.keyboard.press("Enter")
    expect(panel(ada).get_by_role("button", name="Rematch")).to_be_focused()
    ada.page.keyboard.press("Escape")
    expect(again).to_be_focused()
    ada.press("Result")
    ada.press("Show the board")
    expect(panel(ada)).to_have_count(0)


def test_a_result_keeps_the_name_of_a_player_who_has_left(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    ada.place("H8")
    resign(bo)
    expect(panel(ada)).to_be_visible()
    ada.press("Leave")
    expect(panel(bo)).to_contain_text("A seat is open.")
    expect(bo.status).to_have_text("Ada won by resignation")
    expect(panel(bo).get_by_role("listitem").first).to_contain_text("Ada")


@pytest.mark.parametrize("language", ["en", "zh-TW", "zh-CN"])
def test_the_panel_fits_and_is_accessible(visitor: Visitor, language: str) -> None:
    ada = visitor(size=PHONE)
    route = ada.open_table(game="Gomoku", clock=1)
    bo = visitor(route, language=language)
    bo.page.locator(".invitation .primary").click()
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    resign(ada)
    expect(panel(bo)).to_be_visible()
    # A win without a move is not celebrated.
    expect(bo.page.locator(".end-seal")).to_have_count(0)
    assert accessibility_problems(bo.page, language) == []
    for width, height in ((1280, 800), PHONE, (320, 640), (844, 390)):
        bo.page.set_viewport_size({"width": width, "height": height})
        for button in panel(bo).locator("button:visible, a:visible").all():
            button.scroll_into_view_if_needed()
            box = button.bounding_box()
            assert box is not None
            assert box["x"] >= 0, (width, box)
            assert box["x"] + box["width"] <= width, (width, box)
            assert box["height"] >= 44, (width, box)
            assert button.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), (
                width,
                button.inner_text(),
            )
