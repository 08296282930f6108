"""Rated tables in a real browser: who may open one and sit down, and where the page says so."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person, unfold
from tests.browser.test_page_account import create, open_account

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BLITZ = 3
"""The fourth clock: without a clock is the first."""


def account(visitor: Visitor, name: str, size: tuple[int, int] = DESKTOP) -> Person:
    """Return a person who has created an account, in the lobby."""
    one = visitor(size=size)
    open_account(one)
    create(one, name)
    return one.visit("/")


def dialog(one: Person, game: str) -> Locator:
    one.press("Open your own table")
    shown = one.page.get_by_role("dialog")
    shown.get_by_role("radio", name=game, exact=True).check()
    return shown


def choose_clock(shown: Locator, number: int) -> None:
    shown.get_by_role("group", name="Clock").get_by_role("radio").nth(number).check()


def open_rated(one: Person, game: str = "Gomoku") -> str:
    """Open a rated table and return its route."""
    shown = dialog(one, game)
    choose_clock(shown, BLITZ)
    shown.get_by_role("switch", name="Rated").check()
    shown.get_by_role("button", name="Open table").click()
    return one.at_table()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_accounts_play_a_rated_game_and_a_guest_is_told_to_sign_in(
    visitor: Visitor, size: tuple[int, int]
) -> None:
    ada, guest = account(visitor, f"Ada Rated {size[0]}", size), visitor(size=size)
    route = open_rated(ada)
    mark = ada.page.locator(".table-head .tag-rated")
    expect(mark).to_have_text("Rated")
    row = guest.page.locator(".row", has_text=f"Ada Rated {size[0]}")
    expect(row.locator(".tag-rated")).to_have_text("Rated")
    expect(row.get_by_role("link", name="Sign in to play rated games")).to_be_visible()
    expect(row.get_by_role("button", name="Sit down")).to_have_count(0)
    guest.visit(route)
    card = guest.page.locator(".invitation")
    expect(card.locator(".invitation-rules")).to_contain_text("Rated")
    expect(card.get_by_role("link", name="Sign in to play rated games")).to_be_visible()
    expect(card.get_by_role("button", name="Sit down")).to_have_count(0)
    assert accessibility_problems(guest.page, "invitation") == []
    # The code of the table is another way in.
    guest.expect_trouble()
    code = ada.page.locator(".code, .invite-panel-code").first.inner_text()
    guest.visit(f"/c/{code}")
    expect(guest.page.get_by_text("Sign in to play rated games.")).to_be_visible()
    expect(ada.page.locator(".action-bar-playing")).to_have_count(0)
    bo = account(visitor, f"Bo Rated {size[0]}", size)
    bo.visit(route).page.locator(".invitation").get_by_role("button").first.click()
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    expect(bo.page.locator(".table-head .tag-rated")).to_have_text("Rated")
    mover, other = (ada, bo) if ada.is_to_move() else (bo, ada)
    mover.place("H8")
    other.place("H9")
    expect(mover.page.get_by_role("button", name="Undo", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )


def test_the_dialog_says_why_other_choices_rule_it_out_and_drops_what_a_rated_table_does_not_allow(
    visitor: Visitor,
) -> None:
    ada = account(visitor, "Ada Dialog")
    shown = dialog(ada, "Chess")
    choose_clock(shown, BLITZ)
    for twist, category in (("Plain", "Blitz"), ("Dice", "Dice"), ("Fog", "Fog")):
        shown.get_by_role("radio", name=twist, exact=True).check()
        expect(shown.locator(".own-rating")).to_contain_text(f"Your {category} rating: 1500?")
    rated = shown.get_by_role("switch", name="Rated")
    others = {
        "Rated games need a clock.": shown.get_by_role("group", name="Clock").get_by_role("radio").first,
        "Games with bots are not rated.": shown.get_by_role("radio", name="Computer", exact=True),
        "This game is not rated.": shown.get_by_role("radio", name="Tic-tac-toe", exact=True),
    }
    for reason, other in others.items():
        other.check()
        expect(rated).to_be_disabled()
        expect(shown.locator(".create-rated")).to_contain_text(reason)
    shown.get_by_role("radio", name="Mahjong", exact=True).check()
    shown.get_by_role("radio", name="Anyone", exact=True).check()
    choose_clock(shown, 1)
    unfold(shown)
    expect(shown.get_by_label("Bot that plays on")).to_be_visible()
    rated.check()
    expect(shown.get_by_label("Bot that plays on")).to_have_count(0)
    shown.get_by_role("button", name="Open table").click()
    expect(ada.page.locator(".table-head .tag-rated")).to_have_text("Rated")
    expect(ada.page.get_by_text("no hints", exact=True)).to_be_visible()


def test_guests_find_the_way_to_sign_in_beside_the_choices(visitor: Visitor) -> None:
    guest = visitor()
    guest.choose("Chess")
    expect(guest.page.locator(".hero-rated a")).to_have_text("Sign in to play rated games")
    shown = dialog(guest, "Chess")
    expect(shown.get_by_role("switch", name="Rated")).to_have_count(0)
    shown.get_by_role("link", name="Sign in to play rated games").click()
    expect(guest.page.get_by_role("region", name="Create an account")).to_be_visible()


def test_quick_match_pairs_two_accounts_at_a_rated_table(visitor: Visitor) -> None:
    people = [account(visitor, name) for name in ("Ada Quick", "Bo Quick")]
    for one in people:
        one.choose("Chess")
        one.page.get_by_label("Clock", exact=True).select_option(str(BLITZ))
        one.page.locator(".hero-rated").get_by_role("switch", name="Rated").check()
        expect(one.page.locator(".hero-rated .own-rating")).to_contain_text("Your Blitz rating: 1500?")
        one.press("Play anyone")
        one.at_table()
    for one in people:
        expect(one.page.locator(".action-bar-playing")).to_be_visible()
        expect(one.page.locator(".table-head .tag-rated")).to_have_text("Rated")
