"""A real server with the built page, and real browsers."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.person import Person
from tests.support.server import ServerProcess
from tools.browser import find

PAGE = Path(__file__).parents[2] / "src" / "qipai" / "page" / "index.html"
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Visitor = Callable[..., Person]


def missing(what: str) -> NoReturn:
    """Skip on a developer's machine, fail in CI."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(f"NOT TESTED IN A BROWSER: {what}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for a module; its event loop must not outlive the tests that need it."""
    program = find()
    if program is None:
        missing("there is no chromium here")
    if not PAGE.is_file():
        missing("the page is not built: run npm ci && npm run build in web/")
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server with quick bots."""
    with ServerProcess(tmp_path_factory.mktemp("page") / "data") as server:
        yield f"http://127.0.0.1:{server.port}"
        assert server.errors == []


@pytest.fixture
def visitor(chromium: Browser, address: str) -> Iterator[Visitor]:
    """Return a function that opens a browser context, connected and in the lobby."""
    with ExitStack() as stack:

        def arrive(route: str = "/", **more: Any) -> Person:
            return stack.enter_context(Person(chromium, address, **more)).visit(route)

        yield arrive
