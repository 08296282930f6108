"""Table names, and offers that are withdrawn, in real browsers."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.games.test_page_gomoku import sit_down
from tests.browser.person import PHONE, Person, unfold

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def open_named(person: Person, title: str) -> None:
    """Open a table of gomoku with this name."""
    person.press("Open your own table")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Gomoku", exact=True).check()
    unfold(dialog)
    dialog.get_by_label("Table name").fill(title)
    dialog.get_by_role("button", name="Open table").click()
    person.at_table()


@pytest.mark.parametrize(
    ("title", "listed"), [("<b>Friday</b> 五子棋 ☕", "<b>Friday</b> 五子棋 ☕"), ("x" * 40, "x" * 30)]
)
def test_a_table_is_listed_by_the_name_it_was_given(visitor: Visitor, title: str, listed: str) -> None:
    ada, bo = visitor(), visitor()
    open_named(ada, title)
    expect(bo.page.locator(".row-title").get_by_text(listed, exact=True)).to_be_visible()


def test_a_table_without_a_name_is_listed_by_its_game(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    ada.call_me("Nameless")
    open_named(ada, "   ")
    row = bo.page.locator(".row").filter(has_text="Nameless")
    expect(row).to_contain_text("Gomoku")
    expect(row.locator(".row-title")).to_have_count(0)


def test_an_offer_is_withdrawn_before_it_is_answered(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    ada.place("H8")
    bo.place("H9")
    ada.press("Undo")
    expect(bo.page.get_by_role("alert")).to_contain_text("Ada asks for a takeback.")
    expect(bo.page.get_by_role("button", name="Cancel")).to_have_count(0)
    ada.press("Cancel")
    expect(bo.page.get_by_role("alert")).to_have_count(0)
    expect(ada.page.get_by_text("Takeback requested.")).to_have_count(0)
    ada.expect_point("H8", "black")
    bo.expect_point("H9", "white")
    # It cannot be repeated at once.
    ada.press("Undo")
    expect(ada.page.locator(".toasts")).to_have_text(re.compile(r"\S"))
    expect(bo.page.get_by_role("alert")).to_have_count(0)


def test_a_rematch_offer_is_withdrawn_on_a_phone(visitor: Visitor) -> None:
    ada = visitor(size=PHONE)
    route = ada.open_table(game="Gomoku")
    bo = visitor(route, size=PHONE)
    bo.press("Join the game")
    expect(ada.status).to_have_text("Your turn")
    bo.press("Resign")
    bo.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.press("Rematch")
    expect(bo.page.get_by_role("alert")).to_be_visible()
    ada.press("Cancel")
    expect(bo.page.get_by_role("alert")).to_have_count(0)
    expect(ada.page.get_by_role("button", name="Rematch", exact=True)).to_be_enabled()
    expect(ada.page.get_by_role("button", name="Cancel")).to_have_count(0)
