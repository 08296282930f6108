"""Finished games of a server that is too busy: the page says so, waits, and asks again by itself."""

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.browser.conftest import Visitor
from tests.browser.person import Person
from tests.support.finished_games import finish

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXTS = {
    "en": "The server is busy. Retrying in 2\u00a0s.",
    "zh-TW": "伺服器忙碌中，2 秒後自動重試。",
    "zh-CN": "服务器繁忙，2 秒后自动重试。",
}


class BusyServer:
    """Answers the first requests for finished games as a busy server, and passes on all others."""

    def __init__(self, context: BrowserContext, status: int, times: int, after: str = "2") -> None:
        self.status, self.left, self.after = status, times, after
        self.refused = 0
        context.route("**/api/games**", self._answer)

    def _answer(self, route: Route) -> None:
        if self.left == 0:
            route.continue_()
            return
        self.left -= 1
        self.refused += 1
        body = json.dumps({"error": "the server cannot do this now, try again"})
        route.fulfill(status=self.status, headers={"retry-after": self.after}, body=body)


@pytest.fixture
def room(address: str) -> str:
    return finish(int(address.rsplit(":", 1)[1]), "chess")


def arrive(
    visitor: Visitor, status: int, times: int, after: str = "2", **more: Any
) -> tuple[Person, BusyServer]:
    """Return a visitor of a page that asks for no games, and the server that is busy from now on."""
    person = visitor("/learn", **more)
    person.expect_trouble()
    return person, BusyServer(person.page.context, status, times, after)


@pytest.mark.parametrize("status", [429, 503])
def test_a_replay_is_shown_as_soon_as_the_server_can(visitor: Visitor, room: str, status: int) -> None:
    ada, busy = arrive(visitor, status, 2)
    ada.visit(f"/g/{room}/1")
    expect(ada.page.get_by_text(TEXTS["en"])).to_be_visible()
    expect(ada.page.locator("output.autoplay-at")).to_have_text("Step 0 of 4")
    assert busy.refused == 2


def test_it_can_be_asked_for_at_once(visitor: Visitor, room: str) -> None:
    ada, busy = arrive(visitor, 503, 1, after="3600")
    ada.visit(f"/g/{room}/1")
    expect(ada.page.get_by_text("Retrying in 60")).to_be_visible()
    ada.press("Try again")
    expect(ada.page.locator("output.autoplay-at")).to_have_text("Step 0 of 4")
    assert busy.refused == 1


@pytest.mark.parametrize("language", list(TEXTS))
def test_it_is_said_in_every_language(visitor: Visitor, room: str, language: str) -> None:
    ada, _ = arrive(visitor, 429, 100, language=language)
    ada.visit(f"/g/{room}/1")
    expect(ada.page.get_by_text(TEXTS[language])).to_be_visible()


def test_the_list_of_finished_games_waits_too(visitor: Visitor) -> None:
    ada, busy = arrive(visitor, 429, 1)
    ada.visit("/replay")
    expect(ada.page.get_by_text(TEXTS["en"])).to_be_visible()
    expect(ada.page.get_by_text(TEXTS["en"])).to_have_count(0)
    expect(ada.page.get_by_text("The list could not be loaded")).to_have_count(0)
    assert busy.refused == 1
