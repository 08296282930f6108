"""The account page in a real browser: create an account, sign in elsewhere, sign out."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GOOD: Final = "correct horse battery staple"
OTHER: Final = "seventeen purple giraffes"
SMALL: Final = (320, 568)
_SMALL_TARGETS: Final = """() => [...document.querySelectorAll("main :is(a, button, input)")]
  .filter((one) => one.checkVisibility() && !one.matches(".link"))
  .filter((one) => one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML)"""


def panel(person: Person, title: str) -> Locator:
    return person.page.get_by_role("region", name=title)


def open_account(person: Person) -> None:
    """Go to the account page as a guest does."""
    person.page.locator("button.name").click()
    person.page.get_by_role("dialog").get_by_role("link", name="Sign in or create an account").click()
    expect(panel(person, "Sign in")).to_be_visible()


def create(person: Person, name: str) -> list[str]:
    """Create an account, and return its recovery codes."""
    form = panel(person, "Create an account")
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_label("New password").fill(GOOD)
    form.get_by_role("button", name="Create account").click()
    codes = panel(person, "Recovery codes").locator("code")
    expect(codes).to_have_count(10)
    found = codes.all_inner_texts()
    person.press("I have saved them")
    expect(person.page.locator("a.name")).to_contain_text(name)
    return found


def sign_in(person: Person, name: str, password: str) -> None:
    form = panel(person, "Sign in")
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_label("Password", exact=True).fill(password)
    form.get_by_role("button", name="Sign in", exact=True).click()


def test_a_guest_keeps_the_game_and_finds_it_on_another_device(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    route = ada.open_table()
    bo.visit(route).press("Join the game")
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    open_account(ada)
    create(ada, "Ada Lovelace")
    ada.visit(route)
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    expect(bo.page.get_by_text("Ada Lovelace").first).to_be_visible()
    phone = visitor(size=PHONE)
    phone.expect_trouble()
    ada.expect_trouble()
    open_account(phone)
    sign_in(phone, "ada lovelace", "not the password")
    expect(phone.page.get_by_role("alert").filter(has_text="do not match")).to_be_visible()
    sign_in(phone, "ada lovelace", GOOD)
    expect(phone.page.locator("a.name")).to_contain_text("Ada Lovelace")
    expect(panel(phone, "Devices").get_by_role("listitem")).to_have_count(2)
    # Signing the others out reaches them without a click.
    phone.press("Sign out all other devices")
    expect(ada.page.locator("button.name")).to_be_visible()
    phone.visit(route)
    expect(phone.page.locator(".action-bar-playing")).to_be_visible()


def test_a_weak_password_is_explained_and_a_code_sets_a_new_one(visitor: Visitor) -> None:
    ada = visitor()
    ada.expect_trouble()
    open_account(ada)
    form = panel(ada, "Create an account")
    form.get_by_label("Name", exact=True).fill("Grace Hopper")
    form.get_by_label("New password").fill("password123")
    form.get_by_role("button", name="Create account").click()
    expect(form.get_by_role("alert")).to_have_text(re.compile("easy to guess.+common"))
    codes = create(ada, "Grace Hopper")
    panel(ada, "Devices").get_by_role("button", name="Sign out", exact=True).click()
    expect(ada.page.locator("button.name")).to_be_visible()
    ada.press("Forgot your password?")
    form = panel(ada, "Use a recovery code")
    form.get_by_label("Name", exact=True).fill("Grace Hopper")
    form.get_by_label("Recovery code").fill(codes[4])
    form.get_by_label("New password").fill(OTHER)
    form.get_by_role("button", name="Set new password").click()
    expect(ada.page.locator("a.name")).to_contain_text("Grace Hopper")
    expect(panel(ada, "Recovery codes")).to_contain_text("9 codes are left.")


def test_password_managers_recognise_the_forms(visitor: Visitor) -> None:
    ada = visitor()
    open_account(ada)
    for title, password in (("Sign in", "current-password"), ("Create an account", "new-password")):
        form = panel(ada, title).locator("form")
        expect(form.locator("input[autocomplete=username]")).to_have_count(1)
        expect(form.locator(f"input[type=password][autocomplete={password}]")).to_have_count(1)
        expect(form.locator("button.primary")).to_have_js_property("type", "submit")


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_the_page_is_accessible_and_fits(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    open_account(ada)
    found = accessibility_problems(ada.page, "guest")
    assert ada.page.evaluate(_SMALL_TARGETS) == []
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    create(ada, f"Emmy Noether {size[0]}")
    expect(panel(ada, "Devices")).to_be_visible()
    found += accessibility_problems(ada.page, "account")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert found == []


def test_a_deleted_account_leaves_a_new_guest(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    route = ada.open_table()
    bo.visit(route).press("Join the game")
    open_account(ada)
    create(ada, "Ada Deleted")
    expect(bo.page.get_by_text("Ada Deleted").first).to_be_visible()
    ada.expect_trouble()
    form = panel(ada, "Your data")
    with ada.page.expect_download() as download:
        form.get_by_role("link", name="Download my data").click()
    assert download.value.suggested_filename == "qipai-account.json"
    form.get_by_role("button", name="Delete account").click()
    form.get_by_label("Password", exact=True).fill(GOOD)
    form.get_by_role("button", name="Delete for good").click()
    expect(ada.page.locator("button.name")).not_to_contain_text("Ada Deleted")
    expect(bo.page.get_by_text("Deleted player").first).to_be_visible()
    expect(bo.page.get_by_text("Ada Deleted")).to_have_count(0)
