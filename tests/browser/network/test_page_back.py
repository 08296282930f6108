"""The browser's Back button keeps the seat in a running game and leaves a finished one."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_back_keeps_the_seat_in_a_running_game_and_leaves_a_finished_one(visitor: Visitor) -> None:
    ada, bo = visitor(size=PHONE), visitor()
    route = ada.open_table()
    bo.visit(route).press("Join the game")
    card = ada.page.locator(".your-tables")
    mover, other = (ada, bo) if ada.is_to_move() else (bo, ada)

    ada.page.go_back()
    expect(card).to_be_in_viewport(ratio=1)
    expect(card).to_contain_text("Tic-tac-toe")
    # The seat is resumed after a reload, on any page.
    ada.page.reload()
    expect(card).to_contain_text(re.compile("(Your move against|is to move).*Tic-tac-toe"))
    ada.press("Continue")
    assert ada.at_table() == route
    mover.mark(4)
    other.mark(0)

    ada.page.go_back()
    bo.press("Resign")
    bo.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(card).to_contain_text("You won")
    ada.press("Back to the table")
    assert ada.at_table() == route
    expect(bo.page.get_by_role("button", name="Rematch")).to_be_visible()
    ada.page.go_back()
    expect(card).to_have_count(0)
    expect(bo.page.locator(".player").first).to_contain_text("Open seat")


def test_another_tab_in_the_lobby_does_not_take_over_the_seat(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    bo.visit(ada.open_table()).press("Join the game")
    assert ada.is_to_move() or bo.is_to_move()
    second = ada.new_page()
    # A tab has 250 ms to say that it is at the table; a busy machine gets more.
    second.add_init_script(
        "const set = setTimeout; window.setTimeout = (f, ms, ...o) => set(f, ms === 250 ? 3000 : ms, ...o);"
    )
    frames: list[str] = []
    second.on("websocket", lambda line: line.on("framesent", lambda sent: frames.append(str(sent))))
    second.goto(ada.address)
    expect(second.locator(".your-tables")).to_contain_text("You have a seat at a table.")
    # Longer than the time that other tabs have to answer.
    second.wait_for_timeout(4_000)
    assert not any('"watch"' in frame for frame in frames), frames
    expect(ada.page.locator(".status-replaced")).to_have_count(0)
    ada.page.close()
    second.reload()
    expect(second.locator(".your-tables")).to_contain_text("Tic-tac-toe")
