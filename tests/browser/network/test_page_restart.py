"""Restarts of the server during a game."""

import re
import signal
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.person import Person
from tests.support.proxies.switching_proxy import SwitchingProxy
from tests.support.server import ServerProcess
from tests.support.workers import workers

LONGEST: Final = 2_000
"""Longest outage in milliseconds if another worker is available."""

# Measured in the page, so that a slow test does not count.
_WATCH_OUTAGES: Final = """
    window.outages = [];
    window.bannered = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...address) {
            super(...address);
            const opened = performance.now();
            this.addEventListener("message", () => { window.usual ??= performance.now() - opened; });
            this.addEventListener("close", ({ code }) => {
                if (!outages.some((one) => !one.to)) outages.push({ code, from: performance.now() });
            });
            this.addEventListener("message", ({ data }) => {
                const last = outages.at(-1);
                const isAnswer = /"type":"(events|unchanged|room)"/.test(data);
                if (last && !last.to && isAnswer) last.to = performance.now();
            });
        }
    };
    let since = null;
    new MutationObserver(() => {
        const shown = document.querySelector(".connection-banner") !== null;
        if (shown && since === null) since = performance.now();
        if (!shown && since !== null) { bannered += performance.now() - since; since = null; }
    }).observe(document, { childList: true, subtree: true });
"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_killed_server_loses_nothing_and_a_pending_move_is_sent(chromium: Browser, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data")
    with server:
        address = f"http://127.0.0.1:{server.port}"
        with Person(chromium, address) as ada, Person(chromium, address) as bo:
            route = ada.visit().open_table(clock=2)
            bo.visit(route).press("Join the game")
            first, second = (ada, bo) if ada.is_to_move() else (bo, ada)
            first.mark(4)
            for one in (ada, bo):
                one.expect_trouble()
            server.kill()
            second.cell(0).click()
            expect(second.banner).to_contain_text("our move is saved")
            server.start()
            expect(first.page.locator(".toast")).to_contain_text("No clock time was lost.")
            first.expect_cell(0, "[XO]")
            for one in (ada, bo):
                expect(one.banner).to_have_count(0)
                one.expect_cell(4, "[XO]")
            first.mark(8)
            second.expect_cell(8, "[XO]")
            expect(first.status).to_have_text(re.compile("'s turn"))


def test_a_game_continues_within_two_seconds_after_workers_are_killed_and_stopped(
    chromium: Browser, tmp_path: Path
) -> None:
    # Behind one address, like a proxy: a reconnect reaches another worker.
    with workers(tmp_path, 3) as (_, (first, second, third)), SwitchingProxy(first.port) as switch:
        address = f"http://127.0.0.1:{switch.port}"
        with Person(chromium, address) as ada, Person(chromium, f"http://127.0.0.1:{third.port}") as bo:
            ada.context.add_init_script(_WATCH_OUTAGES)
            route = ada.visit().open_table(clock=2)
            bo.visit(route).press("Join the game")
            mover, other = (ada, bo) if ada.is_to_move() else (bo, ada)
            mover.mark(4)
            other.expect_cell(4, "[XO]")
            ada.expect_trouble()
            switch.target = second.port
            first.kill()
            other.mark(0)
            mover.expect_cell(0, "[XO]")
            switch.target = third.port
            second.signal(signal.SIGTERM)
            mover.mark(8)
            other.expect_cell(8, "[XO]")
            expect(ada.banner).to_have_count(0)
            ada.page.wait_for_function("() => outages.length === 2 && outages.every((one) => one.to)")
            outages = ada.page.evaluate("outages")
            assert [one["code"] for one in outages] == [1006, 4503]
            # The first connection shows how busy the machine is.
            longest = LONGEST + 10 * ada.page.evaluate("usual")
            assert all(one["to"] - one["from"] < longest for one in outages), outages
            assert ada.page.evaluate("bannered") < longest
