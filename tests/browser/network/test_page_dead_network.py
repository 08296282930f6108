"""The page on a network that dies without closing the connection, as in a tunnel."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.person import Person
from tests.support.proxies.cuttable_proxy import CuttableProxy
from tests.support.server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_banner_comes_and_goes_when_the_network_is_back(chromium: Browser, tmp_path: Path) -> None:
    with (
        ServerProcess(tmp_path / "data") as server,
        CuttableProxy(server.port) as network,
        Person(chromium, f"http://127.0.0.1:{network.port}") as ada,
    ):
        ada.visit("/")
        ada.open_table(game="Gomoku", bot="easy")
        expect(ada.banner).to_have_count(0)
        network.freeze()
        # web/test/net/socket.test.ts tests that its timers take less than ten seconds together.
        expect(ada.banner).to_be_visible()
        network.unfreeze()
        expect(ada.banner).to_have_count(0)
