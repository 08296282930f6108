"""Passkeys in a real browser, with the virtual authenticator of Chromium."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.browser.test_page_account import GOOD, create, open_account, panel

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_DEVICE: Final = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


_NO_OFFERS: Final = "() => { PublicKeyCredential.isConditionalMediationAvailable = async () => false }"


class Device:
    """The passkeys of one device."""

    def __init__(self, person: Person) -> None:
        self._commands = person.page.context.new_cdp_session(person.page)
        self._commands.send("WebAuthn.enable", {"enableUI": False})
        added = self._commands.send("WebAuthn.addVirtualAuthenticator", {"options": _DEVICE})
        self.id = added["authenticatorId"]

    def keys(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._command("getCredentials")["credentials"]
        return found

    def refuse(self) -> None:
        """Let the person fail the verification from now on."""
        self._command("setUserVerified", isUserVerified=False)

    def _command(self, name: str, **more: object) -> dict[str, Any]:
        sent = {"authenticatorId": self.id, **more}
        answer: dict[str, Any] = self._commands.send(f"WebAuthn.{name}", sent)
        return answer


@pytest.fixture
def address(address: str) -> str:
    """Addresses can have no passkeys, this machine's name can."""
    return address.replace("127.0.0.1", "localhost")


Arrive = Callable[..., tuple[Person, Device]]


@pytest.fixture
def arrive(visitor: Visitor) -> Arrive:
    def arriving(*, offers: bool = False, **more: Any) -> tuple[Person, Device]:
        person = visitor(**more)
        if not offers:
            # The virtual device takes every offer at once, as if somebody had chosen the passkey.
            person.page.evaluate(_NO_OFFERS)
        device = Device(person)
        open_account(person)
        return person, device

    return arriving


def create_with_passkey(person: Person, name: str) -> None:
    form = panel(person, "Create an account")
    form.get_by_role("button", name="Use a passkey instead of a password").click()
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_role("button", name="Create account with a passkey").click()
    expect(panel(person, "Recovery codes").locator("code")).to_have_count(10)
    person.press("I have saved them")
    expect(person.page.locator("a.name")).to_contain_text(name)


def sign_out(person: Person) -> None:
    panel(person, "Devices").get_by_role("button", name="Sign out", exact=True).click()
    expect(person.page.locator("button.name")).to_be_visible()


def test_an_account_is_created_and_used_with_a_passkey_alone(arrive: Arrive) -> None:
    ada, device = arrive()
    create_with_passkey(ada, "Ada Passkey")
    (key,) = device.keys()
    assert key["rpId"] == "localhost"
    assert key["isResidentCredential"] is True
    keys = panel(ada, "Passkeys")
    expect(keys.get_by_role("listitem")).to_have_count(1)
    ada.expect_trouble()
    keys.get_by_role("button", name="Remove the passkey").click()
    expect(keys.get_by_role("alert")).to_contain_text("only way to sign in")
    expect(keys.get_by_role("listitem")).to_have_count(1)
    # The passkey proves that the owner is there.
    form = panel(ada, "Password")
    form.get_by_label("New password").fill(GOOD)
    form.get_by_role("button", name="Set password").click()
    expect(form.get_by_role("status")).to_have_text("Your password has been changed.")
    sign_out(ada)
    panel(ada, "Sign in").get_by_role("button", name="Sign in with a passkey").click()
    expect(ada.page.locator("a.name")).to_contain_text("Ada Passkey")
    assert device.keys()[0]["signCount"] > key["signCount"]


def test_a_passkey_is_added_with_the_password_and_removed(arrive: Arrive) -> None:
    ada, device = arrive()
    create(ada, "Bo Passkey")
    keys = panel(ada, "Passkeys")
    keys.get_by_label("Password", exact=True).fill(GOOD)
    keys.get_by_role("button", name="Add a passkey").click()
    expect(keys.get_by_role("listitem")).to_have_count(1)
    assert len(device.keys()) == 1
    keys.get_by_role("button", name="Remove the passkey").click()
    expect(keys.get_by_role("listitem")).to_have_count(0)
    ada.expect_trouble()
    sign_out(ada)
    form = panel(ada, "Sign in")
    form.get_by_role("button", name="Sign in with a passkey").click()
    expect(form.get_by_role("alert").filter(has_text="not accepted")).to_be_visible()
    expect(ada.page.locator("button.name")).to_be_visible()


def test_the_name_field_offers_passkeys(arrive: Arrive) -> None:
    ada, _ = arrive(offers=True)
    form = panel(ada, "Sign in").locator("form").first
    expect(form.locator("input[autocomplete='username webauthn']")).to_have_count(1)
    expect(form.locator("input[type=password][autocomplete=current-password]")).to_have_count(1)
    create_with_passkey(ada, "Cy Passkey")
    panel(ada, "Devices").get_by_role("button", name="Sign out", exact=True).click()
    expect(ada.page.locator("a.name")).to_contain_text("Cy Passkey")
    expect(panel(ada, "Devices").get_by_role("listitem")).to_have_count(1)


def test_a_person_who_is_not_verified_gets_no_account(arrive: Arrive) -> None:
    ada, device = arrive()
    device.refuse()
    form = panel(ada, "Create an account")
    form.get_by_role("button", name="Use a passkey instead of a password").click()
    form.get_by_role("button", name="Create account with a passkey").click()
    expect(form.get_by_role("alert")).to_have_text("No passkey was used.")
    assert device.keys() == []


def test_an_address_without_a_name_offers_no_passkeys(visitor: Visitor, address: str) -> None:
    ada = visitor()
    ada.page.goto(address.replace("localhost", "127.0.0.1"))
    open_account(ada)
    expect(ada.page.get_by_text("passkey")).to_have_count(0)


def test_the_panels_are_accessible_on_a_phone(arrive: Arrive) -> None:
    ada, _ = arrive(size=PHONE)
    found = accessibility_problems(ada.page, "guest with passkeys")
    create_with_passkey(ada, "Emmy Passkey")
    found += accessibility_problems(ada.page, "passkeys")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert found == []
