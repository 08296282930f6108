"""Two accounts in real browsers: follow, see who is online, challenge, decline, block, be invisible."""

import re
from typing import Final
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.people.test_page_profile import Host
from tests.browser.person import PHONE, Person
from tests.server.test_account_api import Browser, registered

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_SMALL_TARGETS: Final = """(within) => [...document.querySelectorAll(within)]
  .flatMap((part) => [...part.querySelectorAll("a, button, select, summary, input:not([type=checkbox])")])
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML)"""
_NOTIFIED: Final = """
    window.notified = [];
    window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, options) { window.notified.push(`${title}: ${options.body}`); }
        close() {}
    };
    Object.defineProperty(document, "hidden", { get: () => window.isAway === true });
"""


@pytest.fixture
def host(address: str) -> Host:
    return Host(urlsplit(address).port or 0)


def account(host: Host, name: str) -> Browser:
    return registered(host, name)  # type: ignore[arg-type] # only its port


def arrive(visitor: Visitor, browser: Browser, route: str = "/", **more: object) -> Person:
    """Return a browser window of an account."""
    person = visitor(**more)
    key, _, value = browser.cookie.partition("=")
    person.context.add_cookies([{"name": key, "value": value, "url": person.address}])
    person.visit(route).page.reload()  # It connected as a guest.
    expect(person.page.locator("a.name")).to_be_enabled()
    return person


def to(name: str) -> str:
    return f"/@{quote(name)}"


def following(person: Person) -> Locator:
    """Return the list in the lobby."""
    return person.page.get_by_role("region", name="Following")


