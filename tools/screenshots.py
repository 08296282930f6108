"""Takes the screenshots of the documents: `make screenshots` writes them to docs/screenshots.

Names, sizes and moves are always the same; random draws of the server are not.
"""

import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chessboard import open_chess
from tests.browser.person import PHONE, Person, choose_opponent
from tests.support.finished_games import finish
from tests.support.server import Client, ServerProcess

from .browser import find

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screenshots"
QUALITY: Final = 82
GOMOKU: Final = ("H8", "I9", "G9", "I7")


class Screenshots:
    """Saves screenshots under fixed names."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self.address = address

    def visit(self, route: str = "/", *, phone: bool = False, dark: bool = False) -> Person:
        """Open a route as a player named Ada."""
        options = {"color_scheme": "dark" if dark else "light"}
        size = PHONE if phone else (1280, 800)
        person = Person(self._browser, self.address, size=size, **options).visit(route)
        person.call_me("Ada")
        return person

    def save(self, page: Page, name: str) -> None:
        """Save a screenshot of a page."""
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement?.blur()")
        page.wait_for_timeout(700)
        page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=QUALITY)
        print(f"{name}.jpg")


def lobby(screenshots: Screenshots, port: int) -> None:
    """The lobby with a few tables, also on a phone in the dark theme, and the dialog for a new table."""
    opened = [("chess", "Bo", "Evening club"), ("gomoku", "Cyd", ""), ("mahjong", "Dan", "Four winds")]
    hosts = [Client(port, name=name) for _, name, _ in opened]
    for host, (game, _, title) in zip(hosts, opened, strict=True):
        host.ask("open", "room", game=game, nonce="open", table={"title": title} if title else {})
    with screenshots.visit() as ada:
        screenshots.save(ada.page, "lobby")
        ada.press("Open your own table")
        ada.page.get_by_role("dialog").get_by_role("radio", name="Chess", exact=True).check()
        screenshots.save(ada.page, "create")
    with screenshots.visit(phone=True, dark=True) as ada:
        screenshots.save(ada.page, "lobby-phone")
    for host in hosts:
        host.close()


def tables(screenshots: Screenshots) -> None:
    """A table of each game against bots."""
    with screenshots.visit() as ada:
        open_chess(ada, bot="level1", dice="sequential")
        expect(ada.page.locator(".die").first).to_be_visible()
        screenshots.save(ada.page, "chess")
    with screenshots.visit(phone=True) as ada:
        open_chess(ada, bot="level1", fog=True)
        screenshots.save(ada.page, "chess-fog-phone")
    with screenshots.visit() as ada:
        ada.open_table(game="Gomoku", bot="hard")
        for point in GOMOKU:
            expect(ada.status).to_have_text("Your turn")
            if ada.point(point).get_attribute("aria-disabled") == "false":
                ada.place(point)
        expect(ada.status).to_have_text("Your turn")
        screenshots.save(ada.page, "gomoku")
    with screenshots.visit(dark=True) as ada:
        ada.open_table(game="Tic-tac-toe", bot="random")
        expect(ada.status).to_have_text("Your turn")
        screenshots.save(ada.page, "tictactoe-dark")
    for phone in (False, True):
        with screenshots.visit(phone=phone) as ada:
            ada.press("Open your own table")
            dialog = ada.page.get_by_role("dialog")
            dialog.get_by_role("radio", name="Mahjong", exact=True).check()
            choose_opponent(dialog, "normal")
            dialog.get_by_role("button", name="Open table").click()
            expect(ada.page.locator(".mj-held").first).to_be_visible()
            screenshots.save(ada.page, "mahjong-phone" if phone else "mahjong")


def replays(screenshots: Screenshots, port: int) -> None:
    """Finished games and the other pages."""
    for name, game, step in (
        ("replay-chess", "chess", "4"),
        ("replay-gomoku", "gomoku", "9"),
        ("replay-mahjong", "mahjong", "99"),
    ):
        room = finish(port, game)
        with screenshots.visit(f"/g/{room}/1") as ada:
            slider = ada.page.get_by_role("slider")
            slider.fill(min(step, slider.get_attribute("max") or step, key=int))
            screenshots.save(ada.page, name)
    with screenshots.visit("/replay") as ada:
        screenshots.save(ada.page, "records")
        for path in ("docs", "login"):
            ada.page.goto(f"{screenshots.address}/{path}")
            screenshots.save(ada.page, path)


def main() -> None:
    """Take all screenshots."""
    program = find()
    if program is None:
        sys.exit("chromium is not installed")
    FOLDER.mkdir(parents=True, exist_ok=True)
    config = "bot_pause = 100\n"
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder) / "data", config=config) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        screenshots = Screenshots(browser, f"http://127.0.0.1:{server.port}")
        lobby(screenshots, server.port)
        tables(screenshots)
        replays(screenshots, server.port)
        browser.close()


if __name__ == "__main__":
    main()
