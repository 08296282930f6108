"""Download size of the page, and layout shifts while it loads."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.chessboard import open_chess, play
from tests.browser.conftest import Visitor
from tests.browser.games.test_page_mahjong import open_mahjong, switch
from tests.browser.person import PHONE, Person
from tests.support.server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WEIGHT: Final = 110_000
"""Maximum bytes of compressed scripts and styles for the lobby and one game."""
WEIGHT_WITH_FEATURED: Final = 125_000
"""The same if the lobby also draws a featured table of another game."""
REQUESTS: Final = 20
SHIFT: Final = 0.01
_BOARD: Final = ".table-page .board :is([data-cell], [data-square], [data-tile])"
_WATCH_SHIFTS: Final = """
    window.shifts = [];
    // Tiles and stones may move, that is the game; what is around them may not, not even at the same time.
    const isGame = ({ node }) => node?.parentElement?.closest(".board");
    const area = ({ width, height }) => (width * height) / (innerWidth * innerHeight);
    const moved = ({ previousRect: from, currentRect: to }) => {
        const way = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
        return ((area(from) + area(to)) * way) / Math.max(innerWidth, innerHeight);
    };
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) {
            const around = one.sources.filter((source) => !isGame(source));
            if (one.hadRecentInput || around.length === 0) continue;
            const value = Math.min(one.value, around.reduce((sum, source) => sum + moved(source), 0));
            window.shifts.push({ value, at: one.startTime, what: around.map(({ node }) => node?.className) });
        }
    }).observe({ type: "layout-shift", buffered: true });
"""


class Downloads:
    """Records all responses of a page."""

    def __init__(self, page: Page) -> None:
        self.responses: list[Response] = []
        page.on("response", self._came)

    def _came(self, response: Response) -> None:
        self.responses.append(response)

    def size(self) -> int:
        """Return the size of all scripts and styles, which must be compressed."""
        found = [one for one in self.responses if one.url.endswith((".js", ".css"))]
        assert found
        for one in found:
            assert one.header_value("content-encoding") == "gzip", one.url
        return sum(int(one.header_value("content-length") or 0) for one in found)


def sit(person: Person, game: str) -> None:
    """Join a table of a game against a bot."""
    match game:
        case "Chess":
            open_chess(person, bot="level1")
        case "Mahjong":
            open_mahjong(person, bot="random")
        case _:
            person.open_table(game=game, bot={"Gomoku": "easy", "Tic-tac-toe": "random"}[game])


def move(person: Person, game: str) -> None:
    """Make a move, and wait for the answer if there is one."""
    match game:
        case "Chess":
            play(person, "e2e4")
            expect(person.page.locator(".moves-move")).to_have_count(2)
        case "Gomoku":
            person.place("H8")
            expect(person.page.locator(".moves-move")).to_have_count(2)
        case "Tic-tac-toe":
            expect(person.status).to_have_text("Your turn")
            person.page.locator(".cell-open").first.click()
            expect(person.status).to_have_text("Your turn")
        case _:
            switch(person, "No calls", "Auto-discard")
            expect(person.page.locator(".mj-discard").nth(7)).to_be_visible()


@pytest.mark.parametrize("game", ["Tic-tac-toe", "Gomoku", "Chess", "Mahjong"])
def test_the_lobby_and_one_game_weigh_little(chromium: Browser, tmp_path: Path, game: str) -> None:
    # A server of its own: no table of another test is featured.
    with (
        ServerProcess(tmp_path / "data") as server,
        Person(chromium, f"http://127.0.0.1:{server.port}") as ada,
    ):
        downloads = Downloads(ada.page)
        ada.visit()
        ada.choose(game)
        ada.press("Play computer")
        expect(ada.page.locator(_BOARD).first).to_be_visible()
        assert downloads.size() < WEIGHT


@pytest.mark.parametrize("game", ["Tic-tac-toe", "Gomoku", "Chess", "Mahjong"])
def test_a_game_is_small_and_has_no_layout_shifts(visitor: Visitor, game: str) -> None:
    ada = visitor("/replay", size=PHONE if game == "Gomoku" else (1280, 800))
    ada.context.add_init_script(_WATCH_SHIFTS)
    # A first visit: the service worker must not serve files.
    ada.page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found?.unregister())")
    ada.page.goto("about:blank")
    downloads = Downloads(ada.page)
    ada.visit()
    sit(ada, game)
    assert downloads.size() < WEIGHT_WITH_FEATURED
    assert len(downloads.responses) < REQUESTS
    ada.page.reload()
    expect(ada.page.locator(_BOARD).first).to_be_visible()
    move(ada, game)
    shifts = ada.page.evaluate("window.shifts")
    assert sum(one["value"] for one in shifts) < SHIFT, shifts
