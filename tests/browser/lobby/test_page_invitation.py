"""Shared links: the invitation that a friend sees, and the addresses that carry it."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.support.finished_games import finish
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_TARGETS = """() =>
    [...document.querySelectorAll(".invitation :is(button, a)")]
        .map((one) => one.getBoundingClientRect())
        .filter(({ width, height }) => Math.min(width, height) < 43.5).length
"""


def port_of(address: str) -> int:
    return int(address.rsplit(":", 1)[1])


def open_link(person: Person, link: str) -> None:
    """Open a shared link and wait until the page is connected."""
    person.page.goto(link if link.startswith("http") else f"{person.address}{link}")
    expect(person.page.locator("button.name")).to_be_enabled()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_friend_opens_the_link_and_plays_with_one_click(
    chromium: Browser, address: str, size: tuple[int, int]
) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with Person(chromium, address, permissions=allowed) as ada, Person(chromium, address, size) as bo:
        ada.visit().call_me("Ada the host")
        ada.choose("Gomoku")
        ada.page.get_by_label("Clock").select_option("2")
        ada.press("Play a friend")
        route = ada.at_table()
        ada.watch_for_copied(ada.page.get_by_role("button", name="Copy link"))
        ada.press("Copy link")
        ada.expect_copied()
        link = ada.page.evaluate("navigator.clipboard.readText()")
        assert link == f"{address}{route}" == ada.page.locator(".invite-panel-link input").input_value()
        open_link(bo, link)
        expect(bo.page.get_by_role("heading", level=1)).to_have_text("Ada the host invites you to gomoku")
        expect(bo.page.locator(".invitation-rules")).to_contain_text("min")
        expect(bo.page.get_by_text("You are watching")).to_have_count(0)
        expect(bo.page.locator(".invitation .primary")).to_have_count(1)
        assert bo.page.evaluate(_TARGETS) == 0
        assert accessibility_problems(bo.page, "an invitation") == []
        bo.press("Join the game")
        expect(bo.board).to_be_visible()
        expect(bo.status).to_have_text(re.compile("Your turn|'s turn"))
        player = ada if ada.is_to_move() else bo
        player.place("H8")
        bo.expect_point("H8", "black")
        ada.expect_point("H8", "black")


@pytest.mark.parametrize("language", ["en", "zh-TW", "zh-CN"])
@pytest.mark.parametrize("size", [PHONE, (320, 640), (844, 390), (640, 400)], ids=str)
def test_the_invitation_fits(visitor: Visitor, size: tuple[int, int], language: str) -> None:
    ada = visitor(size=size, language=language)
    host = Client(port_of(ada.address), name="W" * 20)
    clock = {"main": [300_000], "increment": 3_000}
    opened = host.ask(
        "open", "room", game="chess", nonce="fit", options={"fog": True, "mines": 5}, table={"clock": clock}
    )
    open_link(ada, f"/t/{opened['room']['id']}")
    expect(ada.page.locator(".invitation")).to_be_visible()
    assert ada.page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert ada.page.evaluate(_TARGETS) == 0
    host.close()


def test_an_invitation_tells_options_and_side(visitor: Visitor) -> None:
    ada = visitor()
    host = Client(port_of(ada.address), name="Mei")
    opened = host.ask("open", "room", game="chess", nonce="rules", seat=0, options={"fog": True})
    open_link(ada, f"/t/{opened['room']['id']}")
    expect(ada.page.locator(".invitation-rules li")).to_have_text(
        ["fog of war", "Unlimited", "You play black"]
    )
    host.close()


def test_who_wants_to_watch_watches(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    route = ada.open_table()
    open_link(bo, route)
    bo.press("Watch")
    expect(bo.board).to_be_visible()
    expect(bo.page.locator(".invitation")).to_have_count(0)
    expect(bo.page.get_by_role("button", name="Join the game")).to_be_visible()


def test_the_last_seat_is_taken_by_somebody_else(visitor: Visitor) -> None:
    ada, bo, cy = visitor(), visitor(), visitor()
    route = ada.open_table()
    open_link(bo, route)
    expect(bo.page.locator(".invitation")).to_be_visible()
    open_link(cy, route)
    cy.press("Join the game")
    cy.at_table()
    expect(bo.page.get_by_role("heading", name="The table is full")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Join the game")).to_have_count(0)
    bo.press("Watch")
    expect(bo.board).to_be_visible()
    # Who comes now watches at once.
    late = visitor()
    open_link(late, route)
    expect(late.board).to_be_visible()


def test_the_inviting_player_has_left(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    ada.call_me("Ada")
    route = ada.open_table()
    open_link(bo, route)
    expect(bo.page.get_by_role("heading", level=1)).to_have_text("Ada invites you to tic-tac-toe")
    ada.press("Leave")
    expect(bo.page.get_by_role("heading", name="Ada has left the table")).to_be_visible()
    bo.page.locator(".invitation").get_by_role("link", name="Lobby").click()
    expect(bo.page.locator(".hero")).to_be_visible()


def test_a_table_without_spectators_says_who_invites(visitor: Visitor) -> None:
    ada = visitor()
    host = Client(port_of(ada.address), name="Mei")
    table = {"spectators": False, "public": False}
    room = host.ask("open", "room", game="gomoku", nonce="door", table=table)["room"]["id"]
    open_link(ada, f"/t/{room}")
    expect(ada.page.get_by_role("heading", name="Mei invites you to gomoku")).to_be_visible()
    ada.press("Join the game")
    expect(ada.board).to_be_visible()
    host.close()


def test_where_programs_see_hidden_information_the_friend_is_asked_first(visitor: Visitor) -> None:
    ada = visitor()
    host = Client(port_of(ada.address), name="Mei")
    room = host.ask(
        "open",
        "room",
        game="chess",
        nonce="hidden",
        options={"fog": True},
        table={"sees_hidden_allowed": True},
    )["room"]["id"]
    open_link(ada, f"/t/{room}")
    ada.press("Join the game")
    ada.page.get_by_role("dialog").get_by_role("button", name="Join anyway").click()
    expect(ada.board).to_be_visible()
    host.close()


def test_shared_links_survive_reloads_and_the_back_button(visitor: Visitor) -> None:
    ada = visitor()
    room = finish(port_of(ada.address), "chess")
    host = Client(port_of(ada.address), name="Mei")
    table = host.ask("open", "room", game="gomoku", nonce="back")["room"]["id"]
    open_link(ada, f"/g/{room}/1")
    expect(ada.page.locator(".replay")).to_be_visible()
    ada.page.reload()
    expect(ada.page.locator(".replay")).to_be_visible()
    open_link(ada, f"/t/{table}")
    expect(ada.page.locator(".invitation")).to_be_visible()
    ada.page.reload()
    expect(ada.page.locator(".invitation")).to_be_visible()
    ada.page.get_by_role("link", name="My games").click()
    expect(ada.page.locator(".invitation")).to_have_count(0)
    ada.page.go_back()
    expect(ada.page.locator(".invitation")).to_be_visible()
    ada.page.go_back()
    expect(ada.page.locator(".replay")).to_be_visible()
    # Links of before, with the route after `#`, lead to the same pages.
    ada.visit(f"/t/{table}")
    expect(ada.page.locator(".invitation")).to_be_visible()
    ada.visit(f"/g/{room}/1")
    expect(ada.page.locator(".replay")).to_be_visible()
    host.close()


def test_the_replay_copies_a_link_with_a_preview(chromium: Browser, address: str) -> None:
    with Person(chromium, address, permissions=["clipboard-read", "clipboard-write"]) as ada:
        room = finish(port_of(address), "tictactoe")
        open_link(ada.visit(), f"/g/{room}/1")
        ada.watch_for_copied(ada.page.get_by_role("button", name="Copy link"))
        ada.press("Copy link")
        ada.expect_copied()
        assert ada.page.evaluate("navigator.clipboard.readText()") == f"{address}/g/{room}/1"


def test_a_link_to_nothing_has_a_way_back(visitor: Visitor) -> None:
    ada = visitor()
    for path, text in (("/t/nosuchtable", "Table not found"), ("/g/nosuchtable/1", "not found")):
        open_link(ada, path)
        expect(ada.page.get_by_text(re.compile(text, re.IGNORECASE)).first).to_be_visible()
        ada.page.get_by_role("link", name="Play", exact=True).click()
        expect(ada.page.locator(".hero")).to_be_visible()
    # The browser itself logs the status of the two pages and of the replay.
    assert [problem.count("404") for problem in ada.problems] == [1, 1, 1]
    ada.problems.clear()


def test_a_shared_link_opens_without_a_network(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ada.page.wait_for_function("async () => (await caches.match('/')) !== undefined")
    ada.page.reload()
    expect(ada.page.locator("button.name")).to_be_enabled()
    ada.cut()
    ada.page.goto(f"{ada.address}/t/sometable")
    expect(ada.page.locator(".connection-banner")).to_be_visible()
    expect(ada.page.get_by_text("Opening the table")).to_be_visible()
    assert ada.page.url == f"{ada.address}/#/t/sometable"
