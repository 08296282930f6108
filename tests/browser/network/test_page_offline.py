"""The page without a network, and the page after an update."""

import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PAGE, Visitor
from tests.browser.person import Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def expect_cached(page: Page) -> None:
    """Wait until the page is cached and controlled by its service worker."""
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")


def test_the_page_starts_offline_and_continues_when_the_network_is_back(visitor: Visitor) -> None:
    ada = visitor()
    asked: list[str] = []
    ada.context.on("request", lambda request: asked.append(request.url))
    route = ada.open_table(game="Gomoku", bot="easy")
    expect_cached(ada.page)
    ada.place("H8")
    ada.cut()
    ada.page.reload()
    expect(ada.banner).to_be_visible()
    expect(ada.page.get_by_text("Opening the table")).to_be_visible()
    ada.page.goto(f"{ada.address}/#/")
    expect(ada.page.get_by_role("heading", name="Tables")).to_be_visible()
    # Responses of the server are not cached, so nothing of them is shown.
    kept = ada.page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(
            async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
        ))).flat()"""
    )
    assert "/" in kept
    assert all(
        path.startswith("/assets/") or path in ("/", "/favicon.svg", "/manifest.webmanifest") for path in kept
    )
    ada.mend()
    ada.page.goto(f"{ada.address}/#{route}")
    ada.expect_point("H8", "black")
    expect(ada.banner).to_have_count(0)
    assert [url for url in asked if not url.startswith((ada.address, "data:", "blob:"))] == []


class Shelf:
    """A static file server whose files can be replaced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shelf = self

        class Handler(SimpleHTTPRequestHandler):
            def translate_path(self, path: str) -> str:
                name = path.split("?")[0].split("#")[0]
                return str(shelf.folder / ("index.html" if name == "/" else name.lstrip("/")))

            def end_headers(self) -> None:
                self.send_header("cache-control", "no-store")
                super().end_headers()

            def do_GET(self) -> None:
                if not self.path.startswith("/api/"):
                    return super().do_GET()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"frames": [], "games": []}')
                return None

            def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler))
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    found = Shelf(PAGE.parent)
    thread = threading.Thread(target=found.server.serve_forever)
    thread.start()
    yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


def rebuilt(page: Path, folder: Path) -> str:
    """Write another build of a page into a folder; return the old name of a lazy chunk.

    Every script gets another name: they name each other, so that all of them change.
    """
    shutil.copytree(page, folder)
    (late,) = (file.name for file in folder.glob("assets/ReplayViewer-*.js"))
    names = {file.name: f"{file.stem}-rebuilt.js" for file in folder.glob("assets/*.js")}
    for file in [*folder.glob("*.*"), *folder.glob("assets/*.js")]:
        if file.suffix in {".js", ".html"}:
            text = re.sub('BUILD = "[^"]+"', 'BUILD = "rebuilt"', file.read_text())
            for old, new in names.items():
                text = text.replace(old, new)
            file.with_name(names.get(file.name, file.name)).write_text(text)
    for old in names:
        (folder / "assets" / old).unlink()
    return late


def test_an_open_tab_survives_an_update_and_the_next_one_is_new(
    chromium: Browser, shelf: Shelf, tmp_path: Path
) -> None:
    with Person(chromium, shelf.address) as ada:
        ada.expect_trouble()
        ada.page.goto(shelf.address)
        expect_cached(ada.page)
        old = rebuilt(PAGE.parent, tmp_path / "page")
        shelf.folder = tmp_path / "page"
        # The service worker finds the new build, but the tab keeps its version.
        ada.page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        ada.page.wait_for_function(
            "() => navigator.serviceWorker.getRegistration().then((found) => !!found.waiting)"
        )
        assert not (shelf.folder / "assets" / old).exists()
        ada.page.evaluate("location.hash = '#/g/room/1'")
        expect(ada.page.get_by_role("alert")).to_be_visible()
        second = ada.new_page()
        second.goto(f"{shelf.address}/#/replay")
        expect(second.get_by_role("textbox", name="PGN or SGF")).to_be_visible()
        assert second.locator("script[type=module][src*=-rebuilt]").count() == 1
        ada.page.close()
        second.close()
        third = ada.new_page()
        third.goto(shelf.address)
        third.wait_for_function("() => caches.keys().then((names) => names.join() === 'qipai-rebuilt')")
