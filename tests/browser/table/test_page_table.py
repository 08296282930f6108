"""Layout and chat of the table page in real browsers."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIDEWAYS = (844, 390)
LEAST = {(1920, 1080): 980, (1280, 800): 700, PHONE: 380, SIDEWAYS: 365}
"""Window sizes, and the minimum size of the board in each."""

PLACES = (".board", ".status", ".player >> nth=0", ".player >> nth=1", ".action-bar", ".tabs", ".side-panel")


def places(person: Person) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the positions of all elements, for every window size."""
    found = {}
    for size in LEAST:
        person.page.set_viewport_size({"width": size[0], "height": size[1]})
        # The page renders in the next frame.
        person.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        found[size] = {name: person.page.locator(name).first.bounding_box() for name in PLACES}
    return found


def expect_whole(board: dict[str, float], size: tuple[int, int]) -> None:
    """The board is square, within the window, and large."""
    assert board["width"] == pytest.approx(board["height"], abs=1)
    assert board["width"] >= LEAST[size]
    assert min(board["x"], board["y"]) >= 0
    assert board["x"] + board["width"] <= size[0]
    assert board["y"] + board["height"] <= size[1]


def expect_apart(person: Person, one: str, other: str) -> None:
    """Two elements do not overlap."""
    first, second = (person.page.locator(name).bounding_box() for name in (one, other))
    assert first is not None
    assert second is not None
    across = min(first["x"] + first["width"], second["x"] + second["width"]) - max(first["x"], second["x"])
    down = min(first["y"] + first["height"], second["y"] + second["height"]) - max(first["y"], second["y"])
    assert min(across, down) <= 1, (one, other, first, second)


def sit_down(visitor: Visitor) -> tuple[Person, Person, str]:
    """Return black, white and the route of their table."""
    ada, bo = visitor(), visitor()
    ada.call_me("Ada")
    bo.call_me("Bo")
    route = ada.open_table(game="Gomoku")
    bo.visit(route).press("Join the game")
    expect(ada.status).to_have_text("Your turn")
    return ada, bo, route


def tab(person: Person, name: str) -> None:
    person.page.get_by_role("tab", name=re.compile(f"^{name}")).click()


def write(person: Person, text: str) -> None:
    person.page.get_by_label("Message").fill(text)
    person.press("Send")


def test_the_board_is_large_and_nothing_moves(visitor: Visitor) -> None:
    ada, bo, route = sit_down(visitor)
    tab(ada, "Chat")
    before = places(ada)
    for size, found in before.items():
        expect_whole(found[".board"], size)

    # An offer, a chat line, a confirmation.
    ada.place("H8")
    bo.place("H9")
    bo.press("Undo")
    expect(ada.page.get_by_role("alert")).to_have_text("Bo asks for a takeback.")
    assert places(ada) == before
    ada.press("Decline")
    expect(ada.page.get_by_role("alert")).to_have_count(0)
    write(bo, "Hello :)")
    expect(ada.page.get_by_role("log")).to_contain_text("😊")
    assert places(ada) == before
    ada.press("Resign")
    expect(ada.page.get_by_role("alert")).to_contain_text("Resign this game?")
    assert places(ada) == before
    ada.press("Cancel")

    # The opponent disconnects, then this page.
    bo.page.goto("about:blank")
    expect(ada.page.locator(".note-away")).to_have_text(
        re.compile(r"^Bo disconnected and forfeits in \d+\s+s")
    )
    assert places(ada) == before
    ada.cut()
    expect(ada.banner).to_have_text(re.compile(r"^Reconnecting… \(\d+\s+s\) You forfeit in \d+\s+s\."))
    assert places(ada) == before
    for width, height in LEAST:
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.evaluate("scrollTo(0, 1000)")
        expect_apart(ada, ".connection-banner", ".board")
    ada.page.evaluate("scrollTo(0, 0)")
    ada.mend()
    # A player who reconnects earlier is not announced.
    expect(ada.banner).to_have_count(0)
    bo.visit(route)
    expect(ada.page.locator(".toast")).to_contain_text("Bo reconnected.")
    assert places(ada) == before


@pytest.mark.parametrize("game", ["Tic-tac-toe", "Chess"])
def test_every_board_fits_and_a_waiting_table_shows_the_invitation(visitor: Visitor, game: str) -> None:
    ada = visitor()
    route = ada.open_table(game=game)
    before = places(ada)
    for size, found in before.items():
        expect_whole(found[".board"], size)
        ada.page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(ada.page.locator(".invite-panel .qr")).to_be_in_viewport(ratio=0.99)
        expect(ada.page.locator(".invite-panel-code")).to_be_in_viewport(ratio=0.99)
        expect_apart(ada, ".invite-panel", ".board")
    visitor(route).press("Join the game")
    expect(ada.page.locator(".action-bar-playing")).to_be_visible()
    for size, found in places(ada).items():
        stays = [name for name in PLACES if name not in (".tabs", ".side-panel")]
        assert [found[name] for name in stays] == [before[size][name] for name in stays], size


