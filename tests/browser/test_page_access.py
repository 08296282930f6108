"""Every page can be used with low vision, a screen reader, or a keyboard only."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.access import accessibility_problems
from tests.browser.chessboard import open_chess, resign
from tests.browser.conftest import Visitor
from tests.browser.games.test_page_mahjong import open_mahjong, switch, turns
from tests.browser.person import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_check_finds_a_problem(chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        page.set_content(
            '<html lang="en"><title>Bad</title><main><h1>Bad</h1><button></button></main></html>'
        )
        assert [what.split(":")[1].strip() for what in accessibility_problems(page, "here")] == [
            "button-name"
        ] * 2


def test_pages_around_the_games_are_accessible(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor(size=PHONE)
    found = accessibility_problems(ada.page, "lobby")
    found += accessibility_problems(bo.page, "lobby on a phone")
    ada.quick_match("Chess")
    ada.press("Play the computer meanwhile")
    expect(ada.page.locator(".waiting-elsewhere")).to_be_visible()
    found += accessibility_problems(ada.page, "a game while waiting")
    for route, what in (("/", "lobby with tables"), ("/mine", "my games"), ("/nowhere", "nowhere")):
        ada.visit(route)
        found += accessibility_problems(ada.page, what)
    ada.visit()
    ada.press("Stop waiting")
    ada.press("Open your own table")
    for game in ("Tic-tac-toe", "Gomoku", "Chess", "Mahjong"):
        ada.page.get_by_role("dialog").get_by_role("radio", name=game, exact=True).check()
        found += accessibility_problems(ada.page, f"a new table of {game}")
    ada.page.keyboard.press("Escape")
    ada.page.goto(f"{ada.address}/#/replay")
    expect(ada.page.get_by_role("textbox", name="PGN or SGF")).to_be_visible()
    found += accessibility_problems(ada.page, "records")
    ada.page.get_by_role("textbox", name="PGN or SGF").fill("1. e4 e5 2. Nf3")
    ada.press("Show game")
    expect(ada.page.locator("output")).to_be_visible()
    found += accessibility_problems(ada.page, "a record")
    ada.page.goto(f"{ada.address}/#/seat/not-a-ticket")
    expect(ada.page.locator(".message-page")).to_be_visible()
    found += accessibility_problems(ada.page, "a seat to take")
    for path in ("/docs", "/login"):
        ada.page.goto(f"{ada.address}{path}")
        found += accessibility_problems(ada.page, path)
    assert found == []


def test_tables_are_accessible(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor(size=PHONE)
    found = []
    for game in ("Tic-tac-toe", "Gomoku"):
        route = ada.visit().open_table(game=game, clock=2)
        found += accessibility_problems(ada.page, f"{game}, waiting")
        bo.visit(route).press("Join the game")
        expect(ada.page.locator(".action-bar-playing")).to_be_visible()
        found += accessibility_problems(ada.page, f"{game}, playing") + accessibility_problems(
            bo.page, f"{game} on a phone"
        )
        if game == "Gomoku":
            (ada if ada.is_to_move() else bo).place("H8")
        resign(ada)
        expect(bo.page.locator(".status-over")).to_be_visible()
        found += accessibility_problems(ada.page, f"{game}, over")
    bo.press("Replay")
    expect(bo.page.get_by_role("slider", name="Position in the game")).to_be_visible()
    bo.press("Back to the table")
    expect(bo.page.locator(".status-over")).to_be_visible()
    route = open_chess(ada.visit(), fog=True, mines=3)
    bo.visit(route).press("Join the game")
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    found += accessibility_problems(ada.page, "chess, playing") + accessibility_problems(
        bo.page, "chess on a phone"
    )
    resign(ada)
    found += accessibility_problems(bo.page, "chess, over")
    open_chess(ada.visit(), dice="free", bot="level1")
    expect(ada.page.locator(".die").first).to_be_visible()
    found += accessibility_problems(ada.page, "chess with dice")
    open_mahjong(ada.visit(), bot="random")
    found += accessibility_problems(ada.page, "mahjong, playing")
    switch(ada, "No calls", "Auto-discard")
    for asked in turns(ada):
        if asked == "win":
            ada.page.keyboard.press("h")
    found += accessibility_problems(ada.page, "mahjong, a hand is over")
    assert found == []
