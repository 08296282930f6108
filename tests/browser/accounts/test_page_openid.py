"""Signing in with an OpenID Connect provider in a real browser, with a real provider: there and back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_page_account import GOOD, OTHER, create, open_account, panel
from tests.support.openid.provider import OpenIdServer
from tests.support.server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIGN_IN = "Sign in with Chess Club"


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdServer]:
    with OpenIdServer() as provider:
        yield provider
        assert provider.refused == []


@pytest.fixture(scope="module")
def address(provider: OpenIdServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ServerProcess(tmp_path_factory.mktemp("page") / "data", config=provider.config()) as server:
        provider.register_client(server.port)
        yield f"http://127.0.0.1:{server.port}"
        assert server.errors == []


def at_provider(person: Person, user: str) -> None:
    """Sign in on the page of the provider."""
    expect(person.page).to_have_title("Chess Club")
    person.page.get_by_label("User").fill(user)
    person.page.get_by_role("button", name="Sign in").click()


def newcomer(person: Person, user: str) -> None:
    """Create an account as this user of the provider, who has a name that can be used."""
    open_account(person)
    person.press(SIGN_IN)
    at_provider(person, user)
    expect(panel(person, "Recovery codes").locator("code")).to_have_count(10)
    assert person.page.url.endswith("/#/account")
    person.press("I have saved them")
    expect(person.page.locator("a.name")).to_contain_text(user)


def test_a_guest_keeps_the_game_and_signs_in_elsewhere(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    route = ada.open_table()
    bo.visit(route).press("Join the game")
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    newcomer(ada, "Ada Club")
    ada.visit(route)
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    expect(bo.page.get_by_text("Ada Club").first).to_be_visible()
    phone = visitor(size=PHONE)
    open_account(phone)
    phone.press(SIGN_IN)
    at_provider(phone, "Ada Club")
    expect(phone.page.locator("a.name")).to_contain_text("Ada Club")
    expect(panel(phone, "Devices").get_by_role("listitem")).to_have_count(2)
    phone.visit(route)
    expect(phone.page.locator(".action-bar-playing")).to_be_visible()


def test_the_name_is_asked_for_if_it_is_taken(visitor: Visitor, provider: OpenIdServer) -> None:
    newcomer(visitor(), "Bo Club")
    provider.claims["other bo"] = {"preferred_username": "BO CLUB"}
    other = visitor()
    other.expect_trouble()
    open_account(other)
    other.press(SIGN_IN)
    at_provider(other, "other bo")
    form = panel(other, "One more step: your name")
    expect(form).to_contain_text("This name is taken")
    expect(form.get_by_label("Name", exact=True)).to_have_value("BO CLUB")
    form.get_by_label("Name", exact=True).fill("Other Bo")
    form.get_by_role("button", name="Create account").click()
    other.press("I have saved them")
    expect(other.page.locator("a.name")).to_contain_text("Other Bo")


def test_a_person_who_declines_stays_a_guest(visitor: Visitor) -> None:
    ada = visitor()
    open_account(ada)
    ada.press(SIGN_IN)
    ada.page.get_by_role("button", name="Decline").click()
    expect(ada.page.get_by_role("alert").filter(has_text="You have not signed in there.")).to_be_visible()
    expect(ada.page.locator("button.name")).to_be_visible()


def test_an_account_is_linked_and_unlinked(visitor: Visitor) -> None:
    ada = visitor()
    ada.expect_trouble()
    open_account(ada)
    create(ada, "Cy Linked")
    club = panel(ada, "Chess Club")
    club.get_by_label("Password", exact=True).fill(OTHER)
    club.get_by_role("button", name="Link with Chess Club").click()
    expect(club.get_by_role("alert").filter(has_text="do not match")).to_be_visible()
    club.get_by_label("Password", exact=True).fill(GOOD)
    club.get_by_role("button", name="Link with Chess Club").click()
    at_provider(ada, "cy")
    expect(ada.page.get_by_text("Your account is linked.")).to_be_visible()
    club.get_by_role("button", name="Remove the link").click()
    expect(club.get_by_role("button", name="Link with Chess Club")).to_be_visible()


def test_who_has_only_the_provider_confirms_there(visitor: Visitor) -> None:
    ada = visitor()
    ada.expect_trouble()
    newcomer(ada, "Di Only")
    club, form = panel(ada, "Chess Club"), panel(ada, "Password")
    club.get_by_role("button", name="Remove the link").click()
    expect(club.get_by_role("alert").filter(has_text="only way to sign in")).to_be_visible()
    form.get_by_role("button", name="Confirm with Chess Club that it is you").click()
    at_provider(ada, "Di Only")
    expect(form).to_contain_text("You have confirmed that it is you.")
    form.get_by_label("New password").fill(GOOD)
    form.get_by_role("button", name="Set password").click()
    expect(form.get_by_role("status")).to_have_text("Your password has been changed.")
    club.get_by_role("button", name="Remove the link").click()
    expect(club.get_by_role("button", name="Link with Chess Club")).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_panels_are_accessible_and_fit(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    open_account(ada)
    expect(ada.page.get_by_role("button", name=SIGN_IN)).to_be_visible()
    found = accessibility_problems(ada.page, "guest with a provider")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    newcomer(ada, f"Emmy Club {size[0]}")
    found += accessibility_problems(ada.page, "account of a provider")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert found == []