def test_the_browser_tab_shows_whose_turn_it_is(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    icon = 'link[rel~="icon"]'
    expect(ada.page).to_have_title(re.compile("^● Your turn"))
    expect(ada.page.locator(icon)).to_have_attribute("href", re.compile("turn"))
    expect(bo.page.locator(icon)).to_have_attribute("href", re.compile("favicon"))
    ada.place("H8")
    expect(ada.page.locator(icon)).to_have_attribute("href", re.compile("favicon"))
    expect(bo.page.locator(icon)).to_have_attribute("href", re.compile("turn"))


def test_phrases_are_translated_and_a_player_can_be_muted(visitor: Visitor) -> None:
    ada, bo, route = sit_down(visitor)
    cy = visitor(route, language="zh-TW")
    bo.press("Quick phrases")
    bo.press("Well played!")
    for person, words in ((ada, "Well played!"), (bo, "Well played!"), (cy, "下得好！")):
        expect(person.page.get_by_role("log")).to_contain_text(words)
    write(bo, "You are slow")
    log = ada.page.get_by_role("log")
    expect(log).to_contain_text("You are slow")
    log.get_by_role("button", name="Bo", exact=True).last.click()
    ada.press("Report this message")
    expect(ada.page.locator(".toast")).to_contain_text("Reported to the server operator")
    log.get_by_role("button", name="Bo", exact=True).last.click()
    ada.press("Mute Bo")
    expect(log).not_to_contain_text("You are slow")
    ada.page.reload()
    expect(log).to_contain_text("Bo is muted.")
    expect(log).not_to_contain_text("You are slow")
    ada.press("Unmute")
    expect(log).to_contain_text("You are slow")


def test_the_host_restricts_the_chat_to_phrases(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    tab(bo, "Table")
    expect(bo.page.get_by_role("button", name="Limit chat to quick phrases")).to_have_count(0)
    tab(ada, "Table")
    ada.press("Limit chat to quick phrases")
    tab(bo, "Chat")
    expect(bo.page.get_by_label("Message")).to_be_disabled()
    bo.press("Quick phrases")
    bo.press("Nice four!")
    tab(ada, "Chat")
    expect(ada.page.get_by_role("log")).to_contain_text("Nice four!")
    tab(ada, "Table")
    ada.press("Allow free chat")
    expect(bo.page.get_by_label("Message")).to_be_enabled()


def test_table_rules_are_shown(visitor: Visitor, address: str) -> None:
    host = Client(int(address.rsplit(":", 1)[1]), name="Host")
    table = {"undo_allowed": False, "disconnect_timeout": 0, "spectator_delay": 20}
    room = host.ask("open", "room", game="gomoku", nonce="n", table=table)["room"]["id"]
    ada = visitor(f"/t/{room}")
    ada.press("Join the game")
    undo = ada.page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)
    expect(ada.page.locator(".toast")).to_have_text(re.compile("^Takebacks are off"))
    tab(ada, "Table")
    expect(ada.page.locator(".rules")).to_contain_text("Takebacks are off.")
    cy = visitor(f"/t/{room}")
    expect(cy.page.locator(".note")).to_have_text(re.compile(r"You see the game 20\s+s later\."))
    expect(ada.page.locator(".rules")).to_contain_text(re.compile(r"Spectators see the game 20\s+s later\."))
    expect(ada.page.locator(".rules")).to_contain_text("1 spectator")
    host.close()
    expect(ada.page.locator(".note-away")).to_have_text("Host disconnected. The game waits.")


def test_a_seat_moves_to_another_device_and_the_first_one_watches(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    tab(ada, "Table")
    ada.press("Continue on another device")
    link = ada.page.get_by_role("textbox", name="Link that moves your seat")
    expect(ada.page.get_by_role("img", name="Link that moves your seat")).to_be_visible()
    address = link.input_value()
    phone = visitor(address.split("#", 1)[1], size=PHONE)
    expect(phone.page.get_by_role("heading", name="Continue here?")).to_be_visible()
    phone.press("Continue here")
    phone.at_table()
    phone.place("H8")
    bo.expect_point("H8", "black")
    expect(ada.status).to_have_text(re.compile("'s turn"))
    expect(ada.page.locator(".note")).to_have_text(
        "Your seat has moved to the other device. You are watching."
    )
    ada.expect_point("H8", "black")
    # A ticket works once.
    late = visitor(address.split("#", 1)[1])
    late.press("Continue here")
    expect(late.page.locator(".message-page")).to_contain_text("This link has expired or was already used")
    expect(late.page.get_by_role("button", name="Continue here")).to_have_count(0)
    bo.place("H9")
    phone.place("G7")
