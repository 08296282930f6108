"""A link of the operator in a real browser: who lost everything chooses a new password or passkey."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_page_account import OTHER, create, open_account, panel, sign_in
from tests.browser.test_page_passkeys import Device
from tests.support.server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IssueLink = Callable[[str], str]
"""Returns the route of a new link for the account with this name."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("page") / "data") as server:
        yield server
        assert server.errors == []


@pytest.fixture(scope="module")
def address(server: ServerProcess) -> str:
    """Addresses can have no passkeys, this machine's name can."""
    return f"http://localhost:{server.port}"


@pytest.fixture
def issue(server: ServerProcess) -> IssueLink:
    def issuing(name: str) -> str:
        command = [sys.executable, "-m", "qipai", "account", "link", name]
        environment = os.environ | {"QIPAI_DATA": str(server.data), "PORT": str(server.port)}
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return urlsplit(found.stdout.splitlines()[0]).fragment

    return issuing


def lost(visitor: Visitor, name: str) -> Person:
    """Return a person with an account, on a device that is signed in."""
    person = visitor()
    person.expect_trouble()
    open_account(person)
    create(person, name)
    return person


def test_a_link_sets_a_new_password_and_signs_the_old_device_out(visitor: Visitor, issue: IssueLink) -> None:
    old = lost(visitor, "Ada Link")
    route = issue("ada link")
    new = visitor(route)
    new.expect_trouble()
    form = panel(new, "Choose how to sign in")
    expect(form).to_contain_text("Ada Link")
    form.get_by_label("New password").fill("password123")
    form.get_by_role("button", name="Set password and sign in").click()
    expect(form.get_by_role("alert").filter(has_text="easy to guess")).to_be_visible()
    form.get_by_label("New password").fill(OTHER)
    form.get_by_role("button", name="Set password and sign in").click()
    expect(panel(new, "Recovery codes").locator("code")).to_have_count(10)
    assert new.page.url.endswith("/#/account"), "the secret does not stay in the address"
    new.press("I have saved them")
    expect(new.page.locator("a.name")).to_contain_text("Ada Link")
    expect(panel(new, "Devices").get_by_role("listitem")).to_have_count(1)
    expect(old.page.locator("button.name")).to_be_visible()
    sign_in(old, "Ada Link", OTHER)
    expect(old.page.locator("a.name")).to_contain_text("Ada Link")
    again = visitor(route)
    again.expect_trouble()
    expect(panel(again, "Choose how to sign in").get_by_role("alert")).to_contain_text("has been used")
    again.press("Back to the account page")
    expect(panel(again, "Sign in")).to_be_visible()


def test_a_link_makes_a_passkey(visitor: Visitor, issue: IssueLink) -> None:
    lost(visitor, "Bo Link")
    new = visitor()
    new.expect_trouble()
    device = Device(new)
    new.visit(issue("Bo Link"))
    panel(new, "Choose how to sign in").get_by_role("button", name="Sign in with a new passkey").click()
    new.press("I have saved them")
    expect(new.page.locator("a.name")).to_contain_text("Bo Link")
    expect(panel(new, "Passkeys").get_by_role("listitem")).to_have_count(1)
    assert len(device.keys()) == 1


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_page_of_a_link_is_accessible_and_known_to_password_managers(
    visitor: Visitor, issue: IssueLink, size: tuple[int, int]
) -> None:
    name = f"Cy Link {size[0]}"
    lost(visitor, name)
    new = visitor(issue(name), size=size)
    form = panel(new, "Choose how to sign in").locator("form").first
    expect(form.locator("input[autocomplete=username]")).to_have_value(name)
    expect(form.locator("input[type=password][autocomplete=new-password]")).to_have_count(1)
    expect(form.locator("button.primary")).to_have_js_property("type", "submit")
    assert accessibility_problems(new.page, "link") == []
    assert new.page.evaluate("document.documentElement.scrollWidth") <= size[0]
