"""What people see of the acts of operators: warnings, what is forbidden, bans, appeals and announcements."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.operator.test_page_operator import at_desk, signed_in
from tests.browser.person import DESKTOP, PHONE, Person
from tests.server.operators.desk import Desk, wait_for
from tests.server.operators.desk import Person as Account
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def arrive(visitor: Visitor, account: Account, **more: object) -> Person:
    """Open a browser that is signed in to an account."""
    person = signed_in(visitor(**more), account)
    person.page.reload()
    expect(person.page.locator("a.name")).to_contain_text(account.name)
    return person


def notice(person: Person) -> Locator:
    return person.page.get_by_role("complementary", name="From the operators").locator(".server-notice")


def appeal(form: Locator, text: str) -> None:
    form.get_by_label("What should they know?").fill(text)
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).to_contain_text("An operator will read it")


def test_somebody_who_is_muted_reads_why_and_appeals_and_the_operator_lifts_it(
    visitor: Visitor, desk: Desk
) -> None:
    bob = arrive(visitor, desk.account("Bob Muted"))
    bob.open_table(listed=False)
    desk.operator.done(
        "/sanctions", kind="mute", account="Bob Muted", reason="Insults in the chat", ends=4_102_444_800_000
    )
    expect(notice(bob)).to_contain_text("You cannot write in chats until Jan 1, 2100")
    expect(notice(bob)).to_contain_text("Insults in the chat")
    # It is there again after a reload.
    bob.visit("/mine").page.reload()
    expect(notice(bob)).to_be_visible()
    bob.press("Appeal…")
    appeal(bob.page.get_by_role("dialog"), "It was a joke among friends")
    bob.page.keyboard.press("Escape")
    # It arrives at the operator's desk.
    olga = at_desk(signed_in(visitor(), desk.operator))
    olga.page.get_by_role("combobox", name="Kind").select_option("Appeal")
    olga.page.get_by_role("link", name=re.compile("It was a joke among friends")).click()
    shown = olga.page.get_by_role("region", name=re.compile("^Appeal "))
    expect(shown).to_contain_text("Insults in the chat")
    shown.get_by_role("button", name=re.compile("^Lift…")).click()
    dialog = olga.page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Accepted")
    dialog.get_by_role("button", name="Sanction lifted").click()
    expect(notice(bob)).to_have_count(0)


def test_a_warning_is_read_and_dismissed(visitor: Visitor, desk: Desk) -> None:
    wanda = arrive(visitor, desk.account("Wanda Warned"))
    desk.operator.done("/sanctions", kind="warning", account="Wanda Warned", reason="Please be polite")
    expect(notice(wanda)).to_contain_text("The operators warn you: Please be polite")
    expect(notice(wanda).get_by_role("button", name="Appeal…")).to_have_count(0)
    notice(wanda).get_by_role("button", name=re.compile("^Close")).click()
    expect(notice(wanda)).to_have_count(0)
    wanda.page.reload()
    expect(wanda.page.locator("a.name")).to_be_visible()
    expect(notice(wanda)).to_have_count(0)


def test_somebody_who_is_banned_sees_only_why_until_when_and_the_field_for_an_appeal(
    visitor: Visitor, desk: Desk
) -> None:
    rudi = arrive(visitor, desk.account("Rudi Banned"))
    rudi.expect_trouble()
    entry = desk.operator.done(
        "/sanctions", kind="ban", account="Rudi Banned", reason="Cheats with an engine"
    )
    title = rudi.page.get_by_role("heading", level=1, name="You are banned from this server, without an end.")
    expect(title).to_be_visible()
    expect(rudi.page.get_by_text("Cheats with an engine")).to_be_visible()
    assert accessibility_problems(rudi.page, "banned") == []
    appeal(rudi.page.locator(".ban-appeal"), "I only used my head")
    # The ban holds after a reload too.
    rudi.page.reload()
    expect(title).to_be_visible()
    desk.operator.done(f"/sanctions/{entry['sanction']}/lift", reason="Accepted")

    def is_let_in() -> bool:
        rudi.press("Try again")
        rudi.page.wait_for_function("() => document.querySelector('a.name, .ban-page')")
        return rudi.page.locator("a.name").count() > 0

    wait_for(is_let_in)
    expect(title).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_announcement_is_on_all_pages_until_dismissed(
    visitor: Visitor, desk: Desk, size: tuple[int, int]
) -> None:
    guest, other = visitor(size=size), visitor("/learn", size=size)
    text = f"Maintenance tonight at {size[0]}"
    desk.operator.done("/announcement", text=text)
    expect(notice(guest)).to_contain_text(f"Notice: {text}")
    expect(notice(other)).to_contain_text(text)
    assert accessibility_problems(guest.page, "announcement") == []
    notice(guest).get_by_role("button", name=re.compile("^Close")).click()
    expect(notice(guest)).to_have_count(0)
    guest.page.reload()
    expect(guest.page.locator("button.name")).to_be_enabled()
    expect(notice(guest)).to_have_count(0)
    desk.operator.done("/announcement", text="")
    expect(notice(other)).to_have_count(0)


def test_a_player_reads_why_an_operator_closes_the_table(visitor: Visitor, desk: Desk) -> None:
    guest = visitor()
    room = guest.open_table().split("/")[-1]
    ann = Client(desk.server.port, name="Ann")
    ann.ask("join", "room", room=room)
    desk.operator.done(f"/tables/{room}/close", reason="Offensive title")
    expect(guest.page.locator(".toast")).to_contain_text("Offensive title")
    ann.close()