def challenges(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Challenges")


def send_challenge(person: Person, name: str, game: str = "Gomoku") -> None:
    """Challenge somebody from the profile that is shown."""
    person.press("Challenge")
    dialog = person.page.get_by_role("dialog", name=f"Challenge {name}")
    dialog.get_by_role("radio", name=game).check(force=True)
    dialog.get_by_role("button", name="Challenge", exact=True).click()
    expect(challenges(person)).to_contain_text(f"You have challenged {name}")


def test_a_followed_player_comes_online_is_challenged_and_plays(visitor: Visitor, host: Host) -> None:
    ada_account, bo_account = account(host, "Ada Friend"), account(host, "Bo Friend")
    ada = arrive(visitor, ada_account, to("Bo Friend"))
    expect(ada.page.get_by_role("heading", level=1, name="Bo Friend")).to_be_visible()
    ada.press("Follow Bo Friend")
    expect(ada.page.get_by_role("button", name="Unfollow Bo Friend")).to_be_visible()
    expect(ada.page.locator(".profile-head")).to_contain_text("Offline")
    ada.visit()
    expect(following(ada)).to_contain_text("Nobody you follow is online.")
    bo = arrive(visitor, bo_account, "/learn")
    expect(following(ada).get_by_role("listitem")).to_contain_text("Online", timeout=60_000)
    following(ada).get_by_role("button", name="Challenge Bo Friend").click()
    dialog = ada.page.get_by_role("dialog", name="Challenge Bo Friend")
    dialog.get_by_role("radio", name="Gomoku").check(force=True)
    expect(dialog).to_contain_text("Bo Friend has one minute to answer.")
    dialog.get_by_role("button", name="Challenge", exact=True).click()
    expect(challenges(ada)).to_contain_text("You have challenged Bo Friend")
    expect(challenges(bo).get_by_role("alert")).to_contain_text("Ada Friend challenges you")
    expect(challenges(bo).get_by_role("alert")).to_contain_text("Gomoku")
    challenges(bo).get_by_role("button", name="Accept").click()
    for person in (ada, bo):
        expect(person.page.locator(".action-bar-playing")).to_be_visible()
        expect(challenges(person)).to_have_count(0)
    mover = ada if ada.status.inner_text() == "Your turn" else bo
    expect(mover.status).to_have_text("Your turn")
    mover.place("H8")
    for person in (ada, bo):
        expect(person.page.locator(".moves-move")).to_have_count(1)


def test_a_challenge_is_declined_or_withdrawn(visitor: Visitor, host: Host) -> None:
    ada_account, bo_account = account(host, "Ada Decline"), account(host, "Bo Decline")
    ada, bo = arrive(visitor, ada_account, to("Bo Decline")), arrive(visitor, bo_account, "/mine")
    bo.page.evaluate(_NOTIFIED)
    bo.page.evaluate("window.isAway = true")
    send_challenge(ada, "Bo Decline")
    expect(challenges(bo)).to_contain_text("Ada Decline challenges you")
    bo.page.wait_for_function("() => window.notified.length > 0")
    assert "Ada Decline challenges you: Gomoku" in bo.page.evaluate("window.notified[0]")
    bo.page.evaluate("window.isAway = false")
    challenges(bo).get_by_role("button", name="Decline").click()
    expect(challenges(bo)).to_have_count(0)
    expect(ada.page.locator(".toast")).to_contain_text("Bo Decline has declined your challenge.")
    expect(challenges(ada)).to_have_count(0)
    ada.visit(to("Bo Decline"))
    # The computer takes the seats that nobody is asked for.
    send_challenge(ada, "Bo Decline", "Mahjong")
    expect(challenges(bo)).to_contain_text("Mahjong")
    # It is shown again after a reload, and ends with the table.
    bo.page.reload()
    expect(challenges(bo)).to_contain_text("Ada Decline challenges you")
    challenges(ada).get_by_role("button", name="Withdraw").click()
    expect(bo.page.locator(".toast")).to_contain_text("The challenge of Ada Decline is withdrawn.")
    expect(challenges(bo)).to_have_count(0)


def test_a_blocked_player_is_neither_seen_nor_heard(visitor: Visitor, host: Host) -> None:
    ada_account, bo_account = account(host, "Ada Quiet"), account(host, "Bo Loud")
    assert bo_account.post("follow", name="Ada Quiet").status == 200
    ada = arrive(visitor, ada_account)
    bo = arrive(visitor, bo_account)
    expect(following(bo).get_by_role("listitem")).to_contain_text("Ada Quiet")
    route = ada.open_table()
    bo.visit(route).press("Join the game")
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    bo.page.get_by_label("Message", exact=True).fill("you play badly")
    bo.press("Send")
    expect(ada.page.locator(".chat-lines")).to_contain_text("you play badly")
    ada.visit(to("Bo Loud"))
    ada.page.get_by_label("More", exact=True).click()
    ada.press("Block Bo Loud")
    expect(ada.page.locator(".profile-head")).to_contain_text("You have blocked Bo Loud.")
    ada.visit(route)
    expect(ada.page.locator(".chat-lines")).to_be_visible()
    expect(ada.page.locator(".chat-lines")).not_to_contain_text("you play badly")
    bo.page.get_by_label("Message", exact=True).fill("are you there")
    bo.press("Send")
    expect(bo.page.locator(".chat-lines")).to_contain_text("are you there")
    expect(ada.page.locator(".chat-lines")).not_to_contain_text("are you there")
    # Bo follows no more, and cannot; nothing says why.
    bo.visit()
    expect(following(bo)).to_contain_text("Follow players on their profile")
    bo.expect_trouble()
    bo.visit(to("Ada Quiet")).press("Follow Ada Quiet")
    expect(bo.page.get_by_role("alert")).to_have_text("You cannot follow this player.")
    # A challenge is not seen, and the challenger waits.
    send_challenge(bo, "Ada Quiet")
    ada.visit("/account")
    expect(challenges(ada)).to_have_count(0)
    people = ada.page.get_by_role("region", name="Other players")
    people.get_by_role("button", name="Unblock Bo Loud").click()
    expect(people).to_contain_text("You have blocked nobody.")
    ada.visit(route)
    expect(ada.page.locator(".chat-lines")).to_contain_text("you play badly")


def test_an_invisible_player_is_offline_and_takes_no_challenges(visitor: Visitor, host: Host) -> None:
    ada_account, bo_account = account(host, "Ada Hidden"), account(host, "Bo Watcher")
    assert bo_account.post("follow", name="Ada Hidden").status == 200
    bo = arrive(visitor, bo_account, to("Ada Hidden"))
    ada = arrive(visitor, ada_account, "/account")
    expect(bo.page.locator(".profile-head")).to_contain_text("Online", timeout=60_000)
    people = ada.page.get_by_role("region", name="Other players")
    people.get_by_role("switch", name=re.compile("^Be invisible")).check()
    expect(people.get_by_role("status")).to_have_text("Saved")
    people.get_by_label("Who may challenge you").select_option("Nobody")
    expect(people.get_by_role("status")).to_have_text("Saved")
    expect(bo.page.locator(".profile-head")).to_contain_text("Offline", timeout=60_000)
    bo.page.reload()
    expect(bo.page.get_by_role("button", name="Unfollow Ada Hidden")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Challenge", exact=True)).to_have_count(0)
    ada.page.reload()
    expect(people.get_by_role("switch", name=re.compile("^Be invisible"))).to_be_checked()
    expect(people.get_by_label("Who may challenge you")).to_have_value("nobody")


def test_relations_are_usable_by_keyboard_and_touch(visitor: Visitor, host: Host) -> None:
    ada_account, bo_account = account(host, "Ada Touch"), account(host, "Bo Touch")
    assert ada_account.post("follow", name="Bo Touch").status == 200
    bo = arrive(visitor, bo_account)
    ada = arrive(visitor, ada_account, size=PHONE)
    expect(following(ada).get_by_role("listitem")).to_contain_text("Online", timeout=60_000)
    assert ada.page.evaluate(_SMALL_TARGETS, ".following") == []
    problems = accessibility_problems(ada.page, "lobby")
    ada.visit(to("Bo Touch"))
    more = ada.page.get_by_label("More", exact=True)
    more.focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_role("button", name="Block Bo Touch")).to_be_visible()
    assert ada.page.evaluate(_SMALL_TARGETS, ".profile-head") == []
    problems += accessibility_problems(ada.page, "profile")
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_role("button", name="Block Bo Touch")).to_be_hidden()
    expect(more).to_be_focused()
    send_challenge(ada, "Bo Touch")
    expect(challenges(bo).get_by_role("button", name="Accept")).to_be_visible()
    problems += accessibility_problems(bo.page, "challenge")
    problems += accessibility_problems(ada.page, "own challenge")
    assert ada.page.evaluate(_SMALL_TARGETS, ".challenges") == []
    bo.page.set_viewport_size({"width": 390, "height": 844})
    assert bo.page.evaluate(_SMALL_TARGETS, ".challenges") == []
    ada.visit("/account")
    expect(ada.page.get_by_role("region", name="Other players")).to_contain_text("Bo Touch")
    assert ada.page.evaluate(_SMALL_TARGETS, ".people-panel") == []
    problems += accessibility_problems(ada.page, "account")
    # The featured game of another test has a label of its own.
    assert [one for one in problems if ".featured-link" not in one] == []
