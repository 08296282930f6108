"""The lobby: quick match, codes, invitations, the table list."""

import json
import re
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, unfold

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_COUNT_SHIFTS: Final = """
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) window.shifted += one.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


def test_a_quick_match_pairs_two_people(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    route = ada.quick_match("Chess")
    expect(bo.page.locator(".hero-play")).to_contain_text("1 waiting")
    assert bo.quick_match("Chess") == route
    for one in (ada, bo):
        expect(one.status).to_have_text(re.compile("Your turn|'s turn"))


def test_a_code_leads_to_a_seat_or_to_watching(visitor: Visitor) -> None:
    ada = visitor()
    route = ada.open_table(listed=False)
    code = ada.page.locator(".invite-panel-code").inner_text()
    bo, cy = visitor(), visitor()
    bo.page.get_by_label("Code", exact=True).fill(code.lower())
    bo.page.get_by_role("form", name="Join by code").get_by_role("button").click()
    assert bo.at_table() == route
    expect(ada.status).to_have_text(re.compile("Your turn|'s turn"))
    cy.visit(f"/c/{code}")
    assert cy.at_table() == route
    expect(cy.page.get_by_text("You are watching.")).to_be_visible()
    expect(cy.page.locator(".toast")).to_contain_text("All seats are taken.")


def test_a_wrong_code_is_explained(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.get_by_label("Code", exact=True).fill("NOSUCH")
    ada.page.get_by_role("form", name="Join by code").get_by_role("button").click()
    expect(ada.page.locator(".toast")).to_contain_text("Table not found")
    ada.visit("/t/nosuchtable")
    expect(ada.page.locator(".message-page")).to_contain_text("Table not found")


def test_the_list_is_live_and_its_buttons_lead_to_the_table(visitor: Visitor) -> None:
    ada, bo, cy = visitor(), visitor(), visitor()
    ada.call_me("Ada of the list")
    expect(bo.page.get_by_text(re.compile("people here"))).to_be_visible()
    route = ada.open_table(clock=2)
    row = bo.page.locator(".row", has_text="Ada of the list")
    expect(row).to_contain_text("open seat")
    expect(row).to_contain_text("3 min + 2 s per move")
    row.get_by_role("button", name="Sit down").click()
    assert bo.at_table() == route
    playing = cy.page.locator(".row", has_text="Ada of the list")
    expect(playing).to_contain_text("playing")
    playing.get_by_role("link", name="Watch").click()
    assert cy.at_table() == route
    ada.press("Leave")
    ada.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(ada.page.locator(".hero")).to_be_visible()
    expect(ada.page.locator(".row", has_text="Ada of the list")).to_have_count(0)
    expect(bo.status).to_have_text("You won by forfeit")


def test_a_player_can_return_to_the_table(visitor: Visitor) -> None:
    ada = visitor()
    route = ada.open_table()
    ada.page.get_by_role("link", name=re.compile("Lobby")).click()
    ada.page.locator(".your-tables").get_by_role("link", name="Back to the table").click()
    assert ada.at_table() == route
    ada.page.get_by_role("link", name=re.compile("Lobby")).click()
    ada.page.reload()
    ada.page.locator(".your-tables").get_by_role("link", name="Back to the table").click()
    expect(ada.page.get_by_text("Send this link to a friend:")).to_be_visible()


def test_a_friend_is_invited_by_link_qr_code_and_table_code(visitor: Visitor) -> None:
    ada = visitor(permissions=["clipboard-read", "clipboard-write"])
    ada.choose("Gomoku")
    ada.press("Play a friend")
    route = ada.at_table()
    invite = ada.page.get_by_role("region", name="Invite players")
    expect(invite.get_by_role("textbox")).to_have_value(f"{ada.address}{route}")
    expect(invite.get_by_role("img", name="QR code of the link to this table")).to_be_visible()
    expect(invite.get_by_role("timer")).to_have_text(re.compile(r"^Waiting: 0:(0[2-9]|[1-5]\d)$"))
    copy = invite.get_by_role("button", name=re.compile("^(Copy link|Copied)$"))
    ada.watch_for_copied(copy)
    copy.click()
    ada.expect_copied()
    assert ada.page.evaluate("navigator.clipboard.readText()") == f"{ada.address}{route}"
    # Pages without TLS have no clipboard, except on localhost, which others cannot open.
    expect(invite).to_contain_text("Works on this computer only")
    ada.page.evaluate(
        """navigator.clipboard.writeText("").then(() => {
            window.clipboard = navigator.clipboard;
            Object.defineProperty(navigator, "clipboard", { value: undefined });
        })"""
    )
    expect(invite.get_by_role("button", name="Copy link")).to_be_visible()
    ada.watch_for_copied(copy)
    copy.click()
    ada.expect_copied()
    expect(copy).to_be_focused()
    assert ada.page.evaluate("clipboard.readText()") == f"{ada.address}{route}"
    code = invite.locator(".invite-panel-code").inner_text()
    ada.page.get_by_role("link", name=re.compile("Lobby")).click()
    expect(ada.page.locator(".your-tables")).to_contain_text(
        re.compile(r"Waiting for a player: Gomoku, 0:\d\d")
    )
    ada.show("Gomoku")
    expect(ada.page.locator(".row")).to_have_count(0)
    bo = visitor(f"/c/{code}")
    assert bo.at_table() == route
    expect(ada.page.locator(".your-tables")).to_contain_text(re.compile("Your move against|is to move"))


def test_an_empty_lobby_offers_games_and_waiting_can_be_stopped(visitor: Visitor) -> None:
    ada = visitor()
    ada.show("Gomoku")
    empty = ada.page.locator(".empty-list")
    expect(empty).to_contain_text("No Gomoku tables right now")
    empty.get_by_role("button", name="Get a link").click()
    ada.at_table()
    ada.page.get_by_role("link", name=re.compile("Lobby")).click()
    ada.press("Stop waiting")
    expect(ada.page.locator(".your-tables")).to_have_count(0)
    ada.show("Gomoku")
    empty.get_by_role("button", name="Open a seat").click()
    ada.at_table()
    expect(ada.status).to_have_text("Waiting for a player to join.")


def test_table_rules_are_sent_and_remembered(visitor: Visitor) -> None:
    ada = visitor()
    ada.choose("Gomoku")
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    unfold(dialog)
    dialog.get_by_label("Spectators").select_option("60")
    dialog.get_by_role("switch", name="Allow takebacks").uncheck()
    dialog.get_by_label("When a player disconnects").select_option("bot")
    dialog.get_by_label("Bot that plays on").select_option("hard")
    ada.page.evaluate(
        """() => {
            const socket = window.sockets.at(-1);
            const send = socket.send.bind(socket);
            window.sent = [];
            socket.send = (frame) => { window.sent.push(frame); send(frame); };
        }"""
    )
    dialog.get_by_role("button", name="Open table").click()
    ada.at_table()
    sent = ada.page.evaluate("window.sent")
    opened = next(frame for text in sent if (frame := json.loads(text))["type"] == "open")
    rules = {
        "public": True,
        "spectator_delay": 60,
        "undo_allowed": False,
        "disconnect_timeout": 0,
        "substitute_bot": "hard",
    }
    assert opened["table"].items() >= rules.items()
    ada.page.get_by_role("link", name=re.compile("Lobby")).click()
    ada.press("Open your own table")
    expect(dialog.locator(".create-more-summary")).to_have_text(
        "spectators 1 min behind · no takebacks · a bot plays for absent players"
    )
    ada.press("Cancel")
    ada.press("Stop waiting")


def test_the_list_keeps_its_order_under_the_pointer(visitor: Visitor) -> None:
    ada, bo, cy = visitor(), visitor(), visitor()
    cy.context.add_init_script(_COUNT_SHIFTS)
    cy.page.reload()
    cy.show("Gomoku")
    ada.call_me("Ada who waits")
    bo.call_me("Bo who waits")
    ada.open_table(game="Gomoku")
    bo.open_table(game="Gomoku")
    rows = cy.page.locator(".row")
    expect(rows).to_have_count(2)
    place = rows.nth(1).bounding_box()
    rows.nth(1).hover()
    ada.press("Leave")
    expect(rows.nth(0)).to_contain_text("closed")
    expect(rows.nth(0).get_by_role("button")).to_have_count(0)
    assert rows.nth(1).bounding_box() == place, "what is pointed at has not moved"
    assert cy.page.evaluate("window.shifted") < 0.01, "nothing jumped, from the first frame on"
    cy.page.mouse.move(1, 1)
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Bo who waits")
    cy.show("Mahjong")
    expect(rows).to_have_count(0)


def test_a_name_and_a_language_are_remembered(visitor: Visitor) -> None:
    ada = visitor()
    ada.call_me("Ada")
    ada.page.get_by_label("Language").select_option("zh-Hant")
    expect(ada.chosen_game).to_have_text("西洋棋")
    ada.page.reload()
    expect(ada.page.locator("button.name")).to_contain_text("Ada")
    expect(ada.chosen_game).to_have_text("西洋棋")
    assert ada.page.evaluate("document.documentElement.lang") == "zh-Hant"


@pytest.mark.parametrize(
    ("language", "label"),
    [("zh-TW", "麻將"), ("zh-CN", "麻将"), ("de", "Mahjong")],
)
def test_the_page_uses_the_language_of_the_browser(visitor: Visitor, language: str, label: str) -> None:
    expect(visitor(language=language).game(label)).to_be_visible()


def test_a_refused_name_is_explained_and_the_old_one_stays(visitor: Visitor) -> None:
    ada = visitor()
    old = ada.page.locator("button.name").inner_text()
    ada.page.get_by_role("button", name=re.compile("^Change your name")).click()
    ada.page.get_by_role("textbox", name="Your name").fill("System")
    ada.press("Save")
    expect(ada.page.locator(".toast")).to_contain_text("This name cannot be used.")
    expect(ada.page.locator("button.name")).to_have_text(old)


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_phone_needs_no_sideways_scrolling(visitor: Visitor, language: str) -> None:
    ada = visitor(size=PHONE, language=language, has_touch=True, is_mobile=True)

    def width() -> int:
        return int(ada.page.evaluate("document.documentElement.scrollWidth"))

    assert width() == PHONE[0]
    bo = visitor()
    bo.call_me("W" * 20)
    route = bo.open_table(clock=2)
    expect(ada.page.locator(".row", has_text="W" * 20)).to_be_visible()
    assert width() == PHONE[0]
    ada.visit(route)
    assert width() == PHONE[0]
    ada.page.locator(".invitation .primary").tap()
    for person in (ada, bo):
        expect(person.page.get_by_role("timer")).to_have_count(2)
    assert width() == PHONE[0]
    bottom = ada.page.evaluate("document.querySelectorAll('.player')[1].getBoundingClientRect().bottom")
    assert bottom <= PHONE[1], "the board and both players fit on the screen"
    bo.press("Leave")
    bo.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(ada.page.locator(".status-over")).to_be_visible()
    assert width() == PHONE[0]


def test_the_page_loads_nothing_from_other_servers(visitor: Visitor) -> None:
    ada = visitor("/nowhere")
    foreign: list[str] = []
    ada.page.on("request", lambda request: foreign.append(request.url))
    response = ada.page.reload()
    assert response is not None
    assert "default-src 'self'" in (response.header_value("content-security-policy") or "")
    expect(ada.page.locator("button.name")).to_be_enabled()
    assert [url for url in foreign if not url.startswith(ada.address)] == []
    inline = "[style], style, script:not([src], [type=importmap])"
    assert ada.page.evaluate("(what) => document.querySelectorAll(what).length", inline) == 0
