"""API tokens and bot accounts in a real browser: made, shown once, revoked, and the mark that others see."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.access import accessibility_problems
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_page_account import GOOD, create, open_account, panel
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MARK: Final = "A program plays for this account."


def make_token(owner: Person, name: str) -> str:
    """Make a token on the account page, and return its secret."""
    form = panel(owner, "API tokens")
    form.get_by_label("Name of the token").fill(name)
    form.get_by_label("Password", exact=True).fill(GOOD)
    form.get_by_role("button", name="Create a token").click()
    shown = form.get_by_role("group", name="Your new token")
    secret = shown.locator("code").inner_text()
    assert secret.startswith("qipai_")
    shown.get_by_role("button", name="I have saved it").click()
    expect(form.get_by_text(secret)).to_have_count(0)
    return secret


def make_bot(owner: Person) -> None:
    form = panel(owner, "Bot account")
    form.get_by_role("button", name="Make this a bot account").click()
    form.get_by_label("Password", exact=True).fill(GOOD)
    form.get_by_role("button", name="Make it a bot account for good").click()
    expect(form.get_by_text("This is a bot account.")).to_be_visible()


@contextmanager
def program(address: str, secret: str) -> Iterator[Client]:
    """Connect as a program with a token."""
    with closing(Client(urlsplit(address).port or 0, greet=False)) as client:
        welcome = client.ask("hello", "welcome", "refused", api_token=secret)
        assert welcome.get("bot"), welcome
        yield client


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_tokens_are_made_listed_and_revoked(visitor: Visitor, size: tuple[int, int]) -> None:
    ada = visitor(size=size)
    open_account(ada)
    create(ada, f"Token Tess {size[0]}")
    make_token(ada, "Laptop")
    rows = panel(ada, "API tokens").get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Never used")
    found = accessibility_problems(ada.page, "tokens")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    rows.get_by_role("button", name="Revoke the token: Laptop").click()
    expect(rows).to_have_count(0)
    assert found == []


def test_everybody_sees_that_a_program_plays(visitor: Visitor, address: str) -> None:
    owner, ann = visitor(), visitor()
    open_account(owner)
    create(owner, "Robo Rita")
    make_bot(owner)
    with program(address, make_token(owner, "Bot")) as robo:
        room = robo.ask("open", "room", game="tictactoe", nonce="a")["room"]["id"]
        row = ann.page.get_by_role("listitem").filter(has_text="Robo Rita")
        expect(row.get_by_text("BOT", exact=True)).to_be_visible()
        expect(row.get_by_text(MARK)).to_have_count(1)
        ann.visit(f"/t/{room}")
        expect(
            ann.page.get_by_role("heading", name="Robo Rita").get_by_text("BOT", exact=True)
        ).to_be_visible()
        ann.press("Join the game")
        strip = ann.page.locator(".player").filter(has_text="Robo Rita")
        expect(strip.get_by_text("BOT", exact=True)).to_be_visible()
        expect(ann.page.locator(".tag-bot")).to_have_count(1)
        ann.visit("/@Robo Rita")
        expect(
            ann.page.get_by_role("heading", name="Robo Rita").get_by_text("BOT", exact=True)
        ).to_be_visible()
        assert accessibility_problems(ann.page, "profile of a bot") == []
        robo.send("leave", room=room)


def test_an_account_that_sits_at_a_table_does_not_become_a_bot(visitor: Visitor) -> None:
    ada = visitor()
    ada.expect_trouble()
    open_account(ada)
    create(ada, "Human Hana")
    ada.visit("/").open_table()
    ada.visit("/account")
    form = panel(ada, "Bot account")
    form.get_by_role("button", name="Make this a bot account").click()
    form.get_by_label("Password", exact=True).fill(GOOD)
    form.get_by_role("button", name="Make it a bot account for good").click()
    expect(form.get_by_role("alert")).to_contain_text("sits at a table")
