"""Every page can be used by whoever sees little, hears it read, or has keys only."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.access import obstacles
from tests.browser.chessboard import open_chess, resign
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE
from tests.browser.test_page_mahjong import open_mahjong, turns

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_an_obstacle_is_found_where_there_is_one(chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        page.set_content(
            '<html lang="en"><title>Bad</title><main><h1>Bad</h1><button></button></main></html>'
        )
        assert [what.split(":")[1].strip() for what in obstacles(page, "here")] == ["button-name"] * 2


def test_nothing_serious_is_in_the_way_around_the_games(visitor: Visitor) -> None:
    ada = visitor()
    found = obstacles(ada.page, "lobby")
    ada.press("Open a table")
    for game in ("Tic-tac-toe", "Gomoku", "Chess", "Mahjong"):
        ada.page.get_by_role("dialog").get_by_role("radio", name=game, exact=True).check()
        found += obstacles(ada.page, f"a new table of {game}")
    ada.page.keyboard.press("Escape")
    ada.page.goto(f"{ada.address}/#/replay")
    expect(ada.page.get_by_role("textbox", name="Record")).to_be_visible()
    found += obstacles(ada.page, "records")
    ada.page.get_by_role("textbox", name="Record").fill("1. e4 e5 2. Nf3")
    ada.press("Show the game")
    expect(ada.page.locator("output")).to_be_visible()
    found += obstacles(ada.page, "a record")
    ada.page.goto(f"{ada.address}/#/seat/not-a-ticket")
    expect(ada.page.locator(".seat")).to_be_visible()
    found += obstacles(ada.page, "a seat to take")
    for path in ("/docs", "/login"):
        ada.page.goto(f"{ada.address}{path}")
        found += obstacles(ada.page, path)
    assert found == []


def test_nothing_serious_is_in_the_way_at_a_table(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor(size=PHONE)
    found = []
    for game in ("Tic-tac-toe", "Gomoku"):
        route = ada.visit().open_table(game=game, clock=2)
        found += obstacles(ada.page, f"{game}, waiting")
        bo.visit(route).press("Sit down and play")
        expect(ada.page.locator(".deeds-playing")).to_be_visible()
        found += obstacles(ada.page, f"{game}, playing") + obstacles(bo.page, f"{game} on a phone")
        resign(ada)
        expect(bo.page.locator(".status-over")).to_be_visible()
        found += obstacles(ada.page, f"{game}, over")
    route = open_chess(ada.visit(), fog=True, mines=3)
    bo.visit(route).press("Sit down and play")
    expect(ada.page.locator(".deeds-playing")).to_be_visible()
    found += obstacles(ada.page, "chess, playing") + obstacles(bo.page, "chess on a phone")
    resign(ada)
    found += obstacles(bo.page, "chess, over")
    bo.press("Watch it again")
    expect(bo.page.get_by_role("slider", name="Place in the game")).to_be_visible()
    bo.press("To the table")
    expect(bo.page.locator(".status-over")).to_be_visible()
    open_chess(ada.visit(), dice="free", bot="level1")
    expect(ada.page.locator(".die").first).to_be_visible()
    found += obstacles(ada.page, "chess with dice")
    open_mahjong(ada.visit(), bot="random")
    found += obstacles(ada.page, "mahjong, playing")
    for label in ("Pass claims", "Discard draws"):
        ada.page.get_by_role("switch", name=label).click()
    for asked in turns(ada):
        if asked == "win":
            ada.page.keyboard.press("h")
    found += obstacles(ada.page, "mahjong, a hand is over")
    assert found == []
