"""The server goes away and comes back while people play."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.person import Person
from tests.support.server import ServerProcess
from tests.support.switch import Switch
from tests.support.workers import workers

SLACK = 1.5
"""Seconds that two clicks of a browser may take on a busy machine."""

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


def test_a_worker_is_killed_and_the_game_goes_on_within_two_seconds(
    chromium: Browser, tmp_path: Path
) -> None:
    # Behind one address, as a proxy would: whoever is cut off comes to the other worker.
    with workers(tmp_path, 2) as (_, (first, second)), Switch(first.port) as switch:
        address = f"http://127.0.0.1:{switch.port}"
        with Person(chromium, address) as ada, Person(chromium, f"http://127.0.0.1:{second.port}") as bo:
            route = ada.visit().open_table(clock=2)
            bo.visit(route).press("Sit down and play")
            mover, other = (ada, bo) if ada.is_to_move() else (bo, ada)
            mover.mark(4)
            other.expect_cell(4, "[XO]")
            ada.expect_trouble()
            switch.target = second.port
            first.kill()
            fell = time.monotonic()
            expect(ada.banner).to_have_count(0)
            other.mark(0)
            mover.expect_cell(0, "[XO]")
            assert time.monotonic() - fell < 2 + SLACK
            expect(ada.banner).to_have_count(0)
