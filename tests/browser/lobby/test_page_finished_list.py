"""The list of finished games."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_public_game_is_listed_when_its_table_is_closed_and_can_be_replayed(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor(size=PHONE)
    ada.call_me("Ada L")
    bo.call_me("Bo B")
    table = ada.open_table()
    bo.visit(table)
    bo.press("Join the game")
    (ada if ada.is_to_move() else bo).mark(4)
    ada.press("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(bo.status).to_contain_text("You won")
    for person in (ada, bo):
        person.press("Show the board")
        person.press("Leave")
    listed = bo.page.locator(".finished-games-list .row")
    for _ in range(40):  # A closed table goes to the archive within seconds.
        bo.page.goto(f"{bo.address}/#/")
        bo.press("Finished games")
        bo.page.wait_for_timeout(1500)
        if listed.count():
            break
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("Bo B won by resignation")
    bo.page.get_by_label("Player name").fill("nobody at all")
    bo.press("Search")
    expect(bo.page.get_by_text("No games found.")).to_be_visible()
    expect(listed).to_have_count(0)
    bo.page.get_by_label("Player name").fill("ada l")
    bo.press("Search")
    expect(listed).to_have_count(1)
    bo.page.get_by_label("Game", exact=True).select_option("chess")
    expect(listed).to_have_count(0)
    bo.page.get_by_label("Game", exact=True).select_option("")
    bo.press("Replay")
    expect(bo.page.get_by_role("slider", name="Position in the game")).to_be_visible()
