"""The server goes away and comes back while people play."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.person import Person
from tests.support.server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_killed_server_loses_nothing_and_a_move_made_meanwhile_is_kept(
    chromium: Browser, tmp_path: Path
) -> None:
    server = ServerProcess(tmp_path / "data")
    with server:
        address = f"http://127.0.0.1:{server.port}"
        with Person(chromium, address) as ada, Person(chromium, address) as bo:
            route = ada.visit().open_table(clock=2)
            bo.visit(route).press("Sit down and play")
            first, second = (ada, bo) if ada.is_to_move() else (bo, ada)
            first.mark(4)
            for one in (ada, bo):
                one.expect_trouble()
            server.kill()
            second.cell(0).click()
            expect(second.banner).to_contain_text("our move is kept")
            server.start()
            first.expect_cell(0, "[XO]")
            for one in (ada, bo):
                expect(one.banner).to_have_count(0)
                one.expect_cell(4, "[XO]")
            expect(first.page.locator(".toast")).to_contain_text("Nobody lost any time.")
            first.mark(8)
            second.expect_cell(8, "[XO]")
            expect(first.status).to_have_text(re.compile("is to move"))
