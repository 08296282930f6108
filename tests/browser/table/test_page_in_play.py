"""Low time and zen mode at a table in play."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.access import accessibility_problems
from tests.browser.board_gestures import at_board
from tests.browser.chessboard import expect_square, resign, tap
from tests.browser.conftest import Visitor
from tests.browser.games.test_page_mahjong import open_mahjong
from tests.browser.person import PHONE, Person
from tests.browser.table.test_page_keys import Opponent
from tests.support.server import Client

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Every way in which the page can make a sound.
_COUNT_SOUNDS: Final = """
    window.soundsMade = 0;
    for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode, HTMLMediaElement]) {
        for (const name of ["start", "play"]) {
            if (!Object.hasOwn(kind.prototype, name)) continue;
            const original = kind.prototype[name];
            kind.prototype[name] = function (...given) {
                window.soundsMade += 1;
                return original.apply(this, given);
            };
        }
    }
"""


def contrasts(text: Locator) -> list[float]:
    """Return the contrast of a text to its own background, in light and dark mode."""
    found = []
    for scheme in ("light", "dark"):
        text.page.emulate_media(
            color_scheme="light" if scheme == "light" else "dark", reduced_motion="reduce"
        )
        style = "(one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
        bright, dim = sorted((luminance(colour) for colour in text.evaluate(style)), reverse=True)
        found.append((bright + 0.05) / (dim + 0.05))
    return found


def luminance(colour: str) -> float:
    """Return the relative luminance of `rgb(r, g, b)` (WCAG)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_low_time_is_seen_heard_and_announced_to_its_player(visitor: Visitor, address: str) -> None:
    bo = Client(int(address.rsplit(":", 1)[1]), name="Bo")
    table = {"clock": {"main": [25_000]}}
    room: str = bo.ask("open", "room", game="chess", nonce="open", seat=0, table=table)["room"]["id"]
    ada, cy = visitor(), visitor()
    for person in (ada, cy):
        person.context.add_init_script(_COUNT_SOUNDS)
        person.page.reload()
        person.visit(f"/t/{room}")
    ada.press("Join the game")
    cy.press("Watch")
    cy.page.get_by_role("tab", name="Table").click()
    for person in (ada, cy):
        expect(person.page.locator("[data-low-time]")).to_be_attached()
    clocks = [
        person.page.locator(".player").nth(place).locator(".clock") for person, place in ((ada, 1), (cy, 0))
    ]
    bo.send("play", room=room, move={"do": "move", "uci": "e2e4"}, nonce="first")
    expect_square(ada, "e4", "white pawn, last move")
    # The sound of the move has been made.
    ada.page.wait_for_function("() => soundsMade > 0")
    quiet = ada.page.evaluate("soundsMade")
    cy.page.wait_for_function("() => soundsMade > 0")
    watched = cy.page.evaluate("soundsMade")
    for step, text in ((1, "20 seconds left"), (2, "10 seconds left")):
        for clock in clocks:
            expect(clock).to_have_class(re.compile(f"clock-on clock-low-{step}"))
        expect(ada.page.locator("[data-low-time]")).to_have_text(text)
        ada.page.wait_for_function("before => soundsMade > before", arg=quiet)
        quiet = ada.page.evaluate("soundsMade")
        for clock in clocks:
            assert min(contrasts(clock)) >= 4.5
        # A spectator sees it, and neither hears nor is told about it.
        assert cy.page.evaluate("soundsMade") == watched
        assert cy.page.locator("[data-low-time]").inner_text() == ""
    # The opponent's clock has not run low.
    expect(ada.page.locator(".player").first.locator(".clock")).to_have_class(re.compile("clock-low-0"))
    # The warnings end with the game.
    expect(ada.page.locator("[data-low-time]")).to_have_count(0)
    bo.close()


def focus_stops(person: Person) -> set[str]:
    """Return the classes of everything that the Tab key reaches."""
    person.page.locator("#main").focus()
    stops: set[str] = set()
    for _ in range(60):
        person.page.keyboard.press("Tab")
        stop = person.page.evaluate(
            "document.activeElement === document.body ? '' : document.activeElement.className"
        )
        if stop in stops and "zen-button" in " ".join(stops):
            break
        stops.add(stop)
    return stops


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_zen_mode_hides_all_but_the_game(visitor: Visitor, size: tuple[int, int]) -> None:
    ada, bo, _ = at_board(visitor, "Chess", size=size)
    page = ada.page
    header, side = page.locator(".top"), page.locator(".side :is(.tabs, .side-panel, .side-moves)")
    expect(header).to_be_visible()
    # In a field, Z is a letter.
    if size == PHONE:
        page.get_by_role("tab", name="Chat").click()
    page.get_by_role("textbox", name="Message").press("z")
    expect(header).to_be_visible()
    page.locator("#main").focus()
    page.keyboard.press("z")
    expect(header).to_be_hidden()
    for part in side.all():
        expect(part).to_be_hidden()
    expect(page.locator(".table-head")).to_be_hidden()
    for shown in (".board", ".player >> nth=0", ".player >> nth=1", ".status", ".action-bar"):
        expect(page.locator(shown)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    hidden = {"tab", "brand", "name quiet", "chat-phrases", "moves-list"}
    assert not focus_stops(ada) & hidden
    assert accessibility_problems(page, "zen mode") == []
    # Offers still appear and are answered.
    play_in_zen(ada, bo)
    bo.client.send("offer", room=bo.room, kind="draw", nonce="draw")
    expect(page.locator(".note")).to_have_text("Bo offers a draw.")
    expect(page.get_by_role("button", name="Decline")).to_be_visible()
    # The button leaves, the same button enters.
    ada.press("Leave zen mode")
    expect(header).to_be_visible()
    ada.press("Zen mode")
    expect(header).to_be_hidden()
    expect(page.get_by_role("button", name="Leave zen mode")).to_be_focused()
    # It ends with the game.
    resign(ada)
    expect(header).to_be_visible()
    expect(page.locator(".zen-button")).to_have_count(0)


def play_in_zen(ada: Person, bo: Opponent) -> None:
    """Make a move while the move list is hidden."""
    tap(ada, "e2", "e4")
    bo.hear()
    bo.play(do="move", uci="e7e5")
    expect_square(ada, "e5", "black pawn, last move")


def test_zen_mode_hides_the_chat_of_mahjong_and_keeps_its_actions(visitor: Visitor) -> None:
    ada = visitor()
    open_mahjong(ada, bot="random")
    expect(ada.page.locator(".zen-button")).to_be_visible()
    ada.page.keyboard.press("z")
    expect(ada.page.locator(".top")).to_be_hidden()
    expect(ada.page.get_by_role("button", name="Chat")).to_have_count(0)
    expect(ada.page.get_by_role("button", name="Leave", exact=True)).to_be_visible()
    ada.press("Leave zen mode")
    expect(ada.page.get_by_role("button", name="Chat")).to_be_visible()
