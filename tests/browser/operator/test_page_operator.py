"""The page of operators and moderators in a real browser."""

import json
import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.server.operators.desk import Desk, wait_for
from tests.server.operators.desk import Person as Account
from tests.server.operators.test_operator_acts import reported
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SMALL: Final = (320, 568)
VIEWS: Final = ("reports", "people", "sanctions", "tables", "server", "health", "log")
_SMALL_TARGETS: Final = """() =>
  [...document.querySelectorAll("main :is(a, button, select, textarea, .choice)")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML)"""


def signed_in(person: Person, account: Account) -> Person:
    key, _, value = account.cookie.partition("=")
    person.context.add_cookies([{"name": key, "value": value, "url": person.address}])
    return person


def at_desk(person: Person, route: str = "") -> Person:
    person.visit(f"/operator{route}")
    expect(person.page.get_by_role("heading", level=1, name="Operator's desk")).to_be_visible()
    return person


def act(person: Person, button: str, reason: str) -> None:
    """Give the reason in the dialog that is open, and do it."""
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("button", name=button, exact=True).click()
    expect(dialog).to_have_count(0)


def entries(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Log").locator(".operator-rows > li")


def settled(person: Person) -> None:
    """Wait until nothing is loading any more."""
    expect(person.page.get_by_text(re.compile("^(Loading…|載入中…|加载中…)$"))).to_have_count(0)


def test_a_report_is_read_with_its_chat_and_its_author_is_muted_and_that_is_undone(
    visitor: Visitor, desk: Desk
) -> None:
    number, guest = reported(desk, "please look at this")
    olga = at_desk(signed_in(visitor(), desk.operator))
    olga.page.get_by_role("link", name=re.compile(f"^Report {number} ")).click()
    report = olga.page.get_by_role("region", name=f"Report {number}")
    expect(report.get_by_role("heading", level=2)).to_be_focused()
    expect(report.get_by_text("please look at this")).to_be_visible()
    chat = report.get_by_role("list", name="Chat of the table at that time")
    expect(chat.get_by_role("listitem").filter(has_text="Reported line")).to_contain_text(
        "You are bad at this."
    )
    expect(report.get_by_role("link", name="Open the table")).to_have_attribute("href", re.compile("^#/t/"))
    report.get_by_role("button", name="Impose a sanction…", exact=True).click()
    dialog = olga.page.get_by_role("dialog", name="Sanction for Bob")
    dialog.get_by_role("radio", name="Mute").check()
    dialog.get_by_label("How long").select_option("7 days")
    # Without a reason nothing is done.
    dialog.get_by_role("button", name="Mute", exact=True).click()
    expect(dialog.get_by_label("Reason")).to_be_focused()
    act(olga, "Mute", "Insults in the chat")
    (sanction,) = desk.operator.get(f"/people/{guest}").body["sanctions"]
    assert (sanction["kind"], sanction["reason"]) == ("mute", "Insults in the chat")
    assert sanction["ends"] - sanction["made"] == pytest.approx(7 * 86_400_000, abs=600_000)
    report.get_by_role("button", name="Take it").click()
    expect(report.get_by_text("Assigned to Olga")).to_be_visible()
    report.get_by_role("button", name="Close report…").click()
    act(olga, "Close report", "done")
    expect(report.get_by_role("button", name="Open again")).to_be_visible()
    assert desk.operator.get(f"/reports/{number}").body["state"] == "done"
    # The log has it all, and undoes it.
    at_desk(olga, "/log")
    olga.page.get_by_role("combobox", name="Act").select_option("Sanction imposed")
    entry = entries(olga).filter(has_text="Insults in the chat")
    entry.get_by_role("button", name="Undo…").click()
    act(olga, "Undo", "It was a misunderstanding")
    expect(entry).to_contain_text(re.compile(r"undone by \d+"))
    expect(entry.get_by_role("button")).to_have_count(0)
    assert not desk.operator.get(f"/people/{guest}").body["sanctions"][0]["in_force"]


def test_somebody_without_a_role_finds_no_page_there(visitor: Visitor, desk: Desk) -> None:
    for who in (visitor(), signed_in(visitor(), desk.account("Otto Ordinary"))):
        who.expect_trouble()  # The browser notes the 404 of the request.
        for address in ("#/operator", "#/operator/log", "operator", "operator/server"):
            who.page.goto(f"{who.address}/{address}")
            expect(who.page.get_by_role("heading", level=1, name="There is nothing here")).to_be_visible()
            expect(who.page.get_by_text("Operator's desk")).to_have_count(0)


def test_the_page_is_found_by_its_path_and_from_the_account_page(visitor: Visitor, desk: Desk) -> None:
    olga = signed_in(visitor(), desk.operator)
    olga.page.goto(f"{olga.address}/operator/log")
    expect(olga.page).to_have_url(re.compile("/#/operator/log$"))
    expect(entries(olga).first).to_be_visible()
    with olga.page.expect_download() as download:
        olga.page.get_by_role("link", name="Download the whole log").click()
    lines = download.value.path().read_text().splitlines()
    assert json.loads(lines[-1])["act"] == "grant_role"
    olga.visit("/account")
    olga.press("Operator's desk")
    expect(olga.page.get_by_role("navigation", name="Operator's desk")).to_be_visible()


def test_a_moderator_sees_no_settings_of_the_server(visitor: Visitor, desk: Desk) -> None:
    mona = at_desk(signed_in(visitor(), desk.moderator))
    views = mona.page.get_by_role("navigation", name="Operator's desk").get_by_role("link")
    expect(views).to_have_text([re.compile("^Reports"), "People", "Sanctions", "Tables", "Log"])
    mona.visit("/operator/server")
    expect(mona.page.get_by_role("heading", level=1, name="There is nothing here")).to_be_visible()


def test_a_person_is_found_banned_and_renamed(visitor: Visitor, desk: Desk) -> None:
    desk.account("Rude Rudi")
    person = desk.person_of("Rude Rudi")
    olga = at_desk(signed_in(visitor(), desk.operator), "/people")
    olga.page.get_by_label("Name or id").fill("rude rudi")
    olga.page.keyboard.press("Enter")
    olga.page.get_by_role("link", name="Rude Rudi").click()
    shown = olga.page.get_by_role("region", name="Rude Rudi")
    shown.get_by_role("button", name="Impose a sanction…").click()
    olga.page.get_by_role("dialog").get_by_role("radio", name="Ban").check()
    olga.page.get_by_label("How long").select_option("For good")
    act(olga, "Ban", "Cheats in every game")
    expect(shown.locator(".operator-row").filter(has_text="Cheats in every game").first).to_contain_text(
        "for good"
    )
    shown.get_by_role("button", name="Lift… #").click()
    act(olga, "Sanction lifted", "Apologised")
    expect(shown.get_by_text("in force", exact=True)).to_have_count(0)
    shown.get_by_role("button", name="Rename…").click()
    olga.page.get_by_label("New name").fill("Polite Rudi")
    act(olga, "Rename", "The name was rude")
    expect(olga.page.get_by_role("heading", level=2, name="Polite Rudi")).to_be_visible()
    assert desk.operator.get(f"/people/{person}").body["name"] == "Polite Rudi"


def test_a_range_is_refused_as_the_server_says_and_then_banned(visitor: Visitor, desk: Desk) -> None:
    olga = at_desk(signed_in(visitor(), desk.operator), "/sanctions")
    olga.expect_trouble()
    olga.press("Impose a sanction…")
    dialog = olga.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Address", exact=True).check(force=True)
    dialog.get_by_label("Address or range").fill("nonsense")
    dialog.get_by_label("Reason").fill("Spam")
    dialog.get_by_role("button", name="Ban", exact=True).or_(
        dialog.get_by_role("button", name="Mute", exact=True)
    ).click()
    expect(dialog.get_by_role("alert")).to_contain_text("no address or range")
    dialog.get_by_label("Address or range").fill("203.0.113.0/24")
    expect(dialog.get_by_role("status")).to_contain_text("everybody who connects from it")
    dialog.get_by_role("radio", name="Ban").check()
    act(olga, "Ban", "Spam")
    row = olga.page.get_by_role("region", name="Sanctions").locator(".operator-row").first
    expect(row).to_contain_text("203.0.113.0/24")


def test_a_table_is_shown_and_closed(visitor: Visitor, desk: Desk) -> None:
    ann = Client(desk.server.port, name="Ann")
    room = ann.ask("open", "room", game="tictactoe", nonce="t")["room"]
    olga = at_desk(signed_in(visitor(), desk.operator), "/tables")
    olga.page.get_by_label("Code or id of an open table").fill(room["code"])
    olga.press("Show")
    table = olga.page.get_by_role("region", name=f"Table {room['code']}")
    expect(table.get_by_role("link", name="Ann")).to_be_visible()
    table.get_by_role("button", name="Close table…").click()
    act(olga, "Close table", "Spam in the title")
    ann.receive_event("closed")
    expect(table).to_have_count(0)
    ann.close()


def test_a_notice_registrations_and_an_invitation_are_set(visitor: Visitor, desk: Desk) -> None:
    olga = at_desk(signed_in(visitor(), desk.operator), "/server")
    notice = olga.page.get_by_role("region", name="Server notice")
    notice.get_by_label("Text").fill("Maintenance tonight")
    notice.get_by_role("button", name="Show on all pages").click()
    expect(notice.get_by_text("Shown now")).to_be_visible()
    notice.get_by_role("button", name="Remove notice…").click()
    olga.page.get_by_role("dialog").get_by_role("button", name="Remove notice").click()
    expect(notice.get_by_text("No notice is shown.")).to_be_visible()
    registrations = olga.page.get_by_role("region", name="Registrations")
    registrations.get_by_role("button", name="By invitation").click()
    act(olga, "Change", "Too much spam")
    expect(registrations.get_by_role("button", name="By invitation")).to_have_attribute(
        "aria-pressed", "true"
    )
    invitations = olga.page.get_by_role("region", name="Invitations")
    invitations.get_by_label("For whom").fill("Chess club")
    invitations.get_by_role("button", name="Make a code").click()
    code = invitations.get_by_text(re.compile("^New code: ")).inner_text().removeprefix("New code: ")
    # A guest needs the code now.
    guest = visitor("/account")
    guest.expect_trouble()
    form = guest.page.get_by_role("region", name="Create an account")
    form.get_by_label("Name", exact=True).fill("Invited Ina")
    form.get_by_label("New password").fill("correct horse battery staple")
    form.get_by_label("Invitation code").fill("wrong-code")
    form.get_by_role("button", name="Create account", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("invitation code that is valid")
    form.get_by_label("Invitation code").fill(code)
    form.get_by_role("button", name="Create account", exact=True).click()
    expect(guest.page.get_by_role("region", name="Recovery codes")).to_be_visible()
    # Nobody can register any more.
    registrations.get_by_role("button", name="Closed").click()
    act(olga, "Change", "")
    late = visitor("/account")
    expect(late.page.get_by_text("takes no new accounts now")).to_be_visible()
    registrations.get_by_role("button", name="Open").click()
    act(olga, "Change", "")


def test_a_finished_chess_game_of_a_report_is_compared_with_an_engine(visitor: Visitor, desk: Desk) -> None:
    ann, bob = (Client(desk.server.port, name=name) for name in ("Ann", "Bob"))
    opened = ann.ask("open", "room", game="chess", nonce="o")
    room = opened["room"]["id"]
    bob.ask("join", "room", room=room)
    players = [ann, bob] if opened["you"] == 0 else [bob, ann]
    for number, move in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
        players[number % 2].send("play", room=room, move={"do": "move", "uci": move}, nonce=f"m{number}")
        for player in players:
            player.receive_event("moved")
    ann.ask("report", "unchanged", room=room, text="too quick", nonce="r")
    (report, *_) = desk.operator.get("/reports?state=open").body["reports"]
    for player in players:
        player.send("leave", room=room)
        player.close()
    # The archive takes closed tables every few seconds.
    wait_for(lambda: desk.operator.get(f"/games/{room}/1/engine?unrated=true").status != 404)
    olga = at_desk(signed_in(visitor(), desk.operator), f"/reports/{report['id']}")
    shown = olga.page.get_by_role("region", name=f"Report {report['id']}")
    expect(shown.get_by_role("link", name="Replay of the game")).to_be_visible()
    shown.get_by_role("button", name="Compare with an engine").click()
    figures = shown.get_by_role("table")
    expect(figures.get_by_role("row")).to_have_count(3)
    expect(shown.get_by_text("Figures, no verdict.")).to_be_visible()
    assert accessibility_problems(olga.page, "figures") == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_view_is_accessible(visitor: Visitor, desk: Desk, size: tuple[int, int]) -> None:
    number, guest = reported(desk, "for the pictures")
    olga = signed_in(visitor(size=size), desk.operator)
    problems = []
    for view in (*VIEWS, f"reports/{number}", f"people/{guest}"):
        at_desk(olga, f"/{view}")
        settled(olga)
        problems += accessibility_problems(olga.page, view)
        if size == PHONE:
            assert olga.page.evaluate(_SMALL_TARGETS) == [], view
    at_desk(olga, f"/people/{guest}")
    olga.press("Impose a sanction…")
    expect(olga.page.get_by_role("dialog")).to_be_visible()
    problems += accessibility_problems(olga.page, "dialog")
    assert problems == []


@pytest.mark.parametrize("language", ["en", "zh-TW", "zh-CN"])
def test_every_view_fits_a_small_screen(visitor: Visitor, desk: Desk, language: str) -> None:
    number, guest = reported(desk, "for the small screen")
    olga = signed_in(visitor(size=SMALL, language=language), desk.operator)
    for view in (*VIEWS, f"reports/{number}", f"people/{guest}"):
        olga.visit(f"/operator/{view}")
        expect(olga.page.locator(".operator-views")).to_be_visible()
        settled(olga)
        assert olga.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
